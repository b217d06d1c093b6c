"""How fast a server is: tables in closed loop over real sockets, Croupier's journal on and fsynced.

Every seat is a WebSocket of its own that moves as soon as it is told that it may. The server runs in a process of
its own; what counts is its CPU time per move, which does not depend on who saturates first.

    python -m benchmarks.server                                   all of it, at 50 tables
    python -m benchmarks.server --tables 500 palace picows        two of them at 500
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import uvloop

from benchmarks import peers
from benchmarks.clients import Load, Table, cambia, coup, faraway, fortress, native, palace
from benchmarks.clients.peers import BoardgameTable, ColyseusTable, FanoutTable, SocketIoTable
from benchmarks.figures import Figures, Turns
from benchmarks.peers import Peer, Running
from tests.live import process

Start = Callable[[], AbstractAsyncContextManager[Running]]


class Contender(NamedTuple):
    """A server, and who plays there."""

    title: str
    start: Start
    table: type[Table]
    seats: int = 4


@asynccontextmanager
async def croupier(*flags: str) -> AsyncIterator[Running]:
    """A server of ours, on an empty journal."""
    with tempfile.TemporaryDirectory() as data:
        unlimited = (
            "--message-rate=0",
            "--max-connections=60000",
            "--max-connections-per-address=0",
            "--max-seats-per-address=0",
            "--max-tables=20000",
            "--max-tables-per-address=0",
            "--table-count=fortress=9999",
        )
        patient = ("--option", "palace.turn_timer=255")  # until all tables are there
        async with process(Path(data), *unlimited, *patient, "--listen", "fortress=127.0.0.1:0", *flags) as live:
            yield Running(live.pid, live.http.removeprefix("http://"), live.ports["fortress"])


def peer(source: str, needs: Peer | None) -> Start:
    return lambda: peers.started(peers.server(source, needs))


CONTENDERS = {
    "palace": Contender("Croupier: Palace, native", croupier, native.of("palace")),
    "cambia": Contender("Croupier: Cambia, native", croupier, native.of("cambia")),
    "coup": Contender("Croupier: Coup, native", croupier, native.of("coup")),
    "faraway": Contender("Croupier: Faraway, native", croupier, native.of("faraway")),
    "fortress": Contender("Croupier: Fortress, native, 2 seats", croupier, native.of("fortress"), 2),
    "palace-own": Contender("Croupier: Palace, its own protocol", croupier, palace.PalaceTable),
    "cambia-own": Contender("Croupier: Cambia, its own protocol", croupier, cambia.CambiaTable),
    "coup-own": Contender("Croupier: Coup, its own protocol", croupier, coup.CoupTable),
    "faraway-own": Contender("Croupier: Faraway, Socket.IO", croupier, faraway.FarawayTable),
    "fortress-own": Contender("Croupier: Fortress, lines over TCP, 2 seats", croupier, fortress.FortressTable, 2),
    "picows": Contender("bare fan-out: picows", peer("picows_fanout.py", None), FanoutTable),
    "ws": Contender("bare fan-out: Node ws", peer("ws_fanout.mjs", peers.WS), FanoutTable),
    "socketio": Contender("bare fan-out: python-socketio", peer("socketio_fanout.py", peers.SOCKETIO), SocketIoTable),
    "boardgame": Contender("boardgame.io, in memory", peer("boardgame.cjs", peers.BOARDGAME), BoardgameTable),
    "colyseus": Contender("Colyseus, in memory", peer("colyseus.mjs", peers.COLYSEUS), ColyseusTable),
}
OURS = [name for name, contender in CONTENDERS.items() if contender.start is croupier]
THEIRS = [name for name in CONTENDERS if name not in OURS]


def cpu_seconds(pid: int) -> float:
    """What a process has used so far, in user and system mode."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    """The bytes of memory that a process occupies."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def play(contender: Contender, running: Running, tables: int, seconds: float, pause: float = 0.0) -> Figures:
    """Let that many tables play, and look what it costs."""
    async with playing(contender, running, tables, pause) as load:
        return await watch(load, running, seconds)


@asynccontextmanager
async def playing(
    contender: Contender, running: Running, tables: int, pause: float = 0.0, **options: Any
) -> AsyncIterator[Load]:
    load = Load(running, contender.seats, pause, options)
    found = [contender.table(load, number) for number in range(tables)]
    for some in range(0, tables, 50):
        await asyncio.gather(*(table.open() for table in found[some : some + 50]))
    async with asyncio.timeout(180):
        await asyncio.gather(*(table.started for table in found))
    load.go()
    await load.made(tables)
    await asyncio.sleep(1)  # until everything is warm
    try:
        yield load
    finally:
        for table in found:
            table.leave()


async def watch(load: Load, running: Running, seconds: float) -> Figures:
    load.latencies.clear()
    before, cpu, begin = load.moves, cpu_seconds(running.pid), time.perf_counter()
    refused = load.refused
    await asyncio.sleep(seconds)
    cpu, took, moves = cpu_seconds(running.pid) - cpu, time.perf_counter() - begin, load.moves - before
    if not moves:
        raise RuntimeError("nobody has moved")
    latencies = sorted(load.latencies)
    return Figures(
        moves / took,
        1e6 * cpu / moves,
        1e3 * latencies[len(latencies) // 2],
        1e3 * latencies[int(0.99 * len(latencies))],
        (load.refused - refused) / moves,
    )


async def once(name: str, tables: int, seconds: float, pause: float = 0.0) -> Figures:
    contender = CONTENDERS[name]
    async with contender.start() as running:
        return await play(contender, running, tables, seconds, pause)


def room(tables: int, seats: int = 4) -> int:
    """That many tables, or as many as a process here may have sockets for."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(tables, (most - 200) // seats)


def run(coroutine: Any) -> Any:
    """Like asyncio.run, on the loop that leaves most of the machine to the server, with room for all its sockets."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(coroutine)


def compare(names: Sequence[str], tables: int, seconds: float, repeats: int, pause: float = 0.0) -> dict[str, Turns]:
    """All of them in turns, so that whatever else the machine does falls on all."""
    runs: dict[str, Turns] = {}
    missing: set[str] = set()
    for repeat in range(repeats):
        for name in names:
            if name in missing:
                continue
            print(f"\r{repeat + 1}/{repeats} {CONTENDERS[name].title}, {tables} tables{'':20}", end="", flush=True)
            try:
                runs.setdefault(name, []).append(run(once(name, tables, seconds, pause)))
            except peers.Missing as reason:
                missing.add(name)
                print(f"\r{CONTENDERS[name].title} is missing, it can't be installed here: {reason}")
    print(f"\r{'':79}\r", end="")
    return {name: found for name, found in runs.items() if found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[], metavar="name", help=", ".join(CONTENDERS))
    parser.add_argument("--tables", type=int, nargs="*", default=[50])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds before each move, on average")
    asked = parser.parse_args()
    from benchmarks.report import servers  # which knows the contenders from here

    for tables in asked.tables:
        names = asked.names or list(CONTENDERS)
        print(servers(compare(names, tables, asked.seconds, asked.repeats, asked.pause)))


if __name__ == "__main__":
    main()
