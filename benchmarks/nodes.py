"""What a move costs where nodes share a journal: processor time of all nodes together, by the operating system's books.

One server with SQLite, one node with PostgreSQL, two nodes with the people of a table at the same one, and two with
the people of every table at both: in turns, so that whatever else the machine does falls on all of them.

    python -m benchmarks.nodes
    python -m benchmarks.nodes --tables 50 --repeats 1      a look
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from picows import ws_connect

from benchmarks.clients import Load, Seat, native
from benchmarks.peers import Running
from benchmarks.server import cpu_seconds, run
from services.postgres import Postgres
from services.redis import Redis
from tests.live import LiveProcess, process

SEATS = 4
UNLIMITED = ("--message-rate=0", "--max-tables-per-address=0", "--option", "palace.turn_timer=255")


class Kind(NamedTuple):
    title: str
    nodes: int
    shared: bool
    spread: bool


KINDS = {
    "sqlite": Kind("one server, SQLite", 1, False, False),
    "postgresql": Kind("one node, PostgreSQL and Redis", 1, True, False),
    "together": Kind("two nodes, a table's people at one of them", 2, True, False),
    "spread": Kind("two nodes, a table's people at both", 2, True, True),
}
AGAINST = {"postgresql": "sqlite", "together": "postgresql", "spread": "postgresql"}
"""What each is compared with."""


class PalaceTable(native.of("palace")):  # type: ignore[misc]
    """At one of several nodes, or at all of them."""

    hosts: list[str]
    spread: bool

    async def connect(self, seat: Seat, path: str) -> None:
        chosen = self.seats.index(seat) if self.spread else self.number
        host = self.hosts[chosen % len(self.hosts)]
        await ws_connect(lambda: seat, f"ws://{host}{path}", websocket_handshake_timeout=60)
        await seat.connected


@asynccontextmanager
async def started(kind: Kind, postgres: Postgres, redis: Redis, number: int) -> AsyncIterator[list[LiveProcess]]:
    shared = ("--journal", postgres.create(f"bench{number}"), "--bus", redis.url) if kind.shared else ()
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        yield [await stack.enter_async_context(process(Path(folder), *UNLIMITED, *shared)) for _ in range(kind.nodes)]


async def measured(kind: Kind, nodes: list[LiveProcess], tables: int, seconds: float) -> float:
    """Microseconds of all nodes for a move."""
    load = Load(Running(nodes[0].pid, nodes[0].http.removeprefix("http://")), SEATS)
    hosts = [node.http.removeprefix("http://") for node in nodes]
    bound = type("Bound", (PalaceTable,), {"hosts": hosts, "spread": kind.spread})
    found = [bound(load, number) for number in range(tables)]
    await asyncio.gather(*(table.open() for table in found))
    async with asyncio.timeout(120):
        await asyncio.gather(*(table.started for table in found))
    load.go()
    await load.made(tables)
    await asyncio.sleep(1)  # until everything is warm
    moves, used, begun = load.moves, sum(cpu_seconds(node.pid) for node in nodes), perf_counter()
    await asyncio.sleep(seconds)
    moves, used = load.moves - moves, sum(cpu_seconds(node.pid) for node in nodes) - used
    print(f"  {kind.title}: {moves / (perf_counter() - begun):,.0f} moves/s, {1e6 * used / moves:.0f} µs", flush=True)
    for table in found:
        table.leave()
    return 1e6 * used / moves


async def compare(
    postgres: Postgres, redis: Redis, tables: int, seconds: float, repeats: int
) -> dict[str, list[float]]:
    runs = {name: list[float]() for name in KINDS}
    for repeat in range(repeats):
        for number, (name, kind) in enumerate(KINDS.items()):
            async with started(kind, postgres, redis, repeat * len(KINDS) + number) as nodes:
                runs[name].append(await measured(kind, nodes, tables, seconds))
    return runs


@contextmanager
def folder() -> Iterator[Path]:
    where = Path(tempfile.mkdtemp(prefix="croupier-bench-"))
    where.chmod(0o711)  # PostgreSQL may run as somebody else
    try:
        yield where
    finally:
        shutil.rmtree(where)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    with folder() as where, Postgres(where / "postgres") as postgres, Redis(where / "redis") as redis:
        runs = run(compare(postgres, redis, asked.tables, asked.seconds, asked.repeats))
    print(f"\n{asked.tables} tables of Palace, native, four people each; µs of CPU per move, median of {asked.repeats}")
    for name, kind in KINDS.items():
        own, base = median(runs[name]), AGAINST.get(name)
        ratio = "" if base is None else f"{own / median(runs[base]):.2f} × {KINDS[base].title}"
        print(f"{kind.title:45} {own:6.0f}  ({min(runs[name]):.0f} to {max(runs[name]):.0f})  {ratio}")


if __name__ == "__main__":
    main()
