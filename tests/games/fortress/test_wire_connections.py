"""Connections and time in the game's own protocol: leaving, being lost, coming back, being late, the end.

The names s1, s2, … are the points of the part on connections in docs/protocols/fortress.md; c66, … its checklist lines.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.games.fortress.wire import ALICE, BOB, M1, S1, T1, T2, Client, Duel, Hall, Json, hall
from tests.live import process


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def back(here: Hall, who: Client, name: str = "x", **fields: Any) -> tuple[Client, Json]:
    """Somebody comes back on a new connection."""
    again = await here.enter()
    await again.send("JOIN_GAME", USERNAME=name, TOKEN=who.token, **fields)
    told = await again.hears("JOIN_GAME_RESP")
    assert (told["SUCCESS"], told["RESUMED"], told["TOKEN"]) == (True, True, who.token)
    again.seat, again.token = told["PLAYER_ID"], told["TOKEN"]
    return again, await again.hears("GAME_STATE")


# Leaving


async def test_s1_c66_d70_terminate_conn_in_the_game_loses_it_at_once(here: Hall) -> None:
    duel = await here.duel()
    await duel.alice.send("TERMINATE_CONN")
    assert await duel.alice.closed() == []
    assert await duel.bob.closed() == [{"COMMAND": "GAME_END", "WINNER_ID": 1, "REASON": "FORFEIT"}]
    assert here.tables == []


async def test_s1_terminate_conn_during_the_mulligan_and_before_anything(here: Hall) -> None:
    alice, bob = await here.joined()
    await bob.send("TERMINATE_CONN")
    assert await alice.closed() == [{"COMMAND": "GAME_END", "WINNER_ID": 0, "REASON": "FORFEIT"}]
    nobody = await here.enter()
    await nobody.send("TERMINATE_CONN")
    assert await nobody.closed() == []


async def ended(here: Hall) -> Duel:
    duel = await here.duel(3)
    await duel.draws()
    duel.put(0, S1, 18)
    duel.position.sides[1].health = 5
    await duel.alice.send("ATTACK_CARD", ATTACKER="MY_SOLDIER_1", TARGET="THEIR_CASTLE")
    await duel.bob.until("ATTACK_CARD_RESP")
    await duel.bob.send("ALLOW_ACTION")
    for player in duel.players:
        assert (await player.until("GAME_END"))["WINNER_ID"] == 0
    return duel


async def test_s1_s6_c65_after_the_end_there_are_ten_seconds(here: Hall) -> None:
    duel = await ended(here)
    await here.time.to_pass(9.9)
    for player in duel.players:
        assert await player.refused("TURN_END") == "GAME_OVER"
    await duel.bob.send("TERMINATE_CONN")
    assert await duel.bob.closed() == []
    assert await duel.alice.rest() == []
    await here.time.to_pass(0.1)
    assert await duel.alice.closed() == []
    assert here.tables == []


# Lost connections


async def test_s2_before_the_game_a_lost_connection_has_left(here: Hall) -> None:
    alice = await here.enter()
    await alice.joins()
    alice.writer.close()
    async with asyncio.timeout(10):
        while here.tables:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def test_s2_s3_c67_a_lost_connection_comes_back_and_nothing_has_changed(here: Hall) -> None:
    duel = await here.duel(3)
    await duel.draws()
    before = await duel.alice.state()
    duel.alice.writer.close()
    told = await duel.bob.hears("PLAYER_LEFT")
    assert told == {"COMMAND": "PLAYER_LEFT", "PLAYER_ID": 0, "USERNAME": "alice", "GRACE": 30}
    await here.time.to_pass(29)
    again, state = await back(here, duel.alice)
    assert state == before
    assert await again.rest() == []
    told = await duel.bob.hears("PLAYER_JOINED")
    assert told == {"COMMAND": "PLAYER_JOINED", "USERNAME": "alice", "PLAYER_ID": 0, "RESUMED": True}
    await here.time.to_pass(29)
    await again.send("TURN_END")
    assert (await duel.bob.hears("TURN_START"))["PLAYER_ID"] == 1


async def test_s3_the_old_connection_is_closed_if_it_is_still_there(here: Hall) -> None:
    duel = await here.duel()
    again, _ = await back(here, duel.alice)
    assert await duel.alice.closed() == []
    assert (await duel.bob.hears("PLAYER_JOINED"))["RESUMED"] is True
    assert await duel.bob.rest() == []
    await again.send("TURN_END")
    assert (await again.hears("TURN_START"))["PLAYER_ID"] == 1


async def test_s3_an_open_request_is_said_again(here: Hall) -> None:
    duel = await here.duel()
    duel.put(0, S1, 24)
    duel.hand(0, 18)
    await duel.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=18)
    asked = await duel.alice.hears("TARGET_CARD")
    again, state = await back(here, duel.alice)
    assert await again.hears("TARGET_CARD") == asked == state["REQUEST"]
    other, state = await back(here, duel.bob)
    assert await other.rest() == [] and state["REQUEST"] is None and state["PHASE"] == "CHOICE"


@pytest.mark.parametrize("kind", ["draw", "play", "lay", "level", "attack", "ability", "destroy", "trickster"])
async def test_s3_the_announcement_of_an_open_window_is_said_again(here: Hall, kind: str) -> None:
    duel = await here.duel(3)
    alice, bob = duel.players
    if kind != "draw":
        await duel.draws()
    duel.hand(0, 11, 28)
    duel.put(0, S1, 18)
    duel.put(0, M1, 46, level=3 if kind == "destroy" else 1)
    duel.put(1, M1, 43)
    wishes: dict[str, Json] = {
        "draw": {"COMMAND": "DRAW_CARD"},
        "play": {"COMMAND": "PLAY_CARD", "START_POS": "MY_HAND_1", "END_POS": "MY_SOLDIER_2", "CARD_ID": 11},
        "lay": {"COMMAND": "PLAY_CARD", "START_POS": "MY_HAND_2", "END_POS": "MY_TRICKSTER_1", "CARD_ID": 28},
        "level": {"COMMAND": "LEVEL_MAGE", "TARGET": "MY_MAGE_1"},
        "attack": {"COMMAND": "ATTACK_CARD", "ATTACKER": "MY_SOLDIER_1", "TARGET": "THEIR_MAGE_1"},
        "ability": {"COMMAND": "USE_ABILITY", "CARD_POS": "MY_SOLDIER_1"},
        "destroy": {"COMMAND": "DESTROY_CARD", "CARD_POS": "THEIR_MAGE_1"},
    }
    wish = wishes.get(kind, wishes["ability"])
    await alice.send(wish.pop("COMMAND"), **wish)
    holder, announced = bob, await bob.next()
    if kind == "trickster":
        duel.put(1, T1, 33)
        await bob.send("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_1")
        await bob.hears("ACTIVATE_TRICKSTER_RESP")
        holder, announced = alice, await alice.until("ACTIVATE_TRICKSTER_RESP")
    assert announced["PENDING"] and announced["RESPONDER_ID"] == holder.seat
    again, state = await back(here, holder)
    assert state["RESPONDER_ID"] == holder.seat and state["STACK"][-1]["ACTION_ID"] == announced["ACTION_ID"]
    assert await again.rest() == [announced]


async def test_s3_an_open_mulligan_is_offered_again(here: Hall) -> None:
    alice, bob = await here.joined()
    again, state = await back(here, alice)
    assert (state["PHASE"], state["TURN"], state["CURRENT_PLAYER_ID"]) == ("MULLIGAN", 0, None)
    assert [state[name] for name in ("MY_CASTLE", "THEIR_CASTLE", "MY_HEALTH", "THEIR_HEALTH")] == [-1, -1, 0, 0]
    assert await again.hears("MULLIGAN_OFFER") == {"COMMAND": "MULLIGAN_OFFER", "HAND_SIZE": 6, "NEXT_SIZE": 5}
    await bob.send("GAME_START_ACCEPT")
    other, _ = await back(here, bob)
    assert await other.rest() == []


async def test_s4_the_grace_runs_out(here: Hall) -> None:
    duel = await here.duel()
    duel.alice.writer.close()
    await duel.bob.hears("PLAYER_LEFT")
    await here.time.to_pass(29.9)
    assert await duel.bob.rest() == []
    await here.time.to_pass(0.1)
    assert await duel.bob.hears("GAME_END") == {"COMMAND": "GAME_END", "WINNER_ID": 1, "REASON": "DISCONNECT"}
    late = await here.enter()
    await late.send("JOIN_GAME", USERNAME="alice", TOKEN=duel.alice.token)
    assert (await late.closed())[0]["CODE"] == "BAD_TOKEN"


async def test_s4_without_grace_a_lost_connection_loses(tmp_path: Path) -> None:
    async with hall(tmp_path, option=("fortress.grace=0",)) as here:
        duel = await here.duel()
        duel.alice.writer.close()
        assert (await duel.bob.hears("PLAYER_LEFT"))["GRACE"] == 0
        assert (await duel.bob.hears("GAME_END"))["REASON"] == "DISCONNECT"


async def test_s4_if_both_are_away_the_first_loses(here: Hall) -> None:
    duel = await here.duel()
    duel.bob.writer.close()
    await duel.alice.hears("PLAYER_LEFT")
    await here.time.to_pass(5)
    duel.alice.writer.close()
    await here.time.to_pass(0)
    await here.time.to_pass(26)
    assert (duel.position.winner, duel.position.reason) == (0, "disconnect")


async def test_s5_who_does_not_join_within_a_minute_is_shown_the_door(here: Hall) -> None:
    somebody, alice = await here.enter(), await here.enter()
    await alice.joins()
    await here.time.to_pass(59)
    assert await somebody.rest() == []
    await here.time.to_pass(1)
    assert await somebody.closed() == []
    assert await alice.rest() == []


# Time


async def test_s7_every_wait_ends_with_what_the_list_says(here: Hall) -> None:
    alice, bob = await here.joined()
    duel = Duel(alice, bob, here.tables[0])
    await here.time.to_pass(60)  # mulligan: accept
    await duel.both("TURN_START")
    duel.put(0, S1, 24)
    duel.hand(0, 18)
    await alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=18)
    await alice.hears("TARGET_CARD")
    await here.time.to_pass(60)  # a choice that has to be made: the first one
    assert (await alice.hears("DESTROY_CARD_RESP"))["CARD_IDS"] == [24]
    await alice.hears("PLAY_CARD_RESP")
    await here.time.to_pass(30)  # a window: allow
    assert (await alice.hears("PLAY_CARD_RESP"))["RESULT"] == "DONE"
    await alice.rest()
    await alice.refused("ALLOW_ACTION")  # what is not allowed does not prolong anything
    await here.time.to_pass(180)  # a turn: it ends
    await alice.until("TURN_START")
    await here.time.to_pass(180)  # a turn: the draw that is due, and the end
    assert (await alice.hears("DRAW_CARD_RESP"))["PENDING"] is True
    await here.time.to_pass(30)
    assert (await alice.hears("DRAW_CARD_RESP"))["RESULT"] == "DONE"
    assert (await alice.hears("TURN_START"))["TURN"] == 3


async def test_s7_offers_and_questions_are_declined(here: Hall) -> None:
    duel = await here.duel()
    alice, bob = duel.players
    duel.hand(0, 8, 21, 24)
    await alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_DECREE", CARD_ID=8)
    await bob.hears("PLAY_CARD_RESP")
    await bob.send("ALLOW_ACTION")
    offer = await alice.until("DRAW_CARD_OFFER")
    assert offer["START_POST"] == offer["START_POS"] == "MY_DECK_44" and offer["ID"] == 8  # d33
    assert offer["END_POS"] == "MY_HAND_3"
    await here.time.to_pass(60)
    assert await alice.rest() == []
    await alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=21)
    await bob.until("PLAY_CARD_RESP", PENDING=True, CARD_ID=21)
    await bob.send("ALLOW_ACTION")
    assert (await alice.until("TARGET_CARD"))["OPTIONAL"] is True
    await here.time.to_pass(60)
    assert await alice.rest() == []
    assert duel.position.phase == "main"


async def test_s8_c68_three_times_in_a_row_is_the_end(here: Hall) -> None:
    """Alice says nothing at all. That windows pass does not count."""
    duel = await here.duel()
    for turn in (1, 3, 5):
        assert duel.position.strikes[0] == (turn - 1) // 2
        await here.time.to_pass(180)
        if turn == 5:
            break
        if turn > 1:
            await duel.bob.until("DRAW_CARD_RESP", PENDING=True, USER_ID=0)
            await duel.bob.send("ALLOW_ACTION")
        await duel.bob.until("TURN_START", TURN=turn + 1)
        await duel.bob.send("DRAW_CARD")
        await duel.bob.until("DRAW_CARD_RESP", PENDING=True)
        await here.time.to_pass(30)
        await duel.bob.send("TURN_END")
        await duel.bob.until("TURN_START", TURN=turn + 2)
    assert await duel.bob.until("GAME_END") == {"COMMAND": "GAME_END", "WINNER_ID": 1, "REASON": "TIMEOUT"}


async def test_s8_a_move_makes_up_for_it(here: Hall) -> None:
    duel = await here.duel()
    await here.time.to_pass(180)
    await duel.both("TURN_START")
    assert duel.position.strikes == [1, 0]
    await duel.ends_turn()
    await duel.draws()
    assert duel.position.strikes == [0, 0]


# MORE, and who holds the window


async def test_d23_c58_more_keeps_the_window_and_then_it_is_passed_on(here: Hall) -> None:
    duel = await here.duel()
    alice, bob = duel.players
    duel.put(1, T1, 33)
    duel.put(1, T2, 41)
    await alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=11)
    await bob.hears("PLAY_CARD_RESP")
    await bob.send("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_1", MORE=True, RESPONDS_TO=1)
    first = await bob.hears("ACTIVATE_TRICKSTER_RESP")
    assert first["RESPONDER_ID"] == 1
    await alice.until("ACTIVATE_TRICKSTER_RESP")
    assert await alice.refused("ALLOW_ACTION") == "NOT_YOUR_MOVE"
    await bob.send("ALLOW_ACTION")
    for player in duel.players:  # the same announcement, but for who may answer it
        told = await player.until("ACTIVATE_TRICKSTER_RESP", RESPONDER_ID=0)
        assert (told["ACTION_ID"], told["PENDING"]) == (first["ACTION_ID"], True)
    await alice.send("ALLOW_ACTION")
    assert (await bob.hears("ACTIVATE_TRICKSTER_RESP"))["RESULT"] == "DONE"


# The server itself


async def test_c67_a_server_that_was_killed_knows_every_token(tmp_path: Path) -> None:
    flags = ("--port", "0", "--no-game-ports", "--listen", "fortress=127.0.0.1:0", "--table-count", "fortress=2")

    async def enter(port: int) -> Client:
        return Client(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 20))

    async with process(tmp_path, *flags) as live:
        alice, bob = await enter(live.ports["fortress"]), await enter(live.ports["fortress"])
        await alice.joins(ALICE)
        await bob.joins(BOB, "bob")
        for player in (alice, bob):
            await player.until("MULLIGAN_OFFER")
            await player.send("GAME_START_ACCEPT")
        await alice.until("TURN_START")
        before = await alice.state()
        lonely = await enter(live.ports["fortress"])
        await lonely.joins(name="lonely")
        await live.kill()
        for client in (alice, bob, lonely):
            client.writer.transport.abort()
    async with process(tmp_path, *flags) as live:
        again = await enter(live.ports["fortress"])
        await again.send("JOIN_GAME", USERNAME="alice", TOKEN=alice.token)
        assert (await again.hears("JOIN_GAME_RESP"))["RESUMED"] is True
        assert await again.hears("GAME_STATE") == before
        # Before a game, a seat goes with its connection.
        other = await enter(live.ports["fortress"])
        assert (await other.joins(BOB, "other"))["PLAYER_LIST"] == {}
        for client in (again, other):
            client.writer.transport.abort()


async def test_s9_a_client_that_does_not_read_is_lost_and_nobody_waits_for_it(here: Hall) -> None:
    duel = await here.duel()
    duel.bob.reader._transport.pause_reading()  # type: ignore[attr-defined]
    async with asyncio.timeout(20):
        while duel.position.away[1] is None:
            duel.bob.writer.write(b'{"COMMAND":"GET_STATE"}\n' * 1000)
            await asyncio.sleep(0.001)
    assert (await duel.alice.until("PLAYER_LEFT"))["PLAYER_ID"] == 1


async def test_a_table_that_cant_go_on_just_now_says_so(here: Hall) -> None:
    """As while the journal can't be written, and what is in memory is read from it again."""
    duel = await here.duel()
    (room,) = here.house.rooms.values()
    room.stale = True
    assert await duel.alice.said_no("TURN_END") == "UNAVAILABLE"
    assert await duel.alice.said_no("GET_STATE") == "UNAVAILABLE"
    room.mark_stale()
    told = await duel.alice.hears("GAME_STATE")  # all anew
    assert told["PHASE"] == "MAIN"
    await duel.alice.send("TURN_END")
    assert (await duel.alice.hears("TURN_START"))["TURN"] == 2
