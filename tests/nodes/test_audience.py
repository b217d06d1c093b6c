"""Where no other node has a table in memory, nobody is told what is written there; and from then on, everything."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from croupier.bus.local import Hub
from tests.client import Refusal, client
from tests.nodes.crowd import agree, seated
from tests.nodes.several import cluster, nodes
from tests.nodes.test_whereabouts import comes_true


@pytest.fixture(autouse=True)
def nobody_looks_into_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not heard is not known."""
    monkeypatch.setattr("croupier.tables.cluster.LOOK_EVERY", 1000.0)
    monkeypatch.setattr("croupier.tables.cluster.KEPT_FOR", 1_000_000)


async def test_what_is_written_where_nobody_listens_is_told_to_nobody(tmp_path: Path) -> None:
    hub = Hub()
    async with nodes(tmp_path, 2, hub) as (one, _), client(one.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", auto_start=True, listed=False, seats=4)
        counts = cluster(one).bus.counts
        await comes_true(lambda: counts.published == 1)  # that she is there
        for ready in (True, False) * 5:
            await ann.ask("ready", ready=ready)
        assert counts.published == 1


async def test_a_node_that_has_read_a_table_and_has_nobody_there_hears_of_everything(tmp_path: Path) -> None:
    async with nodes(tmp_path, 3) as (one, two, three), client(one.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", auto_start=True, seats=4)
        for node in (two, three):
            await node.house.fetch([ann.table])
        for ready in (True, False, True):
            await ann.ask("ready", ready=ready)
        written = one.house.rooms[ann.table].table
        for node in (two, three):
            await comes_true(lambda node=node: node.house.rooms[ann.table].table.seq == written.seq)  # type: ignore[misc]
        async with client(two.ws("/ws")) as bob:
            await bob.ask("join", table=ann.table, player="Bob")
            await bob.ask("ready", ready=True)
            await ann.entry("joined")
            await comes_true(lambda: three.house.rooms[ann.table].table.seq == written.seq)


async def test_who_loses_every_race_and_is_answered_each_time_is_never_told_that_the_table_is_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.tables.shared_room.MOST_RACES", 1)
    async with (
        nodes(tmp_path, 3, message_rate=0) as running,
        seated(running[:1], "palace", seats=2) as (ann,),
        client(running[1].ws("/ws")) as bob,
        client(running[2].ws("/ws")) as eve,
    ):
        for _ in range(20):
            asked = (person.ask("join", table=ann.table, player=str(id(person))) for person in (bob, eve))
            answers = await asyncio.gather(*asked, return_exceptions=True)
            late = [answer for answer in answers if isinstance(answer, Refusal)]
            assert [refusal.code for refusal in late] == ["full"]
            winner = bob if isinstance(answers[1], Refusal) else eve
            await winner.ask("leave")
        await agree([ann])
