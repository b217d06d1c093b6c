"""The life of a server, from its settings to the signal that ends it."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable, Coroutine
from typing import Any

import click

from croupier import __version__
from croupier.config import Config
from croupier.games import catalogue
from croupier.journal.addresses import shown
from croupier.net.addresses import lan_address
from croupier.net.port import Sharing
from croupier.server import Server
from croupier.tables import error_log

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
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)


async def serve_until(
    stop: asyncio.Event, config: Config, ready: Callable[[dict[str, int]], None], sharing: Sharing = Sharing.NONE
) -> None:
    """``ready`` is told the ports, by name, when they are open."""
    asyncio.get_running_loop().set_exception_handler(_unhandled)
    _allow_many_files()
    gc.disable()  # what is read from the journal stays: to look through it again and again was a quarter of a start
    async with Server(config, catalogue(), sharing=sharing) as server:
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


def announce(config: Config, ports: dict[str, int]) -> None:
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
