"""Two nodes want to write the same entry of a table's log: one is first, and the other decides again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from croupier.games import catalogue
from croupier.journal import Append
from croupier.tables import attended_room
from croupier.tables.wall_clock import Time
from tests.client import Json, client
from tests.games.fortress import wire as fortress
from tests.nodes.crowd import agree, facts, play_on, seated
from tests.nodes.several import cluster, nodes

RACES = 1000
FAST: dict[str, Json] = {
    "cambia": {"pre_game_sec": 0, "snap_give_sec": 1},
    "coup": {"min_wait_ms": 0, "response_timeout_ms": 1000},
}


async def test_in_a_thousand_races_everybody_gets_what_they_ask_for_and_hears_the_same(tmp_path: Path) -> None:
    async with (
        nodes(tmp_path, 3, message_rate=0) as running,
        seated(running, "palace", seats=4, auto_start=True) as people,
    ):
        ann, bob, eve = people
        for number in range(RACES // 2):
            ready = number % 2 == 0
            # Eve is never ready: she only reads what she is told.
            await asyncio.gather(ann.ask("ready", ready=ready), bob.ask("ready", ready=ready), eve.ask("see"))
        assert sum(cluster(node).lost_races for node in running) > RACES / 10
        await agree(people)
        assert len(facts(ann)) >= RACES
        first, *others = [(await somebody.ask("see"))["sync"]["table"] for somebody in people]
        assert all(other == first for other in others)


@pytest.mark.parametrize("game", list(catalogue().games))
async def test_whoever_plays_at_whichever_node_all_hear_the_same_game(tmp_path: Path, game: str) -> None:
    seats = catalogue().games[game].seats
    options = FAST.get(game, {})
    async with (
        nodes(tmp_path, 3, message_rate=0, bot_delay=0) as running,
        seated(running[: seats[-1]], game, options=options) as people,
    ):
        await people[0].ask("start")
        async with asyncio.timeout(60):
            await asyncio.gather(*(play_on(person, Random(n)) for n, person in enumerate(people)))
        assert await agree(people) > 20


async def test_a_clock_that_runs_out_at_all_nodes_at_once_does_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attended_room, "HEAD_START", 0.0)
    async with (
        nodes(tmp_path, 3, time=Time(5.0)) as running,
        seated(running, "palace", options={"turn_timer": 5}) as people,
    ):
        await people[0].ask("start")
        for person in people:
            for _ in people:
                await person.entry("stood_in")
        assert sum(cluster(node).lost_races for node in running) > 0
        await agree(people)
        late = [fact["entry"]["seat"] for fact in facts(people[0]) if fact["entry"]["entry"] == "stood_in"]
        assert sorted(late) == [0, 1, 2]


async def test_what_is_said_at_another_node_is_heard_whatever_is_on_its_way_here(tmp_path: Path) -> None:
    async with nodes(tmp_path) as running, seated(running, "palace", seats=4, auto_start=True) as (ann, bob):
        lines = [str(number) for number in range(10)]
        for number, line in enumerate(lines):
            await asyncio.gather(ann.ask("ready", ready=number % 2 == 0), bob.ask("say", text=line))
        assert [(await ann.entry("said"))["entry"]["text"] for _ in lines] == lines


async def test_who_goes_to_another_table_in_the_middle_of_a_race_is_there(tmp_path: Path) -> None:
    async with (
        nodes(tmp_path) as running,
        seated([*running, *running], "palace", seats=5, auto_start=True) as people,
        client(running[0].ws("/ws")) as host,
        client(running[0].ws("/ws")) as eve,
    ):
        await host.ask("open", game="palace", player="Host")

        async def race(times: int) -> None:
            for number in range(times):
                await asyncio.gather(*(person.ask("ready", ready=number % 2 == 0) for person in people[:3]))

        async def wander() -> None:
            for _ in range(30):
                for table in (people[0].table, host.table):
                    await eve.ask("watch", table=table)

        await asyncio.gather(race(60), wander())
        assert sum(cluster(node).lost_races for node in running) > 0
        eve.told.clear()
        await race(10)
        assert await eve.silent()
        assert (await eve.ask("see"))["sync"]["table"]["id"] == host.table
        await host.ask("say", text="hello")
        assert (await eve.entry("said"))["entry"]["text"] == "hello"
        await agree(people)


async def test_whoever_sits_down_is_not_shown_what_follows_from_it_before_that_is_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client of Fortress' own protocol begins the game as soon as there are two."""
    async with nodes(tmp_path, 1, listen=("fortress=127.0.0.1:0",)) as (node,), client(node.ws("/ws")) as bob:
        alice = fortress.Client(*await asyncio.open_connection("127.0.0.1", node.ports["fortress"]))
        await alice.joins()
        journal, appended, held = node.house.journal, list[Append](), list[Append]()
        append = journal.append

        def hold_back(batch: Append) -> None:
            """All but the first."""
            (held if appended else appended).append(batch)
            if not held:
                append(batch)

        monkeypatch.setattr(journal, "append", hold_back)
        (table,) = node.house.rooms
        shown = (await bob.ask("join", table=table, player="Bob"))["sync"]
        assert held
        assert (shown["seq"], shown["table"]["phase"]) == (appended[0].records[-1].seq, "waiting")
        monkeypatch.setattr(journal, "append", append)
        append(held[0])
        assert (await bob.entry("started"))["seq"] == shown["seq"] + 1
        alice.writer.close()
