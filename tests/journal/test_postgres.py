"""The journal in PostgreSQL: races between nodes, a database that goes away, and how it begins."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import asyncpg
import pytest

from croupier.journal import Conflict, JournalDown, postgres_pool, postgres_schema
from croupier.journal.postgres import PostgresJournal
from croupier.journal.postgres_schema import MIGRATIONS, migrate
from tests.journal.proxy import Fate, proxy
from tests.journal.settled import Settled, read
from tests.services import own_postgres


async def settle(journal: PostgresJournal, *appends: Settled) -> list[Exception | None]:
    for append in appends:
        journal.append(append)
    return [await append.outcome for append in appends]


# Races.


async def waiting(observer: Any, count: int) -> None:
    """Until that many wait for somebody."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    while await observer.fetchval(query) < count:
        await observer.execute("SELECT pg_stat_clear_snapshot(), pg_sleep(0.01)")


async def deadlocks(journal: PostgresJournal) -> int:
    """Waits for each other that PostgreSQL has had to end; so far, and in this database."""
    query = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    return int((await journal._pool.fetch(query))[0][0])


async def test_of_two_who_race_for_a_number_one_wins(shared: PostgresJournal, other: PostgresJournal) -> None:
    await settle(shared, Settled("t", range(1, 2), opens="palace"))
    wins = [0, 0]
    for seq in range(2, 302):
        racers = [Settled("t", range(seq, seq + 1)), Settled("t", range(seq, seq + 1))]
        for journal, append, who in zip((shared, other), racers, (b"one", b"two"), strict=True):
            append.records = [append.records[0]._replace(entry=who)]
            journal.append(append)
        outcomes = [await append.outcome for append in racers]
        (winner,) = [n for n, outcome in enumerate(outcomes) if outcome is None]
        assert type(outcomes[1 - winner]) is Conflict
        wins[winner] += 1
        assert (await read(shared, "t"))[-1].entry == (b"one", b"two")[winner]
    assert sum(wins) == 300
    assert [record.seq for record in await read(other, "t")] == list(range(1, 302))


async def test_groups_of_two_nodes_that_meet_at_the_same_tables_do_not_block_each_other(
    shared: PostgresJournal, other: PostgresJournal
) -> None:
    """And one lost race spoils nothing but itself."""
    tables = [f"t{n}" for n in range(40)]
    assert set(await settle(shared, *(Settled(id, range(1, 2), opens="palace") for id in tables))) == {None}
    for seq in range(2, 42):
        mine = {id: Settled(id, range(seq, seq + 1)) for id in tables}
        theirs = {id: Settled(id, range(seq, seq + 1)) for id in reversed(tables)}
        for journal, appends in ((shared, mine), (other, theirs)):
            for append in appends.values():
                journal.append(append)
        for id in tables:
            outcomes = {type(await mine[id].outcome), type(await theirs[id].outcome)}
            assert outcomes == {type(None), Conflict}
    assert (shared.fault, other.fault) == (None, None)
    assert await shared.positions(tables) == dict.fromkeys(tables, 41)


async def test_groups_that_have_to_wait_for_a_table_do_not_wait_for_each_other(
    shared: PostgresJournal, other: PostgresJournal, url: str
) -> None:
    """Whatever the order in which they were given."""
    tables = ["a", "b", "c"]
    await settle(shared, *(Settled(id, range(1, 2), opens="palace") for id in tables))
    somebody = await asyncpg.connect(url)
    transaction = somebody.transaction()
    await transaction.start()
    await somebody.execute("UPDATE tables SET due_at = 1 WHERE id = 'b'")
    mine, theirs = ([Settled(id, range(2, 3)) for id in order] for order in (tables, tables[::-1]))
    for journal, appends in ((shared, mine), (other, theirs)):
        for append in appends:
            journal.append(append)
    await waiting(somebody, 2)
    await transaction.commit()
    await somebody.close()
    outcomes = [[type(await append.outcome) for append in appends] for appends in (mine, theirs)]
    assert sorted(outcomes, key=str) == [[type(None)] * 3, [Conflict] * 3]
    assert await deadlocks(shared) == 0


# A connection that is cut.


@pytest.mark.parametrize("fate", ["cut request", "cut reply", "swallow"])
async def test_a_connection_that_is_cut_in_the_middle_of_a_commit(
    url: str, fate: Fate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What got in is a success, and what did not is written: nobody hears of it, and nothing is there twice."""
    monkeypatch.setattr(postgres_pool, "ANSWERS_WITHIN", 1.0)
    told: list[str | None] = []
    async with proxy(url) as between:
        journal = await PostgresJournal.open(between.url, news=told.append)
        assert await settle(journal, Settled("t", range(1, 3), opens="palace")) == [None]
        between.fate = fate
        conflict = Settled("t", range(2, 3))
        conflict.records = [conflict.records[0]._replace(entry=b"another")]
        some = [Settled("t", range(3, 5)), Settled("u", range(1, 2), opens="palace")]
        outcomes = await settle(journal, *some, conflict)
        assert between.met.is_set()
        assert outcomes[:2] == [None, None]
        assert isinstance(outcomes[2], Conflict)
        assert await settle(journal, Settled("t", range(5, 6))) == [None]
        assert [record.seq for record in await read(journal, "t")] == [1, 2, 3, 4, 5]
        assert [record.seq for record in await read(journal, "u")] == [1]
        assert (told, journal.fault) == ([], None)
        await journal.close()


async def test_what_nobody_hears_of_any_more_can_not_get_in_later(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody holds the table; the node loses patience with its connection, looks, and finds nothing. When the
    table is free again, what it has asked for by that connection does not happen."""
    monkeypatch.setattr(postgres_pool, "ANSWERS_WITHIN", 1.0)
    journal = await PostgresJournal.open(url)
    assert await settle(journal, Settled("t", range(1, 2), opens="palace")) == [None]
    holder = await asyncpg.connect(url)
    async with holder.transaction():
        await holder.execute("UPDATE tables SET due_at = 1 WHERE id = 't'")
        (outcome,) = await settle(journal, Settled("t", range(2, 3)))
        assert isinstance(outcome, JournalDown)
        assert journal.fault == str(outcome) == "the journal can't be written: the database does not answer"
    await holder.close()
    assert [record.seq for record in await read(journal, "t")] == [1]
    assert await settle(journal, Settled("t", range(2, 3))) == [None]
    assert journal.fault is None
    await journal.close()


async def test_a_network_that_is_cut_is_no_reason_to_wait_for_ever(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is refused there, and nothing answered: whoever asks is told after a while, and it goes on by itself."""
    monkeypatch.setattr(postgres_pool, "ANSWERS_WITHIN", 0.5)
    monkeypatch.setattr(postgres_pool, "CONNECTS_WITHIN", 0.5)
    monkeypatch.setattr("croupier.journal.postgres._WAITS_FOR", 0.5)
    told: asyncio.Queue[str | None] = asyncio.Queue()
    async with proxy(url) as between:
        journal = await PostgresJournal.open(between.url, news=told.put_nowait)
        assert await settle(journal, Settled("t", range(1, 2), opens="palace")) == [None]
        await asyncio.gather(*(journal.positions(["t"]) for _ in range(8)))
        between.fate = "dead"
        append = Settled("t", range(2, 3))
        journal.append(append)
        asked = await asyncio.gather(*(journal.positions(["t"]) for _ in range(20)), return_exceptions=True)
        assert {str(answer) for answer in asked} == {"the journal can't be read: the database does not answer"}
        assert isinstance(await append.outcome, JournalDown)
        assert await told.get() == "the journal can't be written: the database does not answer"
        between.fate = "pass"
        assert await told.get() is None
        assert await journal.positions(["t"]) == {"t": 1}
        assert await settle(journal, Settled("t", range(2, 3))) == [None]
        await journal.close()


# A database that is stopped or killed.


async def play(journal: PostgresJournal, table: str, enough: asyncio.Event) -> list[bytes]:
    """Make moves one after the other, each until it is in. Returns what was acknowledged."""
    acknowledged = []
    seq, opens = 1, "palace"
    while not enough.is_set():
        entry = f"{table} {seq}".encode()
        while True:
            append = Settled(table, range(seq, seq + 1), opens=opens if seq == 1 else None)
            append.records = [append.records[0]._replace(entry=entry)]
            journal.append(append)
            outcome = await append.outcome
            if outcome is None:
                break
            assert isinstance(outcome, JournalDown | Conflict)
            found = await until_read(journal, table)
            if found and found[-1] == entry:
                break  # nobody could tell, but it got in
            assert len(found) == seq - 1
        acknowledged.append(entry)
        seq += 1
    return acknowledged


async def until_read(journal: PostgresJournal, table: str) -> list[bytes]:
    while True:
        try:
            return [record.entry for record in await read(journal, table)]
        except JournalDown:
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("hard", [False, True])
async def test_a_database_that_is_restarted_under_load_loses_and_doubles_nothing(hard: bool) -> None:
    with own_postgres() as postgres:
        journal = await PostgresJournal.open(postgres.create("house"))
        enough = asyncio.Event()
        playing = [asyncio.create_task(play(journal, f"t{n}", enough)) for n in range(8)]
        for _ in range(3):
            before = await reached(journal)
            while await reached(journal) < before + 100:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
            await asyncio.to_thread(postgres.stop, hard)
            await asyncio.to_thread(postgres.start)
        enough.set()
        acknowledged = await asyncio.gather(*playing)
        for n, moves in enumerate(acknowledged):
            assert [record.entry for record in await read(journal, f"t{n}")] == moves
            assert len(moves) == len(set(moves)) > 0
        assert journal.fault is None
        await journal.close()


async def reached(journal: PostgresJournal) -> int:
    while True:
        try:
            return sum((await journal.positions([f"t{n}" for n in range(8)])).values())
        except JournalDown:
            await asyncio.sleep(0.1)


async def test_a_database_that_is_away_is_told_and_so_is_its_return(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if nobody tries to move in the meantime."""
    monkeypatch.setattr("croupier.journal.postgres._WAITS_FOR", 0.2)
    told: asyncio.Queue[str | None] = asyncio.Queue()
    with own_postgres() as postgres:
        journal = await PostgresJournal.open(postgres.create("house"), news=told.put_nowait)
        await settle(journal, Settled("t", range(1, 2), opens="palace"))
        for tries in (False, True):
            await asyncio.to_thread(postgres.stop)
            if tries:
                (outcome,) = await settle(journal, Settled("t", range(2, 3)))
                assert isinstance(outcome, JournalDown)
            fault = await told.get()
            assert fault is not None
            assert fault.startswith("the journal can't be written: ")
            assert journal.fault is not None
            with pytest.raises(JournalDown, match="the journal can't be read: "):
                await journal.tables(live=True)
            await asyncio.to_thread(postgres.start)
            while (news := await told.get()) is not None:
                assert news.startswith("the journal can't be written: ")
            assert journal.fault is None
        assert await settle(journal, Settled("t", range(2, 3))) == [None]
        await journal.close()


async def test_a_damaged_page_keeps_nobody_from_reading_other_logs() -> None:
    with own_postgres() as postgres:
        url = postgres.create("house")
        journal = await PostgresJournal.open(url)
        for table in ("a", "b", "c"):  # some pages each
            assert await settle(journal, Settled(table, range(1, 1001), opens="palace")) == [None]
        await journal.close()
        (place,) = postgres.run("SELECT ctid FROM entries WHERE table_id = 'b' AND seq = 500", "house").split("\n")
        file = postgres.folder / "data" / postgres.run("SELECT pg_relation_filepath('entries')", "house")
        postgres.stop()
        with file.open("r+b") as pages:
            pages.seek(8192 * int(place[1:].partition(",")[0]))
            pages.write(b"\xff" * 8192)
        postgres.start()
        journal = await PostgresJournal.open(url)
        pieces = [piece async for piece in journal.logs({"a": 0, "b": 0, "c": 0})]
        (error,) = [piece.error for piece in pieces if piece.error is not None]
        assert "invalid page" in str(error)
        assert {piece.table for piece in pieces if piece.error is not None} == {"b"}
        assert sum(len(piece.records) for piece in pieces if piece.table != "b") == 2000
        await journal.close()


async def test_a_database_that_may_only_be_read_is_no_journal(shared: PostgresJournal, url: str) -> None:
    """As a standby is, before it takes over."""
    admin = await asyncpg.connect(url)
    name = await admin.fetchval("SELECT current_database()")
    await settle(shared, Settled("t", range(1, 2), opens="palace"))
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()"
    await admin.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    await admin.execute(end, name)
    (outcome,) = await settle(shared, Settled("t", range(2, 3)))
    assert isinstance(outcome, JournalDown)
    assert "read-only" in str(outcome)
    await admin.execute("SET default_transaction_read_only = off")
    await admin.execute(f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
    while shared.fault is not None:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.05)
    assert await settle(shared, Settled("t", range(2, 3))) == [None]
    await admin.close()


# How it begins.


async def test_nodes_that_start_at_once_make_one_journal(url: str) -> None:
    journals = await asyncio.gather(*(PostgresJournal.open(url) for _ in range(6)))
    secrets = {await journal.secret() for journal in journals}
    assert len(secrets) == 1
    assert await journals[0]._pool.fetch("SELECT version FROM schema") == [(len(MIGRATIONS),)]
    for journal in journals:
        await journal.close()


async def test_an_older_schema_is_brought_up_to_date_by_one_of_them(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await PostgresJournal.open(url)
    await settle(first, Settled("t", range(1, 3), opens="palace"))
    monkeypatch.setattr(postgres_schema, "MIGRATIONS", (*MIGRATIONS, "CREATE TABLE novelty (x integer)"))
    later = await asyncio.gather(*(PostgresJournal.open(url) for _ in range(6)))
    assert await later[0]._pool.fetch("SELECT count(*) FROM novelty") == [(0,)]
    assert await settle(first, Settled("t", range(3, 4))) == [None], "and who was there before goes on"
    assert len(await read(later[0], "t")) == 3
    monkeypatch.undo()
    with pytest.raises(JournalDown, match="newer Croupier"):
        await PostgresJournal.open(url)
    for journal in (first, *later):
        await journal.close()


async def test_a_node_that_vanishes_while_it_changes_the_schema_keeps_nobody_from_it(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds the lock, and its connection is as if it were there."""
    monkeypatch.setattr(postgres_schema, "MIGRATIONS", (*MIGRATIONS, "SELECT pg_sleep(0.5)"))
    async with proxy(url) as between:
        vanishing = await asyncpg.connect(between.url)
        changing = asyncio.create_task(migrate(vanishing))
        observer = await asyncpg.connect(url)
        while not await observer.fetchval("SELECT 1 FROM pg_stat_activity WHERE query = $1", "SELECT pg_sleep(0.5)"):
            await observer.execute("SELECT pg_stat_clear_snapshot(), pg_sleep(0.01)")
        between.fate = "dead"
        journal = None
        async with asyncio.timeout(60):
            while journal is None:
                with suppress(JournalDown):
                    journal = await PostgresJournal.open(url)
        await journal.close()
        await observer.close()
        changing.cancel()
        vanishing.terminate()


async def test_a_database_of_somebody_else_s_is_not_written(url: str) -> None:
    somebody = await asyncpg.connect(url)
    await somebody.execute("CREATE TABLE songs (title text)")
    with pytest.raises(JournalDown, match="some other database"):
        await PostgresJournal.open(url)
    assert await somebody.fetchval("SELECT count(*) FROM pg_class WHERE relname = 'entries'") == 0
    await somebody.close()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("127.0.0.1", "127.0.0.1:1"), "can't be opened: "),
        (("/test_", "/no_"), "can't be opened: database .* does not exist"),
        (("croupier:", "croupier:x"), "can't be opened: password authentication failed"),
    ],
)
async def test_a_journal_that_can_not_be_opened_says_why_and_no_secret(
    url: str, change: tuple[str, str], sentence: str
) -> None:
    wrong = url.replace(*change)
    if change[0] == "127.0.0.1":
        wrong = wrong.replace(":1:", ":1/ignored?port=")
    with pytest.raises(JournalDown, match=sentence) as refused:
        await PostgresJournal.open(wrong)
    password = url.partition("croupier:")[2].partition("@")[0]
    assert password not in str(refused.value)
