"""The house: what comes in from connections, what goes out to them, and how it starts and stops. No sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from croupier.journal.sqlite import SqliteJournal
from croupier.tables import intents
from croupier.tables.dialect import Deadline, Hangup, Message, Output
from croupier.tables.entries import Absent, Joined
from croupier.tables.house import House
from croupier.tables.intents import Intent
from croupier.tables.notices import Reply
from croupier.tables.settings import Settings
from tests.clock import ManualTime
from tests.lines import Connection, Line, opened
from tests.toys import Bids


@asynccontextmanager
async def running(folder: Path, *games: Bids) -> AsyncIterator[House]:
    journal = SqliteJournal(folder / "journal.sqlite")
    house = House({game.name: game for game in games or (Bids(),)}, journal, Settings(), ManualTime())
    assert not house.ready
    await house.open()
    yield house
    await house.close()
    assert not house.ready


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path) as house:
        yield house


class Named(Line):
    """Its people go by the names of their connections."""

    handle = "line-1"


async def test_after_a_restart_tables_are_found_and_seats_that_went_with_connections_are_not(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        _, table = opened(house)
        Connection(house).sits_down(table, "Ben")
        Connection(house, Named()).sits_down(table, "Cleo")
        before = house.now()
    async with running(tmp_path) as house:
        assert house.ready
        assert house.now() >= before
        summary = house.look(table)
        assert summary is not None
        assert [(player.name, player.away) for player in summary.players] == [("Ann", True), ("Ben", True)]
        assert table.encode() in house.board.encoded()


async def test_when_the_server_goes_down_nobody_is_said_to_have_gone(house: House) -> None:
    ann, table = opened(house)
    ben = Connection(house)
    ben.sits_down(table, "Ben")
    ann.hears()
    house.closing = True
    house.lost(ben)
    assert ann.hears() == []
    house.closing = False
    other = Connection(house)
    other.sits_down(table, "Cleo")
    house.lost(other)
    assert isinstance(ann.hears()[-1], Absent), "as it is otherwise"


async def test_a_table_that_nobody_has_asked_for_stays_until_somebody_comes(house: House) -> None:
    clock = house.time
    assert isinstance(clock, ManualTime)
    room = house.open_for_bots(Bids())
    assert room is not None
    await clock.to_pass(3600)
    Connection(house).sits_down(room.table.id, "Ann")
    assert [seat.name for seat in room.table.people] == ["Ann"]
    assert room.table.host is not None and room.table.host.house


class Auction(Bids):
    name = "auction"


async def test_how_a_table_began_open_or_not(tmp_path: Path) -> None:
    async with running(tmp_path, Bids(), Auction()) as house:
        tables = [opened(house, game) for game in ("bids", "auction")]
        closed, ids = tables[0][0], [table for _, table in tables]
        closed.ask(intents.Leave())
    async with running(tmp_path) as house:
        assert house.look(ids[0]) is None
        first = await house.opening(ids[0])
        assert first is not None and (first.game, first.seats) == ("bids", 4)
        unknown = await house.opening(ids[1])
        assert unknown is not None and unknown.game == "auction"
        assert await house.opening("nowhere") is None


async def test_a_password_opens_the_table_that_it_belongs_to(house: House) -> None:
    place = Connection(house).ask(intents.Open(game="bids", player="Ann", password="plum")).place
    assert place is not None
    assert house.unlocks(place.table, "plum", "here")
    assert not house.unlocks(place.table, "pear", "here")
    assert not house.unlocks("nowhere", "plum", "here")


class Clumsy(Line):
    def receive(self, message: Message, text: bool) -> Iterable[Intent | Output]:
        if message == b"bye":
            raise Hangup(4000)
        raise RuntimeError("on purpose")


async def test_a_dialect_that_fails_ends_its_own_connection(house: House) -> None:
    for message, code in ((b"bye", 4000), (b"?", 1011)):
        somebody = Connection(house, Clumsy())
        house.receive(somebody, message, True)
        assert somebody.closed == code


async def test_a_message_that_is_too_long_is_the_end(house: House) -> None:
    somebody = Connection(house)
    house.overlong(somebody)
    assert somebody.closed == 1009


async def test_some_ends_come_in_a_while(house: House) -> None:
    clock = house.time
    assert isinstance(clock, ManualTime)
    soon, now = Connection(house), Connection(house)
    house.end(soon, Hangup(4001, after=1))
    house.end(now, Hangup(4000))
    assert (soon.closed, now.closed) == (None, 4000)
    await clock.to_pass(0.9)
    assert soon.closed is None
    await clock.to_pass(0.1)
    assert soon.closed == 4001


class Pressed(Line):
    deadline = Deadline(5, Hangup(4002))


async def test_who_takes_no_place_in_time_loses_the_connection(house: House) -> None:
    clock = house.time
    assert isinstance(clock, ManualTime)
    _, table = opened(house)
    idle, seated = Connection(house, Pressed()), Connection(house, Pressed())
    for each in (idle, seated):
        house.connected(each)
    await clock.to_pass(4.9)
    seated.sits_down(table, "Ben")
    assert [each.closed for each in (idle, seated)] == [None, None]
    await clock.to_pass(0.1)
    assert [each.closed for each in (idle, seated)] == [4002, None]


class Hospitable(Line):
    """Calls a bot as soon as a table is open."""

    def on_reply(self, reply: Reply) -> Iterable[Output | Intent]:
        yield from super().on_reply(reply)
        if isinstance(reply.intent, intents.Open):
            yield intents.AddBots()


async def test_a_dialect_may_want_something_done_because_of_an_answer(house: House) -> None:
    ann = Connection(house, Hospitable())
    ann.ask(intents.Open(game="bids", player="Ann"))
    (joined,) = ann.hears()
    assert isinstance(joined, Joined) and joined.bot is not None
