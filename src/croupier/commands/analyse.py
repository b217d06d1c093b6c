"""``croupier analyse``: what a search would have done in a finished game, and what decided it."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

import click
import msgspec
from rich import box
from rich.console import Console, Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from croupier.analysis.brief import Brief, again, prepare
from croupier.analysis.report import Analysis, Decision, Teller, report
from croupier.commands.failing import fail
from croupier.commands.game_records import given
from croupier.commands.games import game_of, tried_games
from croupier.kernel import Budget, Illegal, Words
from croupier.tables.languages import LANGUAGES, words
from croupier.tables.names import harmless
from croupier.tables.records import GameRecord
from croupier.tables.replay import NoSuchGame
from croupier.tables.table import AnyGame
from croupier.tables.verifying import NoRecord, read

SECONDS = 1.0
WIDE = 120
"""Columns, where there is no terminal to say."""
BAR = 10
"""Characters for the chances."""
COLOURS = {"best": "green", "fine": "", "slip": "yellow", "mistake": "dark_orange", "blunder": "red"}


@click.command()
@click.argument("record")
@click.option(
    "--seat", metavar="SEAT", help="Whose decisions: a name, or a number from 0.  [default: the first person]"
)
@click.option("--language", type=click.Choice(sorted(LANGUAGES)), default="en", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the analysis as JSON.")
@click.option(
    "--seconds", type=click.FloatRange(0, min_open=True), help=f"Time for each decision.  [default: {SECONDS:g}]"
)
@click.option("--nodes", type=click.IntRange(20), help="Games played on for each decision, instead of --seconds.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Which worlds are imagined.")
@click.option("--processes", type=click.IntRange(1), default=2, show_default=True, help="Decisions looked at at once.")
@tried_games
def analyse(
    record: str,
    seat: str | None,
    language: str,
    as_json: bool,
    seconds: float | None,
    nodes: int | None,
    seed: int,
    processes: int,
    tried: Sequence[str],
) -> None:
    """Say what a search would have done in a finished game, and what decided it.

    RECORD is a file, - for standard input, or the address of a replay. For every decision of a seat, the game's master
    plays on in worlds that this seat could not tell from the real one: it knows what the seat knew, and no more. Told
    are what each decision has cost, what the deal was worth, and at which moments most was won or lost."""
    budget = Budget(nodes=nodes) if nodes is not None and seconds is None else Budget(seconds or SECONDS, nodes)
    try:
        kept = read(given(record))
        game = game_of("this record", kept.about.game, tried)
        brief = prepare(again(kept, game), _seat(kept, seat), language, seed)
    except (NoRecord, NoSuchGame) as error:
        fail(str(error))
    except (Illegal, msgspec.ValidationError) as error:
        fail(f"this record is not right ({error}); croupier verify says what is wrong with it")
    found = _solved(brief, game, budget, processes)
    analysis = report(brief, found[0], found[1:], language)
    if as_json:
        click.echo(msgspec.json.encode(analysis).decode())
        return
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)
    console.print(_page(analysis, brief, kept, game, words(language)))


def _seat(record: GameRecord, asked: str | None) -> int:
    players = record.about.players
    if asked is None:
        return next((player.seat for player in players if player.bot is None), 0)
    found = next((player.seat for player in players if asked in (player.name, str(player.seat))), None)
    if found is None:
        fail(f"nobody in this game has the seat {asked!r}; there were {', '.join(player.name for player in players)}")
    return found


_games: dict[str, AnyGame] = {}
"""In a process that solves problems: the game."""


def _begin(kind: type[AnyGame]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started us
    game = kind()
    _games[game.name] = game


def _solve(piece: bytes, budget: Budget) -> Any:
    return pickle.loads(piece).solved(_games, budget)


def _solved(brief: Brief, game: AnyGame, budget: Budget, processes: int) -> list[Any]:
    """What came of each piece."""
    progress = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty(),
    )  # fmt: skip
    pieces = brief.pieces
    try:
        with progress:
            if processes == 1:
                games = {game.name: game}
                return [pickle.loads(piece).solved(games, budget) for piece in progress.track(pieces, len(pieces))]
            pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _begin, (type(game),))
            try:
                futures = [pool.submit(_solve, piece, budget) for piece in pieces]
                for _ in progress.track(as_completed(futures), len(pieces)):
                    pass
                return [future.result() for future in futures]
            finally:
                pool.shutdown(cancel_futures=True)
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
        sys.exit(130)


def _page(analysis: Analysis, brief: Brief, record: GameRecord, game: AnyGame, say: Words) -> Group:
    about, teller = record.about, Teller(brief, say)
    title = f"{about.name} · {game.title} · {analysis.name}"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=False)
    for number, heading in enumerate((say("Step"), say("Worth"), "", say("Move"), say("Better"), say("Cost"))):
        table.add_column(heading, justify="right" if number in (0, 1, 5) else "left", overflow="fold")
    for decision in analysis.decisions:
        table.add_row(*_row(decision, teller))
    parts: list[Any] = [Text(harmless(title), "bold"), table]
    if analysis.moments:
        parts.append(Text(say("The moments that decided it"), "bold"))
    for moment in analysis.moments:
        change = teller.amount(moment.change, signed=True)
        told = " ".join(moment.told)
        parts.append(Text(harmless(f"{say('Step')} {moment.step} ({change}): {told}")))
    parts += [Text(""), *(Text(harmless(sentence)) for sentence in analysis.told)]
    return Group(*parts)


def _row(decision: Decision, teller: Teller) -> list[Text]:
    clear = bool(decision.cost)
    filled = round(max(0.0, min(1.0, decision.chance)) * BAR)
    better = "" if decision.verdict == "best" else decision.best if clear else f"≈ {decision.best}"
    colour = COLOURS[decision.verdict]
    return [
        Text(str(decision.step)),
        Text(teller.amount(decision.chance)),
        Text("█" * filled + "░" * (BAR - filled), "cyan"),
        Text(harmless(decision.made), colour),
        Text(harmless(better)),
        Text(teller.amount(decision.cost) if clear else "", colour),
    ]
