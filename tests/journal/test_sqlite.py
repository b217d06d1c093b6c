"""The journal in a file: whose it is, how durable, and of which version. What any journal does: ``test_journal.py``."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.journal import Append, Conflict, JournalDown, committing
from croupier.journal import sqlite as journal_in_sqlite
from croupier.journal.schema import MIGRATIONS
from croupier.journal.sqlite import SqliteJournal
from tests.journal.settled import Settled, read


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "journal.sqlite"


async def test_a_number_that_somebody_else_has_taken_is_a_conflict(path: Path) -> None:
    """Also where this writer knows what it has committed itself; and then it goes on behind the other's entry."""
    journal = SqliteJournal(path)
    first = Settled("t", range(1, 3), opens="palace")
    journal.append(first)
    assert await first.outcome is None
    with closing(sqlite3.connect(path)) as other:
        other.execute("INSERT INTO entries VALUES ('t', 3, 1003, x'00')")
        other.commit()
    late, bystander = Settled("t", range(3, 4)), Settled("u", range(1, 2), opens="palace")
    journal.append(late)
    journal.append(bystander)
    assert isinstance(await late.outcome, Conflict)
    assert await bystander.outcome is None
    after = Settled("t", range(4, 6))
    journal.append(after)
    assert await after.outcome is None
    assert [record.seq for record in await read(journal, "t")] == [1, 2, 3, 4, 5]
    assert journal.fault is None
    await journal.close()


async def test_closing_commits_what_is_waiting(path: Path) -> None:
    journal = SqliteJournal(path)
    for n in range(300):
        journal.append(Settled(f"t{n}", range(1, 2), opens="palace"))
    await journal.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name], "and SQLite has put away its own files"
    again = SqliteJournal(path)
    assert len(await again.tables(live=True)) == 300
    await again.close()


async def test_who_comes_while_others_are_written_waits_for_more(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nobody waits who comes when nothing is being written."""
    groups: list[list[str]] = []

    def commit(connection: sqlite3.Connection, appends: Sequence[Append], last: dict[str, int]) -> Any:
        groups.append([append.table for append in appends])
        return committing.commit(connection, appends, last)

    monkeypatch.setattr(journal_in_sqlite, "commit", commit)
    monkeypatch.setattr(journal_in_sqlite, "_PACE", 3600.0)
    journal = SqliteJournal(path)
    first, second, third, meanwhile, after = (Settled(table, range(1, 2), opens="palace") for table in "abcde")
    for alone in (first, second):
        journal.append(alone)
        assert await alone.outcome is None
    journal.append(third)
    await asyncio.sleep(0)  # and the writer has it
    journal.append(meanwhile)
    assert await third.outcome is None
    journal.append(after)
    await journal.close()
    assert (await meanwhile.outcome, await after.outcome) == (None, None)
    assert groups == [["a"], ["b"], ["c"], ["d", "e"]]


async def test_it_is_as_durable_as_asked(path: Path) -> None:
    """WAL and synchronous=FULL, unless somebody says otherwise."""
    journal = SqliteJournal(path)
    await journal.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    assert SqliteJournal.__init__.__defaults__ == ("FULL",)


def test_the_schema_has_a_version_and_a_newer_one_is_refused(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    with pytest.raises(JournalDown, match="newer"):
        SqliteJournal(path)


@pytest.mark.parametrize(
    ("strange", "sentence"),
    [
        ("CREATE TABLE songs (title)", "some other SQLite file"),
        (f"PRAGMA user_version = {len(MIGRATIONS)}", "it has no table"),
        ("PRAGMA user_version = -1", "some other SQLite file"),
    ],
)
def test_a_file_of_somebody_else_s_is_not_written(path: Path, strange: str, sentence: str) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(strange)
    with pytest.raises(JournalDown, match=sentence):
        SqliteJournal(path)


async def test_a_journal_without_one_of_its_columns_is_damaged(path: Path) -> None:
    await SqliteJournal(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE entries RENAME COLUMN at TO clock")
    with pytest.raises(JournalDown, match="it has no table entries"):
        SqliteJournal(path)


async def test_an_older_schema_is_brought_up_to_date(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = SqliteJournal(path)
    append = Settled("t", range(1, 3), opens="palace")
    first.append(append)
    await append.outcome
    await first.close()
    monkeypatch.setattr("croupier.journal.schema.MIGRATIONS", (*MIGRATIONS, "CREATE TABLE novelty (x);"))
    second = SqliteJournal(path)
    assert len(await read(second, "t")) == 2
    await second.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)
    assert connection.execute("SELECT count(*) FROM novelty").fetchone() == (0,)
    connection.close()
