"""The native protocol under rough handling: bad input, floods, strangers, slow readers."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.client import Refusal, client
from tests.live import LiveHere, server


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


async def test_the_welcome_tells_the_protocol_and_the_games(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        assert ann.welcome["type"] == "welcome"
        assert ann.welcome["protocol"] == 1
        palace = next(game for game in ann.welcome["games"] if game["name"] == "palace")
        assert palace["options"]["properties"]["turn_timer"]["default"] == 50
        bots = [(bot["name"], bot["strength"]) for bot in palace["bots"]]
        assert bots == [
            ("low-and-steady", "strong"),
            ("chancellor", "master"),
            ("by-number", "medium"),
            ("spendthrift", "easy"),
            ("random", "easy"),
        ]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("", "bad_json"),
        ("{", "bad_json"),
        ("hello", "bad_json"),
        ("{}{}", "bad_json"),
        ("[" * 60000, "bad_json"),
        ('{"type":"list","id":1e999}', "bad_json"),
        ("null", "bad_request"),
        ("[]", "bad_request"),
        ("{}", "bad_request"),
        ('{"type":"dance"}', "bad_request"),
        ('{"type":7}', "bad_request"),
        ('{"type":"detach"}', "bad_request"),
        ('{"type":"open"}', "bad_request"),
        ('{"type":"open","game":"palace","player":7}', "bad_request"),
        ('{"type":"kick","seat":-1}', "bad_request"),
        ('{"type":"kick","seat":true}', "bad_request"),
        ('{"type":"say","text":""}', "bad_request"),
        ('{"type":"say","text":"' + "x" * 501 + '"}', "bad_request"),
        (b"\xff\xfe", "bad_json"),
        (b'{"type":"list"', "bad_json"),
    ],
)
async def test_bad_input_gets_an_error_and_the_connection_lives(
    live: LiveHere, message: str | bytes, code: str
) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.socket.send(message)
        with pytest.raises(Refusal) as caught:
            await ann.reply(None)
        assert caught.value.code == code
        assert str(caught.value)
        assert (await ann.ask("list"))["tables"] == []


async def test_an_error_names_the_request_it_belongs_to(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.socket.send('{"type":"dance","id":41}')
        with pytest.raises(Refusal):
            await ann.reply(41)


async def test_a_message_in_fragments_is_one_message(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.socket.send(iter(['{"type":', '"list",', '"id":5}']))
        assert (await ann.reply(5))["tables"] == []


async def test_a_message_that_is_too_long_closes_with_1009(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.socket.send("x" * 65536)
        with pytest.raises(Refusal):
            await ann.reply(None)
        await ann.socket.send("x" * 65537)
        with pytest.raises(ConnectionClosed) as caught:
            await ann.socket.recv()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009
    async with client(live.ws("/ws")) as ann:
        await ann.socket.send(iter(["x" * 40000, "x" * 40000]))
        with pytest.raises(ConnectionClosed) as caught:
            await ann.socket.recv()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009


async def test_a_flood_is_answered_once_and_then_cut_off(tmp_path: Path) -> None:
    async with server(tmp_path, message_rate=5) as live, client(live.ws("/ws")) as other:
        async with client(live.ws("/ws")) as flooder:
            with pytest.raises(ConnectionClosed) as caught:
                for _ in range(100):
                    for _ in range(20):
                        await flooder.socket.send('{"type":"list"}')
                    await asyncio.sleep(0)
                while True:
                    await flooder.socket.recv()
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1008
        assert (await other.ask("list"))["tables"] == []


async def test_too_fast_is_said_once(tmp_path: Path) -> None:
    async with server(tmp_path, message_rate=5) as live, client(live.ws("/ws")) as eager:
        for _ in range(40):
            await eager.socket.send('{"type":"list"}')
        codes = []
        for _ in range(21):
            message = json.loads(await eager.socket.recv())
            codes.append(message.get("error", {}).get("code"))
        assert codes == [None] * 20 + ["too_fast"]


async def test_pages_of_other_sites_are_kept_out(tmp_path: Path) -> None:
    async with server(tmp_path, allow_origin=("https://friend.example",)) as live:
        url = live.ws("/ws")
        with pytest.raises(InvalidStatus) as caught:
            await connect(url, origin="https://evil.example")  # type: ignore[arg-type]
        assert caught.value.response.status_code == 403
        for origin in (None, live.http, "https://friend.example"):
            async with connect(url, origin=origin) as socket:  # type: ignore[arg-type]
                assert "welcome" in str(await socket.recv())


async def test_a_browser_may_want_to_keep_the_connection_alive_too(live: LiveHere) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", live.ports["http"])
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    )
    assert (await reader.readline()).startswith(b"HTTP/1.1 101")
    writer.close()


async def test_there_is_a_limit_to_connections(tmp_path: Path) -> None:
    async with server(tmp_path, max_connections=3, max_connections_per_address=2) as live:
        async with client(live.ws("/ws")), client(live.ws("/ws")):
            with pytest.raises(InvalidStatus) as caught:
                await connect(live.ws("/ws"))
            assert caught.value.response.status_code == 503
        async with client(live.ws("/ws")):
            pass


async def raw_websocket(live: LiveHere) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A WebSocket by hand, after the handshake and the welcome."""
    reader, writer = await asyncio.open_connection("127.0.0.1", live.ports["http"])
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    )
    assert b"101" in await reader.readuntil(b"\r\n\r\n")
    header = await reader.readexactly(4)
    await reader.readexactly(int.from_bytes(header[2:], "big"))
    return reader, writer


@pytest.mark.parametrize(("goodbye", "answer"), [(b"", 1000), (b"\x03\xe9", 1001)])
async def test_a_goodbye_is_answered(live: LiveHere, goodbye: bytes, answer: int) -> None:
    reader, writer = await raw_websocket(live)
    writer.write(b"\x88" + bytes([0x80 | len(goodbye)]) + bytes(4) + goodbye)
    assert await reader.read() == b"\x88\x02" + answer.to_bytes(2, "big")
    writer.close()


async def test_an_unknown_path_is_not_found(live: LiveHere) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await connect(live.ws("/nowhere"))
    assert caught.value.response.status_code == 404


async def test_a_reader_that_never_reads_is_cut_off_and_holds_nobody_back(tmp_path: Path) -> None:
    async with server(tmp_path, outbox_size=65536, message_rate=0) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=100)
        await ann.ask("add_bots", count=99)  # so that there is much to tell
        # A spectator with a tiny window who stops reading after the handshake.
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.connect(("127.0.0.1", live.ports["http"]))
        loop = asyncio.get_running_loop()
        raw.setblocking(False)
        await loop.sock_sendall(
            raw,
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
        )
        assert b"101" in await loop.sock_recv(raw, 100)
        watch = json.dumps({"type": "watch", "table": ann.table}).encode()
        await loop.sock_sendall(raw, b"\x81" + bytes([0x80 | len(watch)]) + bytes(4) + watch)
        await ann.entry("watched")
        for turns in range(20000):
            await ann.ask("configure", options={"turn_timer": turns % 200})
            if not ann.told[-1]["table"]["watchers"]:
                break
        else:
            raise AssertionError("whoever does not read is still there")
        raw.close()


async def test_nothing_of_a_lost_connection_stays(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("follow")
        await ann.ask("open", game="palace", player="Ann")
    async with client(live.ws("/ws")) as bob:
        await bob.ask("list")
    room = next(iter(live.house.rooms.values()))
    assert room.sessions == []
    assert not live.house.board.followers
