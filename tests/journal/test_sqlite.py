"""The journal: append-only, compare-and-swap, in groups, all or nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import pytest

from croupier.journal import Append, Conflict, JournalDown, Record
from croupier.journal.schema import MIGRATIONS
from croupier.journal.sqlite import SqliteJournal


class Settled(Append):
    """An append that remembers what became of it, and in which order."""

    order: ClassVar[list[Append]] = []

    def __init__(self, table: str, seqs: range, opens: str | None = None, closes: bool = False) -> None:
        super().__init__(table, [Record(seq, 1000 + seq, b"{%d}" % seq) for seq in seqs], opens, closes)
        self.outcome: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

    def settled(self, error: Exception | None) -> None:
        Settled.order.append(self)
        self.outcome.set_result(error)


async def read(journal: SqliteJournal, table: str) -> list[Record]:
    return [record async for piece in journal.logs({table: 0}) for record in piece.records]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Settled.order = []
    return tmp_path / "deep" / "journal.sqlite"


async def test_what_is_appended_can_be_read(path: Path) -> None:
    journal = SqliteJournal(path)
    append = Settled("t", range(1, 4), opens="palace")
    journal.append(append)
    assert await append.outcome is None
    assert [record.seq for record in await read(journal, "t")] == [1, 2, 3]
    assert await read(journal, "other") == []
    await journal.close()


async def test_a_number_can_be_taken_only_once(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.append(Settled("t", range(1, 3), opens="palace"))
    first, second = Settled("t", range(3, 4)), Settled("t", range(3, 5))
    journal.append(first)
    journal.append(second)
    assert await first.outcome is None
    assert isinstance(await second.outcome, Conflict)
    assert [record.seq for record in await read(journal, "t")] == [1, 2, 3]
    await journal.close()


async def test_no_number_can_be_skipped(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.append(Settled("t", range(1, 3), opens="palace"))
    skipping = Settled("t", range(4, 5))
    journal.append(skipping)
    assert isinstance(await skipping.outcome, Conflict)
    assert len(await read(journal, "t")) == 2
    await journal.close()


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


async def test_however_many_entries_come_together_all_are_written(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.append(Settled("t", range(1, 2), opens="palace"))
    many = Settled("t", range(2, 300))
    journal.append(many)
    assert await many.outcome is None
    assert [record.seq for record in await read(journal, "t")] == list(range(1, 300))
    await journal.close()


async def test_one_conflict_does_not_spoil_the_group(path: Path) -> None:
    journal = SqliteJournal(path)
    appends = [Settled(f"t{n}", range(1, 3), opens="palace") for n in range(20)]
    spoiler = Settled("t3", range(1, 2), opens="palace")
    for append in [*appends[:10], spoiler, *appends[10:]]:
        journal.append(append)
    outcomes = [await append.outcome for append in appends]
    assert outcomes == [None] * 20
    assert isinstance(await spoiler.outcome, Conflict)
    await journal.close()


async def test_outcomes_are_reported_in_the_order_of_the_appends(path: Path) -> None:
    journal = SqliteJournal(path)
    appends = [Settled(f"t{n}", range(1, 2), opens="palace") for n in range(500)]
    for append in appends:
        journal.append(append)
    await appends[-1].outcome
    assert Settled.order == appends
    await journal.close()


async def test_live_tables_are_told_from_closed_ones(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.append(Settled("a", range(1, 2), opens="palace"))
    journal.append(Settled("b", range(1, 2), opens="palace"))
    last = Settled("a", range(2, 3), closes=True)
    journal.append(last)
    await last.outcome
    assert [listing.id for listing in await journal.tables(live=True)] == ["b"]
    everything = {listing.id: listing for listing in await journal.tables(live=False)}
    assert everything["a"].closed_at == 1002
    assert everything["b"].closed_at is None
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


async def test_it_is_as_durable_as_asked(path: Path) -> None:
    """WAL and synchronous=FULL, unless somebody says otherwise."""
    journal = SqliteJournal(path)
    await journal.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    assert SqliteJournal.__init__.__defaults__ == ("FULL",)


async def test_a_journal_that_cannot_be_written_says_so_and_recovers(path: Path) -> None:
    journal = SqliteJournal(path)
    first = Settled("t", range(1, 2), opens="palace")
    journal.append(first)
    await first.outcome
    lock = sqlite3.connect(path)
    lock.execute("ALTER TABLE entries RENAME TO gone")
    lock.commit()
    failing = Settled("t", range(2, 3))
    journal.append(failing)
    assert isinstance(await failing.outcome, JournalDown)
    lock.execute("ALTER TABLE gone RENAME TO entries")
    lock.commit()
    lock.close()
    retry = Settled("t", range(2, 3))
    journal.append(retry)
    assert await retry.outcome is None
    await journal.close()


async def test_whoever_reads_when_it_is_closed_is_told_so(path: Path) -> None:
    journal = SqliteJournal(path)
    await journal.close()
    with pytest.raises(JournalDown, match="going down"):
        await journal.first("t")


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
        ("CREATE TABLE songs (title)", "some other file"),
        (f"PRAGMA user_version = {len(MIGRATIONS)}", "it has no table"),
        ("PRAGMA user_version = -1", "some other file"),
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
