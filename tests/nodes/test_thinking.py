"""A bot that looks ahead, at a table that several nodes have in memory: it thinks once."""

from __future__ import annotations

import asyncio
from pathlib import Path

from croupier.net.thinking import ThinkingPool
from tests.client import PATIENCE, client
from tests.clock import ManualTime
from tests.live import LiveHere
from tests.nodes.several import nodes
from tests.searchers import PONDERED, Folder


def pool(node: LiveHere) -> ThinkingPool:
    found = node.house.thinkers
    assert isinstance(found, ThinkingPool)
    return found


async def test_a_bot_thinks_at_one_node(tmp_path: Path) -> None:
    folder, clock = Folder(tmp_path), ManualTime()
    async with (
        nodes(tmp_path, games=PONDERED, time=clock, thinkers=1, bot_delay=0.01) as several,
        client(several[0].ws("/ws")) as ann,
        client(several[1].ws("/ws")) as bob,
    ):
        await ann.ask("open", game="bids", player="Ann", seats=3)
        await ann.ask("add_bots", bot="thoughtful", count=1)
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("start")
        await bob.entry("started")
        folder.open_gate()
        rooms = [node.house.rooms[ann.table] for node in several]
        async with asyncio.timeout(PATIENCE):
            while not sum(pool(node).seconds for node in several):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.002)
        assert all(room.bots.thoughts for room in rooms), "the other one waits for it"
        await clock.to_pass(1.5)
        moved = (await ann.entry("moved"))["entry"]
        assert (await bob.entry("moved"))["entry"]["seat"] == moved["seat"]
        state = rooms[0].table.state
        assert state.bids[moved["seat"]] >= max(state.hands[moved["seat"]]), "it has thought"
        assert sum(pool(node).questions for node in several) == 1
        assert sum(pool(node).fallbacks for node in several) == 0
        assert len(folder.thoughts()) == 1


async def test_a_hint_is_thought_about_where_the_person_is(tmp_path: Path) -> None:
    folder, clock = Folder(tmp_path), ManualTime()
    folder.open_gate()
    async with (
        nodes(tmp_path, games=PONDERED, time=clock, thinkers=1) as several,
        client(several[0].ws("/ws")) as ann,
        client(several[1].ws("/ws")) as again,
        client(several[0].ws("/ws")) as bob,
    ):
        await ann.ask("open", game="bids", player="Ann", seats=2)
        await ann.ask("add_bots", bot="lowest", count=1)
        await ann.ask("start")
        await bob.ask("watch", table=ann.table)
        await again.ask("return", table=ann.table, token=ann.token)
        await again.ask("hint")
        found = await again.hear(lambda message: message["type"] == "hinted")
        state = several[1].house.rooms[ann.table].table.state
        assert found["move"]["card"] == max(state.hands[again.seat or 0])
        assert [pool(node).questions for node in several] == [0, 1]
        await bob.ask("list")
        assert {message["type"] for message in bob.told} <= {"fact"}
        await again.ask("play", move=found["move"])
