"""What happens at a table with connections around it, which have no sockets: what follows, and what goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path

import pytest

from croupier.journal import Append, Conflict, JournalDown, Piece
from croupier.journal.sqlite import SqliteJournal
from croupier.kernel import Customs, Illegal
from croupier.tables import entries, intents
from croupier.tables.dialect import Message
from croupier.tables.entries import Absent, Closed, Expired, HandedOver, Left, Moved, Silenced, StoodIn
from croupier.tables.house import House
from croupier.tables.room import Room
from croupier.tables.settings import Settings
from tests.clock import ManualTime
from tests.lines import Connection, Line, opened
from tests.toys import AnyEvent, Bid, Bids, State


class StoodInFor(Bids):
    name = "stood in for"
    customs = Customs(absent="stand_in", keep_absent=False)


class Heeding(Bids):
    """A game that has to know who is there."""

    name = "heeding"

    def absent(self, state: State, seat: int, at: int) -> list[AnyEvent]:
        return []


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    games = {game.name: game for game in (Bids(), StoodInFor(), Heeding())}
    house = House(games, SqliteJournal(tmp_path / "journal.sqlite"), Settings(), ManualTime())
    await house.open()
    yield house
    await house.close()


def begun(house: House, game: str = "bids", others: int = 1) -> tuple[Room, Connection, list[Connection]]:
    """A game of Ann, who is the host, and so many others. Nobody has heard of it yet."""
    ann, table = opened(house, game)
    people = [Connection(house) for _ in range(others)]
    for name, other in zip(("Ben", "Cleo"), people, strict=False):
        other.sits_down(table, name)
    ann.ask(intents.Start())
    for each in (ann, *people):
        each.hears()
    return house.rooms[table], ann, people


def lowest(room: Room, seat: int) -> Bid:
    return Bid(room.table.state.hands[seat][0])


# What follows


async def test_who_gives_up_a_running_game_is_succeeded_at_once(house: House) -> None:
    _, ann, (ben, _) = begun(house, others=2)
    ann.ask(intents.Leave())
    assert ben.hears() == [Left(0), HandedOver(1)]


async def test_who_is_late_loses_the_seat_and_a_bot_makes_the_move_in_one_step(house: House) -> None:
    room, ann, _ = begun(house, "stood in for")
    room.record([StoodIn(1, "late")])
    stood_in, moved = ann.hears()
    assert stood_in == StoodIn(1, "late")
    assert isinstance(moved, Moved) and (moved.seat, moved.bot) == (1, True)


async def test_the_move_that_ends_a_game_shows_who_stays_and_the_journal_is_told_how_it_ended(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, ann, (ben,) = begun(house, "stood in for")
    appends: list[Append] = []
    monkeypatch.setattr(house.journal, "append", appends.append)
    for _ in range(3):
        room.record([Expired("bid")])
    room.record([Moved(1, lowest(room, 1))])
    house.lost(ben)
    ann.hears()
    ann.ask(intents.Play(move=lowest(room, 0)))
    moved, gone = ann.hears()
    assert isinstance(moved, Moved) and gone == Left(1, "gone")
    *before, end = appends
    assert end.ends == room.table.fingerprint()
    assert {each.ends for each in before} == {None}
    monkeypatch.undo()


async def test_after_its_end_nothing_happens_at_a_table(house: House) -> None:
    room, ann, _ = begun(house)
    room.record([Closed("idle"), Silenced(None, True)])
    assert ann.hears() == [Closed("idle")]
    assert ann.place is None


# What goes wrong


async def test_entries_happen_all_or_none_of_them(house: House) -> None:
    room, ann, _ = begun(house)
    with pytest.raises(Illegal):
        room.record([Moved(0, Bid(99))])
    assert not room.stale, "nothing has happened"
    with pytest.raises(Illegal):
        room.record([Silenced(None, True), Moved(0, Bid(99))])
    await ann.reached.wait()
    assert not room.table.bench.silent


@pytest.mark.parametrize("game", ["bids", "heeding"])
async def test_when_a_table_was_read_again_nobody_is_missed_twice_and_no_bot_at_all(house: House, game: str) -> None:
    ann, table = opened(house, game)
    ben = Connection(house)
    ben.sits_down(table, "Ben")
    ann.ask(intents.AddBots())
    ann.ask(intents.Start())
    house.lost(ben)
    assert isinstance(ann.hears()[-1], Absent)
    house.rooms[table].mark_stale()
    await ann.reached.wait()
    assert ann.hears() == []
    assert [player.away for player in house.rooms[table].table.summary.players] == [False, True, False]


async def test_what_has_to_be_decided_again_is_refused_while_the_journal_can_not_be_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down(tables: Mapping[str, int]) -> AsyncIterator[Piece]:
        ann.reached.set()
        raise JournalDown("the disk is gone")
        yield

    ann, _ = opened(house)
    appends: list[Append] = []
    monkeypatch.setattr(house.journal, "append", appends.append)
    monkeypatch.setattr(house.journal, "logs", down)
    ann.ask(intents.AddBots())
    appends[-1].settled(Conflict())
    await ann.reached.wait()
    refusal = ann.line.replies[-1].refusal
    assert refusal is not None and refusal.code == "unavailable"
    monkeypatch.undo()


async def test_a_table_whose_opening_could_not_be_written_down_is_none(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    appends: list[Append] = []
    monkeypatch.setattr(house.journal, "append", appends.append)
    ann, table = opened(house)
    appends[0].settled(JournalDown("no room"))
    while house.look(table) is not None:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0)
    assert ann.place is None
    monkeypatch.undo()


class Speechless(Line):
    concludes = True

    def on_concluded(self) -> Iterable[Message]:
        raise RuntimeError("on purpose")


async def test_who_can_not_be_told_that_all_is_told_loses_the_connection(house: House) -> None:
    ann, table = opened(house)
    ben = Connection(house, Speechless())
    ben.sits_down(table, "Ben")
    ann.ask(intents.Say(text="hi"))
    await ben.reached.wait()
    assert (ann.closed, ben.closed) == (None, 1011)
    assert isinstance(ann.hears()[-1], entries.Said)


async def test_what_strangers_are_shown_waits_for_what_it_builds_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_their_way: list[Append] = []
    monkeypatch.setattr(house.journal, "append", on_their_way.append)
    _, table = opened(house)
    Connection(house).ask(intents.Watch(table=table))
    assert table.encode() not in house.board.encoded(), "though nobody has to write down who looks on"
    for batch in on_their_way:
        batch.settled(None)
    assert table.encode() in house.board.encoded()
    assert b'"watchers":1' in house.board.encoded()
