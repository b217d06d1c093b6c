"""How long somebody whose node was killed has to wait until they sit at their table again, at another node.

python -m benchmarks.failover                  500 tables of two
python -m benchmarks.failover --tables 50

The people are lazy clients (picows): a thousand of a client that is made for comfort would take longer to shake hands
than the node takes to let them in, on the same two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from benchmarks.nodes import UNLIMITED, folder
from benchmarks.server import run
from services.postgres import Postgres
from services.redis import Redis
from tests.live import LiveProcess, process


class Person(WSListener):
    """One connection, on which one thing is asked at a time."""

    transport: WSTransport
    reply: asyncio.Future[bytes]

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        message = frame.get_payload_as_bytes()
        if message.startswith(b'{"type":"reply"'):
            self.reply.set_result(message)

    async def ask(self, kind: str, **what: Any) -> bytes:
        self.reply = asyncio.get_running_loop().create_future()
        self.transport.send(WSMsgType.TEXT, msgspec.json.encode({"type": kind, "id": 1} | what))
        if b'"error":' in (reply := await self.reply):
            raise RuntimeError(reply.decode())
        return reply


async def connect(node: LiveProcess) -> Person:
    _, person = await ws_connect(Person, node.ws("/ws"), websocket_handshake_timeout=60)
    assert isinstance(person, Person)
    return person


async def seat(person: Person, kind: str, **what: Any) -> tuple[str, str]:
    """Open or join a table. Returns its id, and the token of the seat."""
    reply = msgspec.json.decode(await person.ask(kind, **what))
    return reply["sync"]["table"]["id"], reply["token"]


async def comes_back(
    person: Person, table: str, token: str, other: LiveProcess, killed: asyncio.Future[float]
) -> float:
    """Seconds from the end of a node until somebody is shown the table by another."""
    await person.transport.wait_disconnected()
    begun = await killed
    again = await connect(other)
    await again.ask("return", table=table, token=token)
    return perf_counter() - begun


async def measured(postgres: Postgres, redis: Redis, tables: int, number: int) -> list[float]:
    shared = ("--journal", postgres.create(f"failover{number}"), "--bus", redis.url)
    with tempfile.TemporaryDirectory() as data:
        async with process(Path(data), *UNLIMITED, *shared) as one, process(Path(data), *UNLIMITED, *shared) as other:
            killed: asyncio.Future[float] = asyncio.get_running_loop().create_future()
            waiting = []
            for _ in range(tables):
                ann, bob = await connect(one), await connect(one)
                table, hers = await seat(ann, "open", game="palace", player="Ann", seats=2)
                _, his = await seat(bob, "join", table=table, player="Bob")
                await ann.ask("start")
                waiting += [
                    asyncio.create_task(comes_back(person, table, token, other, killed))
                    for person, token in ((ann, hers), (bob, his))
                ]
            await asyncio.sleep(1)
            killed.set_result(perf_counter())
            await one.kill()
            return sorted(await asyncio.gather(*waiting))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    halves, most = [], []
    with folder() as where, Postgres(where / "postgres") as postgres, Redis(where / "redis") as redis:
        for number in range(asked.repeats):
            found = run(measured(postgres, redis, asked.tables, number))
            halves.append(found[len(found) // 2])
            most.append(found[int(0.99 * len(found))])
            print(f"  {len(found)} people back after {halves[-1]:.2f} s (median), {most[-1]:.2f} s (p99)", flush=True)
    print(
        f"{asked.tables} tables: {median(halves):.2f} s (median), {median(most):.2f} s (p99), median of {asked.repeats}"
    )


if __name__ == "__main__":
    main()
