"""How long somebody whose node was killed has to wait until they sit at their table again, at another node.

python -m benchmarks.failover                  500 tables of two
python -m benchmarks.failover --tables 50
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter

from websockets.exceptions import ConnectionClosed

from benchmarks.nodes import UNLIMITED, folder
from benchmarks.server import run
from services.postgres import Postgres
from services.redis import Redis
from tests.client import Client, client
from tests.live import LiveProcess, process


async def sit_down(stack: AsyncExitStack, node: LiveProcess, number: int) -> list[Client]:
    ann, bob = [await stack.enter_async_context(client(node.ws("/ws"))) for _ in range(2)]
    await ann.ask("open", game="palace", player="Ann", name=f"Table {number}", seats=2)
    await bob.ask("join", table=ann.table, player="Bob")
    await ann.ask("start")
    bob.table = ann.table
    return [ann, bob]


async def comes_back(person: Client, other: LiveProcess, killed: asyncio.Future[float]) -> float:
    """Seconds from the end of a node until somebody is shown the table by another."""
    try:
        while True:
            await person.socket.recv()
    except ConnectionClosed:
        pass
    begun = await killed
    async with client(other.ws("/ws")) as again:
        await again.ask("return", table=person.table, token=person.token)
        return perf_counter() - begun


async def measured(postgres: Postgres, redis: Redis, tables: int) -> list[float]:
    shared = ("--journal", postgres.create("failover"), "--bus", redis.url)
    with tempfile.TemporaryDirectory() as data:
        async with (
            process(Path(data), *UNLIMITED, *shared) as one,
            process(Path(data), *UNLIMITED, *shared) as other,
            AsyncExitStack() as stack,
        ):
            people: list[Client] = []
            for number in range(tables):
                people += await sit_down(stack, one, number)
            killed: asyncio.Future[float] = asyncio.get_running_loop().create_future()
            waiting = [asyncio.create_task(comes_back(person, other, killed)) for person in people]
            await asyncio.sleep(1)
            killed.set_result(perf_counter())
            await one.kill()
            return sorted(await asyncio.gather(*waiting))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=500)
    asked = parser.parse_args()
    with folder() as where, Postgres(where / "postgres") as postgres, Redis(where / "redis") as redis:
        found = run(measured(postgres, redis, asked.tables))
    half, most = found[len(found) // 2], found[int(0.99 * len(found))]
    print(f"{asked.tables} tables, {len(found)} people: back after {half:.2f} s (median), {most:.2f} s (p99)")


if __name__ == "__main__":
    main()
