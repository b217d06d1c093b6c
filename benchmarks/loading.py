"""How long a first visit takes on a slow line: until the lobby can be read, and until a table can be played at.

Real Chromium, with an empty cache, behind a proxy of ours that is as slow as asked: every connection takes a round trip
to open, every answer arrives half a round trip late, and all of them share the line. (The browser's own throttling
delays requests, but neither WebSockets nor the opening of a connection. And the proxy speaks SOCKS, because then the
browser knows when a connection is open, as on a real line: a request that waits for a new one takes the first that is
free.) Times are from the first byte that is sent to the moment when what one came for is on the screen, and to the one
when something can be done there.

    python -m benchmarks.loading                            4G, and a bad line
    python -m benchmarks.loading --rate 50 --delay 400
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.async_api import Browser, expect

from croupier.client import Client
from tests.browser.person import DESKTOP, chromium
from tests.live import LiveHere, server

PIECE = 1460
"""Bytes that travel together."""


class Line(NamedTuple):
    name: str
    rate: float
    """Kilobytes a second, towards the visitor."""
    delay: float
    """Milliseconds of a round trip."""


LINES = [Line("4G", 1100, 170), Line("bad", 50, 400)]


class Slow:
    """A line, and all that is on it. What the visitor sends is little, and only late."""

    def __init__(self, line: Line, port: int) -> None:
        self.line = line
        self.port = port
        self.free = 0.0
        """When the line has carried all that was given to it."""
        self.carried = 0
        self.connections = 0

    async def visitor(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError, asyncio.CancelledError):  # the browser has hung up, or the measurement is over
            await self._greet(reader, writer)
            self.connections += 1
            there, back = await asyncio.open_connection("127.0.0.1", self.port)
            await asyncio.gather(self._carry(reader, back, False), self._carry(there, writer, True))
        writer.close()

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """SOCKS 5, as far as a browser needs it; where it leads to is no question here."""
        _, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(b"\x05\x00")
        *_, kind = await reader.readexactly(4)
        length = {1: 4, 4: 16}.get(kind) or (await reader.readexactly(1))[0]
        await reader.readexactly(length + 2)
        await asyncio.sleep(self.line.delay / 1000)  # the handshake
        writer.write(b"\x05\x00\x00\x01" + bytes(6))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, counts: bool) -> None:
        pieces: deque[tuple[float, bytes]] = deque()
        news = asyncio.Event()

        async def arrive() -> None:
            while True:
                while not pieces:
                    news.clear()
                    await news.wait()
                due, piece = pieces.popleft()
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                if not piece or writer.is_closing():
                    writer.close()
                    return
                writer.write(piece)

        arriving = asyncio.create_task(arrive())
        with suppress(OSError):
            while piece := await reader.read(PIECE):
                now = time.perf_counter()
                if counts:
                    self.free = max(now, self.free) + len(piece) / (1000 * self.line.rate)
                    self.carried += len(piece)
                pieces.append(((self.free if counts else now) + self.line.delay / 2000, piece))
                news.set()
        pieces.append((time.perf_counter() + self.line.delay / 2000, b""))
        news.set()
        await arriving


@asynccontextmanager
async def slow(line: Line, live: LiveHere) -> AsyncIterator[tuple[Slow, str]]:
    way = Slow(line, live.ports["http"])
    listening = await asyncio.start_server(way.visitor, "127.0.0.1", 0)
    host, port = listening.sockets[0].getsockname()[:2]
    yield way, f"socks5://{host}:{port}"
    listening.close()


class Visit(NamedTuple):
    seen: float
    """Seconds until it is on the screen ..."""
    usable: float
    """... and until something can be done there."""
    connections: int
    carried: int
    """Bytes, until it is on the screen."""


async def visit(browser: Browser, line: Line, live: LiveHere, path: str, sights: Sequence[str], button: str) -> Visit:
    async with slow(line, live) as (way, proxy):
        context = await browser.new_context(base_url=live.http, proxy={"server": proxy}, **DESKTOP)
        page = await context.new_page()
        begin = time.perf_counter()
        await page.goto(path, wait_until="commit")
        for sight in sights:
            await page.locator(sight).first.wait_for(timeout=60_000)
        seen, connections, carried = time.perf_counter() - begin, way.connections, way.carried
        await expect(page.get_by_role("button", name=button)).to_be_enabled(timeout=60_000)
        usable = time.perf_counter() - begin
        await context.close()
        return Visit(seen, usable, connections, carried)


async def main(lines: list[Line], repeats: int) -> None:
    with tempfile.TemporaryDirectory() as data:
        async with (
            server(Path(data), bot_delay=0, test_first=0) as live,
            chromium() as browser,
            Client(live.http) as client,
        ):
            table = await client.open("palace", player="Ann", seats=2)
            places = {
                "lobby": ("/", ["text=Get rid of all your cards", "text=Ann"], "Open a table"),
                "table": (f"/t/{table.id}", ["text=Get rid of all your cards", "text=Ann"], "Take a seat"),
            }
            for line in lines:
                for where, (path, sights, button) in places.items():
                    visits = [await visit(browser, line, live, path, sights, button) for _ in range(repeats)]
                    seen, usable = (median(visit[which] for visit in visits) for which in (0, 1))
                    way = f"{visits[0].carried / 1000:.0f} kB on {visits[0].connections} connections"
                    print(f"{line.name:5} {where:6} {seen:5.2f} s, usable {usable:5.2f} s, {way}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rate", type=float, help="kilobytes a second")
    parser.add_argument("--delay", type=float, help="milliseconds of a round trip")
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    if (asked.rate is None) != (asked.delay is None):
        parser.error("--rate and --delay go together")
    chosen = LINES if asked.rate is None else [Line("line", asked.rate, asked.delay)]
    asyncio.run(main(chosen, asked.repeats))
