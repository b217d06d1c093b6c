"""Bad networks, and people who abuse good ones: nobody else notices, and who comes back finds everything in place."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.tables import error_log, keys
from croupier.tables.session import Session
from tests.chaos.returning import drop_and_return
from tests.client import Client, Refusal, client
from tests.clock import ManualTime
from tests.fuzz.sockets import frame, handshake
from tests.games.fortress.wire import hall
from tests.live import LiveHere, request, server

PATIENCE = 20


@pytest.fixture
async def hasty(tmp_path: Path) -> AsyncIterator[LiveHere]:
    """A server that does not wait long."""
    error_log.seen.clear()
    async with server(tmp_path, request_timeout=0.2, ping_every=1) as live:
        yield live


async def connected(live: LiveHere) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", live.ports["http"])


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What was said until the server hung up."""
    async with asyncio.timeout(PATIENCE):
        with suppress(ConnectionError):
            return await reader.read()
        return b""


# HTTP, one byte at a time


@pytest.mark.parametrize(
    "beginning",
    [
        b"",
        b"G",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ",
        b"POST /coup/v1/game HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
        b"POST /coup/v1/game HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    ],
)
async def test_a_request_that_never_ends_is_cut_off(hasty: LiveHere, beginning: bytes) -> None:
    reader, writer = await connected(hasty)
    writer.write(beginning)

    async def drip() -> None:
        while beginning:
            writer.write(b"a")
            await asyncio.sleep(0.02)

    dripping = asyncio.create_task(drip())
    # What is no HTTP any more is told so; whatever may still become a request ends without a word.
    assert (await ended(reader)).partition(b"\r\n")[0] in (b"", b"HTTP/1.1 400 Bad Request")
    dripping.cancel()
    writer.close()
    assert not error_log.seen


async def test_blank_lines_do_not_keep_a_connection_open(hasty: LiveHere) -> None:
    reader, writer = await connected(hasty)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (await reader.readuntil(b"ok\n")).startswith(b"HTTP/1.1 200")

    async def drip() -> None:
        while True:
            writer.write(b"\r\n")
            await asyncio.sleep(0.02)

    dripping = asyncio.create_task(drip())
    assert await ended(reader) == b""
    dripping.cancel()
    writer.close()


async def test_a_slow_request_that_ends_in_time_is_answered(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        reader, writer = await connected(live)
        for byte in b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":
            writer.write(bytes([byte]))
            await writer.drain()
        assert (await ended(reader)).endswith(b"ok\n")
        writer.close()


async def test_a_head_without_an_end_is_not_collected(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        reader, writer = await connected(live)
        writer.write(b"GET / HTTP/1.1\r\nX-Long: ")
        with suppress(ConnectionError):
            for _ in range(200):
                writer.write(b"a" * 1000)
                await writer.drain()
        assert (await ended(reader)).partition(b"\r\n")[0] in (b"", b"HTTP/1.1 400 Bad Request")
        writer.transport.abort()
        assert (await request(live.ports["http"], "GET", "/healthz")).status == 200


async def test_an_answer_that_is_never_read_is_given_up(hasty: LiveHere) -> None:
    """Not even by who asks for more than fits on the way and then goes to sleep."""
    reader, writer = await connected(hasty)
    reader._transport.pause_reading()  # type: ignore[attr-defined]
    with suppress(ConnectionError):
        for _ in range(3000):
            writer.write(b"GET /api/games HTTP/1.1\r\nHost: x\r\n\r\n")
            await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE):
        with suppress(ConnectionError):
            while True:
                writer.write(b"\r\n")
                await writer.drain()
                await asyncio.sleep(0.05)
    writer.transport.abort()


# Half-open connections


async def test_who_has_vanished_without_a_word_is_missed(hasty: LiveHere) -> None:
    """A connection that answers no ping: the seat's owner is away, and the others are told."""
    async with client(hasty.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        reader, writer = await connected(hasty)
        join = b'{"type":"join","table":"%s","player":"Ghost"}' % ann.table.encode()
        writer.write(handshake("/ws"))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(join))
        assert (await ann.entry("joined"))["entry"]["name"] == "Ghost"
        assert (await ann.entry("absent"))["entry"]["seat"] == 1
        writer.transport.abort()


@pytest.mark.parametrize("flood", [frame(b"x", 9) * 2000, frame(b"{", 1, False) + frame(b"", 0, False) * 5000])
async def test_floods_of_pings_and_fragments_disturb_nobody(hasty: LiveHere, flood: bytes) -> None:
    reader, writer = await connected(hasty)
    writer.write(handshake("/ws"))
    await reader.readuntil(b"\r\n\r\n")
    async with client(hasty.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        for _ in range(20):
            writer.write(flood)
            await ann.ask("configure", options={})
    writer.transport.abort()


# Many connections


async def test_one_seat_and_many_connections(tmp_path: Path) -> None:
    """The last one has it; those before it are told, and can do nothing any more."""
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await ann.ask("open", game="coup", player="Ann", seats=2)
        await ben.ask("join", table=ann.table, player="Ben")
        await ann.ask("start")
        here: list[Client] = []
        async with (
            client(live.ws("/ws")) as one,
            client(live.ws("/ws")) as two,
            client(live.ws("/ws")) as three,
        ):
            for again in (one, two, three) * 10:
                await again.ask("return", table=ann.table, token=ann.token)
                here.append(again)
            assert len(live.house.rooms[ann.table].sessions) == 2
            for again in (ann, one, two):
                await again.hear(lambda message: message["type"] == "replaced")
                with pytest.raises(Refusal) as refused:
                    await again.ask("play", move={"move": "propose", "action": "income"})
                assert refused.value.code == "not_seated"
            await three.ask("play", move={"move": "propose", "action": "income"})
            sync = (await ben.ask("see"))["sync"]
            assert sync["view"]["missing"] == []
        entries = [fact["entry"]["entry"] for fact in ben.told if fact["type"] == "fact"]
        assert "absent" not in entries


async def test_who_has_gone_is_forgotten(tmp_path: Path) -> None:
    """Also by a table where nothing has happened since they have heard of it."""
    before = sessions()  # that tests which failed may have left behind
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        async with AsyncExitStack() as crowd:
            for _ in range(10):
                somebody = await crowd.enter_async_context(client(live.ws("/ws")))
                await somebody.ask("follow")
            await ann.ask("open", game="palace", player="Ann")
        async with asyncio.timeout(PATIENCE):
            while len(live.admission.connections) > 1:  # noqa: ASYNC110 - nobody tells when the last has gone
                await asyncio.sleep(0.01)
        gc.collect()
        known = [found for found in sessions() if not any(found is other for other in before)]
        assert len(known) <= 2  # hers, and the socket library may still have the last one's in its hands


def sessions() -> list[Session]:
    """All that there are in this process."""
    # By their types: a weak proxy of something gone raises when it is asked what it is an instance of.
    return [found for found in gc.get_objects() if issubclass(type(found), Session)]


async def test_all_connections_drop_and_return_at_once(tmp_path: Path) -> None:
    """The same with 5,000: python -m tests.chaos.returning"""
    outcome = await drop_and_return(tmp_path, connections=200, rounds=2)
    assert outcome.made == 2 * outcome.tables


# Too much of everything


async def test_one_address_cannot_fill_the_house(tmp_path: Path) -> None:
    async with server(tmp_path, max_tables_per_address=3) as live, client(live.ws("/ws")) as ann:
        for number in range(3):
            await ann.ask("open", game="coup", player="Ann")
            if number < 2:  # these stay open when she goes on to the next
                live.house.rooms[ann.table].table.keeps = 10**9
        reply = await request(live.ports["http"], "POST", "/coup/v1/game")
        assert reply.status == 503
        with pytest.raises(Refusal) as refused:
            await ann.ask("open", game="palace", player="Ann")
        assert refused.value.code == "house_full"
        await ann.ask("leave")  # one of them is closed, and there is room again
        await ann.ask("open", game="palace", player="Ann")


async def test_passwords_can_not_be_tried_out(tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", password="open sesame")

        async def knock(password: str) -> str | None:
            async with client(live.ws("/ws")) as ben:
                try:
                    await ben.ask("join", table=ann.table, player="Ben", password=password)
                except Refusal as refusal:
                    return str(refusal)
                return None

        for number in range(keys.GUESSES):
            assert "not the table's password" in str(await knock(f"guess {number}"))
        assert "wait" in str(await knock("open sesame")), "it is not even looked at"
        await time.to_pass(keys.GUESS_EVERY / 1000)
        assert await knock("open sesame") is None


@pytest.mark.parametrize("whose", ["server", "table"])
async def test_passwords_can_not_be_tried_out_over_tcp_either(tmp_path: Path, whose: str) -> None:
    """Where a client does not name its table, one guess is for all of them."""
    settings: dict[str, Any] = {"table_password": ("fortress=open sesame",)} if whose == "server" else {}
    async with hall(tmp_path, **settings) as here, client(here.live.ws("/ws")) as ann:
        if whose == "table":
            await ann.ask("open", game="fortress", player="Ann", password="open sesame")

        async def knock(password: str) -> Any:
            told = await (await here.enter()).joins(PASSWORD=password)
            return told["SUCCESS"] or (told["CODE"], told["MESSAGE"])

        for number in range(keys.GUESSES):
            assert await knock(f"guess {number}") == ("BAD_PASSWORD", "Incorrect game password provided.")
        assert await knock("open sesame") == ("BAD_PASSWORD", keys.TOO_MANY_GUESSES)
        await here.time.to_pass(keys.GUESS_EVERY / 1000)
        assert await knock("open sesame") is True


@pytest.mark.parametrize("token", ["", "0", "0" * 32, "x" * 1000])
async def test_somebody_elses_seat(tmp_path: Path, token: str) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as eve:
        await ann.ask("open", game="palace", player="Ann")
        for asked in ("return", "see", "leave", "start"):
            fields: dict[str, Any] = {"table": ann.table, "token": token}
            try:
                reply = await eve.ask(asked, **fields)
            except Refusal as refusal:
                assert refusal.code in ("no_such_seat", "not_seated", "not_host")
            else:
                assert reply.get("sync", {"seat": None})["seat"] is None
        assert (await ann.ask("see"))["sync"]["seat"] == 0


async def test_a_flooder_is_cut_off_and_the_others_play_on(tmp_path: Path) -> None:
    async with server(tmp_path, message_rate=20, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        async with client(live.ws("/ws")) as eve:
            with pytest.raises(ConnectionClosed):
                for _ in range(100_000):
                    await eve.socket.send(b"{}")
                async with asyncio.timeout(PATIENCE):
                    while True:
                        await eve.socket.recv()
        await ann.ask("say", text="still here")
