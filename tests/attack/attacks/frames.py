"""WebSocket itself, and the connections below it."""

from __future__ import annotations

import asyncio

from tests.attack.attacks.palace import lobbies
from tests.attack.lines import PING, PONG, Line
from tests.attack.siege import Siege, attack
from tests.fuzz.sockets import frame, handshake


@attack("websocket")
async def pings(siege: Siege) -> None:
    """Pings, 2,000 per write."""
    siege.begin()
    await siege.flood("/ws", b"x", opcode=PING, at_once=2000)


@attack("websocket", always=False)
async def pongs(siege: Siege) -> None:
    """Pongs that nobody has asked for, 2,000 per write."""
    siege.begin()
    await siege.flood("/ws", b"", opcode=PONG, at_once=2000)


@attack("websocket")
async def fragments(siege: Siege) -> None:
    """Messages in 4,000 empty pieces."""
    siege.begin()
    block = frame(b"{", 1, fin=False) + frame(b"", 0, fin=False) * 4000 + frame(b"", 0)

    async def once() -> None:
        await siege.pour((await siege.websocket("/palace")).line, block)

    await siege.again(once, 4)


@attack("websocket", always=False)
async def empty_frames(siege: Siege) -> None:
    """Messages without content, 2,000 per write."""
    siege.begin()
    await siege.flood("/ws", b"", at_once=2000)


@attack("websocket", always=False)
async def unmasked_frames(siege: Siege) -> None:
    """Frames that RFC 6455 forbids: the connection is ended, and there is another."""
    siege.begin()
    await siege.bursts("/ws", [b"x"], opcode=3, connections=8)


@attack("websocket", 3)
async def churn(siege: Siege) -> None:
    """WebSockets that are opened and hung up."""
    siege.begin()

    async def once() -> None:
        (await siege.websocket("/ws")).line.hang_up()

    await siege.again(once, 16)


@attack("websocket", 3)
async def handshakes_without_an_end(siege: Siege) -> None:
    """3,000 connections that have sent half of a request, and wait."""

    async def once() -> None:
        line = await siege.line()
        await line.push(handshake("/ws")[:-2])
        await line.lost.wait()

    siege.begin()
    await siege.again(once, 3000)


@attack("websocket", 3, always=False)
async def connections_without_a_word(siege: Siege) -> None:
    """3,000 connections on which nothing is ever said."""
    siege.begin()

    async def once() -> None:
        await (await siege.line()).lost.wait()

    await siege.again(once, 3000)


class Sleeper(Line):
    """Reads nothing."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if b"\r\n\r\n" in data:
            self.transport.pause_reading()


@attack("websocket", 3)
async def slow_readers(siege: Siege) -> None:
    """200 who ask for lists of 200 lobbies and never read, but answer pings."""
    await lobbies(siege, 200)
    siege.begin()
    await _sleep(siege, "/palace", frame(b'"ListLobbies"', 2) * 50, 200)


@attack("websocket", 3)
async def slow_followers(siege: Siege) -> None:
    """200 who follow the list of tables and ask for all of it, and never read, but answer pings."""
    await siege.coup_tables(100)
    siege.begin()
    await _sleep(siege, "/ws", frame(b'{"type":"follow"}') + frame(b'{"type":"list"}') * 150, 200)


async def _sleep(siege: Siege, path: str, asked: bytes, count: int) -> None:
    async def once() -> None:
        line = await siege.line(line=Sleeper())
        await line.push(handshake(path))
        await line.until(b"\r\n\r\n")
        line.deaf()
        while True:
            await line.push(asked + frame(b"", PONG))
            await asyncio.sleep(1)

    await siege.again(once, count)
