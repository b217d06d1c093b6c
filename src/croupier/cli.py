"""The command line."""

from __future__ import annotations

import asyncio
import gc
import re
import signal
import sys
from collections.abc import Callable
from getpass import getuser
from pathlib import Path
from typing import Any, NoReturn, get_args, get_origin

import click
import msgspec

from croupier import __version__, logs
from croupier.config import BadConfig, Config, load
from croupier.games import catalogue
from croupier.journal import JournalDown, upkeep
from croupier.journal.reading import list_tables, read_log
from croupier.kernel import Bot
from croupier.kernel.bot import Strength
from croupier.net.addresses import lan_address
from croupier.server import Server
from croupier.tables import error_log
from croupier.tables.audit import check as audit
from croupier.tables.logbook import Unreadable
from croupier.tables.names import harmless
from croupier.tables.public import public_record
from croupier.tables.table import AnyGame
from croupier.terminal import play as terminal
from croupier.terminal.chronicle import chronicle, moment, replayed
from croupier.terminal.console import Console, colours

COLLECTS_AFTER = (2000, 2, 1000)
"""Objects that have come and not gone, before Python looks through the young ones; and how many such looks before it
looks further."""
USUAL_BOTS = 3


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="croupier")
def commands() -> None:
    """A server for multiplayer card games."""


def main() -> None:
    """Run a command. Whatever was wrong with it is said in one sentence, and the exit code is 2."""
    try:
        code = commands(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        code = 2
    except click.ClickException as error:
        fail(error.format_message())
    except (BadConfig, JournalDown) as error:
        fail(str(error))
    except click.Abort:
        sys.exit(130)
    sys.exit(code or 0)


def settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """Every field of the configuration as an option."""
    for field in reversed(msgspec.structs.fields(Config)):
        if get_origin(_plain(field.type)) is not dict:
            command = _option(field)(command)
    return click.option(
        "--config", "file", type=click.Path(path_type=Path), envvar="CROUPIER_CONFIG", help="TOML file of settings."
    )(command)


def _option(field: msgspec.structs.FieldInfo) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    plain, default = _plain(field.type), field.default
    description = " ".join(m.description for m in getattr(field.type, "__metadata__", ()) if m.description)
    flag = "--" + field.name.replace("_", "-")
    shown = "" if default in ((), "", None, False) else f"  [default: {default}]"
    common: dict[str, Any] = {
        "default": None, "help": description + shown, "envvar": f"CROUPIER_{field.name.upper()}"
    }  # fmt: skip
    if plain is bool:
        return click.option(flag, field.name, is_flag=True, **common)
    return click.option(flag, field.name, multiple=get_origin(plain) is tuple, metavar="VALUE", **common)


def _plain(kind: Any) -> Any:
    """The type without its annotations."""
    return get_args(kind)[0] if hasattr(kind, "__metadata__") else kind


@commands.command()
@settings
def serve(file: Path | None, **given: Any) -> None:
    """Start the server: web page, games and bots, on one port."""
    config = load({name: value for name, value in given.items() if value not in (None, ())}, file)
    logs.configure(config.log_format)
    _run(_serve(config))


@commands.command()
@click.argument("game")
@click.option("--bots", type=int, default=None, help="How many opponents.  [default: 3, or as many as can play]")
@click.option("--bot", default=None, metavar="KIND", help="Which kind; 'croupier games' lists them.")
@click.option("--strength", type=click.Choice(get_args(Strength)), default=None, help="How well they play.")
@click.option("--name", default=None, help="Yours.  [default: your user name]")
@click.option("--pace", default=0.5, show_default=True, help="Seconds between two things that happen.")
def play(
    game: str, bots: int | None, bot: str | None, strength: Strength | None, name: str | None, pace: float
) -> None:
    """Play a game here in the terminal, against bots; no server needed."""
    found = _game(game)
    seats = found.seats_for(found.Options(**found.usual))
    if bots is None:
        bots = min(max(USUAL_BOTS, seats[0] - 1), seats[-1] - 1)
    if bots + 1 not in seats:
        many = f"{seats[0]} to {seats[-1]}" if len(seats) > 1 else str(seats[0])
        fail(f"{found.title} is for {many} players, you included")
    opponents = [_opponent(found, bot, strength)] * bots
    try:
        terminal.play(found, name or getuser(), opponents, Console(max(0.0, pace)))
    except (terminal.Quit, EOFError, KeyboardInterrupt):
        click.echo("\nGood-bye.")


def _opponent(game: AnyGame, kind: str | None, strength: Strength | None) -> type[Bot]:
    if kind is not None and kind not in game.bots:
        fail(f"{game.title} has no bot {kind!r}; there is {', '.join(game.bots)}")
    if strength is None:
        return game.bots[kind or next(iter(game.bots))]
    fitting = [bot for name, bot in game.bots.items() if bot.strength == strength and kind in (None, name)]
    if not fitting:
        known = ", ".join(f"{name} is {bot.strength}" for name, bot in game.bots.items())
        fail(f"{game.title} has no bot {f'{kind} ' if kind else ''}that is {strength}; {known}")
    return fitting[0]


@commands.command()
def games() -> None:
    """List the games, and the bots that play them."""
    for game in catalogue().games.values():
        click.echo(f"{game.name:10} {game.about} {game.seats[0]}-{game.seats[-1]} players.")
        for name, bot in game.bots.items():
            click.echo(f"{'':12}bot {name}: {bot.about}")


ACTING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What JSON need not escape, and a terminal might obey."""

data_folder = click.option("--data", default="data", show_default=True, help="Folder of the journal.")


@commands.command()
@click.argument("copy", type=click.Path(path_type=Path))
@data_folder
def backup(copy: Path, data: str) -> None:
    """Copy the journal to a file, also while the server runs."""
    upkeep.back_up(_journal(data), copy)
    click.echo(f"{copy}: {len(list_tables(copy, live=False))} tables, {len(list_tables(copy, live=True))} of them open")


@commands.command()
@click.argument("copy", type=click.Path(path_type=Path, exists=True))
@data_folder
def restore(copy: Path, data: str) -> None:
    """Put a backup in the place of the journal. The server has to be stopped; the old journal is kept aside."""
    aside = upkeep.restore(copy, Path(data) / "journal.sqlite")
    click.echo(f"{data} holds what was in {copy}" + (f"; what it held before is in {aside}" if aside else ""))


@commands.command()
@data_folder
def check(data: str) -> None:
    """Play every game of the journal again, and see whether it comes out as it did. The server may run."""
    tables = faults = 0
    for table, fault in audit(_journal(data), catalogue().games):
        tables += table != ""
        if fault is not None:
            faults += 1
            click.echo(f"table {fault.table}: {fault.what}" if fault.table else fault.what)
    click.echo(f"{tables} tables replayed, {faults or 'no'} fault{'' if faults == 1 else 's'}")
    if faults:
        sys.exit(1)


@commands.group()
def table() -> None:
    """Look at tables in the journal, open or closed."""


@table.command("list")
@data_folder
def table_list(data: str) -> None:
    """List the tables, oldest first."""
    for listing in list_tables(_journal(data), live=False):
        state = "open" if listing.closed_at is None else f"closed {moment(listing.closed_at)}"
        click.echo(f"{listing.id!s:32}  {listing.game!s:10} opened {moment(listing.opened_at)}, {state}")


@table.command("show")
@click.argument("id")
@data_folder
@click.option("--json", "as_json", is_flag=True, help="The public record as JSON, and nothing else.")
def table_show(id: str, data: str, as_json: bool) -> None:
    """Tell what happened at a table, who was there, and how things stand. The beginning of its id is enough."""
    journal = _journal(data)
    found = [listing for listing in list_tables(journal, live=False) if str(listing.id).startswith(id)]
    if len(found) != 1:
        fail(f"there {'is no table' if not found else f'are {len(found)} tables'} {id} in {journal}")
    id, game = found[0].id, _game(found[0].game)
    try:
        if as_json:
            written = msgspec.json.format(public_record(replayed(id, game, read_log(journal, id)))).decode()
            click.echo(ACTING.sub(lambda found: f"\\u{ord(found[0]):04x}", written))
            return
        for line in chronicle(id, game, lambda: read_log(journal, id)):
            click.echo(line, color=colours())
    except Unreadable as error:
        fail(f"table {id} can't be told: {error}")


def _journal(data: str) -> Path:
    path = Path(data) / "journal.sqlite"
    if not path.exists():
        fail(f"there is no journal {path}; --data names the folder that it is in")
    return path


def _game(name: str) -> AnyGame:
    known = catalogue().games
    if name not in known:
        fail(f"there is no game {name!r}; there is {', '.join(known)}")
    return known[name]


def fail(sentence: str) -> NoReturn:
    click.echo(f"croupier: {harmless(sentence)}", err=True)
    sys.exit(2)


def _run(coroutine: Any) -> None:
    try:
        import uvloop
    except ImportError:  # not made for this system: asyncio's own loop does as well, only slower
        asyncio.run(coroutine)
    else:
        uvloop.run(coroutine)


async def _serve(config: Config) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    loop.set_exception_handler(_unhandled)
    _allow_many_files()
    gc.disable()  # what is read from the journal stays: to look through it again and again was a quarter of a start
    async with Server(config, catalogue()) as server:
        _settle()
        _announce(config, server.ports)
        await stop.wait()


def _settle() -> None:
    """What is there now stays. Everybody would wait, 13 ms for the modules alone, whenever Python looks through all of
    it for garbage. Nor is it to look through everything whenever some thousand have come: next to nothing of ours holds
    on to itself, so that there is little to be found."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTS_AFTER)
    gc.enable()


def _unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An error that nobody has expected: it ends what has raised it, and nothing else."""
    try:
        if (error := context.get("exception")) is not None:
            raise error
    except BaseException:
        error_log.report("server", "something went wrong", what=context.get("message"))


def _allow_many_files() -> None:
    """Every connection is a file, and the usual limit is made for programs that have few."""
    try:
        import resource
    except ImportError:  # not made for this system
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _announce(config: Config, ports: dict[str, int]) -> None:
    port = ports["http"]
    click.echo(f"Croupier {__version__} is open: http://localhost:{port}/")
    lan = lan_address(config.host)
    if lan:
        click.echo(f"  for friends on your network: http://{lan}:{port}/")
    for name, own in ports.items():
        if name != "http":
            click.echo(f"  {name} on port {own}")
    click.echo(f"  journal: {config.journal}; stop with Ctrl-C")


if __name__ == "__main__":
    main()
