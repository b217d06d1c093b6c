"""A table is read from the start of its current game on, and is what its whole log says."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.games import catalogue
from croupier.journal import JournalDown
from croupier.journal.reading import list_tables, read_log, read_snapshots
from croupier.journal.sqlite import SqliteJournal
from croupier.journal.stores import SqliteStore
from croupier.tables import audit, entries, logbook, snapshot
from croupier.tables.house import House
from croupier.tables.settings import Settings
from croupier.tables.table import Table
from tests import corpus

GAMES = catalogue().games
SPOILED: list[dict[str, Any]] = [
    {"host": 9},
    {"cast": [9]},
    {"at": 1 << 50},
    {"seq": 1_000_000},
    {"seats": []},
    {"options": {"turn_timer": "never"}},
    {"games": "two"},
]
"""What a snapshot may say that was changed by somebody or something."""
RECORDED = sorted(corpus.GAMES.glob("*/rules-*/*.jsonl"))


def everything(table: Table) -> dict[str, Any]:
    """All that a table is; but who played the game before the one that is on it, which nobody asks for by then."""
    about = {name: value for name, value in vars(table).items() if not name.startswith("_") and name != "soft"}
    about["by_token"] = {token: seat.number for token, seat in table.by_token.items()}
    about["seats"] = [(number, plain(seat)) for number, seat in table.seats.items()]
    about["host"] = None if table.host is None else table.host.number
    about["soloist"] = None if table.soloist is None else table.soloist.number
    about["cast"] = [plain(seat) for seat in table.cast]
    about["cast is seated"] = [table.seats.get(seat.number) is seat for seat in table.cast]
    about["lineup"] = [plain(seat) for seat in table.lineup] if table.phase == "playing" else None
    about["game"] = table.game.rules
    about["hash"] = table.fingerprint()
    return {name: value for name, value in about.items() if name not in ("state", "rig")}


def plain(seat: Any) -> dict[str, Any]:
    """All that a log says of a seat."""
    presence = ("away_since", "keeps_until", "dialect")
    return {name: getattr(seat, name) for name in seat.__struct_fields__ if name not in presence}


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_table_from_its_snapshot_is_the_same_as_from_its_whole_log(path: Path) -> None:
    game = GAMES[path.parts[-3]]
    id, log = corpus.read(path)
    whole, short = Table(id, game), None
    for record, _ in log:
        entry = entries.decode(record.entry)
        if snapshot.belongs_before(entry, whole):
            short = Table(id, game)
            assert snapshot.restore(short, snapshot.take(whole))
        logbook.follow(whole, record)
        if short is not None:
            logbook.follow(short, record)
            assert everything(short) == everything(whole), record


def test_some_of_these_tables_have_played_before() -> None:
    """(Otherwise the test above would say nothing.)"""
    logs = [corpus.read(path)[1] for path in RECORDED]
    begun = [sum(b'"started"' in record.entry for record, _ in log) for log in logs]
    assert sum(count > 1 for count in begun) > 20


class Counted(SqliteJournal):
    """What was read of it."""

    entries = 0

    async def logs(self, tables: Any) -> Any:
        async for piece in super().logs(tables):
            self.entries += len(piece.records)
            yield piece


@pytest.fixture
async def journal(tmp_path: Path) -> Path:
    """Of a table of Palace in its third game."""
    path = tmp_path / "journal.sqlite"
    house = House(GAMES, SqliteJournal(path), Settings())
    await house.open()
    room = house.open_for_bots(GAMES["palace"])
    assert room is not None
    people = [entries.Joined(0, "Ann", token="a"), entries.Joined(1, "Ben", token="b")]
    room.record(people)
    for number in range(3):
        room.record([entries.Started((0, 1), bytes([number] * 32))])
        while room.table.phase == "playing" and not (number == 2 and len(room.table.state.pile) > 2):
            seat = room.table.awaited()[0]
            room.record([entries.Moved(seat, room.table.game.moves(room.table.state, seat)[0])])
    assert room.table.games == 2 and room.table.phase == "playing"
    await house.close()
    return path


async def opened(path: Path) -> tuple[House, Counted]:
    journal = Counted(path)
    house = House(GAMES, journal, Settings())
    await house.open()
    return house, journal


async def test_only_the_current_game_is_read(journal: Path) -> None:
    (listing,) = list_tables(journal, live=True)
    log = list(read_log(journal, listing.id))
    starts = [record.seq for record in log if b'"started"' in record.entry]
    house, read = await opened(journal)
    assert read.entries == len(log) - starts[-1] + 1 < len(log) / 2
    await house.close()
    assert [found for found in audit.check(SqliteStore(journal), GAMES) if found.fault] == []


async def test_without_its_snapshot_the_table_is_read_from_its_log(journal: Path) -> None:
    (listing,) = list_tables(journal, live=True)
    expected = Table(listing.id, GAMES["palace"])
    logbook.fold(expected, read_log(journal, listing.id))
    taken = read_snapshots(journal, [listing.id])[listing.id]
    about = json.loads(taken)
    spoiled_ones: list[object] = [
        b"{}",
        b'{"format":99}',
        b"no JSON",
        b"[" * 100_000,
        "text",
        1 << 40,
        *(json.dumps(about | change).encode() for change in SPOILED),
        taken,
    ]
    for spoiled in spoiled_ones:
        with closing(sqlite3.connect(journal)) as connection, connection:
            connection.execute("UPDATE snapshots SET snapshot = ?", (spoiled,))
        house, _ = await opened(journal)
        table = house.rooms[listing.id].table
        assert table.fingerprint() == expected.fingerprint()
        assert table.games == 2
        await house.close()


async def test_a_snapshot_that_is_not_what_the_log_says_is_found(journal: Path) -> None:
    (listing,) = list_tables(journal, live=True)
    taken = read_snapshots(journal, [listing.id])[listing.id]
    with closing(sqlite3.connect(journal)) as connection, connection:
        connection.execute("UPDATE snapshots SET snapshot = ?", (taken.replace(b'"Ben"', b'"Bob"'),))
    (fault,) = [found for found in audit.check(SqliteStore(journal), GAMES) if found.fault]
    assert str(fault.fault).startswith("its snapshot is not what the table was after entry")


async def test_a_closed_table_needs_none(journal: Path) -> None:
    house, _ = await opened(journal)
    (room,) = house.rooms.values()
    room.record([entries.Closed("idle")])
    await house.close()
    assert read_snapshots(journal, [room.table.id]) == {}


async def test_where_the_snapshots_are_damaged_the_logs_are_read(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def damaged(*_: object) -> dict[str, bytes]:
        raise JournalDown("database disk image is malformed")

    monkeypatch.setattr(Counted, "snapshots", damaged)
    house, _ = await opened(journal)
    (room,) = house.rooms.values()
    assert room.table.games == 2
    await house.close()
