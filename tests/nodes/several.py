"""Several nodes of one house, in this process: each with its own sockets, one PostgreSQL and one Redis between them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from tests import services
from tests.live import LiveHere, server


@asynccontextmanager
async def nodes(data: Path, count: int = 2, **settings: Any) -> AsyncIterator[list[LiveHere]]:
    shared = {"journal": services.database(), "bus": services.bus()} | settings
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(server(data, node=f"n{n}", **shared)) for n in range(count)]
