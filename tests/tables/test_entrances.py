"""What protocols may ask for beyond the native one: tables that wait, codes, names, sounds, HTTP, own limits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.games import Catalogue
from croupier.kernel import Customs
from croupier.tables import entries, intents
from croupier.tables.dialect import Deadline, Dialect, Hangup, Message, Output, Pace
from croupier.tables.endpoint import ConnectionRequest, Endpoint, HouseQueries
from croupier.tables.intents import Intent
from croupier.tables.notices import Fact, Refused, Reply
from croupier.wire.http import HttpRequest, HttpResponse
from tests.client import Refusal, client
from tests.clock import ManualTime
from tests.live import LiveHere, request, server
from tests.toys import Bids, Options


class LoudBids(Bids):
    """With codes, unique names and two sounds."""

    name = "loud"
    customs = Customs(names="unique", host="present")

    def sounds(self, options: Options) -> tuple[str, ...]:
        return ("ping", "pong")


class Toy(Dialect):
    """Sends what it is asked, and says what it is told, in JSON."""

    game = "loud"
    name = "toy"
    by_name = True
    concludes = True
    pace = Pace(5, 1.0, 3, 10.0, Hangup(4100, "enough"))
    deadline = Deadline(30.0, Hangup(4200, "too late"))
    restart = 1001

    def __init__(self, path: str) -> None:
        self._path = path

    def greet(self) -> Iterable[Output | Intent]:
        yield self._path.encode()
        if self._path == "/code":
            yield intents.Look(table="nowhere")

    def receive(self, message: Message, text: bool) -> Iterable[Intent | Output]:
        kind, *rest = message.decode().split()
        match kind:
            case "open":
                yield intents.OpenAs(game="loud", player=rest[1], code=rest[0], keeps=float(rest[2]))
            case "join":
                yield intents.Join(table=rest[0], player=rest[1])
            case "back":
                token = rest[2] if rest[2:] else None
                yield intents.Reclaim(table=rest[0], player=rest[1], token=token, by_name=token is None)
            case "start":
                yield intents.Start()
            case "sound":
                yield intents.Sound(sound=rest[0])
            case "bye":
                yield b"so long"
                yield Hangup(4300, "ü" * 100)

    def on_reply(self, reply: Reply) -> Iterable[Output]:
        yield f"done {type(reply.intent).__name__} {reply.token or ''}".strip().encode()

    def on_refused(self, reply: Reply, refusal: Refused) -> Iterable[Output]:
        yield f"refused {refusal.code} {refusal.data.get('retry_ms', '')}".strip().encode()

    def on_fact(self, fact: Fact) -> Iterable[Output]:
        yield f"fact {type(fact.entry).__name__}{' own' if fact.own else ''}".encode()
        if isinstance(fact.entry, entries.Closed):
            yield Hangup(4400, "closed")

    def on_concluded(self) -> Iterable[Output]:
        yield b"that is all"

    def slow_down(self, message: Message, text: bool, wait: int) -> Iterable[Message]:
        yield f"wait {wait}".encode()


class Maker(Dialect):
    """Makes a table for somebody who asks by HTTP."""

    game = "loud"

    def __init__(self, fails: bool) -> None:
        self._fails = fails

    def greet(self) -> Iterable[Output | Intent]:
        if self._fails:
            raise RuntimeError("on purpose")
        yield intents.OpenUnattended(game="loud", seats=3, keeps=60)

    def on_reply(self, reply: Reply) -> Iterable[Output]:
        assert reply.tables is not None
        yield HttpResponse(201, str(reply.tables[0].code).encode(), {"X-Made": "here"})


def accept(request: ConnectionRequest) -> Dialect | HTTPStatus:
    if request.path == "/away":
        return HTTPStatus.IM_A_TEAPOT
    return Toy(request.path + "?" + json.dumps(dict(request.query)) if request.query else request.path)


def serve(asked: HttpRequest, house: HouseQueries) -> Dialect | HttpResponse:
    if asked.path == "/echo":
        return HttpResponse(200, json.dumps([asked.method, dict(asked.query), asked.body.decode()]).encode())
    return Maker(asked.path == "/fails")


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    games = Catalogue({"loud": LoudBids()}, [Endpoint("toy", "/toy", accept, http=serve)])
    async with server(tmp_path, games, listen=("toy=127.0.0.1:0",), synchronous="OFF") as running:
        running.house.time = ManualTime()
        yield running


class Toys:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def ask(self, message: str) -> None:
        await self.socket.send(message)

    async def hears(self, *wanted: str) -> str:
        for one in wanted:
            async with asyncio.timeout(20):
                got = await self.socket.recv()
            assert str(got).startswith(one), f"{got!r} instead of {one!r}"
        return str(got)

    async def closed(self) -> tuple[int | None, str | None]:
        with pytest.raises(ConnectionClosed):
            async with asyncio.timeout(20):
                await self.socket.recv()
        return self.socket.close_code, self.socket.close_reason


async def test_a_dialect_sees_where_it_was_entered(live: LiveHere) -> None:
    for url, path in (
        (live.ws("/toy"), ""),
        (live.ws("/toy/a%20b/c?x=1"), '/a%20b/c?{"x": "1"}'),
        (live.own("toy", "/a"), "/a"),
        (live.own("toy", "/toy/a"), "/toy/a"),
    ):
        async with connect(url) as socket:
            assert await Toys(socket).hears(path) == path
    with pytest.raises(InvalidStatus) as refusal:
        await connect(live.ws("/toy/away"))
    assert refusal.value.response.status_code == 418


async def test_a_greeting_may_ask_for_something_and_a_goodbye_is_said_last(live: LiveHere) -> None:
    async with connect(live.ws("/toy/code")) as socket:
        toy = Toys(socket)
        await toy.hears("/code", "refused no_such_table")
        await toy.ask("bye")
        await toy.hears("so long")
        assert await toy.closed() == (4300, "ü" * 61)  # as much as fits into 123 bytes


async def test_http(live: LiveHere) -> None:
    port, own = live.ports["http"], live.ports["toy"]
    for where, prefix in ((port, "/toy"), (own, "")):
        echoed = await request(where, "PUT", f"{prefix}/echo?a=b%20c", b"hello")
        assert json.loads(echoed.body) == ["PUT", {"a": "b c"}, "hello"]
        made = await request(where, "POST", f"{prefix}/")
        assert (made.status, made.headers["x-made"], len(made.body)) == (201, "here", 5)
        assert (await request(where, "GET", f"{prefix}/fails")).status == 500
    assert (await request(port, "GET", "/ws")).status == 426
    assert len(live.house.rooms) == 2
    time: Any = live.house.time
    await time.to_pass(30)
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        code = (await ann.ask("list"))["tables"][0]["code"]
        reply = await ann.ask("join", table=code, player="Ann")
        assert reply["sync"]["table"]["host"] == 0  # the first to come
        with pytest.raises(Refusal) as taken:
            await bob.ask("join", table=code, player="ANN")
        assert taken.value.code == "name_taken"
    await time.to_pass(29)
    assert len(live.house.rooms) == 2
    await time.to_pass(2)
    assert len(live.house.rooms) == 1  # at one nobody has been, and the other was left half a minute ago
    await time.to_pass(60)
    assert not live.house.rooms


async def test_coming_back_by_name_is_told_in_order(live: LiveHere) -> None:
    async with connect(live.ws("/toy")) as one, connect(live.ws("/toy")) as two, connect(live.ws("/toy")) as three:
        ann, bob, eve = Toys(one), Toys(two), Toys(three)
        for toy in (ann, bob, eve):
            await toy.hears("")
        await ann.ask("open home ann 0")
        await ann.hears("done OpenAs")
        await eve.ask("open home eve 0")
        await eve.hears("refused code_taken")
        await bob.ask("join home bob")
        token = (await bob.hears("done Join")).split()[-1]
        await ann.hears("fact Joined", "that is all")
        await eve.ask("back home bob")
        await eve.hears("refused connected")
        async with client(live.ws("/ws")) as native:
            await native.ask("watch", table="home")
            await ann.hears("fact Watched", "that is all")
            await bob.hears("fact Watched", "that is all")
        await ann.hears("fact Unwatched", "that is all")
        await bob.hears("fact Unwatched", "that is all")
        await ann.ask("start")
        await ann.hears("fact Started own", "that is all", "done Start")
        await bob.socket.close()
        await ann.hears("fact Absent", "that is all")
        for attempt, code in (("nobody", "no_such_player"), ("Bob", "no_such_player"), ("bob nonsense", "bad_token")):
            await eve.ask(f"back home {attempt}")
            await eve.hears(f"refused {code}")
        for proof in (f" {token}", ""):
            await live.house.time.to_pass(2)  # type: ignore[attr-defined]
            await eve.ask(f"back home bob{proof}")
            await eve.hears("fact Back own", "that is all", "done Reclaim")
            await ann.hears("fact Back", "that is all")
            if proof:
                await eve.socket.close()
                await ann.hears("fact Absent", "that is all")
                eve = Toys(await connect(live.ws("/toy")))
                await eve.hears("")
        await eve.socket.close()


async def test_sounds(live: LiveHere) -> None:
    time: Any = live.house.time
    async with connect(live.ws("/toy")) as one, connect(live.ws("/toy")) as two:
        ann, bob = Toys(one), Toys(two)
        await ann.hears("")
        await bob.hears("")
        await ann.ask("sound ping")
        await ann.hears("refused not_seated")
        await ann.ask("open home ann 0")
        await ann.hears("done OpenAs")
        await bob.ask("join home bob")
        await bob.hears("done Join")
        await ann.hears("fact Joined", "that is all")
        await ann.ask("sound ping")
        await ann.hears("fact Sounded own", "that is all", "done Sound")
        await bob.hears("fact Sounded", "that is all")
        await ann.ask("sound moo")
        await ann.hears("refused no_such_sound")
        await time.to_pass(1.5)
        await ann.ask("sound ping")
        await ann.hears("refused too_fast 1500")
        for loud, other in ((bob, ann), (ann, bob)) * 2:
            await loud.ask("sound pong")
            await loud.hears("fact Sounded own", "that is all", "done Sound")
            await other.hears("fact Sounded", "that is all")
            await time.to_pass(1.5)
        await bob.ask("sound pong")
        await bob.hears("refused too_fast 2500")  # the table has heard five in ten seconds


async def test_a_pace_and_a_deadline_of_its_own(live: LiveHere) -> None:
    time: Any = live.house.time
    async with connect(live.ws("/toy")) as one, connect(live.ws("/toy")) as two:
        fast, idle = Toys(one), Toys(two)
        await fast.hears("")
        await idle.hears("")
        for _ in range(5):
            await fast.ask("sound x")
            await fast.hears("refused not_seated")
        await time.to_pass(0.4)
        await fast.ask("sound x")
        await fast.hears("wait 600")
        await time.to_pass(0.6)
        await fast.ask("open home ann 0")
        await fast.hears("done OpenAs")
        for _ in range(4):
            await fast.ask("sound x")
            await fast.hears("refused no_such_sound")
        for _ in range(2):
            await fast.ask("sound x")
            await fast.hears("wait 1000")
        assert await fast.closed() == (4100, "enough")
        await time.to_pass(29)
        assert await idle.closed() == (4200, "too late")


async def test_codes_and_tables_without_anybody_survive_a_restart(tmp_path: Path) -> None:
    games = Catalogue({"loud": LoudBids()}, [Endpoint("toy", "/toy", accept, http=serve)])
    async with server(tmp_path, games) as running:
        code = (await request(running.ports["http"], "POST", "/toy/")).body.decode()
    async with server(tmp_path, games) as running, client(running.ws("/ws")) as ann:
        assert (await ann.ask("join", table=code, player="Ann"))["sync"]["table"]["code"] == code
