"""The database's replica takes its place, by an address that names both."""

from __future__ import annotations

import asyncio
import shutil

from croupier.journal.postgres import PostgresJournal
from services.postgres import Postgres
from tests.journal.settled import read
from tests.journal.test_postgres import play, reached
from tests.services import folder, own_postgres

TABLES = 8
PATIENCE = 120
"""Seconds after which it is given up: a test fails, it never hangs."""


async def test_when_the_replica_takes_over_nothing_is_lost_or_doubled() -> None:
    where = folder("replica")
    try:
        with own_postgres() as primary:
            primary.create("house")
            with Postgres(where, fsync=False, replica_of=primary) as replica:
                # What is acknowledged is at both.
                primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
                primary.run("SELECT pg_reload_conf()")
                access, _, rest = primary.url("house").rpartition(f":{primary.port}/")
                both = f"{access}:{primary.port},127.0.0.1:{replica.port}/{rest}?target_session_attrs=read-write"
                journal = await PostgresJournal.open(both)
                enough = asyncio.Event()
                playing = [asyncio.create_task(play(journal, f"t{n}", enough)) for n in range(TABLES)]
                while await reached(journal) < TABLES * 50:  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.01)
                await asyncio.to_thread(primary.stop, True)
                await asyncio.to_thread(replica.run, "SELECT pg_promote()")
                async with asyncio.timeout(PATIENCE):
                    before = await reached(journal)
                    while await reached(journal) < before + TABLES * 50:  # noqa: ASYNC110 - nobody tells
                        await asyncio.sleep(0.01)
                    enough.set()
                    played = await asyncio.gather(*playing)
                for n, moves in enumerate(played):
                    assert [record.entry for record in await read(journal, f"t{n}")] == moves
                    assert len(moves) == len(set(moves))
                await journal.close()
    finally:
        shutil.rmtree(where)
