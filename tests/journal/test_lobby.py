"""How tables are found that a node does not have in memory: by their names, in the lobby, and when they are due."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from croupier.journal import Attending, Change, Conflict, Directory, Listing, NameTaken, SharedJournal, postgres_lobby
from croupier.journal.postgres import PostgresJournal
from tests.journal.settled import Settled
from tests.journal.test_postgres import deadlocks, waiting

GAMES = ["coup", "palace"]


def directory(
    *names: str, phase: str = "waiting", listed: bool = True, free: int = 1, summary: bytes = b"{}"
) -> Directory:
    return Directory(names, phase, listed, free, summary)


async def write(journal: SharedJournal, append: Settled) -> Exception | None:
    journal.append(append)
    return await append.outcome


async def open_table(
    journal: PostgresJournal, table: str, shown: Directory | None = None, *, game: str = "palace", at: int = 1001,
    due: int | None = None,
) -> Exception | None:  # fmt: skip
    append = Settled(table, range(1, 2), opens=game)
    append.records = [append.records[0]._replace(at=at)]
    append.directory, append.due = shown, due
    return await write(journal, append)


async def change(journal: PostgresJournal, table: str, seq: int, shown: Directory) -> Exception | None:
    append = Settled(table, range(seq, seq + 1))
    append.directory = shown
    return await write(journal, append)


async def close(journal: PostgresJournal, table: str, seq: int) -> None:
    assert await write(journal, Settled(table, range(seq, seq + 1), closes=True)) is None


# Names.


async def test_an_open_table_is_found_by_its_id_and_its_names(shared: PostgresJournal, other: PostgresJournal) -> None:
    await open_table(shared, "t", directory("code:ABCD", "seat:1", "seat:1"))
    await open_table(shared, "u", directory("code:EFGH"))
    assert await other.find(["t", "seat:1", "code:EFGH", "code:NONE"]) == {
        "t": Listing("t", "palace", 1001, None),
        "seat:1": Listing("t", "palace", 1001, None),
        "code:EFGH": Listing("u", "palace", 1001, None),
    }
    await change(shared, "t", 2, directory("code:ABCD", "seat:2"))
    assert set(await other.find(["code:ABCD", "seat:1", "seat:2"])) == {"code:ABCD", "seat:2"}
    await close(shared, "t", 3)
    assert await other.find(["t", "code:ABCD", "seat:2"]) == {}


async def test_a_code_is_found_whatever_the_game(shared: PostgresJournal, other: PostgresJournal) -> None:
    for game in ("palace", "coup", "whist"):
        await open_table(shared, game[0], directory(f"{game}/abc{game[0]}", f"token/{game}"), game=game)
    assert await other.find(["*/abcw", "*/abcc", "*/abcd", "*/whist", "*"]) == {
        "*/abcw": Listing("w", "whist", 1001, None),
        "*/abcc": Listing("c", "coup", 1001, None),
    }
    await close(shared, "w", 2)
    assert await other.find(["*/abcw"]) == {}


async def test_a_name_is_one_table_s_as_long_as_that_is_open(shared: PostgresJournal, other: PostgresJournal) -> None:
    """Who wants it in vain has lost its own append, and nobody else's."""
    assert await open_table(shared, "t", directory("code:ABCD")) is None
    late, bystander, after = (Settled(id, range(1, 2), opens="palace") for id in ("u", "v", "w"))
    late.directory, bystander.directory = directory("code:ABCD", "mine"), directory("code:EFGH")
    following = Settled("u", range(2, 3))
    following.follows = late
    for append in (late, bystander, following, after):
        other.append(append)
    assert isinstance(await late.outcome, NameTaken)
    assert type(await following.outcome) is Conflict
    assert [await bystander.outcome, await after.outcome] == [None, None]
    assert set(await shared.find(["u", "mine", "code:EFGH", "w"])) == {"code:EFGH", "w"}
    await close(shared, "t", 2)
    assert await open_table(other, "u", directory("code:ABCD")) is None
    assert (await shared.find(["code:ABCD"]))["code:ABCD"].id == "u"


async def test_any_number_may_want_names_in_vain(shared: PostgresJournal) -> None:
    taken = [f"name {n}" for n in range(12)]
    assert await open_table(shared, "t", directory(*taken)) is None
    appends = [Settled(f"u{n}", range(1, 2), opens="palace") for n in range(24)]
    for append, name in zip(appends[::2], taken, strict=True):
        append.directory = directory(name)
    for append in appends:
        shared.append(append)
    outcomes = [type(await append.outcome) for append in appends]
    assert outcomes == [NameTaken, type(None)] * 12


async def test_of_nodes_that_race_for_names_one_gets_each(shared: PostgresJournal, other: PostgresJournal) -> None:
    """Though they take them in opposite order."""
    for n in range(20):
        mine = [Settled(f"{n} mine {k}", range(1, 2), opens="palace") for k in range(4)]
        theirs = [Settled(f"{n} theirs {k}", range(1, 2), opens="palace") for k in range(4)]
        for k in range(4):
            mine[k].directory, theirs[k].directory = directory(f"{n} {k}"), directory(f"{n} {3 - k}")
        for one, another in zip(mine, theirs, strict=True):
            shared.append(one)
            other.append(another)
        outcomes = [type(await append.outcome) for append in (*mine, *theirs)]
        assert sorted(outcome is NameTaken for outcome in outcomes) == [False] * 4 + [True] * 4
    assert (shared.fault, other.fault) == (None, None)


async def test_names_that_two_nodes_want_in_opposite_order(
    shared: PostgresJournal, other: PostgresJournal, url: str
) -> None:
    """Both have one, and wait for somebody's second; neither must wait for the other's."""
    somebody = await asyncpg.connect(url)
    transaction = somebody.transaction()
    await transaction.start()
    await somebody.execute("INSERT INTO names VALUES ('m', 'somebody')")
    appends = []
    for journal, who, names in ((shared, "mine", "xmy"), (other, "theirs", "ymx")):
        for n, name in enumerate(names):
            append = Settled(f"{who} {n}", range(1, 2), opens="palace")
            append.directory = directory(name)
            appends.append(append)
            journal.append(append)
    await waiting(somebody, 2)
    await transaction.rollback()
    await somebody.close()
    outcomes = [type(await append.outcome) for append in appends]
    assert sorted(outcome is NameTaken for outcome in outcomes) == [False] * 3 + [True] * 3
    assert await deadlocks(shared) == 0


async def test_how_a_table_is_found_may_be_written_without_any_entry(shared: PostgresJournal) -> None:
    """As for one that comes from a journal that knew of no such thing."""
    await open_table(shared, "t")
    append = Settled("t", range(0))
    append.directory = directory("code:ABCD", summary=b"t")
    assert await write(shared, append) is None
    assert set(await shared.find(["code:ABCD"])) == {"code:ABCD"}
    assert await shared.lobby(GAMES) == [b"t"]
    assert await shared.positions(["t"]) == {"t": 1}


# The lobby.


async def fill(journal: PostgresJournal) -> None:
    for table, at, game, phase, free in (
        ("a", 1, "palace", "waiting", 1),
        ("b", 2, "palace", "playing", 0),
        ("c", 3, "coup", "waiting", 2),
        ("d", 4, "palace", "waiting", 0),
        ("e", 5, "coup", "playing", 3),
        ("f", 3, "palace", "waiting", 1),
    ):
        shown = directory(phase=phase, free=free, summary=table.encode())
        assert await open_table(journal, table, shown, game=game, at=at) is None
    await open_table(journal, "private", directory(listed=False, summary=b"private"))
    await open_table(journal, "bare")


async def test_tables_that_wait_for_players_come_first_and_then_the_newest(shared: PostgresJournal) -> None:
    await fill(shared)
    assert await shared.lobby(GAMES) == [b"f", b"c", b"a", b"e", b"d", b"b"]
    assert await shared.lobby(["palace"]) == [b"f", b"a", b"d", b"b"]
    assert await shared.lobby(GAMES, phase="playing") == [b"e", b"b"]
    assert await shared.lobby(GAMES, free=True) == [b"f", b"c", b"a", b"e"]
    assert await shared.lobby(["coup"], phase="playing", free=True) == [b"e"]
    assert await shared.lobby(["chess"]) == []
    await close(shared, "c", 2)
    assert await shared.lobby(GAMES, limit=2) == [b"f", b"a"]


@pytest.mark.parametrize("size", [1, 2, 4, 6])
async def test_the_lobby_in_pages(shared: PostgresJournal, size: int) -> None:
    await fill(shared)
    found: list[bytes] = []
    while page := await shared.lobby(GAMES, after=found[-1].decode() if found else None, limit=size):
        assert len(page) <= size
        found += page
    assert found == [b"f", b"c", b"a", b"e", b"d", b"b"]


async def test_what_changes_in_the_lobby_is_told(shared: PostgresJournal, other: PostgresJournal) -> None:
    _, before = await shared.changed(0, 0)
    await fill(shared)
    changes, now = await other.changed(before, 100)
    assert [found.table for found in changes] == ["a", "b", "c", "d", "e", "f"]
    assert changes[2] == Change("c", "coup", b"c")
    assert now >= before
    await change(shared, "a", 2, directory(summary=b"a again"))
    await change(shared, "b", 2, directory(listed=False))
    await close(shared, "c", 2)
    await write(shared, Settled("d", range(2, 3)))
    await close(shared, "private", 2)
    changes, _ = await other.changed(now, 100)
    assert changes[-3:] == [Change("a", "palace", b"a again"), Change("b", "palace", None), Change("c", "coup", None)]


async def test_many_changes_come_one_after_the_other_and_none_is_left_out(shared: PostgresJournal, url: str) -> None:
    await fill(shared)
    database = await asyncpg.connect(url)
    # As if they had happened some time ago: three of them at the same moment.
    moments = {"a": 1000, "b": 200_000, "c": 200_000, "d": 200_000, "e": 200_001, "f": 400_000}
    for table, moment in moments.items():
        await database.execute("UPDATE tables SET changed_at = $2 WHERE id = $1", table, moment)
    await database.close()
    seen, since = list[str](), 0
    for _ in range(20):
        changes, since = await shared.changed(since, 2)
        seen += [found.table for found in changes]
    assert list(dict.fromkeys(seen)) == ["a", "b", "c", "d", "e", "f"]


async def test_a_change_that_was_under_way_when_somebody_asked_is_told_the_next_time(
    shared: PostgresJournal, url: str
) -> None:
    await fill(shared)
    _, now = await shared.changed(0, 100)
    slow = await asyncpg.connect(url)
    transaction = slow.transaction()
    await transaction.start()
    await slow.execute("UPDATE tables SET summary = 'late', changed_at = clock() WHERE id = 'a'")
    await asyncio.sleep(0.01)
    changes, now = await shared.changed(now, 100)
    assert Change("a", "palace", b"late") not in changes
    await transaction.commit()
    await slow.close()
    changes, _ = await shared.changed(now, 100)
    assert Change("a", "palace", b"late") in changes
    assert postgres_lobby._OVERLAP >= 1000


async def test_how_many_are_open(shared: PostgresJournal) -> None:
    await fill(shared)
    assert (await shared.open_count(), await shared.open_by_game()) == (8, {"palace": 6, "coup": 2})
    await close(shared, "c", 2)
    assert (await shared.open_count(), await shared.open_by_game()) == (7, {"palace": 6, "coup": 1})


async def test_positions_of_tables_that_are_open(shared: PostgresJournal) -> None:
    await fill(shared)
    await write(shared, Settled("a", range(2, 5)))
    await close(shared, "b", 2)
    assert await shared.positions(["a", "b", "c", "none"]) == {"a": 4, "c": 1}


# What falls due.


async def test_what_is_due_is_what_nobody_attends_to(shared: PostgresJournal) -> None:
    for table, due in (("late", 50), ("later", 40), ("now", 100), ("early", 101), ("none", None), ("here", 10)):
        await open_table(shared, table, due=due)
    await shared.attendance.beat("n1", b"", False)
    await shared.attendance.attend([Attending("here", "s1", "seat", "n1", 1, 2)])
    await shared.attendance.attend([Attending("later", "s1", "seat", None, 1, 2)])
    assert await shared.due(100, 10) == ["later", "late", "now"]
    assert await shared.due(100, 2) == ["later", "late"]
    await shared.attendance.retire("n1")
    assert await shared.due(100, 1) == ["here"]


async def test_when_a_table_is_due_goes_with_its_entries_or_is_set(shared: PostgresJournal) -> None:
    await open_table(shared, "t", due=50)
    moved = Settled("t", range(2, 3))
    moved.due = 200
    await write(shared, moved)
    assert await shared.due(100, 10) == []
    await shared.set_due({"t": 60})
    assert await shared.due(100, 10) == ["t"]
    await shared.set_due({"t": None})
    assert await shared.due(100, 10) == []
    await shared.set_due({"t": 60})
    await write(shared, Settled("t", range(3, 4)))
    assert await shared.due(100, 10) == []
    await shared.set_due({"t": 60})
    await close(shared, "t", 4)
    await shared.set_due({"t": 60})
    assert await shared.due(100, 10) == []
