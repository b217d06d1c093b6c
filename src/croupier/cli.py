"""The command line."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from getpass import getuser
from pathlib import Path
from typing import Any, NoReturn, get_args, get_origin

import click
import msgspec

from croupier import __version__, logs, terminal
from croupier.config import BadConfig, Config, load
from croupier.games import catalogue
from croupier.journal import JournalDown, upkeep
from croupier.journal.sqlite import list_tables, read_log
from croupier.net.http import lan_address
from croupier.server import Server
from croupier.tables import entries, troubles
from croupier.tables.audit import check as audit
from croupier.tables.house import public_record
from croupier.tables.table import AnyGame, Table


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
    try:
        config = load({name: value for name, value in given.items() if value not in (None, ())}, file)
        logs.configure(config.log_format)
        _run(_serve(config))
    except (BadConfig, JournalDown) as error:
        fail(str(error))


@commands.command()
@click.argument("game")
@click.option("--bots", default=3, show_default=True, help="How many opponents.")
@click.option("--bot", default=None, metavar="KIND", help="Which kind; 'croupier games' lists them.")
@click.option("--name", default=None, help="Yours.  [default: your user name]")
def play(game: str, bots: int, bot: str | None, name: str | None) -> None:
    """Play a game here in the terminal, against bots; no server needed."""
    found = _game(game)
    seats = found.seats_for(found.Options())
    if bots + 1 not in seats:
        fail(f"{found.title} is for {seats[0]} to {seats[-1]} players, you included")
    if bot is not None and bot not in found.bots:
        fail(f"{found.title} has no bot {bot!r}; there is {', '.join(found.bots)}")
    try:
        terminal.play(found, name or getuser(), [bot or next(iter(found.bots))] * bots, input, click.echo)
    except (terminal.Quit, EOFError, KeyboardInterrupt):
        click.echo("\nGood-bye.")


@commands.command()
def games() -> None:
    """List the games, and the bots that play them."""
    for game in catalogue().games.values():
        click.echo(f"{game.name:10} {game.about} {game.seats[0]}-{game.seats[-1]} players.")
        for name, bot in game.bots.items():
            click.echo(f"{'':12}bot {name}: {bot.about}")


data_folder = click.option("--data", default="data", show_default=True, help="Folder of the journal.")


@commands.command()
@click.argument("copy", type=click.Path(path_type=Path))
@data_folder
def backup(copy: Path, data: str) -> None:
    """Copy the journal to a file, also while the server runs."""
    try:
        upkeep.back_up(_journal(data), copy)
    except JournalDown as error:
        fail(str(error))
    click.echo(f"{copy}: {len(list_tables(copy, live=False))} tables, {len(list_tables(copy, live=True))} of them open")


@commands.command()
@click.argument("copy", type=click.Path(path_type=Path, exists=True))
@data_folder
def restore(copy: Path, data: str) -> None:
    """Put a backup in the place of the journal. The server has to be stopped; the old journal is kept aside."""
    try:
        aside = upkeep.restore(copy, Path(data) / "journal.sqlite")
    except JournalDown as error:
        fail(str(error))
    click.echo(f"{data} holds what was in {copy}" + (f"; what it held before is in {aside}" if aside else ""))


@commands.command()
@data_folder
def check(data: str) -> None:
    """Play every game of the journal again, and see whether it comes out as it did. The server may run."""
    found = list(audit(_journal(data), catalogue().games))
    faults = [fault for fault in found if fault is not None]
    for fault in faults:
        click.echo(f"table {fault.table}: {fault.what}" if fault.table else fault.what)
    click.echo(f"{len(found) - 1} tables replayed, {len(faults) or 'no'} fault{'' if len(faults) == 1 else 's'}")
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
        state = "open" if listing.closed_at is None else f"closed {_time(listing.closed_at)}"
        click.echo(f"{listing.id:32}  {listing.game:10} opened {_time(listing.opened_at)}, {state}")


@table.command("show")
@click.argument("id")
@data_folder
@click.option("--json", "as_json", is_flag=True, help="The public record as JSON, and nothing else.")
def table_show(id: str, data: str, as_json: bool) -> None:
    """Show a table's log in words, and how things stand."""
    records = read_log(_journal(data), id)
    if not records:
        fail(f"there is no table {id} in {data}")
    first = entries.decode(records[0].entry)
    assert isinstance(first, entries.Opened)
    shown = Table(id, _game(first.game))
    for record in records:
        entry = entries.decode(record.entry)
        events = shown.apply(entry, record.at)
        if not as_json:
            names = [player.name for player in shown.summary.players]
            told = [sentence for event in events if (sentence := shown.game.tell(event, names))]
            click.echo(f"{record.seq:5}  {_time(record.at)}  {' '.join(told) or _plainly(entry.public())}")
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(public_record(shown))).decode())
    else:
        click.echo(f"\n{shown.name}: {shown.phase}, {len(shown.seats)} of {shown.capacity} seats taken")
        click.echo(f"state {shown.fingerprint() or 'none: no game has begun'}")


def _plainly(entry: entries.AnyEntry) -> str:
    """A log entry in words."""
    found = msgspec.to_builtins(entry)
    return " ".join([found.pop("entry").replace("_", " "), *(f"{key}={value}" for key, value in found.items())])


def _journal(data: str) -> Path:
    path = Path(data) / "journal.sqlite"
    if not path.exists():
        fail(f"there is no journal in {data}")
    return path


def _game(name: str) -> AnyGame:
    known = catalogue().games
    if name not in known:
        fail(f"there is no game {name!r}; there is {', '.join(known)}")
    return known[name]


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def fail(sentence: str) -> NoReturn:
    click.echo(f"croupier: {sentence}", err=True)
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
    try:
        async with Server(config, catalogue()) as server:
            _announce(config, server.ports)
            await stop.wait()
    except OSError as error:
        raise BadConfig(f"can't listen: {error.strerror or error}") from None


def _unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An error that nobody has expected: it ends what has raised it, and nothing else."""
    try:
        if (error := context.get("exception")) is not None:
            raise error
    except BaseException:
        troubles.report("server", "something went wrong", what=context.get("message"))


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
