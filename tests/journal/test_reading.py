"""What is read from a journal: logs in pieces, the last snapshots, what strangers are told, and the lists of tables."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.journal import JournalDown, Record, reading
from croupier.journal.schema import MIGRATIONS
from croupier.journal.sqlite import SqliteJournal
from tests.journal.settled import Settled


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


async def test_short_logs_are_read_together(journal: SqliteJournal, path: Path) -> None:
    for table in ("a", "b"):
        await open_table(journal, table)
    pieces, done, after = reading.read_pieces(path, [("a", 0), ("b", 0)], 0, 0)
    assert [piece.table for piece in pieces] == ["a", "b"]
    assert (done, after) == (2, 0)


async def test_the_whole_log(journal: SqliteJournal, path: Path) -> None:
    await open_table(journal, "t", entries=3)
    assert [record.seq for record in reading.read_log(path, "t")] == [1, 2, 3]


async def test_how_each_game_ended(journal: SqliteJournal, path: Path) -> None:
    await open_table(journal, "t")
    for seqs, how in ((range(2, 4), "one"), (range(4, 5), "another")):
        append = Settled("t", seqs)
        append.ends = how
        await write(journal, append)
    assert reading.read_checks(path, "t") == {3: "one", 4: "another"}
    assert reading.read_checks(path, "none") == {}


async def test_tables_that_are_not_in_the_list_are_found(journal: SqliteJournal, path: Path) -> None:
    for table in ("a", "b"):
        await open_table(journal, table)
    assert reading.list_unlisted(path) == []
    with closing(sqlite3.connect(path)) as other:
        other.execute("DELETE FROM tables WHERE id = 'a'")
        other.commit()
    assert reading.list_unlisted(path) == ["a"]


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
