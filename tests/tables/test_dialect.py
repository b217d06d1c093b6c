"""What a dialect asks for, and what it is told of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.journal import Append, JournalDown
from croupier.journal.sqlite import SqliteJournal
from croupier.net.native import Native
from croupier.tables import intents
from croupier.tables.dialect import Dialect, Message
from croupier.tables.house import House
from croupier.tables.intents import Asked, Intent
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.session import Session
from croupier.tables.settings import Settings
from tests.toys import Bids


class BigBids(Bids):
    seats = range(2, 21)


ANN = intents.Open(game="bids", player="Ann", seats=20)


class Asking(Dialect):
    """Remembers the ends of its requests."""

    game = "bids"

    def __init__(self) -> None:
        self.ends: list[tuple[str, Any]] = []

    def on_reply(self, reply: Reply) -> Iterable[Message]:
        self.ends.append((type(reply.intent).__name__, reply.context))
        return ()

    def on_refused(self, reply: Reply, refusal: Refused) -> Iterable[Message]:
        self.ends.append((refusal.code, reply.context))
        return ()


class Failing(Asking):
    def on_reply(self, reply: Reply) -> Iterable[Message]:
        raise RuntimeError("on purpose")


class Following(Asking):
    """Asks for something as soon as it hears of a bot."""

    def on_fact(self, fact: Fact) -> Iterable[Intent]:
        return (Asked(intents.See(), ("a bot", fact.seq)),)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House({"bids": BigBids()}, SqliteJournal(tmp_path / "journal.sqlite"), Settings())
    await house.open()
    yield house
    await house.close()


async def test_the_context_of_a_request_comes_back_with_its_end(house: House) -> None:
    dialect = Asking()
    session = Session(dialect)
    house.perform(session, Asked(ANN, "opening"))
    house.perform(session, intents.See())
    house.perform(session, Asked(intents.Watch(table="nowhere"), 7))
    assert dialect.ends == [("Open", "opening"), ("See", None), ("no_such_table", 7)]


async def test_what_is_asked_for_on_a_fact_has_its_context_too(house: House) -> None:
    dialect = Following()
    session = Session(dialect)
    house.perform(session, ANN)
    house.perform(session, intents.AddBots())
    assert dialect.ends[1][0] == "See" and dialect.ends[1][1][0] == "a bot"


async def test_a_request_that_is_carried_out_in_pieces_is_answered_once_and_with_its_context(house: House) -> None:
    dialect = Asking()
    session = Session(dialect)
    house.perform(session, ANN)
    house.perform(session, Asked(intents.AddBots(count=18), "many"))
    (room,) = house.rooms.values()
    assert len(room.table.seats) == 19
    assert dialect.ends[1:] == [("AddBots", "many")]


async def test_the_context_is_known_when_it_could_not_be_written_down(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    appends: list[Append] = []
    monkeypatch.setattr(house.journal, "append", appends.append)
    dialect = Asking()
    house.perform(Session(dialect), Asked(ANN, "opening"))
    appends[0].settled(JournalDown("no room"))
    assert dialect.ends == [("Open", "opening"), ("unavailable", "opening")]


async def test_the_context_is_known_when_the_answer_cannot_be_put_into_words(house: House) -> None:
    dialect = Failing()
    house.perform(Session(dialect), Asked(ANN, "opening"))
    assert dialect.ends == [("internal", "opening")]


def test_no_client_of_the_native_protocol_can_say_a_context() -> None:
    said = b'{"type": "asked", "id": 3, "intent": {"type": "list"}, "context": 1}'
    (answer,) = Native(b"").receive(said, True)
    assert isinstance(answer, bytes)
    assert msgspec.json.decode(answer)["error"]["code"] == "bad_request"
