"""``croupier arena``: bots against bots, and how sure it is who is better."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from croupier.arena.contenders import contenders
from croupier.arena.crew import Crew, CrewFailed, LocalCrew
from croupier.arena.plot import plot as drawn
from croupier.arena.record import Record
from croupier.arena.report import percent, report
from croupier.arena.results import Played, Results
from croupier.arena.running import run
from croupier.arena.statistics import Sprt
from croupier.arena.tournament import AnyGame, BadTournament, Tournament
from croupier.commands.failing import fail
from croupier.commands.games import find_game, tried_games
from croupier.config import BadConfig, game_options

WIDE = 120
"""Columns, where there is no terminal to say."""


@click.command()
@click.argument("game")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...")
@click.option(
    "--games", type=click.IntRange(1), default=200, show_default=True, help="Number of games of each pairing."
)
@click.option("--seats", type=click.IntRange(2), help="Number of players.  [default: as few as can play]")
@click.option("--option", "chosen", multiple=True, metavar="NAME=VALUE", help="Option of the game. Repeatable.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Which deals are played.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Time that bots may search for a move.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes that bots may search for a move.")
@click.option("--sprt", metavar="LOW,HIGH", help="Stop when the share of wins is clearly one of two, as in 0.5,0.55.")
@click.option("--results", type=click.Path(path_type=Path, dir_okay=False), help="File for a line of JSON per game.")
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="File for a picture of the results, SVG.")
@click.option("--processes", type=click.IntRange(1), help="Number of games played at once.  [default: one per core]")
@click.option("--ray", metavar="ADDRESS", help="Play on a Ray cluster; 'local' starts one here.")
@click.option(
    "--patience",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    show_default=True,
    help="Seconds after which a bot that does not answer has lost, on top of --seconds.",
)
@click.option("--interject", is_flag=True, help="Ask programs for moves out of turn, too.")
@tried_games
def arena(
    game: str,
    bots: tuple[str, ...],
    games: int,
    seats: int | None,
    chosen: Sequence[str],
    seed: int,
    seconds: float | None,
    nodes: int | None,
    sprt: str | None,
    results: Path | None,
    plot: Path | None,
    processes: int | None,
    ray: str | None,
    patience: float,
    interject: bool,
    tried: tuple[str, ...],
) -> None:
    """Let bots play against each other, and see which is better.

    BOT is one of the game's bots by name; a subclass of croupier.kernel.Bot, as my_bot.py, my_bot.py:MyBot or
    my_module:MyBot; or the command of a program, as 'node my_bot.js'. Every deal is played from every side. With more
    than two players, one of the first plays against several of the second.
    """
    found, test = find_game(game, tried), _sprt(sprt)
    with ExitStack() as stack:
        try:
            more = {"seed": seed, "seconds": seconds, "nodes": nodes, "interject": interject, "tried": tried}
            tournament = Tournament.of(found, bots, _options(found, chosen), seats, **more)
            contenders(tournament, found)
            before: list[Played] = []
            if plot is not None and not os.access(plot.parent, os.W_OK):
                fail(f"{plot} can't be written")  # before hours of games
            file = None
            if results is not None:
                file, before = Results.open(results, tournament)
                stack.callback(file.close)
            crew = _crew(tournament, patience + (seconds or 0.0), processes, ray)
        except BadTournament as error:
            fail(str(error))
        stack.callback(crew.close)
        record = Record(tournament, test)
        code = _play(record, tournament.deals(games), crew, before, file)
    if any(tally.deals for tally in record.tallies.values()):
        _shown(record, found, plot)
    sys.exit(code)


def _play(record: Record, deals: int, crew: Crew, before: Sequence[Played], file: Results | None) -> int:
    """The exit code."""
    tournament = record.tournament
    progress = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty(),
    )  # fmt: skip
    total = deals * len(tournament.pairings) * len(tournament.sides)
    bar = progress.add_task("", total=total, completed=len(before))

    def keep(deal: Sequence[Played]) -> None:
        if file is not None:
            file.add(deal)
        first = tournament.pairings[0]
        share = percent(record.tallies[first].share) if record.tallies[first].deals else ""
        progress.update(bar, advance=len(deal), description=f"{tournament.labels[first[0]]} {share}")

    try:
        with progress:
            run(record, deals, crew, before, keep)
    except CrewFailed as failure:
        click.echo(f"croupier: {failure}", err=True)
        return 1
    except KeyboardInterrupt:
        click.echo("Stopped." if file is None else "Stopped; the same command goes on from here.", err=True)
        return 130
    return 0


def _shown(record: Record, game: AnyGame, plot: Path | None) -> None:
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)
    console.print(report(record, game))
    if plot is not None:
        try:
            plot.write_text(drawn(record, game))
        except OSError as error:
            fail(f"{plot} can't be written: {error.strerror}")


def _options(game: AnyGame, chosen: Sequence[str]) -> dict[str, Any]:
    for one in chosen:
        if "=" not in one:
            fail(f"option: {one!r} is not of the form NAME=VALUE")
    try:
        found = game_options([f"{game.name}.{one}" for one in chosen], {game.name: game}).get(game.name, {})
        msgspec.convert({**game.usual, **found}, game.Options)
    except (BadConfig, msgspec.ValidationError) as error:
        fail(str(error))
    return found


def _sprt(given: str | None) -> Sprt | None:
    if given is None:
        return None
    try:
        low, high = map(float, given.split(","))
    except ValueError:
        fail(f"--sprt: {given!r} is not of the form LOW,HIGH, such as 0.5,0.55")
    if not 0 <= low < high <= 1:
        fail(f"--sprt: expected two shares from 0 to 1, the lower one first, not {given!r}")
    return Sprt(low, high)


def _crew(tournament: Tournament, patience: float, processes: int | None, ray: str | None) -> Crew:
    if ray is None:
        return LocalCrew(tournament, patience, processes or _cores())
    try:
        from croupier.arena.ray_crew import RayCrew
    except ModuleNotFoundError:
        fail("--ray takes the package ray: pip install 'croupier[ray]'")
    try:
        return RayCrew(tournament, patience, processes, ray)
    except (ConnectionError, ValueError) as error:
        fail(f"--ray: there is no Ray at {ray}: {error}")


def _cores() -> int:
    """Those that we may use, where the system says so."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
