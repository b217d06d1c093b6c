"""The bus only makes it quicker: where it is cut, loses messages or is late, everything is told all the same."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from croupier.bus.local import Hub
from tests.client import Refusal, client
from tests.nodes.crowd import agree, facts, play_on, seated
from tests.nodes.several import cluster, nodes


def troubled(kind: str) -> Hub:
    hub = Hub(seed=1)
    match kind:
        case "cut":
            hub.cut = "somebody has pulled the plug"
        case "lossy":
            hub.lose = 0.3
        case "slow":
            hub.delay = 0.3
    return hub


@pytest.mark.parametrize("kind", ["cut", "lossy", "slow"])
async def test_a_game_over_a_bad_bus(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = troubled(kind)
    monkeypatch.setattr("croupier.tables.cluster.BEAT_EVERY", 0.1)
    monkeypatch.setattr("croupier.tables.cluster.LOOK_EVERY", 0.3)
    async with (
        nodes(tmp_path, 3, hub, message_rate=0) as running,
        seated(running, "palace") as people,
    ):
        await people[0].ask("start")
        async with asyncio.timeout(100):
            await asyncio.gather(*(play_on(person, Random(n), 50) for n, person in enumerate(people)))
        assert await agree(people) >= 50
        assert sum(cluster(node).catch_ups for node in running) > 0


async def test_what_happened_while_the_bus_was_cut_is_told_when_it_is_mended(tmp_path: Path) -> None:
    hub = Hub()
    async with nodes(tmp_path, 2, hub) as running, seated(running, "palace", seats=4, auto_start=True) as (ann, bob):
        hub.cut = "for a while"
        for ready in (True, False, True):
            await ann.ask("ready", ready=ready)
        hub.mend()
        for ready in (True, False, True):
            assert (await bob.entry("readied"))["entry"]["ready"] == ready
        await agree([ann, bob])
        assert len(facts(bob)) == len(facts(ann)) - 1  # that he came


async def test_who_may_do_something_since_a_moment_ago_is_not_refused_by_a_node_that_has_not_heard_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.tables.cluster.LOOK_EVERY", 1000.0)
    hub = Hub()
    async with (
        nodes(tmp_path, 2, hub) as running,
        seated(running, "palace", seats=4) as (ann, bob),
        client(running[0].ws("/ws")) as eve,
        client(running[1].ws("/ws")) as again,
    ):
        hub.lose = 1.0
        await ann.ask("hand_over", seat=1)
        await eve.ask("join", table=ann.table, player="Eve")
        await again.ask("return", table=eve.table, token=eve.token)
        await bob.ask("start")
        hub.lose = 0.0
        with pytest.raises(Refusal, match="host"):  # who may not is refused all the same
            await again.ask("kick", seat=0)
        assert sum(cluster(node).catch_ups for node in running) > 0


async def test_who_may_not_is_refused_whatever_the_journal_says(tmp_path: Path) -> None:
    async with nodes(tmp_path) as running, seated(running, "palace") as (ann, bob):
        for _ in range(3):
            with pytest.raises(Refusal, match="host"):
                await bob.ask("start")
        await ann.ask("start")
        with pytest.raises(Refusal, match="host"):
            await bob.ask("kick", seat=0)
        await agree([ann, bob])
