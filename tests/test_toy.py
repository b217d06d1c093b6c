"""A game that exists only in the tests gets everything: native protocol, journal, bots, clock and replay."""

from __future__ import annotations

import json
from pathlib import Path

from croupier.games import Catalogue
from tests import toys
from tests.client import client, play_out
from tests.live import server

TOY = Catalogue({"bids": toys.Bids()}, [])


def test_the_toy_is_small() -> None:
    game, _, _ = Path(toys.__file__).read_text().partition("# Leaks")
    lines = [line for line in game[game.index("class Options") :].splitlines() if line.strip()]
    assert len(lines) < 100


async def test_people_and_bots_play_it_over_the_native_protocol(tmp_path: Path) -> None:
    async with (
        server(tmp_path, TOY, bot_delay=0) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws?views=1")) as bob,
    ):
        await ann.ask("open", game="bids", player="Ann", seats=4, options={"seconds": 5})
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("add_bots", count=2)
        await ann.ask("start")
        start = await ann.entry("started")
        assert start["clocks"][0]["name"] == "bid"
        await ann.ask("play", move=start["moves"][0])
        begun = await bob.entry("started")
        await bob.ask("play", move=begun["moves"][0])
        own = await ann.entry("moved")
        while own["entry"]["seat"] != ann.seat:
            own = await ann.entry("moved")
        assert own["events"][0]["card"] == start["moves"][0]["card"]
        theirs = [m for m in bob.told if m["entry"].get("seat") == ann.seat and m["entry"]["entry"] == "moved"]
        assert theirs[0]["events"][0]["card"] is None
        assert theirs[0]["story"] == ["Ann has bidden."]


async def test_its_clock_runs_out(tmp_path: Path) -> None:
    async with (
        server(tmp_path, TOY, bot_delay=0, test_clock_speed=100) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as bob,
    ):
        await ann.ask("open", game="bids", player="Ann")
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("start")
        begun = await ann.entry("started")
        expired = await ann.entry("expired")
        assert expired["at"] >= begun["clocks"][0]["due"]
        assert [event["event"] for event in expired["events"]] == ["bidden", "bidden", "won"]
        end = await ann.hear(lambda m: "result" in m)
        assert sum(end["result"]["scores"]) == 4


async def test_leaving_forfeits(tmp_path: Path) -> None:
    async with (
        server(tmp_path, TOY, bot_delay=0) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as bob,
    ):
        await ann.ask("open", game="bids", player="Ann")
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("start")
        await bob.ask("leave")
        end = await ann.hear(lambda m: "result" in m)
        assert end["result"]["placings"] == [[ann.seat], [1 - (ann.seat or 0)]]
        gone = await ann.hear(lambda m: m["entry"]["entry"] == "left" and m["entry"].get("why") == "gone")
        assert [player["name"] for player in gone["table"]["players"]] == ["Ann"]


async def test_it_survives_a_restart(tmp_path: Path) -> None:
    async with server(tmp_path, TOY, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="bids", player="Ann", options={"seconds": 60})
        await ann.ask("add_bots", count=1)
        await ann.ask("start")
        begun = await ann.entry("started")
        await ann.ask("play", move=begun["moves"][-1])
        await ann.hear(lambda m: any(event["event"] == "won" for event in m["events"]))
        before = await live.house.record(ann.table)
        seen = (await ann.ask("see"))["sync"]
    async with server(tmp_path, TOY, bot_delay=0) as live, client(live.ws("/ws")) as again:
        after = await live.house.record(ann.table)
        assert before is not None
        assert after is not None
        assert json.loads(after)["hash"] == json.loads(before)["hash"]
        sync = (await again.ask("return", table=ann.table, token=ann.token))["sync"]
        assert (sync["view"], sync["moves"], sync["clocks"]) == (seen["view"], seen["moves"], seen["clocks"])
        await again.ask("play", move=sync["moves"][0])
        last = await play_out(again)
        assert last["table"]["games"] == 1
