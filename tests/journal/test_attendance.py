"""Which nodes are alive, and who is at which of them."""

from __future__ import annotations

import asyncio

import asyncpg

from croupier.journal import Attending
from croupier.journal.postgres import PostgresJournal
from tests.journal.settled import Settled


async def open_tables(journal: PostgresJournal, *tables: str) -> None:
    for table in tables:
        append = Settled(table, range(1, 2), opens="palace")
        journal.append(append)
        assert await append.outcome is None


async def forget(url: str, node: str) -> None:
    """As if it had been silent for too long."""
    database = await asyncpg.connect(url)
    await database.execute("UPDATE nodes SET beat_at = clock_timestamp() - interval '3001 ms' WHERE name = $1", node)
    await database.close()


async def test_nodes_are_alive_as_long_as_they_say_so(
    shared: PostgresJournal, other: PostgresJournal, url: str
) -> None:
    one, two = shared.attendance, other.attendance
    assert await one.beat("n1", b"first", False) == {"n1": (b"first", False)}
    assert await two.beat("n2", b"second", False) == {"n1": (b"first", False), "n2": (b"second", False)}
    assert await one.beat("n1", b"changed", False) == {"n1": (b"changed", False), "n2": (b"second", False)}
    await forget(url, "n2")
    assert await one.beat("n1", b"changed", False) == {"n1": (b"changed", False)}
    assert await two.beat("n2", b"back", False) == {"n1": (b"changed", False), "n2": (b"back", False)}
    await one.retire("n1")
    assert await two.beat("n2", b"back", False) == {"n2": (b"back", False)}


async def test_who_is_where_is_what_was_said_last(shared: PostgresJournal, other: PostgresJournal) -> None:
    await open_tables(shared, "t", "u")
    here, there = Attending("t", "s1", "seat", "n1", 10, 0), Attending("t", "s2", "seat", "n1", 10, 0)
    watching = Attending("t", "s1", "watch", "n1", 10, 0)
    await shared.attendance.attend([there, watching, here])
    assert await other.attendance.attending(["t", "u", "none"]) == [here, watching, there]
    moved, gone = here._replace(node="n2", since=20), there._replace(node=None, since=20, until=80)
    await other.attendance.attend([moved, gone])
    await shared.attendance.attend([here._replace(since=19, node="n3"), Attending("u", "s1", "seat", "n1", 5, 0)])
    assert await shared.attendance.attending(["t"]) == [moved, watching, gone]
    await shared.attendance.attend([moved._replace(since=30), moved._replace(since=31, node="n4"), moved])
    assert (await shared.attendance.attending(["t"]))[0] == moved._replace(since=31, node="n4")
    await shared.attendance.attend([])


async def test_nobody_is_at_a_table_that_is_closed(shared: PostgresJournal) -> None:
    await open_tables(shared, "t", "u")
    await shared.attendance.beat("n1", b"", False)
    rows = [Attending(table, "s1", "seat", "n1", 10, 0) for table in ("t", "u", "none")]
    await shared.attendance.attend(rows)
    last = Settled("t", range(2, 3), closes=True)
    shared.append(last)
    assert await last.outcome is None
    await shared.attendance.attend(rows)
    assert await shared.attendance.attending(["t", "u", "none"]) == [rows[1]]
    await shared.attendance.retire("n1")
    assert await shared.attendance.orphans(10) == ["u"]


async def test_tables_of_nodes_that_are_not_alive_are_orphans(shared: PostgresJournal, url: str) -> None:
    await open_tables(shared, "a", "b", "c", "d")
    attendance = shared.attendance
    for node in ("n1", "n2"):
        await attendance.beat(node, b"", False)
    await attendance.attend(
        [
            Attending("a", "s1", "seat", "n1", 1, 0),
            Attending("b", "s1", "seat", "n2", 1, 0),
            Attending("c", "s1", "seat", "n1", 1, 0),
            Attending("c", "s2", "seat", "n2", 1, 0),
            Attending("c", "s3", "seat", "n2", 1, 0),
            Attending("d", "s1", "seat", None, 1, 0),
        ]
    )
    assert await attendance.orphans(10) == []
    await forget(url, "n2")
    assert sorted(await attendance.orphans(10)) == ["b", "c"]
    assert len(await attendance.orphans(1)) == 1
    await attendance.attend([Attending("b", "s1", "seat", None, 2, 9), Attending("c", "s2", "seat", "n1", 2, 9)])
    assert await attendance.orphans(10) == ["c"]
    await attendance.attend([Attending("c", "s3", "seat", None, 2, 9)])
    assert await attendance.orphans(10) == []


async def test_nodes_that_say_at_once_who_is_where_do_not_block_each_other(
    shared: PostgresJournal, other: PostgresJournal
) -> None:
    tables = [f"t{n}" for n in range(30)]
    await open_tables(shared, *tables)
    for since in range(20):
        rows = [Attending(table, "s1", "seat", "n1", since, 0) for table in tables]
        await asyncio.gather(shared.attendance.attend(rows), other.attendance.attend(rows[::-1]))
    assert {row.since for row in await shared.attendance.attending(tables)} == {19}
