"""Between a journal and its database: a connection that can be cut at the worst moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal
from urllib.parse import urlsplit

Fate = Literal["pass", "cut request", "cut reply", "swallow", "dead"]
"""What becomes of the next bytes: they pass; the connection is cut before the database has them, or when it has
answered; they are lost, and all that comes after them by that connection; or everything is, by whatever connection."""


class Proxy:
    def __init__(self, url: str) -> None:
        self._to = urlsplit(url)
        self.fate: Fate = "pass"
        self.port = 0
        self.met = asyncio.Event()
        """Set when that fate was met."""
        self._swallowed: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        address = f"{self._to.username}:{self._to.password}@127.0.0.1:{self.port}"
        return self._to._replace(netloc=address).geturl()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_connection(self._to.hostname, self._to.port)
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(
                self._pump(reader, forth, "cut request", writer), self._pump(back, writer, "cut reply", forth)
            )

    async def _pump(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, cut: Fate, other: asyncio.StreamWriter
    ) -> None:
        try:
            while data := await source.read(1 << 16):
                if self.fate == cut:
                    self._fulfil()
                    return
                if self.fate == "swallow" and cut == "cut request":
                    self._swallowed |= {target, other}
                    self._fulfil()
                if target not in self._swallowed and self.fate != "dead":
                    target.write(data)
                    await target.drain()
        finally:
            target.close()
            other.close()

    def _fulfil(self) -> None:
        self.fate = "pass"
        self.met.set()


@asynccontextmanager
async def proxy(url: str) -> AsyncIterator[Proxy]:
    between = Proxy(url)
    server = await asyncio.start_server(between.serve, "127.0.0.1", 0)
    between.port = server.sockets[0].getsockname()[1]
    async with server:
        yield between
