"""A line between browsers and a server that can die as lines do: without a word to anybody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress


class Line:
    """Forwards what is sent both ways, until it is told to stop; what was connected then stays dead for ever."""

    def __init__(self, port: int) -> None:
        self._server = port
        self._transports: list[asyncio.StreamWriter] = []
        self._age = 0
        """Counts the deaths: what was connected before the latest is dead."""
        self.dead = False
        self.deaf = False
        """What the server says is lost; what it is told arrives."""
        self.http = ""

    def die(self) -> None:
        self.dead = True
        self._age += 1

    def revive(self) -> None:
        self.dead = self.deaf = False
        self._age += 1

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        age = self._age
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._server)
        except OSError:  # the server is being restarted
            writer.close()
            return
        self._transports += [writer, back]
        await asyncio.gather(
            self._forward(reader, back, lambda: not self.dead and age == self._age),
            self._forward(there, writer, lambda: not self.dead and not self.deaf and age == self._age),
        )

    async def _forward(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, alive: Callable[[], bool]
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                if alive():
                    writer.write(data)
        if alive():
            writer.close()

    def cut(self) -> None:
        for transport in self._transports:
            transport.transport.abort()


@asynccontextmanager
async def line(port: int) -> AsyncIterator[Line]:
    """To the server on this port."""
    through = Line(port)
    listener = await asyncio.start_server(through.accept, "127.0.0.1", 0)
    through.http = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    try:
        yield through
    finally:
        listener.close()
        through.cut()
