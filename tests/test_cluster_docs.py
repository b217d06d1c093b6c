"""What docs/cluster.md lets an operator do in PostgreSQL and Redis."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

from croupier.bus.redis import RedisBus
from croupier.journal.postgres import PostgresJournal
from services.postgres import Postgres
from services.redis import Redis
from tests import services
from tests.client import client
from tests.live import LiveHere, server
from tests.test_docs import croupier

PAGE = (Path(__file__).parents[1] / "docs" / "cluster.md").read_text()


def block(word: str) -> str:
    """The statements of the page in which the word occurs."""
    (found,) = [block for block in re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL) if word in block]
    return str(found)


def postgres() -> Postgres:
    return Postgres(services.shared("postgres"))


def run(sql: str, url: str) -> str:
    return postgres().run(sql, url.rpartition("/")[2])


async def open_table(live: LiveHere, name: str, *, leave: bool = False) -> str:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", name=name)
        await ann.ask("add_bots", count=1)
        if leave:
            await ann.ask("leave")
    return ann.table


async def test_a_role_with_no_right_but_its_own_database() -> None:
    name = f"house_{os.getpid()}"  # roles are the whole server's, and it has one of that name
    for statement in block("CREATE ROLE").replace("croupier", name).splitlines():
        postgres().run(statement)
    _, _, where = services.database().rpartition("@")
    journal = await PostgresJournal.open(f"postgresql://{name}:a%20long%20one@{where.partition('/')[0]}/{name}")
    await journal.close()


async def test_a_user_of_redis_with_no_right_but_what_the_page_names() -> None:
    redis, name = Redis(services.shared("redis")), f"house_{os.getpid()}"
    (rights,) = re.findall(r"`(&\* \+publish [^`]+)`", PAGE)
    assert redis.run(f"ACL SETUSER {name} reset on >secret {rights}") == "+OK"
    url = redis.url.replace("//", f"//{name}:secret@")
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    one, two = [await RedisBus.open(url, node, lambda: None, name) for node in ("one", "two")]
    assert one.fault is two.fault is None
    subscribed = asyncio.Event()
    one.subscribe("table", heard.put_nowait, subscribed.set)
    await subscribed.wait()
    two.publish("table", b"a move")
    assert await heard.get() == b"a move"
    one.unsubscribe("table")
    await one.close()
    await two.close()
    assert redis.run(f"ACL DELUSER {name}") == ":1"


async def test_a_journal_in_partitions_goes_on(tmp_path: Path) -> None:
    url = services.database()
    async with server(tmp_path, journal=url) as live:
        table = await open_table(live, "before")
    written = run("SELECT count(*) FROM entries", url)
    run(block("PARTITION BY HASH"), url)
    assert run("SELECT count(*) FROM entries", url) == written != "0"
    async with server(tmp_path, journal=url) as live, client(live.ws("/ws")) as bob:
        await bob.ask("join", table=table, player="Bob")
        assert bob.table == table
        for number in range(8):
            await open_table(live, f"after {number}")
    parts = run("SELECT count(DISTINCT tableoid) FROM entries", url)
    assert int(parts) > 1
    assert croupier(["check", "--journal", url], tmp_path).returncode == 0


async def test_what_was_archived_is_in_the_copy_and_nowhere_else(tmp_path: Path) -> None:
    url = services.database()
    async with server(tmp_path, journal=url) as live:
        old = await open_table(live, "old", leave=True)
        recent = await open_table(live, "recent", leave=True)
        still_open = await open_table(live, "open")
    assert run("SELECT count(*) FROM tables WHERE closed_at IS NOT NULL", url) == "2"
    run(f"UPDATE tables SET closed_at = 1 WHERE id = '{old}'", url)
    assert croupier(["backup", "copy.sqlite", "--journal", url], tmp_path).returncode == 0
    run(block("DELETE FROM tables"), url)
    for kept in ("tables", "entries", "checks", "public"):
        column = "id" if kept == "tables" else "table_id"
        assert run(f"SELECT count(*) FROM {kept} WHERE {column} = '{old}'", url) == "0"
    listed = croupier(["table", "list", "--journal", url], tmp_path).stdout
    assert [table in listed for table in (old, recent, still_open)] == [False, True, True]
    assert croupier(["check", "--journal", url], tmp_path).returncode == 0
    told = croupier(["table", "show", old, "--journal", "copy.sqlite"], tmp_path)
    assert "Ann" in told.stdout
