"""``croupier serve``: the server, from its settings to Ctrl-C."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_origin

import click
import msgspec

from croupier import __version__, logs
from croupier.config import Config, load
from croupier.games import catalogue
from croupier.journal.addresses import shown
from croupier.net.addresses import lan_address
from croupier.server import Server
from croupier.tables import error_log

COLLECTS_AFTER = (2000, 2, 1000)
"""Objects that have come and not gone, before Python looks through the young ones; and how many such looks before it
looks further."""


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


@click.command()
@settings
def serve(file: Path | None, **given: Any) -> None:
    """Start the server: web page, games and bots, on one port."""
    config = load({name: value for name, value in given.items() if value not in (None, ())}, file)
    logs.configure(config.log_format)
    _run(_serve(config))


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
            click.echo(f"  {name} on port {own}, for the game's own clients")
    journal = shown(config.journal) if config.journal else config.journal_file
    click.echo(f"  journal: {journal}; stop with Ctrl-C")
