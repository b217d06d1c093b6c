"""Where games are played at many tables, a server is open before it has played them back."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from croupier.games import catalogue
from croupier.journal import JournalDown, Piece
from croupier.journal.reading import read_log
from croupier.journal.sqlite import SqliteJournal
from croupier.journal.stores import SqliteStore
from croupier.tables import audit, entries, keys, loading, waking
from croupier.tables.board import LobbyQuery
from croupier.tables.directory import code_name, token_name
from croupier.tables.house import House
from croupier.tables.room import Room
from croupier.tables.settings import Settings
from tests.client import Refusal, client
from tests.clock import ManualTime
from tests.live import server

GAMES = catalogue().games
LATER = 1_700_000_300_000
"""After the games have begun, by the clock of the tests."""


class Gated(SqliteJournal):
    """A journal from which no more is read, once a server is open, before a test lets it be."""

    gate: asyncio.Event
    opened = down = False

    async def logs(self, tables: Mapping[str, int]) -> AsyncIterator[Piece]:
        if self.opened and tables:
            await self.gate.wait()
        if self.down:
            raise JournalDown("the disk is away")
        self.opened |= bool(tables)
        async for piece in super().logs(tables):
            yield piece


@pytest.fixture(autouse=True)
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """One game is so many that it is read later."""
    monkeypatch.setattr(Gated, "gate", asyncio.Event(), raising=False)
    monkeypatch.setattr("croupier.server.SqliteJournal", Gated)
    monkeypatch.setattr(loading, "FEW", 0)
    monkeypatch.setattr(waking, "AGAIN_AFTER", 0.001)


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A journal with a game of each kind, after some moves, and a table that waits."""
    path = tmp_path / "journal.sqlite"
    house = House(GAMES, SqliteJournal(path), Settings(), ManualTime())
    await house.open()
    for game in GAMES:
        _begin(house, game)
    assert house.open_for_bots(GAMES["palace"]) is not None
    await house.close()
    return path


def _begin(house: House, game: str) -> Room:
    room = house.open_for_bots(GAMES[game])
    assert room is not None
    table = room.table
    people = [entries.Joined(n, name, token=token(name, game)) for n, name in enumerate(("Ann", "Ben"), start=1)]
    room.record([*people, entries.Left(0)])
    room.record([entries.Started((1, 2), bytes(32))])
    for _ in range(4):
        for seat in table.awaited()[:1]:
            room.record([entries.Moved(seat, table.game.moves(table.state, seat)[0])])
    assert table.phase == "playing"
    return room


def secret(name: str, game: str) -> str:
    return f"{name} plays {game}"


def token(name: str, game: str) -> str:
    return keys.digest(secret(name, game))


async def opened(path: Path) -> tuple[House, Gated]:
    """A server that has opened, and reads no further."""
    journal, time = Gated(path), ManualTime()
    time.not_before(LATER)
    house = House(GAMES, journal, Settings(), time)
    await house.open()
    assert {sleeper.summary.game for sleeper in house.registry.sleepers.values()} == set(GAMES)
    return house, journal


async def awake(house: House) -> None:
    Gated.gate.set()
    while house.registry.sleepers:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.001)


async def test_the_lobby_is_as_it_will_be_when_they_are_awake(path: Path) -> None:
    house, _ = await opened(path)
    shown, summaries = dict(house.board.shown), house.summaries()
    lists = [house.board.encoded(), house.board.encoded("coup"), await house.lobby(LobbyQuery(phase="playing"))]
    assert len(summaries) == len(GAMES) + 1
    await awake(house)
    assert house.summaries() == summaries
    assert [house.look(summary.id) for summary in summaries] == summaries
    house.board._lists.clear()
    assert lists == [
        house.board.encoded(), house.board.encoded("coup"), await house.lobby(LobbyQuery(phase="playing"))
    ]  # fmt: skip
    assert all(house.board.shown[id] is summary for id, summary in shown.items())  # and nobody was told anything new
    await house.close()


async def test_nothing_happens_at_them_before_and_then_they_go_on_as_after_any_restart(path: Path) -> None:
    house, _ = await opened(path)
    ids = list(house.registry.sleepers)
    before = {id: list(read_log(path, id)) for id in ids}
    time = house.time
    assert isinstance(time, ManualTime)
    await time.to_pass(1000)
    assert {id: list(read_log(path, id)) for id in ids} == before
    await awake(house)
    now, settings = house.now(), house.settings
    for id in ids:
        table = house.rooms[id].table
        assert table.phase == "playing"
        assert table.grace_until == now + 1000 * settings.restart_grace
        assert {seat.keeps_until for seat in table.people} == {now + 1000 * settings.restart_patience}
        assert house.registry.by_code[table.game.name, table.code] is house.rooms[id]
    await house.close()
    for id in ids:
        news = [entries.decode(record.entry) for record in list(read_log(path, id))[len(before[id]) :]]
        assert isinstance(news[0], entries.Resumed)
    assert [found for found in audit.check(SqliteStore(path), GAMES) if found.fault] == []


async def test_a_server_that_is_stopped_before_has_done_nothing_to_them(path: Path) -> None:
    house, _ = await opened(path)
    before = {id: list(read_log(path, id)) for id in house.registry.sleepers}
    await house.close()
    assert {id: list(read_log(path, id)) for id in before} == before
    house, _ = await opened(path)
    await awake(house)
    assert before.keys() <= house.rooms.keys()
    await house.close()


async def test_they_are_found_by_all_their_names(path: Path) -> None:
    house, _ = await opened(path)
    registry = house.registry
    for id, sleeper in list(registry.sleepers.items()):
        game, code = sleeper.summary.game, sleeper.summary.code
        for name in (id, code_name(game, code), token_name(token("Ann", game)), token_name(token("Ben", game))):
            assert registry.asleep(["palace/ZZZZZ", name]) == [id]
        assert registry.has_code(game, code)  # which nobody else may have
        assert not registry.has_code(game, "ZZZZZ")
    await awake(house)
    assert not registry._asleep
    await house.close()


@pytest.mark.parametrize("by", ["id", "code"])
async def test_who_comes_back_is_at_the_table_before_it_would_have_been_its_turn(
    path: Path, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waking, "AT_ONCE", 1)
    async with server(path.parent) as live, client(live.ws("/ws")) as ben:
        registry = live.house.registry
        *_, (last, *_) = sleepers = list(registry.sleepers.values())
        name = last.id if by == "id" else last.code
        asked = asyncio.create_task(ben.ask("return", table=name, token=secret("Ben", last.game)))
        while not live.house._waker._wanted:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.001)
        assert not asked.done()
        Gated.gate.set()
        sync = (await asked)["sync"]
        assert sync["table"]["id"] == last.id
        assert [player.get("away", False) for player in sync["table"]["players"]] == [True, False]
        read = [id for id in live.house.rooms if any(id == each.summary.id for each in sleepers)]
        assert read[:2] == [sleepers[0].summary.id, last.id]  # the first one was being read when Ben came


async def test_a_table_that_makes_no_sense_is_left_alone(path: Path) -> None:
    house, _ = await opened(path)
    hurt, healthy = list(house.registry.sleepers)[:2]
    game = house.registry.sleepers[hurt].summary.game
    await house.close()
    with closing(sqlite3.connect(path)) as connection:
        last = "SELECT max(seq) FROM entries WHERE table_id = ?1"
        connection.execute(f"UPDATE entries SET entry = '[]' WHERE table_id = ?1 AND seq = ({last})", (hurt,))
        connection.commit()
    before = list(read_log(path, hurt))
    Gated.gate.set()
    async with server(path.parent) as live, client(live.ws("/ws")) as ann:
        for _ in range(2):
            with pytest.raises(Refusal) as refused:
                await ann.ask("return", table=hurt, token=secret("Ann", game))
            assert refused.value.code == "unavailable"
        await awake(live.house)
        assert healthy in live.house.rooms
        assert live.house.registry.left_alone == {hurt}
        assert hurt not in live.house.board.shown
    assert list(read_log(path, hurt)) == before


async def test_a_table_that_nobody_has_foreseen_keeps_no_other_asleep(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, _ = await opened(path)
    hurt, *healthy = house.registry.sleepers
    snapshots = SqliteJournal.snapshots

    async def failing(journal: SqliteJournal, tables: Sequence[str]) -> dict[str, bytes]:
        if hurt in tables:
            raise TypeError("a fault in the server")
        return await snapshots(journal, tables)

    monkeypatch.setattr(SqliteJournal, "snapshots", failing)
    await awake(house)
    assert house.registry.left_alone == {hurt}
    assert set(healthy) <= set(house.rooms)
    await house.close()


async def test_where_the_journal_is_away_they_are_read_later(path: Path) -> None:
    async with server(path.parent) as live, client(live.ws("/ws")) as ann:
        journal = live.house.journal
        assert isinstance(journal, Gated)
        journal.down = True
        Gated.gate.set()
        last = list(live.house.registry.sleepers.values())[-1].summary
        with pytest.raises(Refusal) as refused:
            await ann.ask("return", table=last.id, token=secret("Ann", last.game))
        assert refused.value.code == "unavailable"
        assert last.id in live.house.registry.sleepers
        journal.down = False
        await ann.ask("return", table=last.id, token=secret("Ann", last.game))


async def test_where_it_is_not_known_what_strangers_may_see_they_are_read_before(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE directory SET summary = '{}' WHERE names LIKE '%coup/%'")
        connection.execute("DELETE FROM directory WHERE names LIKE '%palace/%'")
        connection.commit()
    house = House(GAMES, Gated(path), Settings(), ManualTime())
    await house.open()
    there = {room.table.game.name for room in house.rooms.values()}
    assert there == {"coup", "palace"}
    assert {sleeper.summary.game for sleeper in house.registry.sleepers.values()} == set(GAMES) - there
    await house.close()


async def test_few_are_read_before(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "FEW", len(GAMES))
    house = House(GAMES, Gated(path), Settings(), ManualTime())
    await house.open()
    assert len(house.rooms) == len(GAMES) + 1 and not house.registry.sleepers
    await house.close()


async def test_the_time_is_that_of_the_last_entry_at_least(path: Path) -> None:
    house, _ = await opened(path)
    last = LATER + 5000
    some = next(iter(house.registry.sleepers))
    await house.close()
    with closing(sqlite3.connect(path)) as connection:
        newest = "SELECT max(seq) FROM entries WHERE table_id = ?1"
        connection.execute(f"UPDATE entries SET at = ?2 WHERE table_id = ?1 AND seq = ({newest})", (some, last))
        connection.commit()
    house, _ = await opened(path)
    assert house.now() == last
    await house.close()
