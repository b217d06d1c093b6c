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
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import uvloop

from benchmarks import peers
from benchmarks.clients import Load, Table, coup, faraway, native, palace
from benchmarks.clients.peers import BoardgameTable, ColyseusTable, FanoutTable, SocketIoTable
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
        async with process(Path(data), "--message-rate", "0", "--max-connections", "60000", *flags) as live:
            yield Running(live.pid, live.http.removeprefix("http://"))


def peer(source: str, needs: Peer | None) -> Start:
    return lambda: peers.started(peers.server(source, needs))


CONTENDERS = {
    "palace": Contender("Croupier: Palace, native", croupier, native.of("palace")),
    "cambia": Contender("Croupier: Cambia, native", croupier, native.of("cambia")),
    "coup": Contender("Croupier: Coup, native", croupier, native.of("coup")),
    "faraway": Contender("Croupier: Faraway, native", croupier, native.of("faraway")),
    "fortress": Contender("Croupier: Fortress, native, 2 seats", croupier, native.of("fortress"), 2),
    "palace-own": Contender("Croupier: Palace, its own protocol", croupier, palace.PalaceTable),
    "coup-own": Contender("Croupier: Coup, its own protocol", croupier, coup.CoupTable),
    "faraway-own": Contender("Croupier: Faraway, Socket.IO", croupier, faraway.FarawayTable),
    "picows": Contender("bare fan-out: picows", peer("picows_fanout.py", None), FanoutTable),
    "ws": Contender("bare fan-out: Node ws", peer("ws_fanout.mjs", peers.WS), FanoutTable),
    "socketio": Contender("bare fan-out: python-socketio", peer("socketio_fanout.py", peers.SOCKETIO), SocketIoTable),
    "boardgame": Contender("boardgame.io, in memory", peer("boardgame.cjs", peers.BOARDGAME), BoardgameTable),
    "colyseus": Contender("Colyseus, in memory", peer("colyseus.mjs", peers.COLYSEUS), ColyseusTable),
}
OURS = [name for name, contender in CONTENDERS.items() if contender.start is croupier]
THEIRS = [name for name in CONTENDERS if name not in OURS]


class Figures(msgspec.Struct, frozen=True):
    """Of one run, or the medians of several."""

    moves: float
    """A second."""
    cpu: float
    """Of the server per move, user and system, in microseconds."""
    p50: float
    """From a move's sending to its acknowledgement, in milliseconds."""
    p99: float
    refused: float
    """Moves that came too late because somebody else's was quicker; per accepted move."""


def median(runs: Sequence[Figures]) -> Figures:
    return Figures(*(statistics.median(values) for values in zip(*map(msgspec.structs.astuple, runs), strict=True)))


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
    load = Load(running.host, contender.seats, pause, options)
    found = [contender.table(load, number) for number in range(tables)]
    for some in range(0, tables, 50):
        await asyncio.gather(*(table.open() for table in found[some : some + 50]))
    async with asyncio.timeout(60):
        await asyncio.gather(*(table.started for table in found))
    await asyncio.sleep(1)  # until everything is warm
    try:
        yield load
    finally:
        for table in found:
            for seat in table.seats:
                seat.transport.disconnect(graceful=False)


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


def run(coroutine: Any) -> Any:
    """Like asyncio.run, on the loop that leaves most of the machine to the server, with room for all its sockets."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(coroutine)


def compare(names: Sequence[str], tables: int, seconds: float, repeats: int, pause: float = 0.0) -> dict[str, Figures]:
    """All of them in turns, so that whatever else the machine does falls on all; the medians of each."""
    runs: dict[str, list[Figures]] = {}
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
    return {name: median(found) for name, found in runs.items() if found}


def table(figures: dict[str, Figures], tables: int) -> str:
    lines = [
        f"| {tables} tables | moves/s | server CPU per move | to bare picows | p50 | p99 |",
        "|---|---|---|---|---|---|",
    ]
    bare = figures.get("picows")
    for name, found in figures.items():
        ratio = f"{found.cpu / bare.cpu:.1f}×" if bare else ""
        lines.append(
            f"| {CONTENDERS[name].title} | {found.moves:,.0f} | {found.cpu:.0f} µs | {ratio} "
            f"| {found.p50:.1f} ms | {found.p99:.1f} ms |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[], metavar="name", help=", ".join(CONTENDERS))
    parser.add_argument("--tables", type=int, nargs="*", default=[50])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds before each move, on average")
    asked = parser.parse_args()
    for tables in asked.tables:
        names = asked.names or list(CONTENDERS)
        print(table(compare(names, tables, asked.seconds, asked.repeats, asked.pause), tables))


if __name__ == "__main__":
    main()
