"""Several nodes of one house, in this process: each with its own sockets, one PostgreSQL and one Redis between them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

from croupier import nodes as joining
from croupier.bus import Bus
from croupier.bus.local import Hub, LocalBus
from croupier.config import Config
from croupier.tables.cluster import Cluster
from tests import services
from tests.live import LiveHere, server


class Shared:
    """A journal and a bus, for nodes of this process and of others."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.journal, self.bus = services.database(), services.bus()

    def settings(self, node: str) -> dict[str, Any]:
        return {"node": node, "journal": self.journal, "bus": self.bus}

    def flags(self, node: str) -> list[str]:
        return [word for name, value in self.settings(node).items() for word in (f"--{name}", value)]


@asynccontextmanager
async def nodes(data: Path, count: int = 2, hub: Hub | None = None, **settings: Any) -> AsyncIterator[list[LiveHere]]:
    """``hub``: what they speak on in the place of Redis, and may behave badly."""
    shared = {"journal": services.database(), "bus": services.bus()} | settings
    async with AsyncExitStack() as stack:
        with nullcontext() if hub is None else patch.object(joining, "_bus", local(hub)):
            running = [await stack.enter_async_context(server(data, node=f"n{n}", **shared)) for n in range(count)]
        yield running


def local(hub: Hub) -> Any:
    async def bus(config: Config, cluster: Cluster, name: str, house: str) -> Bus:
        return LocalBus(hub, cluster.gap)

    return bus


def cluster(node: LiveHere) -> Cluster:
    assert node.house.cluster is not None
    return node.house.cluster
