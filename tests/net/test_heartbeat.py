"""Silent connections: who is pinged, who stays, and who is given up."""

from __future__ import annotations

import asyncio
import struct
from contextlib import suppress
from pathlib import Path

from croupier.net.heartbeat import AT_ONCE, STEPS, Heartbeat, Watched
from croupier.tables import error_log
from tests.client import client
from tests.fuzz.sockets import frame, handshake
from tests.live import LiveHere, server

PATIENCE = 20
CLOSE, PING, PONG = 8, 9, 10
GET_TABLES = b'{"type":"list","id":7}'


class Wire:
    """A WebSocket that says only what it is told to, and shows every frame that comes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    @classmethod
    async def to(cls, live: LiveHere, path: str = "/ws") -> Wire:
        wire = cls(*await asyncio.open_connection("127.0.0.1", live.ports["http"]))
        wire.writer.write(handshake(path))
        await wire._reader.readuntil(b"\r\n\r\n")
        return wire

    async def next(self) -> tuple[int, bytes]:
        """The kind of the next frame, and what is in it."""
        async with asyncio.timeout(PATIENCE):
            first, size = await self._reader.readexactly(2)
            if size == 126:
                (size,) = struct.unpack("!H", await self._reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", await self._reader.readexactly(8))
            return first & 15, await self._reader.readexactly(size)

    async def until(self, kind: int) -> bytes:
        while True:
            found, said = await self.next()
            if found == kind:
                return said

    async def ended(self) -> None:
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionError):
                assert await self._reader.read() == b""


# On real sockets


async def test_who_is_silent_and_answers_no_ping_is_told_so_and_gone(tmp_path: Path) -> None:
    async with server(tmp_path, ping_every=0.2) as live:
        wire = await Wire.to(live)
        await wire.until(PING)
        assert await wire.until(CLOSE) == struct.pack("!H", 1001) + b"no answer to a ping"
        await wire.ended()
        wire.writer.close()


async def test_who_answers_pings_stays(tmp_path: Path) -> None:
    async with server(tmp_path, ping_every=0.2) as live:
        wire = await Wire.to(live)
        for _ in range(5):
            wire.writer.write(frame(await wire.until(PING), PONG))
        wire.writer.write(frame(GET_TABLES))
        kind, said = await wire.next()
        while kind == PING:
            wire.writer.write(frame(said, PONG))
            kind, said = await wire.next()
        assert said.startswith(b'{"type":"reply","id":7')
        wire.writer.close()


async def test_who_answers_a_ping_with_something_else_is_there_too(tmp_path: Path) -> None:
    async with server(tmp_path, ping_every=0.2) as live:
        wire = await Wire.to(live)
        for _ in range(5):
            await wire.until(PING)
            wire.writer.write(frame(GET_TABLES))
        wire.writer.close()


async def test_nobody_is_pinged_where_that_is_turned_off(tmp_path: Path) -> None:
    async with server(tmp_path, ping_every=0) as live, client(live.ws("/ws")) as ann:
        await ann.ask("list")
        assert not any(live.admission.heartbeat._wheel)


async def test_who_has_gone_is_not_remembered(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        heartbeat = live.admission.heartbeat
        wire = await Wire.to(live)
        await wire.next()
        assert sum(map(len, heartbeat._wheel)) == 1
        wire.writer.transport.abort()
        async with asyncio.timeout(PATIENCE):
            while any(heartbeat._wheel):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)


# Step by step


class Silent:
    def __init__(self) -> None:
        self.heard = self.pinged = 0
        self.waits: set[Watched] | None = None
        self.happened: list[str] = []

    def ping(self) -> None:
        self.happened.append("pinged")

    def give_up(self) -> None:
        self.happened.append("given up")


class Steady(Heartbeat):
    """One whose steps are taken by the test."""

    def __init__(self) -> None:
        super().__init__(1e6)

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.beat()


async def test_a_period_of_silence_a_ping_and_another_period() -> None:
    heartbeat, one = Steady(), Silent()
    heartbeat.steps(3)
    heartbeat.watch(one)
    heartbeat.steps(STEPS - 1)
    assert one.happened == []
    heartbeat.steps(1)
    assert one.happened == ["pinged"]
    heartbeat.steps(STEPS - 1)
    assert one.happened == ["pinged"]
    heartbeat.steps(1)
    assert one.happened == ["pinged", "given up"]
    heartbeat.steps(3 * STEPS)
    assert one.happened == ["pinged", "given up"]


async def test_who_is_heard_now_and_then_is_not_pinged() -> None:
    heartbeat, one = Steady(), Silent()
    heartbeat.watch(one)
    for _ in range(10):
        heartbeat.steps(STEPS - 1)
        one.heard = heartbeat.step
    assert one.happened == []
    heartbeat.steps(STEPS)
    assert one.happened == ["pinged"]


async def test_who_answers_at_once_or_at_the_last_moment_is_pinged_again_a_period_later() -> None:
    for late in (0, 1, STEPS - 1):
        heartbeat, one = Steady(), Silent()
        heartbeat.watch(one)
        heartbeat.steps(STEPS)
        heartbeat.steps(late)
        one.heard = heartbeat.step
        heartbeat.steps(STEPS - 1)
        assert one.happened == ["pinged"]
        heartbeat.steps(1)
        assert one.happened == ["pinged", "pinged"]


async def test_those_who_fall_silent_together_take_turns_with_everybody_else() -> None:
    heartbeat, many = Steady(), [Silent() for _ in range(3 * AT_ONCE)]
    for one in many:
        heartbeat.watch(one)
    heartbeat.steps(STEPS)

    def pinged() -> int:
        return sum(one.happened == ["pinged"] for one in many)

    assert pinged() == AT_ONCE
    await asyncio.sleep(0)
    assert pinged() == 2 * AT_ONCE
    gone = next(one for one in many if not one.happened)
    heartbeat.forget(gone)
    for _ in range(3):
        await asyncio.sleep(0)
    assert pinged() == 3 * AT_ONCE - 1
    assert gone.happened == []


class Broken(Silent):
    def ping(self) -> None:
        raise RuntimeError


async def test_who_can_not_be_pinged_keeps_nobody_else_from_it() -> None:
    error_log.seen.clear()
    heartbeat = Steady()
    several = [Broken(), Silent(), Broken(), Silent()]
    for one in several:
        heartbeat.watch(one)
    heartbeat.steps(STEPS)
    assert [one.happened for one in several] == [[], ["pinged"], [], ["pinged"]]
    assert error_log.seen["server"] == 2
    error_log.seen.clear()


async def test_the_wheel_stands_still_when_nobody_is_there() -> None:
    heartbeat, one = Steady(), Silent()
    assert heartbeat._timer is None
    heartbeat.watch(one)
    assert heartbeat._timer is not None
    heartbeat.forget(one)
    heartbeat.steps(1)
    assert heartbeat._timer is None
    heartbeat.watch(one)
    heartbeat.steps(STEPS)
    assert one.happened == ["pinged"]
