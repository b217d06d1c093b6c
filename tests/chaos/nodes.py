"""The storm on several nodes: tables of every game, and a house in which everything goes down, one thing at a time.

    python -m tests.chaos.nodes --kills 300

Nobody stands before the nodes: everybody knows all of them, and goes to the next when theirs is gone. Nodes are killed
in turn, told to stop, and frozen until the others have taken over; Redis is killed, frozen and emptied, PostgreSQL
restarted, killed, and away for a while; a node's lines are cut, to Redis, to PostgreSQL, to both, or to everybody. All
that ``storm`` asks for holds here, too; and every table is the same at all nodes, and what its log says.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from croupier.games import catalogue
from croupier.journal import Record
from croupier.journal.postgres_store import read_log
from croupier.tables import logbook
from croupier.tables.table import Table
from services.network import Host, Network
from services.postgres import Postgres
from services.redis import Redis
from tests.chaos.ledger import Tally
from tests.chaos.nursery import Life, Nursery, nursery
from tests.chaos.storm import Storm, flags, somewhere
from tests.live import request

NODES = 3
FROZEN = 8.0
"""Seconds, which is longer than a node may be silent."""
AWAY = 10.0
"""Seconds without PostgreSQL, which is longer than anybody waits for it."""
CUT = (1.5, 5.0, 12.0)
"""Seconds: less than a node may be silent; more; and more than anybody waits for PostgreSQL."""
PLAN = (
    *(["kill a node"] * 10),
    *("stop a node", "freeze a node"),
    *("cut a node off from Redis", "cut a node off from PostgreSQL"),
    *("cut a node off from both", "cut a node off from everybody"),
    *("kill Redis", "empty Redis", "freeze Redis"),
    *("restart PostgreSQL", "kill PostgreSQL", "PostgreSQL is away"),
)  # fmt: skip
"""What happens, and how often to how much of the rest."""


class Outcome(NamedTuple):
    troubles: Mapping[str, int]
    tables: int
    compared: Tally
    hashes: int
    """Compared: of one table at one node, with what its log says."""
    made: Mapping[str, int]
    slowest: float


class Node:
    """One of them, which lives again and again."""

    def __init__(self, host: Host, servers: Nursery, command: Sequence[str], log: Path) -> None:
        self.host = host
        self._servers = servers
        self._command = command
        self._log = log
        self._running = AsyncExitStack()
        self.life: Life

    async def start(self) -> None:
        self._running = AsyncExitStack()
        self.life = await self._running.enter_async_context(self._servers.server(*self._command, log=self._log))
        await self.life.opened()

    async def stop(self) -> None:
        """By SIGKILL, unless it is over already."""
        await self._running.aclose()


class NodesStorm(Storm):
    def __init__(
        self, data: Path, network: Network, postgres: Postgres, redis: Redis, parties: int, seed: int, pause: float
    ) -> None:
        self.hosts = [network.host() for _ in range(NODES)]
        servers = [somewhere(host.address) for host in self.hosts]
        super().__init__(data, servers, parties, Random(seed), pause, 2)
        self.postgres = postgres
        self.redis = redis
        self._ports = {
            "PostgreSQL": (postgres.port,),
            "Redis": (redis.port,),
            "both": (postgres.port, redis.port),
        }
        self.journal = postgres.create("storm")
        self.hashes = 0
        self.nodes: list[Node] = []
        self._services = ThreadPoolExecutor(1)  # which stays: a service ends with the thread that has started it
        self._next = 0

    async def rage(self, plan: Iterable[str], told: Callable[[str], None]) -> Outcome:
        troubles: Counter[str] = Counter()
        begun = time.monotonic()
        async with self._running():
            async with self.people() as people:
                self.opens()
                for what in plan:
                    await self.some_moves(self.dice.randint(0, 2 * len(self.parties)))
                    await asyncio.sleep(self.dice.uniform(0.0, 0.1))
                    await self.trouble(what)
                    troubles[what] += 1
                    await self.settle()
                    broken = [task.exception() for task in people if task.done()]
                    assert not broken, broken
                    passed = f"{time.monotonic() - begun:4.0f} s, {troubles.total()}"
                    told(f"{passed}: {what}; {self.tables} tables done, {self.compared}")
                    if troubles.total() % 10 == 0:
                        await self.compare_hashes()
                slowest = await self.recovered(people)
                await self.compare_hashes()
            await self.finish()
        await asyncio.to_thread(self.check, "--journal", self.journal)
        return Outcome(troubles, self.tables, self.compared, self.hashes, self.made, slowest)

    @asynccontextmanager
    async def _running(self) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for number, (host, at) in enumerate(zip(self.hosts, self.servers, strict=True)):
                folder = self.data / f"n{number}"
                folder.mkdir()
                shared = ("--node", folder.name, "--journal", self.journal, "--bus", self.redis.url)
                command = (*flags(at), *shared, "--node-address", f"{host.address}:0")
                servers = await stack.enter_async_context(nursery(folder, host.inside))
                self.nodes.append(Node(host, servers, command, self.log))
            for node in self.nodes:
                stack.push_async_callback(node.stop)
            await asyncio.gather(*(node.start() for node in self.nodes))
            yield

    def _next_node(self) -> Node:
        self._next += 1
        return self.nodes[self._next % len(self.nodes)]

    async def trouble(self, what: str) -> None:
        match what:
            case "kill a node":
                node = self._next_node()
                await node.stop()
                # Sometimes the others have not noticed when it is there again.
                await asyncio.sleep(self.dice.choice((0.0, 0.5, 5.0)))
                await node.start()
            case "stop a node":
                node = self._next_node()
                assert await node.life.terminate() == 0
                await asyncio.sleep(self.dice.uniform(0.0, 1.0))
                await node.start()
            case "freeze a node":
                node = self._next_node()
                os.kill(node.life.pid, signal.SIGSTOP)
                await asyncio.sleep(FROZEN)
                os.kill(node.life.pid, signal.SIGCONT)
            case "cut a node off from everybody":
                host = self._next_node().host
                await self._do(host.cut_off)
                await asyncio.sleep(self.dice.choice(CUT))
                await self._do(host.reconnect)
            case _ if what.startswith("cut a node off from "):
                host, ports = self._next_node().host, self._ports[what.rpartition(" ")[2]]
                await self._do(partial(host.cut, *ports))
                await asyncio.sleep(self.dice.choice(CUT))
                await self._do(partial(host.mend, *ports))
            case "kill Redis":
                await self._do(self.redis.kill)
                await asyncio.sleep(self.dice.uniform(0.0, 2.0))
                await self._do(self.redis.start)
            case "empty Redis":
                assert await self._do(partial(self.redis.run, "FLUSHALL")) == "+OK"
                assert await self._do(partial(self.redis.run, "CLIENT KILL TYPE pubsub"))
            case "freeze Redis":
                self.redis.freeze()
                await asyncio.sleep(self.dice.uniform(1.0, 4.0))
                self.redis.wake()
            case "restart PostgreSQL" | "kill PostgreSQL" | "PostgreSQL is away":
                await self._do(partial(self.postgres.stop, hard=what == "kill PostgreSQL"))
                await asyncio.sleep(AWAY if what == "PostgreSQL is away" else 0.0)
                await self._do(self.postgres.start)
            case _:
                raise ValueError(what)

    async def _do(self, action: Callable[[], object]) -> object:
        return await asyncio.get_running_loop().run_in_executor(self._services, action)

    async def read(self, table: str) -> list[Record]:
        return await asyncio.to_thread(lambda: list(read_log(self.journal, table)))

    async def compare_hashes(self) -> None:
        """Every table is at every node what its log says."""
        games = catalogue().games
        for party in self.parties:
            if not party.table:
                continue
            for at in self.servers:
                # A node may be asked while something is on its way to the journal, and has not happened yet.
                for _ in range(50):
                    shown = await request(at.ports["http"], "GET", f"/api/tables/{party.table}", address=at.host)
                    if shown.status != 200:
                        break  # it has been closed before anybody was at it, or nothing can be read now
                    told = json.loads(shown.body)
                    table = Table(party.table, games[party.game])
                    for record in await self.read(party.table):
                        if record.seq <= told["seq"]:
                            logbook.follow(table, record)
                    if (table.seq, table.fingerprint()) == (told["seq"], told["hash"]):
                        self.hashes += 1
                        break
                    await asyncio.sleep(0.1)
                else:
                    raise AssertionError(f"table {table.id} at {at.host} is {told}, and its log says {table.seq}")


async def storm_on_nodes(
    data: Path,
    network: Network,
    postgres: Postgres,
    redis: Redis,
    plan: Iterable[str],
    *,
    parties: int,
    seed: int,
    pause: float,
    told: Callable[[str], None] = lambda line: None,
) -> Outcome:
    return await NodesStorm(data, network, postgres, redis, parties, seed, pause).rage(plan, told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=300, help="of nodes; there is as much of everything else as fits")
    parser.add_argument("--parties", type=int, default=15, help="tables at a time")
    parser.add_argument("--pause", type=float, default=0.1, help="seconds between two moves of one person")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="of what happens, only what begins with this")
    options = parser.parse_args()

    def told(line: str) -> None:
        print(line, flush=True)  # noqa: T201 - this is a command

    begun = time.monotonic()
    dice = Random(options.seed)
    plan: list[str] = []
    while plan.count("kill a node") < options.kills:
        plan += dice.sample(PLAN, len(PLAN))
    folder = Path(tempfile.mkdtemp(prefix="storm-nodes-"))  # stays, if something goes wrong
    folder.chmod(0o711)
    told(f"journal and log are in {folder}")
    with (
        Network() as network,
        Postgres(folder / "postgres", fsync=False, address=network.address) as postgres,
        Redis(folder / "redis", address=network.address) as redis,
    ):
        plan = [what for what in plan if what.startswith(options.only)]
        outcome = asyncio.run(
            storm_on_nodes(
                folder,
                network,
                postgres,
                redis,
                plan,
                parties=options.parties,
                seed=options.seed,
                pause=options.pause,
                told=told,
            )
        )
    shutil.rmtree(folder)
    told(f"{outcome} in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
