"""Bots that the house sends (D34 in docs/protocols/palace.md): off unless the server is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import client
from tests.games.palace.wire import Hall, Player, hall, start

LATEST = 21
"""Seconds in which the first of them has come."""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path, house_bots=("palace=0",), test_orders={}) as found:
        yield found


async def passes(here: Hall, seconds: int) -> None:
    """Second by second: what happens every few seconds does so in its time."""
    for _ in range(seconds):
        await here.time.to_pass(1)


async def lobbies(player: Player) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = (await player.ask({"ListLobbies": {"page": 0}}))["lobbies"]
    return listed


async def test_off_unless_the_server_is_told(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        matt = await here.enter()
        await matt.opens()
        await passes(here, 60)
        assert await matt.silent()


async def test_an_open_lobby_gets_company_after_ten_seconds_and_before_twenty_one(here: Hall) -> None:
    matt = await here.enter()
    await matt.opens()
    await passes(here, 10)
    assert await matt.silent()
    await passes(here, LATEST - 10)
    joined = await matt.hears("PlayerJoinEvent")
    assert (joined["slot"], joined["total_num_players"]) == (1, 2)
    assert not joined["new_player_name"].startswith("BOT ")
    (lobby, *_) = await lobbies(await here.enter())
    assert lobby["ai_players"] == 0 and lobby["cur_players"] >= 2


async def test_it_is_filled_and_the_owner_starts_and_plays_with_them(here: Hall) -> None:
    matt = await here.enter()
    await matt.opens()
    await passes(here, 3 * LATEST)
    slots = [(await matt.hears("PlayerJoinEvent"))["slot"] for _ in range(3)]
    assert slots == [1, 2, 3]
    assert (await lobbies(matt))[0]["started"] is False  # that is for the owner to say
    await start(matt)


async def test_a_lobby_with_a_password_is_left_alone(here: Hall) -> None:
    matt = await here.enter()
    await matt.opens(password="plum")
    await passes(here, 60)
    assert await matt.silent()


async def test_the_owner_throws_one_out_in_the_lobby_and_in_the_game(here: Hall) -> None:
    matt = await here.enter()
    await matt.opens(max_players=3)
    await passes(here, LATEST)
    slot = (await matt.hears("PlayerJoinEvent"))["slot"]
    await matt.send({"KickPlayer": {**matt.me, "slot": slot}})
    name, told = await matt.next()
    while name == "PlayerJoinEvent":
        name, told = await matt.next()
    assert (name, told["slot"]) == ("PlayerLeaveEvent", slot)
    assert await matt.hears("KickPlayerResponse") == {"Ok": None}
    await passes(here, 2 * LATEST)
    await matt.send({"StartGame": matt.me})
    name, told = await matt.next()
    while name != "GameStartEvent":
        name, told = await matt.next()
    await matt.hears("PublicGameStateEvent")
    await matt.hears("StartGameResponse")
    other = next(number for number in (0, 1, 2) if number != told["turn_number"])
    assert await matt.ask({"KickPlayer": {**matt.me, "slot": other}}) == {"Ok": None}


async def test_bots_that_the_owner_asked_for_are_bots_as_ever(here: Hall) -> None:
    matt = await here.enter()
    await matt.opens(max_players=2)
    await matt.send({"RequestAi": {**matt.me, "num_ai": 1}})
    assert (await matt.hears("PlayerJoinEvent"))["new_player_name"].startswith("BOT ")
    await matt.hears("RequestAiResponse")
    assert (await lobbies(matt))[0]["ai_players"] == 1
    await start(matt)
    slot = 1 - int(matt.number or 0)
    assert await matt.ask({"KickPlayer": {**matt.me, "slot": slot}}) == {"Err": "CantKickAiDuringGame"}


async def test_lobbies_of_their_own_wait_for_somebody_and_start_when_they_are_full(tmp_path: Path) -> None:
    async with hall(tmp_path, house_bots=("palace=5",), test_orders={}) as here:
        ann = await here.enter()
        await passes(here, 5 * 10 + 4 * LATEST)
        found = await lobbies(ann)
        assert len(found) == 5
        assert {(lobby["cur_players"], lobby["max_players"], lobby["started"]) for lobby in found} == {(3, 4, False)}
        assert all(lobby["owner"] and lobby["ai_players"] == 0 for lobby in found)
        ann.lobby = found[0]["lobby_id"]
        assert len((await ann.joins(ann))["lobby_players"]) == 3
        assert await ann.ask({"StartGame": ann.me}) == {"Err": "NotLobbyOwner"}
        await passes(here, 10)
        assert len((await ann.hears("GameStartEvent"))["players"]) == 4


async def test_they_are_still_there_after_a_restart(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"house_bots": ("palace=1",), "test_orders": {}}
    async with hall(tmp_path, **settings) as here:
        await passes(here, 10 + 4 * LATEST)
        (before,) = await here.lobbies()
    async with hall(tmp_path, **settings) as here:
        await passes(here, LATEST)
        (after,) = await here.lobbies()
        for member in ("lobby_id", "owner", "cur_players"):
            assert after[member] == before[member]
        ann = await here.enter()
        ann.lobby = after["lobby_id"]
        await ann.joins(ann)
        await passes(here, 10)
        await ann.hears("GameStartedEvent")


async def test_on_the_page_they_are_the_bots_they_are(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        await passes(here, LATEST)
        player = (await ann.ask("see"))["sync"]["table"]["players"][1]
        assert player["bot"] and player["house"] is True
