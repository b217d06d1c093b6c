"""What the journal does about files that somebody has removed, replaced or cut off under it; with no server around it.

``test_watch.py`` has the same with a server, and what its people are told.
"""

from __future__ import annotations

import asyncio
import gc
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Literal

import pytest

from croupier.journal import Append, Conflict, JournalDown, Record, committing, connecting, sqlite
from croupier.journal.sqlite import SqliteJournal
from croupier.journal.upkeep import back_up
from tests.journal.settled import Settled, read
from tests.journal.test_watch import (
    cut_off_half_the_log,
    cut_off_the_log,
    empty,
    move_all,
    overwrite,
    part,
    remove_all,
    replace,
    truncate,
)


class Journal(SqliteJournal):
    """With two entries of a table in it, and all news as they come."""

    def __init__(self, path: Path) -> None:
        self.told: asyncio.Queue[str | None] = asyncio.Queue()
        super().__init__(path, news=self.told.put_nowait)
        self.next = 1

    async def write(self) -> Exception | None:
        append = Settled("t", range(self.next, self.next + 2), opens="palace" if self.next == 1 else None)
        self.append(append)
        error = await append.outcome
        if error is None:
            self.next += 2
        return error


@asynccontextmanager
async def journal_at(path: Path) -> AsyncIterator[Journal]:
    journal = Journal(path)
    assert await journal.write() is None
    yield journal
    await journal.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


async def until(condition: Callable[[], bool]) -> None:
    while True:
        if condition():
            return
        await asyncio.sleep(0.01)


def contents(path: Path) -> bytes:
    return path.read_bytes()


def numbers(path: Path) -> list[int]:
    """What is in the file, for somebody who opens it later."""
    with closing(sqlite3.connect(path)) as connection:
        return [seq for (seq,) in connection.execute("SELECT seq FROM entries ORDER BY seq")]


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (remove_all, "is gone"),
        (replace, "is another file than the one that was opened"),
        (empty, "is another file than the one that was opened"),
        (overwrite, "has been cut off or overwritten"),
        (truncate, "has been cut off or overwritten"),
        (cut_off_the_log, "has been cut off"),
        (cut_off_half_the_log, "has been cut off"),
    ],
)
async def test_nothing_is_safe_that_is_not_at_its_path(
    path: Path, harm: Callable[[Path], object], sentence: str
) -> None:
    async with journal_at(path) as journal:
        harm(path)
        for _ in range(2):
            error = await journal.write()
            assert isinstance(error, JournalDown)
            assert sentence in str(error)
            assert journal.fault == str(error)
        assert await journal.told.get() == journal.fault
        assert journal.told.empty(), "once is enough"


async def test_what_is_found_out_only_after_the_commit_is_not_safe_either(path: Path) -> None:
    class Last(Settled):
        def settled(self, error: Exception | None) -> None:
            remove_all(path)  # when the next group is on its way already, and is not looked for again before it
            super().settled(error)

    async with journal_at(path) as journal:
        journal.append(Last("t", range(3, 4)))
        await asyncio.sleep(0)  # handed over
        late = Settled("t", range(4, 5))
        journal.append(late)
        error = await late.outcome
        assert isinstance(error, JournalDown)
        assert "is gone" in str(error)


async def test_what_was_refused_is_not_looked_for(path: Path) -> None:
    """Only what was acknowledged has to be there when the file is opened again."""
    async with journal_at(path) as journal:
        refused = Settled("t", range(1, 2))
        refused.records = [Record(1, 1, b"another beginning")]
        journal.append(refused)
        assert isinstance(await refused.outcome, Conflict)
        part(path, "-wal").unlink()
        assert await journal.write() is None


@pytest.mark.parametrize("harm", [remove_all, replace])
async def test_nothing_is_read_from_another_file(path: Path, harm: Callable[[Path], object]) -> None:
    async with journal_at(path) as journal:
        harm(path)
        with pytest.raises(JournalDown):
            await journal.first("t")


async def test_it_is_noticed_while_nothing_is_written_and_that_it_is_over(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_LOOKS_EVERY", 0.01)
    aside = path.parent / "aside"
    aside.mkdir()
    async with journal_at(path) as journal:
        move_all(path.parent, aside)
        assert "is gone" in str(await journal.told.get())
        move_all(aside, path.parent)
        assert await journal.told.get() is None
        assert journal.fault is None
        assert await journal.write() is None
    assert numbers(path) == [1, 2, 3, 4]


async def test_it_is_noticed_before_anybody_has_asked_for_anything(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no event loop yet that could be told."""
    monkeypatch.setattr(sqlite, "_LOOKS_EVERY", 0.01)
    aside = path.parent / "aside"
    aside.mkdir()
    journal = Journal(path)
    move_all(path.parent, aside)
    await until(lambda: journal.fault is not None)
    move_all(aside, path.parent)
    await until(lambda: journal.fault is None)
    assert await journal.write() is None
    await journal.close()


@pytest.mark.parametrize("names", [["-wal"], ["-shm"], ["-wal", "-shm"]])
async def test_what_is_in_a_log_without_its_name_is_saved(path: Path, names: list[str]) -> None:
    async with journal_at(path) as journal:
        for _ in range(2):
            for name in names:
                part(path, name).unlink()
            assert await journal.write() is None
        assert journal.fault is None
        assert [record.seq for record in await read(journal, "t")] == [1, 2, 3, 4, 5, 6]
    assert numbers(path) == [1, 2, 3, 4, 5, 6]


async def test_a_log_that_loses_its_name_while_others_read_it_is_not_given_up(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in it can't be put where it belongs as long as somebody reads what was there before."""

    def impatient(path: Path, mode: Literal["rw", "rwc"] = "rw") -> sqlite3.Connection:
        connection = connecting.connect(path, mode)
        connection.execute("PRAGMA busy_timeout = 0")
        return connection

    monkeypatch.setattr(sqlite, "connect", impatient)
    async with journal_at(path) as journal:
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entries").fetchone()
            part(path, "-wal").unlink()
            error = await journal.write()
            assert isinstance(error, JournalDown)
            assert "has been removed or replaced" in str(error)
        assert await journal.write() is None
        assert journal.fault is None
    assert numbers(path) == [1, 2, 3, 4]


async def test_a_log_that_somebody_has_emptied_in_good_faith_is_no_harm(path: Path) -> None:
    async with journal_at(path) as journal:
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert part(path, "-wal").stat().st_size == 0
        assert await journal.write() is None
        assert await journal.write() is None
        assert journal.told.empty()
    assert numbers(path) == [1, 2, 3, 4, 5, 6]


async def test_an_older_copy_in_its_place_is_not_written_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever puts back what was saved last week must not have this week's moves follow it."""
    older, real, broken = path.with_name("older.sqlite"), committing.commit, False

    def commit(connection: sqlite3.Connection, appends: Sequence[Append], last: dict[str, int]) -> Any:
        if broken:
            raise RuntimeError("nobody thought of this")
        return real(connection, appends, last)

    monkeypatch.setattr(sqlite, "commit", commit)
    async with journal_at(path) as journal:
        back_up(path, older)
        assert await journal.write() is None
        broken = True
        assert isinstance(await journal.write(), JournalDown)  # and the file is opened again, for the next one
        broken = False
        remove_all(path)
        older.rename(path)
        error = await journal.write()
        assert isinstance(error, JournalDown)
        assert "lacks what was written last" in str(error)
    assert numbers(path) == [1, 2]


async def test_half_a_log_is_not_copied_when_the_journal_is_closed(path: Path) -> None:
    """What is left of it makes sense, as long as SQLite does not put the half of it where it belongs."""
    later = path.parent / "later"
    later.mkdir()
    async with journal_at(path) as journal:
        for _ in range(20):
            await journal.write()
        before = contents(path)
        cut_off_half_the_log(path)
        assert isinstance(await journal.write(), JournalDown)
    del journal
    gc.collect()  # nor afterwards
    assert contents(path) == before
    for file in (path, part(path, "-wal")):  # as another process would find them, when this one has ended
        shutil.copyfile(file, later / file.name)
    found = numbers(later / path.name)
    assert 2 < len(found) < 42
    assert found == list(range(1, len(found) + 1))


async def test_nor_when_something_else_goes_wrong_as_well(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that begins again closes its connection, but not where that has all that is left of the files."""
    real, broken = committing.commit, False

    def commit(connection: sqlite3.Connection, appends: Sequence[Append], last: dict[str, int]) -> Any:
        if broken:
            cut_off_half_the_log(path)
            raise RuntimeError("nobody thought of this")
        return real(connection, appends, last)

    monkeypatch.setattr(sqlite, "commit", commit)
    async with journal_at(path) as journal:
        for _ in range(20):
            await journal.write()
        before = contents(path)
        broken = True
        assert isinstance(await journal.write(), JournalDown)
        broken = False
        error = await journal.write()
        assert isinstance(error, JournalDown)
        assert "has been cut off" in str(error)
    assert contents(path) == before
