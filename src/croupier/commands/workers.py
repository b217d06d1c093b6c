"""``croupier serve --workers``: several nodes on one port, each in a process of its own, started again if it ends.

A node is told on its standard input what it is, and says on its standard output where it listens once it does. The end
of the input means that whoever started it is gone, and it goes, too.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process

import msgspec
import structlog

from croupier import logs
from croupier.commands.failing import explain
from croupier.commands.serving import announce, on_stop_signal, run, serve_until
from croupier.config import Config
from croupier.net.port import Sharing
from croupier.plugins import catalogue

SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds before a node is started again; the longer, the more often it ends before it is open."""

log = structlog.get_logger()


class Assignment(msgspec.Struct, frozen=True):
    """What a node is told."""

    config: Config
    sharing: Sharing


class NotOpen(Exception):
    """A node has ended before it was open."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Worker:
    """One of the nodes."""

    def __init__(self, number: int, config: Config, sharing: Sharing) -> None:
        self.number = number
        self.assignment = Assignment(config, sharing)
        self._process: Process | None = None
        self._stopping = False

    async def start(self) -> dict[str, int]:
        """Returns its ports, by name, when it is open."""
        self._process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,  # Ctrl-C is for us: it is told to stop
        )
        assert process.stdin is not None and process.stdout is not None
        if self._stopping:
            process.terminate()
        process.stdin.write(msgspec.json.encode(self.assignment) + b"\n")
        if line := await process.stdout.readline():
            return msgspec.json.decode(line, type=dict[str, int])
        raise NotOpen(await process.wait())

    async def keep(self) -> None:
        """Start it again whenever it ends, until it is stopped."""
        pause = SHORTEST_PAUSE
        while True:
            assert self._process is not None
            code = await self._process.wait()
            if self._stopping:
                return
            log.error("a node has exited and is being restarted", worker=self.number, code=code)
            await asyncio.sleep(pause)
            try:
                await self.start()
                pause = SHORTEST_PAUSE
            except NotOpen:
                pause = min(2 * pause, LONGEST_PAUSE)

    def stop(self) -> None:
        self._stopping = True
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()

    async def stopped(self) -> None:
        self.stop()
        if self._process is not None:
            await self._process.wait()


async def serve_by_many(config: Config) -> int:
    """Until somebody stops it, and all nodes have ended. Returns the exit code."""
    games = catalogue(config.game, config.bot)
    workers = [Worker(1, _named(config, 1), Sharing.FIRST)]
    stopping = False

    def stop() -> None:
        nonlocal stopping
        stopping = True
        for worker in workers:
            worker.stop()

    on_stop_signal(stop)
    try:
        ports = await workers[0].start()  # by itself: what is wrong with the settings is said once
        if not stopping:
            workers += _further(config, ports, workers[0], {beacon.name for beacon in games.beacons})
        await asyncio.gather(*(worker.start() for worker in workers[1:]))
        announce(config, games, ports)
        await asyncio.gather(*(worker.keep() for worker in workers))
    except NotOpen as ended:
        return 0 if stopping else max(ended.code, 1)
    finally:
        await asyncio.gather(*(worker.stopped() for worker in workers))
    return 0


def _further(config: Config, ports: dict[str, int], first: Worker, beacons: set[str]) -> list[Worker]:
    """Those who come when the first one has opened its ports."""
    joined = _joined(config, ports)
    first.assignment = Assignment(_named(joined, 1), Sharing.JOINED)
    others = _without(joined, beacons)
    return [Worker(number, _named(others, number), Sharing.JOINED) for number in range(2, config.workers + 1)]


def _named(config: Config, number: int) -> Config:
    host, port = config.private_address(number)
    name = config.node and f"{config.node}-{number}"
    return msgspec.structs.replace(config, node=name, node_address=f"{host}:{port}")


def _joined(config: Config, ports: dict[str, int]) -> Config:
    """For those who come after the first: the ports that it has opened."""
    hosts = {name: address.host for name, address in config.listeners(ports)}
    listen = [f"{name}={hosts.get(name, config.host)}:{port}" for name, port in ports.items() if name != "http"]
    return msgspec.structs.replace(config, port=ports["http"], listen=tuple(listen), no_game_ports=True)


def _without(config: Config, beacons: set[str]) -> Config:
    """A question to all is to be answered once."""
    listen = tuple(each for each in config.listen if each.partition("=")[0] not in beacons)
    return msgspec.structs.replace(config, listen=listen)


def main() -> None:
    with open(0, "rb", buffering=0, closefd=False) as told:
        assignment = msgspec.json.decode(told.readline(), type=Assignment)
    logs.configure(assignment.config.log_format)
    try:
        run(_work(assignment))
    except Exception as error:
        explain(error)


async def _work(assignment: Assignment) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    on_stop_signal(stop.set)

    def left_alone() -> None:  # nothing else ever comes there
        loop.remove_reader(0)
        stop.set()

    loop.add_reader(0, left_alone)

    def ready(ports: dict[str, int]) -> None:
        sys.stdout.buffer.write(msgspec.json.encode(ports) + b"\n")
        sys.stdout.flush()

    config = assignment.config
    await serve_until(stop, config, catalogue(config.game, config.bot), ready, assignment.sharing)


if __name__ == "__main__":
    main()
