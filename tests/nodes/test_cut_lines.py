"""A line is cut, and nobody is told: what was sent is lost, and the connection looks as if it were there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from services.network import Host
from tests.client import Client, Json, Refusal, client
from tests.live import LiveProcess, Reply, request
from tests.nodes.apart import DATABASE, Apart, nodes_apart
from tests.nodes.crowd import seated
from tests.nodes.test_journal_away import persist

SECRET = "the given-up one"
"""The key of the move that is under way when the line is cut."""
PATIENCE = 60
"""Seconds after which what does not come true is given up: a test fails, it never hangs."""


async def until(found: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await found():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.05)


async def ask(node: LiveProcess, path: str) -> Reply:
    return await request(node.ports["http"], "GET", path, address=node.host)


async def until_ready(node: LiveProcess, status: int = 200) -> None:
    async def ready() -> bool:
        return (await ask(node, "/readyz")).status == status

    await until(ready)


async def until_bus_is(node: LiveProcess, up: int) -> None:
    async def found() -> bool:
        return f"croupier_bus_up {up}.0" in (await ask(node, "/metrics")).body.decode()

    await until(found)


async def shown(node: LiveProcess, table: str) -> Json:
    """The table, with the hash of all that it is."""
    found: Json = json.loads((await ask(node, f"/api/tables/{table}")).body)
    return {name: found[name] for name in ("seq", "hash")}


async def query(apart: Apart, sql: str) -> list[str]:
    """Behind the nodes' backs."""
    return (await asyncio.to_thread(apart.postgres.run, sql, DATABASE)).splitlines()


async def connections(apart: Apart, host: Host) -> set[str]:
    """Of a node, as PostgreSQL believes."""
    return set(await query(apart, f"SELECT pid FROM pg_stat_activity WHERE client_addr = '{host.address}'"))


async def until_gone(apart: Apart, host: Host, some: set[str]) -> None:
    async def gone() -> bool:
        return not some & await connections(apart, host)

    assert some
    await until(gone)


async def waiting(apart: Apart, host: Host) -> bool:
    """Whether an append of this node waits for somebody who holds the table."""
    known = f"FROM pg_stat_activity WHERE client_addr = '{host.address}' AND wait_event_type = 'Lock'"
    return bool(await query(apart, f"SELECT 1 {known} AND query LIKE '%append%'"))


async def moves(apart: Apart) -> list[tuple[int, str | None]]:
    """That are in the log, by seat, and with their keys."""
    log = await query(apart, "SELECT convert_from(entry, 'utf8') FROM entries ORDER BY seq")
    found = [json.loads(entry) for entry in log]
    return [(entry["seat"], entry.get("key")) for entry in found if entry["entry"] == "moved"]


async def offered(somebody: Client) -> Json:
    """A move. In Faraway everybody has some at the beginning of a round, and none of them ends it."""
    found: list[Json] = (await somebody.ask("see"))["sync"]["moves"]
    return found[0]


@asynccontextmanager
async def playing(apart: Apart) -> AsyncIterator[list[Client]]:
    """One at each node, at a table at which all may move. The first one's node is the one whose lines are cut."""
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(client(node.ws("/ws"))) for node in apart.nodes]
        host, *others = people
        await host.ask("open", game="faraway", player="P0", seats=len(people))
        for number, guest in enumerate(others, 1):
            await guest.ask("join", table=host.table, player=f"P{number}")
            await host.entry("joined")
        await host.ask("start")
        for guest in others:
            await guest.entry("started")
        yield people


async def test_cut_off_from_postgresql_moves_are_refused_and_never_get_in_and_the_others_go_on(tmp_path: Path) -> None:
    async with nodes_apart(tmp_path) as apart, playing(apart) as (ann, bob):
        (here, _), (line, _) = apart.nodes, apart.hosts
        before, move = await connections(apart, line), await offered(ann)
        line.cut(apart.postgres.port)
        with pytest.raises(Refusal) as refused:
            await ann.ask("play", move=move, key=SECRET)
        assert refused.value.code == "unavailable"
        assert (await ask(here, "/readyz")).status == 503
        assert "the database does not answer" in (await ask(here, "/readyz")).body.decode()
        await bob.entry("resumed")
        await bob.entry("absent")
        await bob.ask("play", move=await offered(bob))

        line.mend(apart.postgres.port)
        await until_ready(here)
        await bob.entry("back")
        assert (await ann.entry("moved"))["entry"]["seat"] == 1
        await until_gone(apart, line, before)
        assert await moves(apart) == [(1, None)], "nothing is left by which it might come"
        await persist(ann, "play", move=await offered(ann), key="another")
        assert await moves(apart) == [(1, None), (0, "another")]


async def test_who_is_at_a_node_without_postgresql_stays_absent_though_it_can_be_heard(tmp_path: Path) -> None:
    async with nodes_apart(tmp_path) as apart, seated(apart.nodes, "palace", seats=3) as (_, bob):
        (here, _), (line, _) = apart.nodes, apart.hosts
        line.cut(apart.postgres.port)
        await bob.entry("absent")
        await until_ready(here, 503)
        await bob.ask("see")
        assert not bob.behind, "nobody has told him that she is back"
        line.mend(apart.postgres.port)
        await bob.entry("back")


PATIENT = """
from croupier.journal import postgres_pool
postgres_pool._SETTINGS |= {"tcp_keepalives_idle": "30", "tcp_user_timeout": "0"}
"""
"""PostgreSQL believes for half a minute in a connection by which nothing comes."""


async def test_what_a_node_has_given_up_is_not_sent_by_its_kernel_when_it_is_dead(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        apart = await stack.enter_async_context(nodes_apart(tmp_path, 1, PATIENT))
        (ann,) = await stack.enter_async_context(seated(apart.nodes, "palace", auto_start=True, seats=3))
        (here,), (line,) = apart.nodes, apart.hosts
        line.cut(apart.postgres.port)
        with pytest.raises(Refusal) as refused:
            await ann.ask("ready", ready=True)
        assert refused.value.code == "unavailable"
        await here.kill()
        line.mend(apart.postgres.port)
        await until_gone(apart, line, await connections(apart, line))
        assert not await query(apart, "SELECT 1 FROM entries WHERE convert_from(entry, 'utf8') LIKE '%readied%'")


@pytest.mark.parametrize("fate", ["given up", "done"])
async def test_an_append_that_is_under_way_when_the_line_is_cut_is_in_once_or_not_at_all(
    tmp_path: Path, fate: str
) -> None:
    """PostgreSQL has it, and waits for somebody who holds the table. What it answers in the end is lost."""
    async with nodes_apart(tmp_path) as apart, playing(apart) as (ann, _):
        (here, _), (line, _) = apart.nodes, apart.hosts
        move, holder = await offered(ann), await asyncpg.connect(apart.postgres.url(DATABASE))
        holding = holder.transaction()
        await holding.start()
        await holder.execute("UPDATE tables SET due_at = due_at")
        asking = asyncio.create_task(ann.ask("play", move=move, key=SECRET))
        await until(lambda: waiting(apart, line))
        line.cut(apart.postgres.port)
        if fate == "done":
            await holding.rollback()
            await until(lambda: moves(apart))
        with pytest.raises(Refusal) as refused:
            await asking
        assert refused.value.code == "unavailable"
        line.mend(apart.postgres.port)
        await until_ready(here)
        if fate == "given up":
            await holding.rollback()
        assert await moves(apart) == ([(0, SECRET)] if fate == "done" else [])
        await persist(ann, "play", move=move, key=SECRET)
        assert await moves(apart) == [(0, SECRET)]
        await holder.close()


async def test_cut_off_from_redis_everything_is_heard_all_the_same(tmp_path: Path) -> None:
    """Nobody would look into the journal for an hour, if nobody knew that a node is off the bus."""
    rarely = "from croupier.tables import cluster; cluster.LOOK_EVERY = 3600"
    async with nodes_apart(tmp_path, 3, rarely) as apart, playing(apart) as people:
        line, here = apart.hosts[0], apart.nodes[0]
        for up in (0, 1):
            line.mend(apart.redis.port) if up else line.cut(apart.redis.port)
            await until_bus_is(here, up)
            for number, person in enumerate(people):
                if up:
                    await person.ask("say", text="all is well")
                else:
                    await person.ask("play", move=await offered(person))
                for other in people:
                    fact = await other.entry("said" if up else "moved")
                    assert fact["entry"]["seat"] == number
        for node in apart.nodes[1:]:
            await until_bus_is(node, 1)


async def test_cut_off_from_both_it_is_told_everything_afterwards(tmp_path: Path) -> None:
    async with nodes_apart(tmp_path) as apart, playing(apart) as (ann, bob):
        line, here = apart.hosts[0], apart.nodes[0]
        services, move = (apart.postgres.port, apart.redis.port), await offered(ann)
        line.cut(*services)
        with pytest.raises(Refusal) as refused:
            await ann.ask("play", move=move)
        assert refused.value.code == "unavailable"
        await bob.entry("absent")
        await bob.ask("play", move=await offered(bob))
        line.mend(*services)
        assert (await ann.entry("moved"))["entry"]["seat"] == 1
        await bob.entry("back")
        await until_ready(here)
        await persist(ann, "play", move=await offered(ann))
        assert (await bob.entry("moved"))["entry"]["seat"] == 0
        assert await moves(apart) == [(1, None), (0, None)]


async def test_cut_off_from_everybody_its_people_play_on_elsewhere(tmp_path: Path) -> None:
    async with nodes_apart(tmp_path) as apart, playing(apart) as (ann, bob):
        (here, there), (line, _) = apart.nodes, apart.hosts
        line.cut_off()
        await bob.entry("absent")
        async with client(there.ws("/ws")) as again:
            await again.ask("return", table=ann.table, token=ann.token)
            await bob.entry("back")
            await again.ask("play", move=await offered(again))
            await bob.ask("play", move=await offered(bob))
            line.reconnect()
            await until_ready(here)

            async def the_same() -> bool:
                return await shown(here, ann.table) == await shown(there, ann.table)

            await until(the_same)
            await again.ask("say", text="it's me")  # and her old connection is nobody's any more
            assert (await bob.entry("said"))["entry"]["seat"] == 0
        assert await moves(apart) == [(0, None), (1, None)]


async def test_postgresql_lets_go_of_a_node_that_has_vanished_without_a_word(tmp_path: Path) -> None:
    async with nodes_apart(tmp_path) as apart, playing(apart) as (_, bob):
        (here, _), (line, _) = apart.nodes, apart.hosts
        line.cut_off()
        await here.kill()
        await until_gone(apart, line, await connections(apart, line))
        await bob.entry("absent")
        await bob.ask("play", move=await offered(bob))
