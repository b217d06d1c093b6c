"""Two nodes want to write the same entry of a table's log: one is first, and the other decides again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from tests.client import Client, Json, client
from tests.live import LiveHere
from tests.nodes.several import nodes

RACES = 1000


def facts(somebody: Client) -> list[Json]:
    return [told for told in somebody.told if told["type"] == "fact" and not told.get("soft")]


def lost_races(houses: Sequence[LiveHere]) -> int:
    return sum(live.house.cluster.lost_races for live in houses if live.house.cluster is not None)


async def agree(*people: Client) -> None:
    """All have heard the same in the same order, from the moment on at which the last of them came, and nothing else
    than what happened."""
    heard = []
    latest = max([(await somebody.ask("see"))["sync"]["seq"] for somebody in people])
    for somebody in people:
        while facts(somebody)[-1]["seq"] < latest:
            await somebody.hear(lambda told: told["type"] == "fact" and told["seq"] == latest)
        assert {told["type"] for told in somebody.told} == {"fact"}
        seqs = [fact["seq"] for fact in facts(somebody)]
        assert seqs == list(range(seqs[0], seqs[-1] + 1))
        heard.append({fact["seq"]: (fact["at"], fact["entry"]) for fact in facts(somebody)})
    common = set.intersection(*(set(each) for each in heard))
    for seq in common:
        assert len({str(each[seq]) for each in heard}) == 1


async def test_in_a_thousand_races_everybody_gets_what_they_ask_for_and_hears_the_same(tmp_path: Path) -> None:
    async with (
        nodes(tmp_path, message_rate=0) as (one, two),
        client(one.ws("/ws")) as ann,
        client(two.ws("/ws")) as bob,
        client(two.ws("/ws")) as eve,
    ):
        await ann.ask("open", game="palace", player="Ann", seats=4, auto_start=True)
        await bob.ask("join", table=ann.table, player="Bob")
        await eve.ask("join", table=ann.table, player="Eve")  # who is never ready
        for number in range(RACES // 2):
            ready = number % 2 == 0
            await asyncio.gather(ann.ask("ready", ready=ready), bob.ask("ready", ready=ready))
        assert lost_races([one, two]) > RACES / 10
        await agree(ann, bob, eve)
        assert len(facts(ann)) >= RACES
        seen = [(await somebody.ask("see"))["sync"]["table"] for somebody in (ann, bob, eve)]
        assert seen[0] == seen[1] == seen[2]
