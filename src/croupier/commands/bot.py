"""``croupier bot``: somebody's bot at a server, game after game."""

from __future__ import annotations

import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import click
import msgspec

import croupier
from croupier import plugins
from croupier.client import Refused
from croupier.client.blocking import Client
from croupier.client.vocabulary import AnyGame, installed
from croupier.client_bots.outcomes import Outcome
from croupier.client_bots.playing import Player
from croupier.client_bots.standings import Standings
from croupier.client_bots.visiting import Wish, visit
from croupier.commands.failing import fail
from croupier.foreign_bots import programs
from croupier.foreign_bots.failing import BotFailed
from croupier.foreign_bots.loading import NoBot, is_python, load
from croupier.tables.names import harmless

OURS = str(Path(croupier.__file__).parent)
"""Where the code is that is not the author's."""


@click.command()
@click.argument("command", nargs=-1, required=True, metavar="BOT")
@click.option("--game", metavar="GAME", help="Game to play: its name, or the location of another one, MODULE:OBJECT.")
@click.option(
    "--server", default="http://localhost:8080", show_default=True, metavar="URL", help="Address of the server."
)
@click.option("--table", metavar="CODE", help="Code or id of a table to play at.  [default: any, or a new one]")
@click.option("--password", default="", help="Password of that table, or of a new one.")
@click.option("--name", help="Name of the bot at the table.  [default: that of its file]")
@click.option("--seats", type=click.IntRange(2), help="Number of seats at a new table.")
@click.option("--bots", type=click.IntRange(0), help="Play at a new table, with this many of the server's bots.")
@click.option("--bot", "kind", metavar="KIND", help="Kind of those bots; 'croupier games' lists them.")
@click.option("--games", type=click.IntRange(1), help="Number of games to play.  [default: until Ctrl-C]")
@click.option("--interject", is_flag=True, help="Ask a program for moves out of turn, too.")
@click.option("--results", type=click.File("a"), metavar="FILE", help="Append a line of JSON for each game.")
def bot(
    command: Sequence[str],
    game: str | None,
    server: str,
    table: str | None,
    password: str,
    name: str | None,
    seats: int | None,
    bots: int | None,
    kind: str | None,
    games: int | None,
    interject: bool,
    results: IO[str] | None,
) -> None:
    """Let your bot play at a server, game after game.

    BOT is a subclass of croupier.kernel.Bot, as my_bot.py, my_bot.py:MyBot or my_module:MyBot; or the command of a
    program in any language, as node my_bot.js, which is asked by lines of JSON.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    known = None
    if game is not None and ":" in game:
        found = plugins.find(game)
        known, game = {**installed(), found.name: found}, found.name
    standings = Standings()

    def over(outcome: Outcome) -> None:
        standings.add([harmless(label) for label in outcome.labels], outcome.result)
        click.echo(harmless(str(outcome)))
        if results is not None:
            results.write(f"{msgspec.json.encode(outcome).decode()}\n")
            results.flush()

    with ExitStack() as stack:
        try:
            player = _player(command, interject, stack)
            client = _client(server, known, stack)
            game = game or _game_of(client, table)
            wish = Wish(game, name or _name(command), table, password, seats, bots, kind, games)
            visit(client, wish, player, over, lambda line: click.echo(harmless(line)))
        except KeyboardInterrupt:
            click.echo()
        except Refused as refusal:
            fail(str(refusal))
        except BotFailed as failure:
            click.echo(_explained(failure), err=True)
            sys.exit(1)
        finally:
            if standings.games:
                click.echo(standings)


def _player(command: Sequence[str], interject: bool, stack: ExitStack) -> Player:
    try:
        if len(command) == 1 and is_python(command[0]):
            return Player(load(command[0]))
        return Player(stack.enter_context(programs.running(command, interject)).bot)
    except NoBot as error:
        fail(str(error))
    except OSError as error:
        fail(f"{command[0]} can't be started: {error.strerror}")


def _client(server: str, known: Mapping[str, AnyGame] | None, stack: ExitStack) -> Client:
    try:
        return stack.enter_context(Client(server, known))
    except (ConnectionError, ValueError) as error:
        fail(str(error))


def _game_of(client: Client, table: str | None) -> str:
    if table is None:
        fail("which game? Say it with --game, or name a table with --table")
    found = client.find(table)
    if found is None:
        fail(f"there is no table {table!r}")
    return found.game


def _name(command: Sequence[str]) -> str:
    """Of the bot: that of its class, if it was said, or of its file."""
    return Path(command[-1].rpartition(":")[2]).stem


def _explained(failure: BotFailed) -> str:
    """What went wrong, and where in the author's own code."""
    error = failure.__cause__
    if error is None:
        return f"croupier: {failure}"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None and trace.tb_frame.f_code.co_filename.startswith(OURS):
        trace = trace.tb_next
    return "".join(traceback.format_exception(error.with_traceback(trace))) + f"croupier: {failure}"
