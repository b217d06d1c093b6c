"""One connection costs the others nothing: turns are shared out, and what is kept for the slow has an end."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import struct
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from picows import WSMsgType
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.net import inbox, websocket
from croupier.net.http_connection import HttpConnection
from croupier.net.websocket import LINGER, WebSocket
from croupier.tables import error_log
from croupier.tables.purses import Purse
from tests.client import Refusal, client
from tests.live import LiveHere, server

KEY = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"


async def upgraded(port: int, path: str = "/ws", **headers: str) -> socket.socket:
    """A bare WebSocket with a small window, of which nothing is read after the handshake."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(raw, ("127.0.0.1", port))
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items()).encode()
    head = f"GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n".encode()
    await loop.sock_sendall(raw, head + KEY + more + b"\r\n")
    answer = await loop.sock_recv(raw, 12)
    assert answer == b"HTTP/1.1 101", answer
    return raw


HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def frame(opcode: int, payload: bytes) -> bytes:
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0xFE, size)
    return bytes([0x80 | opcode]) + length + bytes(4) + payload


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not happened():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


# Turns.


async def test_three_thousand_questions_at_once_are_all_answered_in_order(tmp_path: Path) -> None:
    async with server(tmp_path, message_rate=0) as live, connect(live.ws("/ws"), max_queue=None) as ann:
        await ann.recv()
        raw = ann.transport
        raw.write(b"".join(frame(1, json.dumps({"type": "list", "id": n}).encode()) for n in range(3000)))
        answers = [json.loads(await ann.recv())["id"] for _ in range(3000)]
        assert answers == list(range(3000))


async def test_what_was_said_before_the_goodbye_is_done(tmp_path: Path) -> None:
    """A thousand requests and the end of the connection, in one breath: the last request still counts."""
    async with server(tmp_path, message_rate=0) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        ben = await upgraded(live.ports["http"])
        questions = b"".join(frame(1, b'{"type": "list", "id": 1}') for _ in range(1000))
        join = json.dumps({"type": "join", "id": 2, "table": ann.table, "player": "Ben"}).encode()
        loop = asyncio.get_running_loop()
        sending = asyncio.ensure_future(loop.sock_sendall(ben, questions + frame(1, join) + frame(8, b"\x03\xe8")))
        assert (await ann.entry("joined"))["entry"]["name"] == "Ben"
        await sending
        ben.close()
        await ann.entry("absent")


async def test_what_is_read_in_bulk_is_read_in_turns_whatever_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pongs that nobody has asked for: there is nothing to be done for them, and to read them takes all the time."""
    held = list[bool]()
    hold = WebSocket.hold

    def noted(socket: WebSocket, on: bool) -> None:
        held.append(on)
        hold(socket, on)

    monkeypatch.setattr(WebSocket, "hold", noted)
    monkeypatch.setattr(inbox, "SHARE", 1e-6)
    monkeypatch.setattr(inbox, "BURST", 0.0)
    async with server(tmp_path) as live, connect(live.ws("/ws")) as ann:
        await ann.recv()
        ann.transport.write(frame(10, b"") * 100_000 + frame(1, b'{"type": "list", "id": 7}'))
        assert json.loads(await ann.recv())["id"] == 7
        assert held.count(True) > 50


async def test_every_ping_is_answered(tmp_path: Path) -> None:
    async with server(tmp_path) as live, connect(live.ws("/ws")) as ann:
        pongs = [await ann.ping(f"{n}".encode()) for n in range(200)]
        await asyncio.gather(*pongs)


async def test_pipelined_requests_are_answered_in_order(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        reader, writer = await asyncio.open_connection("127.0.0.1", live.ports["http"])
        paths = ["/healthz", "/nowhere"] * 300
        writer.write(b"".join(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() for path in paths))
        for path in paths:
            status = await reader.readline()
            assert status.split()[1] == (b"200" if path == "/healthz" else b"404")
            size = 0
            while (line := await reader.readline()) != b"\r\n":
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            await reader.readexactly(size)
        writer.close()


async def test_who_speaks_before_the_handshake_is_answered_is_not_heard(tmp_path: Path) -> None:
    early = frame(1, b'{"type":"list","id":1}') * 300  # more than is read of a request at once
    error_log.seen.clear()
    async with server(tmp_path) as live:
        reader, writer = await asyncio.open_connection("127.0.0.1", live.ports["http"])
        writer.write(HANDSHAKE + early)
        assert (await reader.readline()).split()[1] == b"101"
        await reader.readuntil(b'"type":"welcome"')
        writer.write(frame(1, b'{"type":"list","id":2}'))
        async with asyncio.timeout(20):
            told = await reader.readuntil(b'"id":2')
        assert b'"id":1' not in told
        writer.close()
    assert not error_log.seen


async def test_the_goodbye_is_heard_of_who_waits_for_a_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "LINGER", 1000.0)
    async with server(tmp_path) as live:
        reader, writer = await asyncio.open_connection("127.0.0.1", live.ports["http"])
        writer.write(HANDSHAKE)
        await reader.readuntil(b'"type":"welcome"')
        (connection,) = live.admission.connections
        connection.go_on(lambda: True)  # something without an end
        connection.close(1000, "that is enough")
        await reader.readuntil(b"that is enough")
        writer.write(frame(8, b""))
        async with asyncio.timeout(20):
            assert await reader.read() == b""
        writer.close()


async def test_who_is_cut_off_before_the_first_of_two_answers_is_no_fault_and_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, waiting, faults = asyncio.get_running_loop(), list[asyncio.Future[bool]](), list[str]()

    async def fail(self: RequestResponseCycle) -> None:
        faults.append(self.scope["path"])

    monkeypatch.setattr(RequestResponseCycle, "send_500_response", fail)

    def never(purse: Purse) -> asyncio.Future[bool]:
        waiting.append(loop.create_future())
        return waiting[-1]

    def connections() -> list[HttpConnection]:
        return [one for one in gc.get_objects() if type(one) is HttpConnection]

    async with server(tmp_path) as live:
        monkeypatch.setattr(live.house.turns, "turn", never)
        reader, writer = await asyncio.open_connection("127.0.0.1", live.ports["http"])
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 2)
        await until(lambda: bool(waiting))
        connections()[0].transport.abort()
        await until(lambda: not connections())
        assert await reader.read() == b""
        writer.close()
    assert faults == []


async def test_who_cuts_the_line_after_an_answer_is_forgotten(tmp_path: Path) -> None:
    """And not kept until the next request on that line would have been too late."""
    async with server(tmp_path) as live:
        reader, writer = await asyncio.open_connection("127.0.0.1", live.ports["http"])
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        await reader.readuntil(b"ok\n")
        raw = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # no goodbye
        writer.transport.abort()
        await until(lambda: not any(type(one) is HttpConnection for one in gc.get_objects()))


async def test_nothing_is_left_for_the_collector(tmp_path: Path) -> None:
    """It rarely looks for garbage: tables and connections must not hold on to themselves when they are over."""

    async def comes_and_goes(live: LiveHere) -> None:
        async with client(live.ws("/ws")) as ann:
            await ann.ask("open", game="palace", player="Ann")
            await ann.ask("add_bots", count=1)
            await ann.ask("start")
            with pytest.raises(Refusal):
                await ann.ask("start")
            await ann.ask("leave")
        for path in ("/palace", "/socket.io/?EIO=4&transport=websocket"):
            (await upgraded(live.ports["http"], path)).close()
        await until(lambda: not live.admission.connections and not live.house.rooms)
        await asyncio.sleep(1.5 * LINGER)

    async with server(tmp_path) as live:
        await comes_and_goes(live)
        gc.collect()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            await comes_and_goes(live)
            gc.collect()
            left = {type(one).__name__ for one in gc.garbage if type(one).__module__.startswith("croupier.")}
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
        assert left == set()


# Backlogs.


async def watcher(live: LiveHere, table: str) -> socket.socket:
    raw = await upgraded(live.ports["http"])
    await asyncio.get_running_loop().sock_sendall(raw, frame(1, json.dumps({"type": "watch", "table": table}).encode()))
    return raw


async def test_all_slow_readers_together_have_one_end(tmp_path: Path) -> None:
    """Ten who never read would be allowed a megabyte each, but have one megabyte together."""
    async with server(tmp_path, backlog_size=1 << 20, message_rate=0) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=3)
        with ExitStack() as stack:
            for _ in range(10):
                stack.enter_context(await watcher(live, ann.table))
                await ann.hear(lambda told: told.get("entry", {}).get("entry") == "watched")
            for number in range(20_000):
                await ann.ask("configure", options={"turn_timer": number % 2 * 30})
                assert live.admission.unread.size <= 1 << 20
                if any(told.get("entry", {}).get("entry") == "unwatched" for told in ann.told):
                    break
                if not number % 100:
                    ann.told.clear()
            else:
                pytest.fail("nobody was cut off")
        assert live.admission.unread.size <= 1 << 20


@pytest.mark.parametrize("size", [900_000, 600_000], ids=["without an end", "with one"])
async def test_long_messages_have_an_end_together(tmp_path: Path, size: int) -> None:
    """Each sends most of a message that may be a megabyte long, or all of it, and waits: so much memory is kept for the
    next one."""
    async with server(tmp_path, backlog_size=1 << 20) as live:
        with ExitStack() as stack:
            lines = []
            for _ in range(4):
                line = stack.enter_context(await upgraded(live.ports["http"], "/socket.io/?EIO=4&transport=websocket"))
                lines.append(line)
                loop = asyncio.get_running_loop()
                head = b"\x81\xff" + struct.pack("!Q", size) + bytes(4)
                with suppress(ConnectionError):
                    await loop.sock_sendall(line, head + b"6" * 600_000)
            for _ in range(2000):
                if len(live.admission.connections) == 1:
                    break
                await asyncio.sleep(0.01)
            assert len(live.admission.connections) == 1
            assert live.admission.unfinished.size <= 1 << 20


class Talker(WebSocket):
    """A connection that is only its inbox."""

    def received(self, message: bytes, text: bool) -> None:
        pass

    def ended(self) -> None:
        pass


async def test_long_messages_that_wait_for_their_turn_have_an_end_together(tmp_path: Path) -> None:
    async with server(tmp_path, backlog_size=1 << 20) as live:
        kept = live.admission.unfinished
        talkers = [Talker(live.admission, "192.0.2.1", False, 1 << 20) for _ in range(3)]
        for talker, size in zip(talkers, (300_000, 800_000, 400_000), strict=True):
            talker._wait(bytes(size), WSMsgType.TEXT)
        assert kept.size == 700_000
        assert [len(talker._waiting or ()) for talker in talkers] == [1, 0, 1], "who had most is cut off"
        await until(lambda: kept.size == 0)
        assert not any(talker._waiting for talker in talkers)


# Addresses.


async def come(live: LiveHere, headers: Mapping[str, str]) -> bool:
    try:
        async with connect(live.ws("/ws"), additional_headers=headers) as ann:
            await ann.recv()
            return True
    except (InvalidStatus, ConnectionClosed):
        return False


async def test_a_forged_header_is_not_believed(tmp_path: Path) -> None:
    async with (
        server(tmp_path, max_connections_per_address=2) as live,
        client(live.ws("/ws")),
        client(live.ws("/ws")),
    ):
        assert not await come(live, {"X-Forwarded-For": "198.51.100.7"})


async def test_a_named_proxy_is_believed(tmp_path: Path) -> None:
    async with (
        server(tmp_path, max_connections_per_address=2, trusted_proxy=("127.0.0.0/8",)) as live,
        connect(live.ws("/ws"), additional_headers={"X-Forwarded-For": "198.51.100.7"}),
        connect(live.ws("/ws"), additional_headers={"X-Forwarded-For": "203.0.113.5, 198.51.100.7"}),
    ):
        assert not await come(live, {"X-Forwarded-For": "198.51.100.7"})
        assert not await come(live, {"X-Forwarded-For": "whatever, 198.51.100.7"})
        assert await come(live, {"X-Forwarded-For": "198.51.100.8"})


async def test_a_network_of_ipv6_counts_as_one_address(tmp_path: Path) -> None:
    async with (
        server(tmp_path, max_connections_per_address=1, trusted_proxy=("127.0.0.1",)) as live,
        connect(live.ws("/ws"), additional_headers={"X-Forwarded-For": "2001:db8:1:2::1"}),
    ):
        assert not await come(live, {"X-Forwarded-For": "2001:db8:1:2:ffff::9"})
        assert await come(live, {"X-Forwarded-For": "2001:db8:1:3::1"})
