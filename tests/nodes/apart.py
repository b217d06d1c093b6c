"""Nodes on hosts of their own, whose lines can be cut: to PostgreSQL, to Redis, to both, or to everybody."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from services.network import Host, Network
from services.postgres import Postgres
from services.redis import Redis
from tests import services
from tests.live import LiveProcess, process

DATABASE = "house"


class Apart(NamedTuple):
    postgres: Postgres
    redis: Redis
    hosts: Sequence[Host]
    nodes: Sequence[LiveProcess]


@asynccontextmanager
async def nodes_apart(data: Path, count: int = 2, sabotage: str = "") -> AsyncIterator[Apart]:
    """``sabotage``: code that each of them runs before it starts."""
    async with AsyncExitStack() as stack:
        network = stack.enter_context(Network())
        postgres = stack.enter_context(services.own_postgres(network.address))
        redis = stack.enter_context(Redis(services.folder("redis"), address=network.address))
        shared = ("--journal", postgres.create(DATABASE), "--bus", redis.url)
        hosts = [network.host() for _ in range(count)]
        nodes = []
        for number, host in enumerate(hosts):
            flags = (*shared, "--node", f"n{number}", "--node-address", f"{host.address}:0")
            node = process(
                data, *flags, sabotage=sabotage, log=data / f"n{number}", inside=host.inside, host=host.address
            )
            nodes.append(await stack.enter_async_context(node))
        yield Apart(postgres, redis, hosts, nodes)
