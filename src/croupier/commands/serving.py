"""The life of a server, from its settings to the signal that ends it."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import click
import structlog

from croupier import __version__
from croupier.config import Config
from croupier.games import Catalogue
from croupier.journal.addresses import shown
from croupier.net.addresses import lan_address
from croupier.net.port import Sharing
from croupier.server import Server
from croupier.tables import error_log
from croupier.tables.names import harmless

log = structlog.get_logger()

COLLECTS_AFTER = (2000, 2, 1000)
"""Objects that have come and not gone, before Python looks through the young ones; and how many such looks before it
looks further."""


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    try:
        import uvloop
    except ImportError:  # not made for this system: asyncio's own loop does as well, only slower
        asyncio.run(coroutine)
    else:
        uvloop.run(coroutine)


def on_stop_signal(stop: Callable[[], None]) -> None:
    """Also when the terminal is closed in which the server runs, unless it was told not to mind (``nohup``)."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        loop.add_signal_handler(signal.SIGHUP, stop)


async def serve_until(
    stop: asyncio.Event,
    config: Config,
    catalogue: Catalogue,
    ready: Callable[[dict[str, int]], None],
    sharing: Sharing = Sharing.NONE,
) -> None:
    """``ready`` is told the ports, by name, when they are open."""
    asyncio.get_running_loop().set_exception_handler(_unhandled)
    _allow_many_files()
    gc.disable()  # what is read from the journal stays: to look through it again and again was a quarter of a start
    async with Server(config, catalogue, sharing=sharing) as server:
        _settle()
        ready(server.ports)
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


def announce(config: Config, catalogue: Catalogue, ports: dict[str, int]) -> None:
    """What somebody who has started the server has to know."""
    for sentence in catalogue.left_out:
        log.warning(sentence)
    lines = [("on this machine", f"http://localhost:{ports['http']}/")]
    if lan := lan_address(config.host):
        lines.append(("on phones", f"http://{lan}:{ports['http']}/ and on other machines in your network"))
    lines.append(("journal", shown(config.journal)) if config.journal else ("data", str(Path(config.data).absolute())))
    if config.operator_token:
        lines.append(("operator's page", f"http://localhost:{ports['http']}/operator"))
    if others := [f"{number} {name}" for name, number in ports.items() if name != "http"]:
        lines.append(("other ports", ", ".join(others)))
        lines.append(
            ("", "for programs made for these games; the page doesn't need them, and --no-game-ports turns them off")
        )
    lines += [("also here", f"{catalogue.games[name].title}, {source}") for name, source in catalogue.sources.items()]
    click.echo(f"Croupier {__version__} is open:")
    for what, where in lines:
        click.echo(f"  {what:16}{harmless(where)}")
    click.echo("Ctrl-C stops it; games continue the next time.")
