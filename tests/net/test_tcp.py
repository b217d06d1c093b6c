"""Lines over TCP and questions over UDP by themselves, under a protocol that only echoes."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import cast

import pytest

from croupier.games import Catalogue
from croupier.net import lan
from croupier.net.admission import Limits
from croupier.tables.dialect import Dialect, Hangup, Message, Output
from croupier.tables.endpoint import Beacon, Endpoint, HouseQueries
from tests.live import LiveHere, server

PATIENCE = 10


class Echo(Dialect):
    rate = 0.0

    def greet(self) -> Iterable[Message]:
        yield b"hello"

    def receive(self, message: Message, text: bool) -> Iterable[Output]:
        if message == b"quit":
            yield b"goodbye"
            yield Hangup(1000)
        elif message == b"flood":
            yield from [b"x" * 65536] * 200
        else:
            yield message

    def overlong(self) -> Iterable[Output]:
        yield b"too long"


def answer(question: bytes, house: HouseQueries, ports: Mapping[str, int]) -> bytes | None:
    if question == b"trouble":
        raise RuntimeError("no idea")
    return f"on port {ports['echo']}".encode() if question == b"anybody there?" else None


def echoes(port: int | None = None, beacon: int = 0) -> Catalogue:
    endpoint = Endpoint("echo", "", lambda request: Echo(), transport="lines", port=port)
    return Catalogue({}, [endpoint], [Beacon("echo-lan", beacon, answer)])


class Line:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def say(self, *parts: bytes) -> None:
        for part in parts:
            self.writer.write(part)
            await self.writer.drain()

    async def hears(self) -> bytes:
        async with asyncio.timeout(PATIENCE):
            return await self.reader.readline()


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, echoes(), listen=("echo=127.0.0.1:0", "echo-lan=127.0.0.1:0")) as running:
        yield running


@asynccontextmanager
async def connect(live: LiveHere) -> AsyncIterator[Line]:
    reader, writer = await asyncio.open_connection("127.0.0.1", live.ports["echo"], limit=1 << 20)
    try:
        yield Line(reader, writer)
    finally:
        writer.close()


@pytest.fixture
async def line(live: LiveHere) -> AsyncIterator[Line]:
    async with connect(live) as found:
        assert await found.hears() == b"hello\n"
        yield found


async def test_a_message_is_a_line(line: Line) -> None:
    await line.say(b"one\ntwo\r\n\n \r\nthr", b"ee\nfo", b"ur\n")
    assert [await line.hears() for _ in range(4)] == [b"one\n", b"two\n", b"three\n", b"four\n"]


async def test_a_line_that_is_too_long_is_skipped_and_said_so_once(line: Line) -> None:
    fits = b"x" * 65535
    await line.say(fits + b"\n", b"y" + fits + b"\n", b"z" * 200_000, b"z" * 200_000, b"\nagain\n")
    assert await line.hears() == fits + b"\n"
    assert [await line.hears() for _ in range(3)] == [b"too long\n", b"too long\n", b"again\n"]


async def test_what_was_said_last_is_delivered(live: LiveHere, line: Line) -> None:
    await line.say(b"quit\nunheard\n")
    assert await line.hears() == b"goodbye\n"
    assert await line.hears() == b""
    assert not live.admission.connections


async def test_who_does_not_read_is_cut_off(live: LiveHere, line: Line) -> None:
    line.writer.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.reader._transport.pause_reading()  # type: ignore[attr-defined]
    await line.say(b"flood\n")
    async with asyncio.timeout(PATIENCE):
        while live.admission.connections:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def test_who_hangs_up_is_gone(live: LiveHere, line: Line) -> None:
    assert len(live.admission.connections) == 1
    line.writer.close()
    async with asyncio.timeout(PATIENCE):
        while live.admission.connections:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def test_there_is_room_for_so_many(tmp_path: Path) -> None:
    few = server(tmp_path, echoes(), listen=("echo=127.0.0.1:0",), max_connections_per_address=1)
    async with few as live, connect(live) as first:
        assert await first.hears() == b"hello\n"
        async with connect(live) as second:
            with suppress(ConnectionResetError):
                assert await second.hears() == b""
        await first.say(b"still here\n")
        assert await first.hears() == b"still here\n"


async def test_a_protocol_without_a_path_is_not_on_the_shared_port(live: LiveHere) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", live.ports["http"])
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert b"WebSocket only" not in await reader.read()
    writer.close()


async def free_port() -> int:
    holder = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = int(holder.sockets[0].getsockname()[1])
    holder.close()
    await holder.wait_closed()
    return port


async def test_a_port_that_clients_know_is_open_unless_it_is_taken_or_not_wanted(tmp_path: Path) -> None:
    port = await free_port()
    games = echoes(port, port)
    async with server(tmp_path / "a", games, no_game_ports=False) as live:
        assert live.ports["echo"] == live.ports["echo-lan"] == port
        async with connect(live) as line:
            assert await line.hears() == b"hello\n"
        async with server(tmp_path / "b", games, no_game_ports=False) as another:
            assert set(another.ports) == {"http"}
        async with server(tmp_path / "c", games, no_game_ports=False, listen=("echo=127.0.0.1:0",)) as elsewhere:
            assert elsewhere.ports["echo"] not in (0, port)
    async with server(tmp_path / "d", games) as without:
        assert set(without.ports) == {"http"}


# Discovery


class Asker(asyncio.DatagramProtocol):
    def __init__(self) -> None:
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()

    def datagram_received(self, data: bytes, address: object) -> None:
        self.heard.put_nowait(data)


async def test_a_question_is_answered_to_where_it_came_from(live: LiveHere) -> None:
    loop = asyncio.get_running_loop()
    beacon = ("127.0.0.1", live.ports["echo-lan"])
    transport, asker = await loop.create_datagram_endpoint(Asker, remote_addr=beacon)
    for question in (b"", b"trouble", b"something else", b"anybody there?"):
        transport.sendto(question)
    async with asyncio.timeout(PATIENCE):
        assert await asker.heard.get() == f"on port {live.ports['echo']}".encode()
    assert asker.heard.empty()
    transport.close()


class Sent(asyncio.DatagramTransport):
    """Counts what is sent."""

    count = 0

    def sendto(self, data: object, addr: object = None) -> None:
        self.count += 1


def test_nobody_is_flooded_with_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("croupier.net.lan.monotonic", lambda: now)
    listener, sent = (
        lan.BeaconListener(Beacon("echo", 0, answer), cast(HouseQueries, None), lambda: {"echo": 1}),
        Sent(),
    )
    listener.connection_made(sent)
    for number in range(500):
        listener.datagram_received(b"anybody there?", (f"192.0.2.{number % 200}", 3981))
    assert sent.count == lan.ANSWERS
    now += 0.5
    for _ in range(500):
        listener.datagram_received(b"anybody there?", ("192.0.2.1", 3981))
    assert sent.count == lan.ANSWERS + lan.ANSWERS // 2


def test_the_outbox_has_the_size_that_is_promised() -> None:
    assert Limits().outbox_size == 1 << 20
