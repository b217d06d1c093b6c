"""Cambia's own protocol, the game after the first one, and the server after the first one: as the two clients see it.

Each kind of client goes through the second game at a table, a restart in the lobby, in mid-game and on the result, and
a host who is gone in between. Second tabs are in test_connections.py, test_lobby_socket.py and test_web_client.py.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.games.cambia import web
from tests.games.cambia.wire import ANN, BEN, CLEO, Building, Hall, Person, stacked


@pytest.fixture
async def building(tmp_path: Path) -> AsyncIterator[Building]:
    found = Building(tmp_path)
    yield found
    await found.close()


# The client with two sockets


async def finish(here: Hall, caller: Person, other: Person) -> None:
    await caller.game.send("action_cambia")
    await caller.game.until("player_cambia")
    await here.throws_last(other)
    for person in (caller, other):
        await person.game.until("game_end")


async def results(*people: Person) -> None:
    for person in people:
        told = await person.lobby.until("game_results")
        assert not any(user["is_ready"] for user in told["lobby_status"]["users"])


async def test_a_second_game(building: Building) -> None:
    here = await building.open()
    ann, ben = await here.playing(draws=["4♦"])
    first = here.game
    await finish(here, ann, ben)
    await results(ann, ben)
    await here.play(ann, ben)
    assert here.game != first
    await finish(here, ann, ben)
    await results(ann, ben)


async def test_a_restart_in_the_lobby(building: Building) -> None:
    """Everybody was ready, and is still: the countdown begins again when the last is back, and a first look of a
    second is one of a second."""
    here = await building.open()
    rules = {"houseRules": {"preGameSec": 1}, "settings": {"countdownSec": 10}}
    ann, ben, cleo = await here.gather("Ann", "Ben", "Cleo", **rules)
    for person in (ann, ben, cleo):
        await person.lobby.send("ready")
    await ann.lobby.until("lobby_countdown_start")
    here = await building.restart(here)
    await ann.enter_lobby()
    state = await ann.lobby.hears("lobby_state")
    assert [user["is_ready"] for user in state["lobby_status"]["users"]] == [True, True, True]
    await ben.enter_lobby()
    assert (await ann.lobby.hears("lobby_update", "lobby_update"))["user_join"] == ben.id
    assert await ann.lobby.silent()
    await cleo.enter_lobby()
    await cleo.lobby.hears("lobby_state", "lobby_update")
    for person in (cleo, ann):
        assert (await person.lobby.until("lobby_countdown_start"))["seconds"] == 10
    await here.time.to_pass(10)
    for person in (ann, ben, cleo):
        here.game = (await person.lobby.until("game_start"))["game_id"]
    for person in (ann, ben, cleo):
        await person.enter_game()
    for person in (ann, ben, cleo):
        await person.game.until("private_initial_cards")
    await here.time.to_pass(1)
    await ann.game.until("game_player_turn")


async def test_who_does_not_come_back_after_a_restart_is_not_waited_for_in_vain(building: Building) -> None:
    here = await building.open()
    ann, ben, cleo = await here.gather("Ann", "Ben", "Cleo", settings={"countdownSec": 10})
    for person in (ann, ben, cleo):
        await person.lobby.send("ready")
    await ann.lobby.until("lobby_countdown_start")
    here = await building.restart(here)
    for person in (ben, cleo):
        await person.enter_lobby()
    await ben.lobby.until("lobby_update")
    await cleo.lobby.rest()
    await here.time.to_pass(120)
    told = await cleo.lobby.hears("lobby_countdown_start", "lobby_update")
    assert (told["user_left"], told["host_id"]) == (ann.id, ben.id)


async def test_a_restart_in_mid_game(building: Building) -> None:
    here = await building.open()
    ann, ben = await here.playing(draws=["4♦"])
    cards = await ann.hand()
    here = await building.restart(here)
    for person in (ann, ben):
        await person.enter_lobby()
        assert (await person.lobby.hears("lobby_state"))["game_id"] == here.game
        await person.enter_game()
        await person.game.until("private_sync_state")
    assert await ann.hand() == cards
    await finish(here, ann, ben)
    await results(ann, ben)
    await here.play(ann, ben)


async def test_a_restart_on_the_result(building: Building) -> None:
    here = await building.open()
    ann, ben = await here.playing(draws=["4♦"])
    await finish(here, ann, ben)
    here = await building.restart(here)
    await ann.enter_game()
    assert (await ann.game.hears("private_sync_state"))["state"]["gameOver"]
    await ann.game.hears("game_end")
    for person in (ann, ben):
        await person.enter_lobby()
        state = await person.lobby.hears("lobby_state")
        assert not state["in_game"] and not any(user["is_ready"] for user in state["lobby_status"]["users"])
    await here.play(ann, ben)


async def test_a_host_who_is_gone_after_the_game(building: Building) -> None:
    here = await building.open()
    ann, ben = await here.playing(draws=["4♦"])
    await finish(here, ann, ben)
    await results(ann, ben)
    await ann.lobby.close()
    told = await ben.lobby.hears("lobby_update")
    assert (told["user_left"], told["host_id"]) == (ann.id, ben.id)
    await ann.enter_lobby()
    assert (await ann.lobby.hears("lobby_state"))["host_id"] == ben.id
    await ben.lobby.until("lobby_update")
    await here.play(ben, ann)


async def test_a_member_who_is_away_when_the_next_game_begins(building: Building) -> None:
    """The countdown was taken back when they left, in the moment in which the game began."""
    here = await building.open()
    ann, ben, cleo = await here.playing(ANN, BEN, CLEO, draws=["4♦", "4♣"])
    await cleo.lobby.close()
    await ann.game.send("action_cambia")
    await here.throws(ben, ann, ben, cleo)
    await here.throws_last(cleo)
    await results(ann, ben)
    for person in (ann, ben):
        await person.lobby.send("ready")
    await ann.lobby.hears("ready_update", "ready_update", "lobby_countdown_start")
    assert (await ann.lobby.hears("lobby_update"))["user_left"] == cleo.id
    await ann.lobby.hears("game_start")


# The web client, with one


async def test_web_a_restart_in_the_lobby(building: Building) -> None:
    here = await building.open()
    ann, ben = await web.lobby(here, settings={"countdownSec": 3}, houseRules={"preGameSec": 1})
    for tab in (ann, ben):
        await tab.send("ready")
    await ann.until("lobby_countdown_start")
    here = await building.restart(here)
    ann = await web.enter(here, ann.person)
    state = await ann.hears("lobby_state")
    assert web.ready(state) == [True, True] and state["phase"] == "open"
    assert await ann.hears("phase_change") == {"phase": "open"}
    ben = await web.enter(here, ben.person)
    await ben.hears("lobby_state")
    await ann.hears("lobby_update")
    for tab in (ben, ann):
        assert await tab.hears("phase_change") == {"phase": "countdown", "seconds": 3}
        assert await tab.hears("lobby_countdown_start") == {"seconds": 3}
    await here.time.to_pass(3)
    for tab in (ann, ben):
        await tab.hears("phase_change", "game_started")
        await tab.until("private_initial_cards")
    await here.time.to_pass(1)
    await ann.until("game_player_turn")


async def test_web_a_restart_in_mid_game(building: Building) -> None:
    here = await building.open()
    ann, ben = await web.game(here, "7♠", "4♦")
    cards = await web.hand(ann, 0)
    await web.throw(ann, ben)
    here = await building.restart(here)
    ann, ben = [await web.enter(here, tab.person) for tab in (ann, ben)]
    assert (await ann.hears("lobby_state"))["phase"] == "in_game"
    await ann.hears("phase_change", "game_started", "private_sync_state", "player_special_choice")
    await ann.send("action_special", special="peek_self", card1={"id": cards[2], "idx": 2})
    await ann.until("private_special_action_success")
    await web.throw_any(ben)
    await ann.until("game_player_turn")
    await ann.until("game_player_turn")
    here.stack(stacked((ANN, BEN), "10♥", "4♣"))
    await web.finish(ann, ben)
    for tab in (ann, ben):
        await tab.until("lobby_state")
    await web.play(here, ann, ben)


async def test_web_a_restart_on_the_result(building: Building) -> None:
    here = await building.open()
    ann, ben = await web.game(here, "4♦")
    await web.finish(ann, ben)
    here = await building.restart(here)
    here.stack(stacked((ANN, BEN), "10♥", "4♣"))
    ann, ben = [await web.enter(here, tab.person) for tab in (ann, ben)]
    for tab in (ann, ben):
        state = await tab.hears("lobby_state")
        assert state["phase"] == "open" and web.ready(state) == [False, False]
    await web.play(here, ann, ben)
    await web.finish(ann, ben)


async def test_web_a_host_who_is_gone_after_the_game(building: Building) -> None:
    here = await building.open()
    ann, ben = await web.game(here, "4♦")
    await web.finish(ann, ben)
    await ben.until("lobby_state")
    await ann.socket.close()
    assert (await ben.hears("lobby_update"))["host_id"] == ben.person.id
    assert (await ben.hears("lobby_state"))["your_is_host"]
    ann = await web.enter(here, ann.person)
    assert (await ann.hears("lobby_state"))["host_id"] == ben.person.id
    await web.play(here, ben, ann)


async def test_web_a_host_who_does_not_come_back_from_the_game(building: Building) -> None:
    """And another game with somebody else: no countdown is taken back, and the lobby is never without a host."""
    here = await building.open()
    ann, ben = await web.game(here)
    await ann.socket.close()
    await ben.until("private_sync_state")
    await here.time.to_pass(60)
    await ben.until("game_end")
    assert await ben.hears("phase_change") == {"phase": "post_game"}
    await ben.hears("game_results")
    cleo = await web.enter(here, await here.guest("Cleo"))
    for tab in (ben, cleo):
        await tab.send("ready")
    frames = []
    while (told := await ben.next())[0] != "game_started":
        frames.append(told)
    assert all(state["host_id"] for kind, state in frames if kind == "lobby_state")
    assert [state["host_id"] for kind, state in frames if kind == "lobby_state"][-1] == ben.person.id
    assert "lobby_countdown_cancel" not in [kind for kind, _ in frames]
