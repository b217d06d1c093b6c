"""What any journal does, in a file or in a database: append-only, compare-and-swap, in groups, all or nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from croupier.journal import (
    Append,
    Conflict,
    Damaged,
    Directory,
    Journal,
    JournalDown,
    Listing,
    Record,
    Shown,
    postgres,
    reading,
)
from croupier.journal.sqlite import SqliteJournal
from tests.journal.conftest import Journals
from tests.journal.settled import Settled, read


async def write(journal: Journal, *appends: Settled) -> None:
    for append in appends:
        journal.append(append)
    for append in appends:
        assert await append.outcome is None


async def open_table(journal: Journal, table: str, entries: int = 1, size: int = 10) -> None:
    append = Settled(table, range(1, entries + 1), opens="palace")
    append.records = [Record(seq, 1000 + seq, b"x" * size) for seq in range(1, entries + 1)]
    await write(journal, append)


async def numbers(journal: Journal, tables: dict[str, int]) -> list[tuple[str, list[int]]]:
    return [(piece.table, [record.seq for record in piece.records]) async for piece in journal.logs(tables)]


async def test_what_is_appended_can_be_read(any_journal: Journal) -> None:
    await write(any_journal, Settled("t", range(1, 4), opens="palace"))
    assert await read(any_journal, "t") == [Record(seq, 1000 + seq, b"{%d}" % seq) for seq in (1, 2, 3)]
    assert await read(any_journal, "other") == []


async def test_a_number_can_be_taken_only_once(any_journal: Journal) -> None:
    any_journal.append(Settled("t", range(1, 3), opens="palace"))
    first, second = Settled("t", range(3, 4)), Settled("t", range(3, 5))
    any_journal.append(first)
    any_journal.append(second)
    assert await first.outcome is None
    assert isinstance(await second.outcome, Conflict)
    assert (first.lost, second.lost) == (False, True)
    assert [record.seq for record in await read(any_journal, "t")] == [1, 2, 3]


async def test_no_number_can_be_skipped(any_journal: Journal) -> None:
    any_journal.append(Settled("t", range(1, 3), opens="palace"))
    skipping = Settled("t", range(4, 5))
    any_journal.append(skipping)
    assert isinstance(await skipping.outcome, Conflict)
    assert len(await read(any_journal, "t")) == 2


async def test_a_table_is_opened_once(any_journal: Journal) -> None:
    await open_table(any_journal, "t", entries=2)
    again = Settled("t", range(1, 2), opens="coup")
    any_journal.append(again)
    assert isinstance(await again.outcome, Conflict)
    assert [listing.game for listing in await any_journal.tables(live=True)] == ["palace"]


async def test_however_many_entries_come_together_all_are_written(any_journal: Journal) -> None:
    await write(any_journal, Settled("t", range(1, 2), opens="palace"), Settled("t", range(2, 300)))
    assert [record.seq for record in await read(any_journal, "t")] == list(range(1, 300))


async def test_one_conflict_does_not_spoil_the_group(any_journal: Journal) -> None:
    appends = [Settled(f"t{n}", range(1, 3), opens="palace") for n in range(20)]
    spoiler = Settled("t3", range(1, 2), opens="palace")
    for append in [*appends[:10], spoiler, *appends[10:]]:
        any_journal.append(append)
    assert [await append.outcome for append in appends] == [None] * 20
    assert isinstance(await spoiler.outcome, Conflict)


async def test_what_follows_one_that_is_lost_is_lost_too(journals: Journals) -> None:
    """Though somebody else's entry has the number of the one it follows."""
    mine, theirs = await journals.open(), await journals.open()
    await open_table(mine, "t")
    await write(theirs, Settled("t", range(2, 3)))
    late, next_one, last = Settled("t", range(2, 3)), Settled("t", range(3, 4)), Settled("t", range(4, 5))
    next_one.follows, last.follows = late, next_one
    mine.append(late)
    mine.append(next_one)
    assert isinstance(await late.outcome, Conflict)
    mine.append(last)
    assert isinstance(await next_one.outcome, Conflict)
    assert isinstance(await last.outcome, Conflict)
    assert [record.seq for record in await read(mine, "t")] == [1, 2]
    await write(mine, Settled("t", range(3, 4)))


async def test_outcomes_are_reported_in_the_order_of_the_appends(any_journal: Journal) -> None:
    appends = [Settled(f"t{n}", range(1, 2), opens="palace") for n in range(500)]
    for append in appends:
        any_journal.append(append)
    await appends[-1].outcome
    assert Settled.order == appends


async def test_live_tables_are_told_from_closed_ones(any_journal: Journal) -> None:
    any_journal.append(Settled("a", range(1, 2), opens="palace"))
    any_journal.append(Settled("b", range(1, 2), opens="palace"))
    await write(any_journal, Settled("a", range(2, 3), closes=True))
    assert [listing.id for listing in await any_journal.tables(live=True)] == ["b"]
    everything = {listing.id: listing for listing in await any_journal.tables(live=False)}
    assert everything["a"].closed_at == 1002
    assert everything["b"].closed_at is None


async def test_closing_commits_what_is_waiting(journals: Journals) -> None:
    journal = await journals.open()
    appends = [Settled(f"t{n}", range(1, 2), opens="palace") for n in range(300)]
    for append in appends:
        journal.append(append)
    await journal.close()
    assert all(append.outcome.done() for append in appends)
    assert len(await (await journals.open()).tables(live=True)) == 300


async def test_a_journal_that_cannot_be_written_says_so_and_recovers(journals: Journals) -> None:
    told: list[str | None] = []
    journal = await journals.open(told.append)
    await open_table(journal, "t")
    await journals.run("ALTER TABLE entries RENAME TO gone")
    failing = Settled("t", range(2, 3))
    journal.append(failing)
    outcome = await failing.outcome
    assert isinstance(outcome, JournalDown)
    assert str(outcome).startswith("the journal can't be written: ")
    assert journal.fault == str(outcome)
    await journals.run("ALTER TABLE gone RENAME TO entries")
    await write(journal, Settled("t", range(2, 3)))
    assert journal.fault is None
    await asyncio.sleep(0)
    assert told == [str(outcome), None]


async def test_whoever_reads_when_it_is_closed_is_told_so(any_journal: Journal) -> None:
    await any_journal.close()
    with pytest.raises(JournalDown, match="shutting down"):
        await any_journal.first("t")


def poisoned(table: str, at: Any) -> Settled:
    append = Settled(table, range(1, 2), opens="palace")
    append.records = [Record(1, at, b"{}")]
    return append


@pytest.mark.parametrize("at", [2**63, -(2**63) - 1, 2**70, object(), None])
async def test_what_can_not_be_written_is_refused_and_the_rest_is_written(any_journal: Journal, at: Any) -> None:
    appends = [Settled("a", range(1, 3), opens="palace"), poisoned("b", at), Settled("c", range(1, 2), opens="palace")]
    for append in appends:
        any_journal.append(append)
    first, bad, last = [await append.outcome for append in appends]
    assert (first, last) == (None, None)
    assert isinstance(bad, Exception)
    alone = poisoned("d", at)
    any_journal.append(alone)
    assert isinstance(await alone.outcome, Exception)
    await write(any_journal, Settled("a", range(3, 4)))
    assert [record.seq for record in await read(any_journal, "a")] == [1, 2, 3]
    assert await read(any_journal, "b") == []
    assert any_journal.fault is None


@pytest.mark.parametrize("name", ["\ud800", "a\x00b"])
async def test_nor_what_no_text_is(any_journal: Journal, name: str) -> None:
    """(SQLite writes a NUL.)"""
    odd, other = Settled(name, range(1, 2), opens="palace"), Settled("c", range(1, 2), opens="palace")
    any_journal.append(odd)
    any_journal.append(other)
    assert await other.outcome is None
    assert await odd.outcome is None or isinstance(await odd.outcome, Damaged)


async def test_one_that_can_not_be_told_does_not_keep_it_from_the_others(any_journal: Journal) -> None:
    class Deaf(Settled):
        def settled(self, error: Exception | None) -> None:
            raise RuntimeError("no")

    seen: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: seen.append(context))
    any_journal.append(Deaf("a", range(1, 2), opens="palace"))
    await write(any_journal, Settled("b", range(1, 2), opens="palace"))
    assert len(seen) == 1


async def test_logs_are_read_after_an_entry_in_the_order_they_were_asked_for(any_journal: Journal) -> None:
    for table in ("a", "b", "c"):
        await open_table(any_journal, table, entries=4)
    assert await numbers(any_journal, {"c": 0, "a": 2, "none": 0, "b": 4}) == [
        ("c", [1, 2, 3, 4]),
        ("a", [3, 4]),
        ("none", []),
        ("b", []),
    ]


async def test_a_long_log_comes_in_pieces_that_follow_each_other(
    any_journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the next table begins where it should, not where the long one was left."""
    monkeypatch.setattr(reading, "_PIECE", 1000)
    monkeypatch.setattr(postgres, "_ROWS", 4)
    monkeypatch.setattr(postgres, "_TABLES", 2)
    await open_table(any_journal, "short", entries=3)
    await open_table(any_journal, "long", entries=9, size=300)
    await open_table(any_journal, "last", entries=3)
    pieces = await numbers(any_journal, {"none": 0, "short": 0, "long": 0, "last": 1})
    together: dict[str, list[int]] = {}
    for table, found in pieces:
        together.setdefault(table, []).extend(found)
    expected = {"none": [], "short": [1, 2, 3], "long": [1, 2, 3, 4, 5, 6, 7, 8, 9], "last": [2, 3]}
    assert (list(together), together) == (list(expected), expected)
    assert max(len(found) for table, found in pieces if table == "long") < 5


async def test_the_first_entry(any_journal: Journal) -> None:
    await open_table(any_journal, "t", entries=3)
    assert await any_journal.first("t") == Record(1, 1001, b"x" * 10)
    assert await any_journal.first("none") is None


async def test_the_last_snapshot_counts_until_the_table_is_closed(any_journal: Journal) -> None:
    for table in ("a", "b", "c"):
        await open_table(any_journal, table)
    for seq, table, snapshot in ((2, "a", b"first"), (3, "a", b"second"), (2, "b", b"other")):
        append = Settled(table, range(seq, seq + 1))
        append.snapshot = snapshot
        await write(any_journal, append)
    assert await any_journal.snapshots(["a", "c", "none"]) == {"a": b"second"}
    await write(any_journal, Settled("a", range(4, 5), closes=True))
    assert await any_journal.snapshots(["a", "b"]) == {"b": b"other"}


@pytest.mark.parametrize("together", [False, True])
async def test_how_a_table_is_shown_is_known_as_long_as_it_is_played_at(tmp_path: Path, together: bool) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    for table in ("a", "b", "c", "d"):
        await open_table(journal, table)
    shown = [
        ("a", 2, "waiting"),
        ("b", 2, "playing"),
        ("a", 3, "playing"),
        ("c", 2, "playing"),
        ("d", 2, "playing"),
        ("d", 3, "waiting"),
        ("c", 3, "closed"),
    ]
    appends = [Settled(table, range(seq, seq + 1)) for table, seq, _ in shown]
    for append, (table, seq, phase) in zip(appends, shown, strict=True):
        append.directory = Directory((f"{table}{seq}", "x"), phase, True, 0, phase.encode())
        append.closes, append.snapshot = phase == "closed", b"any"
    for group in [appends] if together else [[append] for append in appends]:
        await write(journal, *group)
    assert await journal.shown() == {
        "a": Shown(["a3", "x"], b"playing", 1003),
        "b": Shown(["b2", "x"], b"playing", 1002),
    }
    await journal.close()


async def test_what_strangers_are_told_of_a_closed_table_does_not_change(any_journal: Journal) -> None:
    await open_table(any_journal, "t")
    assert await any_journal.public("t") is None
    for seq, record in ((2, b"as it was"), (3, b"as it was not")):
        append = Settled("t", range(seq, seq + 1), closes=True)
        append.public = record
        await write(any_journal, append)
    assert await any_journal.public("t") == b"as it was"


async def test_it_may_be_worked_out_later(any_journal: Journal) -> None:
    await write(any_journal, Settled("t", range(1, 3), opens="palace", closes=True))
    append = Append("t", [], None, False)
    append.public = b"late"
    any_journal.append(append)
    await write(any_journal, Settled("u", range(1, 2), opens="palace"))
    assert await any_journal.public("t") == b"late"


async def test_tables_are_listed_oldest_first(any_journal: Journal) -> None:
    for table, at in (("b", 5), ("c", 9), ("a", 7)):
        append = Settled(table, range(1, 2), opens="palace")
        append.records = [Record(1, at, b"{}")]
        await write(any_journal, append)
    assert [listing.id for listing in await any_journal.tables(live=True)] == ["b", "a", "c"]
    assert (await any_journal.tables(live=True))[0] == Listing("b", "palace", 5, None)


async def test_the_secret_stays_the_same(journals: Journals) -> None:
    secret = await (await journals.open()).secret()
    assert len(secret) == 32
    assert await (await journals.open()).secret() == secret


@pytest.mark.parametrize("damage", ["DELETE FROM secret", "UPDATE secret SET value = 'short'"])
async def test_a_secret_that_is_none_is_not_used(journals: Journals, damage: str) -> None:
    journal = await journals.open()
    await journals.run(damage)
    with pytest.raises(JournalDown, match="has no secret"):
        await journal.secret()
