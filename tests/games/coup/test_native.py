"""Coup over the native protocol, on a real server: bots, pauses, a restart, a new game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.client import Client, Refusal, client, play_out
from tests.live import server

QUICK = {"min_wait_ms": 0}


def cards_in(value: Any) -> set[str]:
    """Every card that a message names as somebody's, wherever it stands."""
    if isinstance(value, dict):
        own = {value["card"]} if value.get("card") else set[str]()
        return own.union(*(cards_in(part) for part in value.values()))
    return set[str]().union(*(cards_in(part) for part in value)) if isinstance(value, list) else set()


async def opened(player: Client, **options: Any) -> dict[str, Any]:
    return await player.ask("open", game="coup", player="Ann", options=options)


async def test_a_person_and_bots_play_and_play_again(tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        reply = await opened(ann, **QUICK)
        assert reply["sync"]["view"]["phase"] == "pre_game"
        assert len([slot for slot in reply["sync"]["view"]["cards"][0] if slot["card"]]) == 2
        for bot in ("believer", "honest", "random"):
            await ann.ask("add_bots", bot=bot)
        joined = await ann.entry("joined")
        assert joined["events"] == [{"event": "dealt", "seat": 1, "cards": None, "coins": 2, "deck": 11}]
        for games in (1, 2):
            await ann.ask("start")
            last = await play_out(ann)
            assert last["table"]["phase"] == "over"
            assert last["table"]["games"] == games
            assert len(last["result"]["placings"]) == 4
            await ann.ask("reopen")
            dealt = (await ann.entry("reopened"))["events"]
            assert [event["event"] for event in dealt] == ["dealt"] * 4
            assert [event["cards"] is None for event in dealt] == [False, True, True, True]


async def test_a_lost_connection_pauses_for_everybody(tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws?views=1")) as ann:
        await opened(ann, auto_kick_ms=0)
        async with client(live.ws("/ws")) as bob:
            await bob.ask("join", table=ann.table, player="Bob")
            await ann.ask("start")
            await ann.ask("play", move={"move": "propose", "action": "tax"})
            token = bob.token
        fact = await ann.entry("absent")
        assert fact["events"] == [{"event": "paused", "seat": 1, "missing": [1]}]
        assert fact["table"]["players"][1]["away"] is True
        assert fact["view"]["missing"] == [1]
        assert fact["clocks"] == []
        assert fact["story"] == ["Bob has lost the connection: the game is paused."]
        with pytest.raises(Refusal) as refusal:
            await ann.ask("play", move={"move": "confirm"})
        assert refusal.value.code == "paused"
        async with client(live.ws("/ws")) as again:
            reply = await again.ask("return", table=ann.table, token=token)
            assert reply["sync"]["moves"][0] == {"move": "allow", "to": "action"}
            assert (await ann.entry("back"))["events"] == [{"event": "resumed"}]
        await ann.entry("absent")
        await ann.ask("kick", seat=1)
        left = await ann.entry("left")
        assert [event["event"] for event in left["events"]][-1] == "ended"
        assert left["result"]["placings"] == [[0], [1]]


async def test_refusals_say_how_long_to_wait(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as bob,
    ):
        await opened(ann, confirm_policy="wait", min_wait_ms=60_000)
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("start")
        await ann.ask("play", move={"move": "propose", "action": "tax"})
        with pytest.raises(Refusal) as refusal:
            await ann.ask("play", move={"move": "confirm", "patient": False})
        assert refusal.value.code == "too_early"
        assert 0 < refusal.value.data["retry_ms"] <= 60_000


async def test_after_a_restart_everybody_has_to_come_back(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as bob,
    ):
        await opened(ann)
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("start")
        await ann.ask("play", move={"move": "propose", "action": "tax"})
        seen = (await bob.ask("see"))["sync"]["view"]
    async with (
        server(tmp_path) as live,
        client(live.ws("/ws")) as first,
        client(live.ws("/ws")) as second,
    ):
        reply = await first.ask("return", table=ann.table, token=bob.token)
        view = reply["sync"]["view"]
        assert view["missing"] == [0]
        assert reply["sync"]["table"]["host"] == 1  # the host is not there
        assert (view["cards"], view["action"], view["responders"]) == (seen["cards"], "tax", [1])
        await second.ask("return", table=ann.table, token=ann.token)
        resumed = await first.entry("back")
        assert resumed["events"] == [{"event": "resumed"}]
        assert resumed["moves"][0] == {"move": "allow", "to": "action"}


async def test_a_spectator_never_sees_a_hidden_card(tmp_path: Path) -> None:
    """Until the end, no card but those that lie open."""
    async with (
        server(tmp_path, bot_delay=0) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws?views=1")) as eve,
    ):
        await opened(ann, **QUICK, ruleset="official")
        await ann.ask("add_bots", bot="random", count=3)
        watched = await eve.ask("watch", table=ann.table)
        assert cards_in(watched) == set()
        await ann.ask("start")
        last = await play_out(ann)
        while (fact := await eve.hear(lambda message: message["type"] == "fact"))["seq"] < last["seq"]:
            opened_cards = {card for cards in fact["view"]["revealed"] for card in cards}
            assert cards_in(fact["view"]) <= opened_cards
            assert cards_in(fact["events"]) <= opened_cards
            for event in fact["events"]:
                assert not event.get("hand") and not event.get("pool") and not event.get("cards")
