"""Cambia's own protocol when time passes and connections are lost: T1 to T15, and the checks about them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.games.cambia.wire import ANN, BEN, CLEO, Hall, Json, Person, hall


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def begun(here: Hall, *people: Person) -> None:
    """The game has started and nobody has a game socket yet."""
    for person in people:
        await person.lobby.send("ready")
    for person in people:
        here.game = (await person.lobby.until("game_start"))["game_id"]


async def test_t1_d81_the_game_waits_for_its_players(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    await begun(here, ann, ben)
    await ann.enter_game()
    state = (await ann.game.hears("private_sync_state"))["state"]
    assert not state["preGameActive"] and state["stockpileSize"] == 54
    assert [player["connected"] for player in state["players"]] == [True, False]
    await here.time.to_pass(9.9)
    assert await ann.game.silent()
    await here.time.to_pass(0.1)
    state = (await ann.game.hears("private_sync_state"))["state"]
    assert state["preGameActive"] and [player["connected"] for player in state["players"]] == [True, False]
    await ann.game.hears("private_initial_cards")
    await ben.enter_game()  # T2
    assert (await ben.game.hears("private_sync_state"))["state"]["preGameActive"]
    assert len((await ben.game.hears("private_initial_cards"))["cards"]) == 2
    await ann.game.hears("private_sync_state")
    await here.time.to_pass(10)
    await ann.game.hears("private_sync_state", "game_player_turn")


async def test_t1_a_socket_of_the_game_before_is_none_of_this_game(here: Hall) -> None:
    """Else cards would be dealt to people who are still on their way."""
    ann, ben = await here.playing(preGameSec=10)
    await ann.game.send("action_cambia")
    await here.throws_last(ben)
    for person in (ann, ben):
        await person.lobby.until("game_results")
    await begun(here, ann, ben)
    await here.time.to_pass(1)
    await ann.enter_game()
    state = (await ann.game.hears("private_sync_state"))["state"]
    assert not state["preGameActive"] and not state["started"]
    assert [player["connected"] for player in state["players"]] == [True, False]


async def test_c12_no_first_look_lasts_no_time(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben", houseRules={"preGameSec": 0, "initialViewCount": 0})
    await here.start(ann, ben)
    await ann.game.hears("private_sync_state", "game_player_turn")


async def test_k14_strangers_and_games_that_never_were(here: Hall) -> None:
    await here.playing()
    cleo = await here.guest("Cleo")
    await cleo.enter_game()
    assert await cleo.game.closed() == 1008
    assert await (await here.socket(f"/game/ws/{here.game}", subprotocols=["lobby"])).closed() == 3000


async def test_k76_t4_t5_doing_nothing(here: Hall) -> None:
    ann, ben = await here.playing(draws=["7♠"])
    await here.time.to_pass(14.9)
    assert await ann.game.silent()
    await here.time.to_pass(0.1)
    await ann.game.hears("player_draw_stockpile", "private_draw_stockpile", "player_discard", "game_player_turn")
    await ben.game.hears("player_draw_stockpile", "player_discard", "game_player_turn")


async def test_k77_t6_holding_a_card(here: Hall) -> None:
    ann, _ = await here.playing(draws=["7♠"])
    await here.time.to_pass(10)
    await ann.game.send("action_draw_stockpile")
    await ann.game.hears("player_draw_stockpile", "private_draw_stockpile")
    await ann.game.send("action_draw_stockpile")
    await ann.game.hears("error")  # T3: neither starts the clock again
    await here.time.to_pass(5)
    await ann.game.hears("player_discard", "game_player_turn")


async def test_k78_t7_t8_specials(here: Hall) -> None:
    ann, ben = await here.playing(draws=["K♠"])
    cards = [await ann.hand(), await ann.hand(ben)]
    await ann.game.send("action_draw_stockpile")
    drawn = await ann.game.until("private_draw_stockpile")
    await here.time.to_pass(14)
    await ann.game.send("action_discard", card={"id": drawn["card"]["id"]})
    await ann.game.until("player_special_choice")
    await here.time.to_pass(14)
    await ann.game.send("action_special", special="swap_peek", card1={"id": cards[0][0]}, card2={"id": cards[1][0]})
    await ann.game.hears("private_special_action_success", "player_special_action")
    await here.time.to_pass(14)
    assert await ann.game.silent()
    await here.time.to_pass(1)
    told = await ann.game.hears("player_special_action")
    assert told["special"] == "skip" and told["card1"]["id"] == cards[0][0]
    await ann.game.hears("game_player_turn")
    assert await ann.hand() == cards[0]


async def test_k79_t11_no_turn_timer(here: Hall) -> None:
    ann, ben = await here.playing(draws=["7♠"], turnTimerSec=0)
    assert (await ann.sync())["turnDeadline"] is None
    await here.time.to_pass(300)
    assert await ann.game.silent()
    await ann.game.close()
    state = (await ben.game.hears("private_sync_state"))["state"]
    assert state["turnDeadline"] == here.time.now() + 15000
    await ann.enter_game()
    assert (await ann.game.hears("private_sync_state"))["state"]["turnDeadline"] is None
    await ben.game.hears("private_sync_state")
    await here.time.to_pass(300)
    assert await ben.game.silent()
    await ann.game.close()
    await ben.game.hears("private_sync_state")
    await here.time.to_pass(15)
    await ben.game.hears("player_draw_stockpile", "player_discard")
    assert "turnDeadline" not in (await ben.game.hears("game_player_turn"))["payload"]


async def test_k80_t10_t14_reconnect(here: Hall) -> None:
    ann, ben = await here.playing(draws=["4♦"])
    await ann.game.send("action_draw_stockpile")
    drawn = await ann.game.until("private_draw_stockpile")
    await ben.game.hears("player_draw_stockpile")
    before = await ann.sync()
    await ann.game.close()
    assert not (await ben.game.hears("private_sync_state"))["state"]["players"][0]["connected"]
    await here.time.to_pass(5)
    await ann.enter_game()
    state = (await ann.game.hears("private_sync_state"))["state"]
    assert state | {"serverNow": 0} == before | {"serverNow": 0}
    assert state["players"][0]["drawnCard"] == drawn["card"]
    assert (await ben.game.hears("private_sync_state"))["state"]["players"][0]["connected"]
    await ann.game.send("action_discard", card={"id": drawn["card"]["id"]})
    await ann.game.hears("player_discard", "game_player_turn")


async def test_k81_t13_d92_forfeit_of_two(here: Hall) -> None:
    ann, ben = await here.playing(draws=["7♠"], turnTimerSec=600)
    await ann.game.send("action_draw_stockpile")
    await ben.game.hears("player_draw_stockpile")
    await ann.game.close()
    await ben.game.hears("private_sync_state")
    await here.time.to_pass(59.9)
    assert await ben.game.silent()
    await here.time.to_pass(0.1)
    assert (await ben.game.hears("player_discard"))["card"]["rank"] == "7"
    state = (await ben.game.hears("private_sync_state"))["state"]
    assert state["players"][0]["forfeited"] and not state["gameOver"]
    end = (await ben.game.hears("game_end"))["payload"]
    assert end["reason"] == "forfeit" and end["winners"] == [ben.id] and end["forfeited"] == [ann.id]
    assert end["scores"].keys() == {ben.id} and end["hands"].keys() == {ann.id, ben.id}


async def test_t10_no_forfeit_where_the_rules_say_so(here: Hall) -> None:
    ann, ben = await here.playing(turnTimerSec=0, forfeitOnDisconnect=False)
    await ben.game.close()
    await ann.game.hears("private_sync_state")
    await here.time.to_pass(500)
    assert await ann.game.silent()


async def test_t12_d68_turns_missed(here: Hall) -> None:
    ann, ben, cleo = await here.playing(ANN, BEN, CLEO, autoKickTurnCount=1, disconnectGraceSec=600)
    await ann.game.close()
    await ben.game.hears("private_sync_state")
    await here.time.to_pass(15)  # she was there when this turn began
    await ben.game.hears("player_draw_stockpile", "player_discard", "game_player_turn")
    await here.time.to_pass(15)  # connected players are never kicked
    await ben.game.hears("player_draw_stockpile", "private_draw_stockpile", "player_discard", "game_player_turn")
    await here.time.to_pass(15)
    await ben.game.hears("player_draw_stockpile", "player_discard", "game_player_turn")
    await here.time.to_pass(15)
    await ben.game.hears("player_draw_stockpile", "player_discard")
    assert (await ben.game.hears("private_sync_state"))["state"]["players"][0]["forfeited"]
    assert (await ben.game.hears("game_player_turn"))["user"] == ben.me
    await here.settle(cleo.game)
    assert (await cleo.sync())["players"][0]["forfeited"]


async def test_leave_lobby_is_an_immediate_forfeit(here: Hall) -> None:
    ann, ben, cleo = await here.playing(ANN, BEN, CLEO)
    await ann.lobby.send("leave_lobby")
    assert await ann.lobby.closed() == 1000
    assert await ann.game.closed() == 1000
    assert (await ben.game.hears("private_sync_state"))["state"]["players"][0]["forfeited"]
    assert (await ben.game.hears("game_player_turn"))["user"] == ben.me
    told = await cleo.lobby.until("lobby_update")
    assert told["user_left"] == ann.id and told["host_id"] == ben.id
    assert [user["id"] for user in told["lobby_status"]["users"]] == [ben.id, cleo.id]


async def test_t13_who_has_left_may_come_back_and_watch(here: Hall) -> None:
    ann, ben, cleo = await here.playing(ANN, BEN, CLEO, draws=["4♦"])
    await ann.lobby.send("leave_lobby")
    assert await ann.game.closed() == 1000
    await ann.enter_game()
    state = (await ann.game.hears("private_sync_state"))["state"]
    assert state["players"][0]["forfeited"] and state["currentPlayerId"] == ben.id
    assert not any(card["known"] for player in state["players"] for card in player["revealedHand"])
    for action in ("action_draw_stockpile", "action_snap", "action_special"):
        await ann.game.refused("forfeited", action)
    await ben.game.send("action_draw_stockpile")
    assert (await ann.game.hears("player_draw_stockpile"))["card"].keys() == {"id"}
    assert await ann.game.silent()
    await cleo.lobby.send("leave_lobby")
    assert (await ann.game.until("game_end"))["payload"]["winner"] == ben.id


async def test_the_lobby_socket_may_come_and_go_during_a_game(here: Hall) -> None:
    ann, ben = await here.playing()
    await here.settle(ben.lobby)
    await ann.lobby.close()
    assert await ben.game.silent() and await ben.lobby.silent()
    await ann.enter_lobby()
    state = await ann.lobby.hears("lobby_state")
    assert state["in_game"] and state["game_id"] == here.game
    assert len(state["lobby_status"]["users"]) == 2


async def test_k82_d87_a_newer_game_connection_replaces_the_older(here: Hall) -> None:
    ann, ben = await here.playing()
    old = ann.game
    await ann.enter_game()
    assert await old.closed() == 3004
    await ann.game.hears("private_sync_state")
    assert await ben.game.silent() and await ann.lobby.rest() is not None
    await ann.game.send("action_draw_stockpile")
    await ann.game.hears("player_draw_stockpile", "private_draw_stockpile")


async def test_t9_a_finished_game_can_be_looked_at_for_a_while(here: Hall) -> None:
    ann, ben = await here.playing(draws=["4♦"])
    await ann.game.send("action_cambia")
    await here.throws_last(ben)
    end = await ann.game.until("game_end")
    await ann.game.close()
    await here.time.to_pass(20)
    await ann.enter_game()
    state = (await ann.game.hears("private_sync_state"))["state"]
    assert state["gameOver"] and not state["started"]
    assert [card["known"] for card in state["players"][0]["revealedHand"]] == [True, True, False, False]
    assert await ann.game.hears("game_end") == end
    await here.time.to_pass(10)
    assert await ann.game.closed() == 1000
    assert await here.turned_away(f"/game/ws/{here.game}", ann) == 410


async def test_an_older_game_is_gone_when_the_next_begins(here: Hall) -> None:
    ann, ben = await here.playing(draws=["4♦"])
    first, old = here.game, ann.game
    await ann.game.send("action_cambia")
    await here.throws_last(ben)
    await old.until("game_end")
    for person in (ann, ben):
        await person.lobby.until("game_results")
    await here.start(ann, ben)
    assert await old.closed() == 1000
    assert await here.turned_away(f"/game/ws/{first}", ann) == 410


async def test_who_has_no_lobby_socket_after_a_game_is_kept_for_a_minute(here: Hall) -> None:
    ann, ben, cleo = await here.playing(ANN, BEN, CLEO, draws=["4♦", "4♣"])
    await cleo.lobby.close()
    await ann.game.send("action_cambia")
    await here.throws(ben, ann, ben, cleo)
    await here.throws_last(cleo)
    assert len((await ann.lobby.until("game_results"))["lobby_status"]["users"]) == 3
    await here.time.to_pass(60)
    assert (await ann.lobby.hears("lobby_update"))["user_left"] == cleo.id


async def test_k86_d85_everybody_hears_the_same_in_the_same_order(here: Hall) -> None:
    people = await here.playing(ANN, BEN, CLEO)
    hands = [await person.hand() for person in people]
    for idx in range(4):
        for person, hand in zip(people, hands, strict=True):
            await person.game.send("action_snap", card={"id": hand[idx]})
    for person in people:
        await person.game.send("ping")
    heard: list[list[Json]] = []
    for person in people:
        told: list[Json] = []
        while sum(one["type"] in ("player_snap_fail", "player_snap_success") for one in told) < 12:
            told.append(await person.game.next())
        heard.append([one for one in told if one["type"].startswith("player_")])
    assert heard[0] == heard[1] == heard[2]


async def test_a_game_survives_the_server(tmp_path: Path) -> None:
    """More than T16 asks for: the same people, the same cards, the same ids."""
    async with hall(tmp_path) as before:
        ann, ben = await before.playing()
        lobby, game, cards = before.lobby, before.game, await ann.hand()
        await before.leave()
    async with hall(tmp_path) as after:
        after.lobby, after.game = lobby, game
        for person in (ann, ben):
            person._hall = after
            await person.enter_game()
        assert await ann.hand() == cards
        await ann.enter_lobby()
        assert (await ann.lobby.hears("lobby_state"))["game_id"] == game


async def test_t16_the_server_goes_down_with_1001(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        ann, _ = await here.playing()
        sockets = [ann.lobby, ann.game]
        for socket in sockets:
            await socket.rest()
        here._sockets.clear()
    for socket in sockets:
        assert await socket.closed() == 1001
