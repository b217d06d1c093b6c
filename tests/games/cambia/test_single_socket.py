"""Cambia's second dialect, as the web client of its reference speaks it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.games.cambia.dialect.messages import SHORT
from croupier.tables.entries import Closed
from tests.games.cambia.web import chooses, enter, game, hand, lobby, throw
from tests.games.cambia.wire import ANN, BEN, Hall, Json, hall, stacked

UNKNOWN = "12345678-1234-4234-9234-123456789abc"


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def test_before_the_upgrade(here: Hall) -> None:
    await lobby(here, gameMode="head_to_head")
    assert await here.turned_away(f"/ws/{UNKNOWN}") == 404
    assert await here.turned_away("/ws/nonsense") == 400
    assert await here.turned_away(f"/ws/{here.lobby}") == 403


async def test_the_lobby(here: Hall) -> None:
    ann, ben = await lobby(here, settings={"countdownSec": 3})
    await ben.send("chat", {"msg": "hello"})
    told = await ann.hears("chat")
    assert told == {
        "userID": ben.person.id, "username": "Ben", "msg": "hello", "ts": here.time.now() // 1000,
    }  # fmt: skip
    await ben.send("update_rules", {"rules": {"turnTimerSec": 20}})
    assert (await ben.until("error"))["code"] == "not_host"
    await ann.send("update_rules", {"rules": {"houseRules": {"turnTimerSec": 20}}})
    assert (await ann.hears("lobby_rules_updated"))["rules"]["house_rules"]["turnTimerSec"] == 20
    await ann.send("ready")
    assert (await ann.hears("ready_update", "lobby_state"))["phase"] == "open"
    await ben.send("ready")
    await ann.hears("ready_update")
    assert (await ann.hears("lobby_state"))["lobby_status"]["users"][1]["is_ready"]
    assert await ann.hears("phase_change") == {"phase": "countdown", "seconds": 3}
    assert await ann.hears("lobby_countdown_start") == {"seconds": 3}
    await ben.send("unready")
    await ann.hears("ready_update", "lobby_state")
    assert await ann.hears("phase_change") == {"phase": "open"}
    await ann.hears("lobby_countdown_cancel")
    await ben.send("leave_lobby")
    await ann.hears("lobby_update")
    assert len((await ann.hears("lobby_state"))["lobby_status"]["users"]) == 1


async def test_the_start(here: Hall) -> None:
    here.stack(stacked((ANN, BEN), "10♥"))
    ann, ben = await lobby(here)
    for web in (ann, ben):
        await web.send("ready")
    assert await ann.until("lobby_countdown_start") == {"seconds": 0}
    assert await ann.hears("phase_change") == {"phase": "in_game"}
    started = await ann.hears("game_started")
    assert started["players"] == [ann.person.id, ben.person.id]
    state = (await ann.hears("private_sync_state"))["state"]
    assert state["gameId"] == started["game_id"] and state["stockpileSize"] == 54
    state = (await ann.hears("private_sync_state"))["state"]
    assert state["discardTop"]["rank"] == "T" and state["discardTop"]["suit"] == "H"
    assert (await ann.hears("private_initial_cards"))["card2"]["rank"] == "Q"


async def test_d84_draw_and_discard(here: Hall) -> None:
    ann, ben = await game(here, "4♦")
    await ann.send("action_draw_stockpile")
    private = await ann.hears("private_draw_stockpile")
    assert private["card"] == {"id": private["card"]["id"], **SHORT["4♦"]}
    told = await ann.hears("player_draw_stockpile")
    assert told["payload"] == {"source": "stockpile", "stockpileSize": 44} and told["card"].keys() == {"id"}
    await ann.send("action_discard", card={"id": private["card"]["id"]})
    await ann.hears("player_discard")
    assert (await ann.hears("game_player_turn"))["turn"] == 1
    assert [kind for kind, _ in await ben.rest()] == ["player_draw_stockpile", "player_discard", "game_player_turn"]


async def test_replace_is_shown_by_a_sync(here: Hall) -> None:
    ann, ben = await game(here, "4♦")
    card = (await hand(ann, 0))[2]
    await ann.send("action_draw_stockpile")
    await ann.hears("private_draw_stockpile", "player_draw_stockpile")
    await ann.send("action_replace", card={"id": card, "idx": 2})
    assert (await ann.hears("player_discard"))["card"]["idx"] == 2
    await ann.hears("game_player_turn", "private_sync_state")
    assert [kind for kind, _ in await ben.rest()][-3:] == ["player_discard", "game_player_turn", "private_sync_state"]


async def test_refused_actions_are_no_errors(here: Hall) -> None:
    ann, ben = await game(here)
    await ben.send("action_draw_stockpile")
    told = await ben.hears("private_special_action_fail")
    assert told["payload"]["code"] == "not_your_turn" and told["payload"]["message"]
    await ben.hears("private_sync_state")
    assert await ann.rest() == []


async def test_peeks_name_card1(here: Hall) -> None:
    ann, ben = await game(here, "9♠")
    card = (await hand(ann, 1))[0]
    await throw(ann, ben)
    await chooses(ann)
    await ann.send("action_special", special="peek_other", card1={"id": card, "idx": 0, "user": {"id": ben.person.id}})
    assert (await ann.hears("player_special_action"))["card1"]["id"] == card
    assert (await ann.hears("private_special_action_success"))["card1"]["rank"] == "K"


async def test_swaps_are_told_as_they_lie_afterwards(here: Hall) -> None:
    ann, ben = await game(here, "J♥")
    mine, theirs = await hand(ann, 0), await hand(ann, 1)
    await throw(ann, ben)
    await chooses(ann)
    await ann.send("action_special", special="swap_blind", card1={"id": mine[1]}, card2={"id": theirs[2]})
    told = await ann.hears("player_special_action")
    assert told["card1"] == {"id": theirs[2], "idx": 1, "user": {"id": ann.person.id}}
    assert told["card2"] == {"id": mine[1], "idx": 2, "user": {"id": ben.person.id}}
    await ann.hears("game_player_turn", "private_sync_state")


async def test_a_king_is_decided_by_looking_again(here: Hall) -> None:
    ann, ben = await game(here, "K♠")
    cards: Json = {"card1": {"id": (await hand(ann, 0))[1]}, "card2": {"id": (await hand(ann, 1))[2]}}
    await throw(ann, ben)
    await chooses(ann)
    await ann.send("action_special", special="swap_peek", **cards)
    await ann.hears("private_special_action_success", "player_special_action")
    other = cards | {"card2": {"id": (await hand(ben, 1))[3]}}
    await ann.send("action_special", special="swap_peek", **other)
    assert (await ann.hears("private_special_action_fail"))["payload"]["code"] == "wrong_step"
    await ann.hears("private_sync_state", "player_special_choice")
    await ann.send("action_special", special="swap_peek", **cards)
    assert (await ann.hears("player_special_action"))["special"] == "swap_peek_swap"


async def test_penalties_are_shown_by_a_sync_and_the_choice_is_repeated(here: Hall) -> None:
    ann, ben = await game(here, "7♠")
    card = (await hand(ben, 1))[0]
    await throw(ann, ben)
    await chooses(ann)
    await ben.hears("player_special_choice")
    await ben.send("action_snap", card={"id": card})
    await ann.hears("player_snap_fail", "player_snap_penalty", "player_snap_penalty", "private_sync_state")
    assert (await ann.hears("player_special_choice"))["special"] == "peek_self"
    await ben.hears("player_snap_fail", "player_snap_penalty", "private_snap_penalty", "player_snap_penalty")
    await ben.hears("private_snap_penalty", "private_sync_state")
    assert await ben.rest() == []


async def test_rejoining_a_running_game(here: Hall) -> None:
    ann, ben = await game(here, "7♠")
    await throw(ann, ben)
    await ann.socket.close()
    again = await enter(here, ann.person)
    assert (await again.hears("lobby_state"))["phase"] == "in_game"
    await again.hears("phase_change", "game_started", "private_sync_state", "player_special_choice")


async def test_the_end_and_the_next_game(here: Hall) -> None:
    ann, ben = await game(here, "4♦")
    await ann.send("action_cambia")
    await ann.hears("player_cambia", "game_player_turn")
    await ben.until("game_player_turn")
    await throw(ben, ann)
    await ann.hears("game_end")
    assert await ann.hears("phase_change") == {"phase": "post_game"}
    await ann.hears("game_results", "lobby_state")
    await ann.send("ready")
    assert await ann.hears("phase_change") == {"phase": "open"}
    await ann.hears("ready_update", "lobby_state")
    await ben.send("ready")
    await ann.until("game_started")


async def test_a_closed_lobby_is_an_error_that_makes_the_client_leave(here: Hall) -> None:
    ann, _ = await lobby(here)
    here.house.rooms[next(iter(here.house.rooms))].record([Closed("idle")])
    assert (await ann.hears("error"))["code"] == "lobby_not_found"
    assert await ann.socket.closed() == 3003
