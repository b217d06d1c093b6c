"""What is read from a journal: logs in pieces, the last snapshots, what strangers are told, and the lists of tables."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.journal import JournalDown, Listing, Record, reading
from croupier.journal.schema import MIGRATIONS
from croupier.journal.sqlite import SqliteJournal
from tests.journal.test_sqlite import Settled


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
async def journal(path: Path) -> AsyncIterator[SqliteJournal]:
    journal = SqliteJournal(path)
    yield journal
    await journal.close()


async def write(journal: SqliteJournal, append: Settled) -> None:
    journal.append(append)
    assert await append.outcome is None


async def open_table(journal: SqliteJournal, table: str, entries: int = 1, size: int = 10) -> None:
    append = Settled(table, range(1, entries + 1), opens="palace")
    append.records = [Record(seq, 1000 + seq, b"x" * size) for seq in range(1, entries + 1)]
    await write(journal, append)


async def numbers(journal: SqliteJournal, tables: dict[str, int]) -> list[tuple[str, list[int]]]:
    return [(piece.table, [record.seq for record in piece.records]) async for piece in journal.logs(tables)]


async def test_logs_are_read_after_an_entry_in_the_order_they_were_asked_for(journal: SqliteJournal) -> None:
    for table in ("a", "b", "c"):
        await open_table(journal, table, entries=4)
    assert await numbers(journal, {"c": 0, "a": 2, "none": 0, "b": 4}) == [
        ("c", [1, 2, 3, 4]),
        ("a", [3, 4]),
        ("none", []),
        ("b", []),
    ]


async def test_a_long_log_comes_in_pieces_that_follow_each_other(
    journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the next table begins where it should, not where the long one was left."""
    monkeypatch.setattr(reading, "_PIECE", 1000)
    await open_table(journal, "short", entries=3)
    await open_table(journal, "long", entries=7, size=300)
    await open_table(journal, "last", entries=3)
    pieces = await numbers(journal, {"short": 0, "long": 0, "last": 1})
    assert len(pieces) > 4
    together: dict[str, list[int]] = {}
    for table, found in pieces:
        together.setdefault(table, []).extend(found)
    assert together == {"short": [1, 2, 3], "long": [1, 2, 3, 4, 5, 6, 7], "last": [2, 3]}
    assert max(len(found) for table, found in pieces if table == "long") < 4


async def test_short_logs_are_read_together(journal: SqliteJournal, path: Path) -> None:
    for table in ("a", "b"):
        await open_table(journal, table)
    pieces, done, after = reading.read_pieces(path, [("a", 0), ("b", 0)], 0, 0)
    assert [piece.table for piece in pieces] == ["a", "b"]
    assert (done, after) == (2, 0)


async def test_the_whole_log_and_its_first_entry(journal: SqliteJournal, path: Path) -> None:
    await open_table(journal, "t", entries=3)
    assert [record.seq for record in reading.read_log(path, "t")] == [1, 2, 3]
    assert await journal.first("t") == Record(1, 1001, b"x" * 10)
    assert await journal.first("none") is None


async def test_the_last_snapshot_counts_until_the_table_is_closed(journal: SqliteJournal) -> None:
    for table in ("a", "b", "c"):
        await open_table(journal, table)
    for seq, table, snapshot in ((2, "a", b"first"), (3, "a", b"second"), (2, "b", b"other")):
        append = Settled(table, range(seq, seq + 1))
        append.snapshot = snapshot
        await write(journal, append)
    assert await journal.snapshots(["a", "c", "none"]) == {"a": b"second"}
    await write(journal, Settled("a", range(4, 5), closes=True))
    assert await journal.snapshots(["a", "b"]) == {"b": b"other"}


async def test_what_strangers_are_told_of_a_closed_table_does_not_change(journal: SqliteJournal) -> None:
    await open_table(journal, "t")
    assert await journal.public("t") is None
    for seq, record in ((2, b"as it was"), (3, b"as it was not")):
        append = Settled("t", range(seq, seq + 1), closes=True)
        append.public = record
        await write(journal, append)
    assert await journal.public("t") == b"as it was"


async def test_how_each_game_ended(journal: SqliteJournal, path: Path) -> None:
    await open_table(journal, "t")
    for seqs, how in ((range(2, 4), "one"), (range(4, 5), "another")):
        append = Settled("t", seqs)
        append.ends = how
        await write(journal, append)
    assert reading.read_checks(path, "t") == {3: "one", 4: "another"}
    assert reading.read_checks(path, "none") == {}


async def test_tables_are_listed_oldest_first(journal: SqliteJournal, path: Path) -> None:
    for table, at in (("b", 5), ("c", 9), ("a", 7)):
        append = Settled(table, range(1, 2), opens="palace")
        append.records = [Record(1, at, b"{}")]
        await write(journal, append)
    assert [listing.id for listing in await journal.tables(live=True)] == ["b", "a", "c"]
    assert (await journal.tables(live=True))[0] == Listing("b", "palace", 5, None)
    assert reading.list_unlisted(path) == []
    with closing(sqlite3.connect(path)) as other:
        other.execute("DELETE FROM tables WHERE id = 'a'")
        other.commit()
    assert reading.list_unlisted(path) == ["a"]


async def test_the_secret_stays_the_same(journal: SqliteJournal, path: Path) -> None:
    secret = await journal.secret()
    assert len(secret) == 32
    again = SqliteJournal(path)
    assert await again.secret() == secret
    await again.close()


@pytest.mark.parametrize(
    "damage", ["DELETE FROM secret", "INSERT INTO secret VALUES (randomblob(32))", "UPDATE secret SET value = 'short'",
               "UPDATE secret SET value = randomblob(31)"]
)  # fmt: skip
async def test_a_secret_that_is_none_is_not_used(journal: SqliteJournal, path: Path, damage: str) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute(damage)
        other.commit()
    with pytest.raises(JournalDown, match="has no secret"):
        await journal.secret()


@pytest.mark.parametrize("schema", [1, 2, 3, 4])
def test_a_journal_that_is_older_than_what_is_asked_for_has_none_of_it(path: Path, schema: int) -> None:
    """``croupier check`` and the like read it as it is."""
    with closing(sqlite3.connect(path)) as connection:
        for step in MIGRATIONS[:schema]:
            connection.executescript(step)
    assert reading.read_snapshots(path, ["t"]) == {}
    assert reading.read_checks(path, "t") == {}


def test_a_file_that_is_not_there_can_not_be_read(path: Path) -> None:
    with pytest.raises(JournalDown, match="can't be read"):
        reading.read_first(path, "t")
