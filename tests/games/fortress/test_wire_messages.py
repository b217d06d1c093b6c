"""Single messages of the game's own protocol, and their order, where the golden conversations don't show them.

The names d23, c44, … are decisions and checklist lines of docs/protocols/fortress.md.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games.fortress.dialect.place_names import READ
from tests.games.fortress.wire import BOB, M1, M2, S1, S2, T1, T2, D, Duel, Hall, Json, hall


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def allowed(duel: Duel, command: str, **fields: Any) -> None:
    """Whose turn it is does something, and the other one allows it."""
    active, other = duel.players[duel.position.active], duel.players[1 - duel.position.active]
    await active.send(command, **fields)
    while duel.position.holder is None:
        await active.rest()
    await other.rest()
    await active.rest()
    await other.send("ALLOW_ACTION")


async def played(duel: Duel, card: int, end: str, number: int = 1) -> None:
    await allowed(duel, "PLAY_CARD", START_POS=f"MY_HAND_{number}", END_POS=end, CARD_ID=card)


def commands(told: list[Json]) -> list[str]:
    return [message["COMMAND"] for message in told]


def test_there_are_236_positions_and_hands_beyond_ten() -> None:
    assert len(READ[0]) == 236 + 2 * 40
    assert all(READ[0][name] == READ[1][name.replace("MY_", "THEIR_")] for name in READ[0] if name.startswith("MY_"))


async def test_c15_c19_d9_d10_d35_hands_first_and_castles_when_both_are_accepted(here: Hall) -> None:
    alice, bob = await here.enter(), await here.enter()
    await alice.joins()
    await bob.joins(BOB, "bob")
    dealt = await alice.until("GAME_START")
    hand = {"MY_HAND_1": 11, "MY_HAND_2": 11, "MY_HAND_3": 12, "MY_HAND_4": 12, "MY_HAND_5": 13, "MY_HAND_6": 13}
    about = {"DECK_SIZE": 44, "PLAYER_ID": 0, "MY_NAME": "alice", "THEIR_NAME": "bob"}
    assert dealt == {"COMMAND": "GAME_START", "DECK": hand, **about}
    await alice.until("MULLIGAN_OFFER")
    await bob.until("MULLIGAN_OFFER")
    await bob.send("GAME_START_ACCEPT")
    assert await bob.rest() == [] == await alice.rest()
    await alice.send("GAME_START_ACCEPT")
    for player, castles in ((alice, [3, 5]), (bob, [5, 3])):
        told = await player.hears("SPAWN_CASTLES")
        assert [told["MY_CASTLE"], told["THEIR_CASTLE"]] == castles
        assert commands(await player.rest()) == ["CASTLE_DAMAGE", "TURN_START"]


async def test_c53_d21_a_window_opens_even_if_there_is_nothing_to_answer_with(here: Hall) -> None:
    duel = await here.duel()
    duel.hand(0, 24)
    await duel.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=24)
    assert (await duel.bob.hears("PLAY_CARD_RESP"))["RESPONDER_ID"] == 1
    assert await duel.bob.rest() == []
    await duel.bob.send("ALLOW_ACTION")
    assert commands(await duel.bob.rest()) == ["PLAY_CARD_RESP"]  # c34: no gap in the hand, so nothing moves


async def test_c20_return_card_is_a_move_and_a_shuffle(here: Hall) -> None:
    alice, bob = await here.joined()
    await alice.send("RETURN_CARD", START_POS="MY_HAND_4")
    moves = [["MY_HAND_4", "MY_DECK_45"], ["MY_HAND_5", "MY_HAND_4"], ["MY_HAND_6", "MY_HAND_5"]]
    assert await alice.hears("MOVE_CARD") == {"COMMAND": "MOVE_CARD", "CARD_MOVEMENTS": moves, "CARDS": {}}
    told = await alice.hears("SHUFFLE_DECK")
    assert (told["PLAYER_ID"], told["DECK_SIZE"], set(told["DECK"].values())) == (0, 45, {-1})
    assert (await bob.hears("MOVE_CARD"))["CARD_MOVEMENTS"][0] == ["THEIR_HAND_4", "THEIR_DECK_45"]
    assert "THEIR_DECK_45" in (await bob.hears("SHUFFLE_DECK"))["DECK"]
    await alice.send("GAME_START_MULLIGAN")  # d14: the next hand goes by the last deal
    assert len((await alice.hears("GAME_START"))["DECK"]) == 5


async def test_c17_c18_d77_each_deal_is_hidden_from_the_other_and_touches_only_one_hand(here: Hall) -> None:
    alice, bob = await here.joined()
    before = await bob.state()
    await alice.send("DIAG_RESP", BOOL=True)
    assert len((await alice.hears("GAME_START"))["DECK"]) == 5
    told = await bob.hears("DRAW_CARD_RESP")
    assert told["CLEAR_FLAG"] and {drawn["card"] for drawn in told["DRAWN_CARDS"]} == {-1}  # d77
    after = await bob.state()
    mine = {place: card for place, card in after["CARDS"].items() if place.startswith("MY_")}
    assert mine == {place: card for place, card in before["CARDS"].items() if place.startswith("MY_")}


async def test_c29_c32_c44_c48_d29_d33_offers_of_levels_and_draws(here: Hall) -> None:
    duel = await here.duel(3)
    await duel.draws()
    alice = duel.alice
    side = duel.position.sides[0]
    side.castle = 0
    duel.hand(0, 48)
    for slot, card in ((S1, 24), (T1, 33), (M1, 43)):
        duel.put(0, slot, card, **({"level": 2} if slot == M1 else {}))
    await alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_MAGE_2", CARD_ID=48)
    for _ in range(3):
        asked = await alice.hears("TARGET_CARD")
        assert (asked["PURPOSE"], asked["TRIGGER_POS"]) == ("COST", "MY_HAND_1")
        await alice.send("TARGET_CARD_RESP", CARD_POS=asked["VALID_REGION"][0])
    told = await alice.hears("DESTROY_CARD_RESP")  # c29: once for all, before the announcement
    assert told["CARD_LOCATIONS"] == ["MY_SOLDIER_1", "MY_MAGE_1", "MY_TRICKSTER_1"]
    size = len(side.deck)
    offer = await alice.hears("DRAW_CARD_OFFER")
    assert (offer["ID"], offer["START_POST"], offer["START_POS"]) == (0, f"MY_DECK_{size}", f"MY_DECK_{size}")
    await alice.send("DRAW_CARD", REQUEST_ID=offer["REQUEST_ID"])
    assert len((await alice.hears("DRAW_CARD_RESP"))["DRAWN_CARDS"]) == 1
    assert (await alice.hears("PLAY_CARD_RESP"))["PENDING"]
    await duel.bob.rest()
    await duel.bob.send("ALLOW_ACTION")
    offer = await alice.until("LEVEL_MAGE")
    assert (offer["TARGET"], offer["LEVEL"]) == ("MY_MAGE_2", 2)
    assert await alice.refused("LEVEL_MAGE_RESP", TARGET="MY_MAGE_1", OPT=True) == "ANSWER_FIRST"
    assert await alice.refused("LEVEL_MAGE_RESP", TARGET="MY_MAGE_2") == "ANSWER_FIRST"
    wrong = {"TARGET": "MY_MAGE_2", "OPT": True, "REQUEST_ID": offer["REQUEST_ID"] + 1}
    assert await alice.refused("LEVEL_MAGE_RESP", **wrong) == "STALE_REQUEST"
    await duel.bob.rest()
    await alice.send("LEVEL_MAGE_RESP", TARGET="MY_MAGE_2", OPT=False)
    assert await alice.rest() == [] and duel.position.phase == "main"
    about = {"BOOL": False, "PLAYER_ID": 0, "KIND": "LEVEL", "REQUEST_ID": offer["REQUEST_ID"]}
    assert await duel.bob.rest() == [{"COMMAND": "DIAG_RESP", **about}]


async def test_d34_c49_the_last_stand_of_a_castle(here: Hall) -> None:
    duel = await here.duel(3)
    await duel.draws()
    duel.put(0, S1, 18)
    duel.position.sides[1].castle, duel.position.sides[1].health = 4, 5
    await allowed(duel, "ATTACK_CARD", ATTACKER="MY_SOLDIER_1", TARGET="THEIR_CASTLE")
    assert (await duel.bob.hears("ATTACK_CARD_RESP"))["RESULT"] == "CASTLE_HIT"
    asked = await duel.bob.hears("DIAG_OFFER")
    assert (asked["KIND"], asked["CARD_POS"]) == ("LAST_STAND", "MY_CASTLE")
    assert asked["MSG"]
    await duel.bob.send("DIAG_RESP", BOOL=True, REQUEST_ID=asked["REQUEST_ID"])
    about = {"TRIGGER_POS": "THEIR_SOLDIER_1", "TARGET_POS": "MY_CASTLE", "NEW_HEALTH": 1}
    assert await duel.bob.hears("CASTLE_ATTACK") == {"COMMAND": "CASTLE_ATTACK", **about}
    assert (await duel.bob.hears("CASTLE_DAMAGE"))["MY_HEALTH"] == 1
    asked = await duel.bob.hears("TARGET_CARD")
    assert (asked["PURPOSE"], asked["TRIGGER_POS"], asked["OPTIONAL"]) == ("PLAY", "MY_CASTLE", True)
    await duel.alice.rest()
    await duel.bob.send("TARGET_CARD_RESP", CARD_POS=None)
    assert commands(await duel.bob.rest()) == ["SHUFFLE_DECK"]  # a search that is declined is one
    told, _ = await duel.alice.rest()
    about = {"BOOL": False, "PLAYER_ID": 1, "KIND": "TARGET", "PURPOSE": "PLAY", "REQUEST_ID": asked["REQUEST_ID"]}
    assert told == {"COMMAND": "DIAG_RESP", **about}


async def test_the_end_of_a_castle_that_could_have_held_out_is_told_in_order(here: Hall) -> None:
    duel = await here.duel(3)
    await duel.draws()
    duel.put(0, S1, 18)
    duel.position.sides[1].castle, duel.position.sides[1].health = 4, 5
    await allowed(duel, "ATTACK_CARD", ATTACKER="MY_SOLDIER_1", TARGET="THEIR_CASTLE")
    await duel.bob.until("DIAG_OFFER")
    await duel.alice.rest()
    await duel.bob.send("DIAG_RESP", BOOL=False)
    heard = [await duel.alice.next() for _ in range(4)]
    assert commands(heard) == ["DIAG_RESP", "CASTLE_ATTACK", "CASTLE_DAMAGE", "GAME_END"]
    assert (heard[0]["KIND"], heard[0]["PLAYER_ID"]) == ("LAST_STAND", 1)
    assert commands([await duel.bob.next() for _ in range(3)]) == ["CASTLE_ATTACK", "CASTLE_DAMAGE", "GAME_END"]


async def test_the_question_of_a_protector(here: Hall) -> None:
    duel = await here.duel(3)
    await duel.draws()
    duel.put(0, S1, 18)
    duel.put(1, S1, 24)
    duel.put(1, M1, 58)
    await allowed(duel, "ATTACK_CARD", ATTACKER="MY_SOLDIER_1", TARGET="THEIR_SOLDIER_1")
    await duel.bob.hears("ATTACK_CARD_RESP")
    asked = await duel.bob.hears("DIAG_OFFER")
    assert (asked["KIND"], asked["CARD_POS"]) == ("PROTECT", "MY_SOLDIER_1")
    assert "Warlock" in asked["MSG"]
    assert await duel.bob.refused("TARGET_CARD_RESP", CARD_POS=None) == "ANSWER_FIRST"
    await duel.bob.send("DIAG_RESP", BOOL=True)
    assert await duel.bob.rest() == []


async def test_t24_d47_c25_the_end_of_a_turn_in_order(here: Hall) -> None:
    duel = await here.duel(3)
    await duel.draws()
    alice = duel.alice
    duel.hand(0, *[24] * 12)
    duel.put(0, D, 6, turns=0)
    duel.put(0, S1, 24, stunned=True)
    await alice.send("TURN_END")
    assert (await alice.hears("DESTROY_CARD_RESP"))["CARD_LOCATIONS"] == ["MY_DECREE"]
    told = await alice.hears("CARD_UPDATE")
    assert (told["CARD_POS"], told["STUNNED"]) == ("MY_SOLDIER_1", False)
    for number in (12, 11):
        asked = await alice.hears("TARGET_CARD")
        assert (asked["PURPOSE"], asked["TRIGGER_POS"]) == ("HAND_LIMIT", "MY_CASTLE")
        assert asked["VALID_REGION"][-1] == f"MY_HAND_{number}"
        await alice.send("TARGET_CARD_RESP", CARD_POS=f"MY_HAND_{number}")
        moved = await alice.hears("MOVE_CARD")
        grave = moved["CARD_MOVEMENTS"][0][1]
        assert moved["CARD_MOVEMENTS"] == [[f"MY_HAND_{number}", grave]] and moved["CARDS"] == {grave: 24}
    assert (await alice.hears("TURN_START"))["TURN"] == 4


async def test_d36_d59_cards_that_change_sides_do_it_at_the_same_time(here: Hall) -> None:
    duel = await here.duel(3)
    await duel.draws()
    duel.put(0, S1, 18)
    duel.put(1, S2, 24)
    duel.put(1, T1, 39)
    await duel.alice.send("USE_ABILITY", CARD_POS="MY_SOLDIER_1")
    await duel.bob.until("USE_ABILITY_RESP")
    await duel.bob.send("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_1")
    await duel.alice.until("ACTIVATE_TRICKSTER_RESP")
    await duel.alice.send("ALLOW_ACTION")
    asked = await duel.bob.until("TARGET_CARD")
    await duel.bob.send("TARGET_CARD_RESP", CARD_POS=asked["VALID_REGION"][0])
    asked = await duel.alice.until("TARGET_CARD")  # d59: each one of the own
    assert (asked["PURPOSE"], asked["TRIGGER_POS"]) == ("SWAP", "THEIR_TRICKSTER_1")
    await duel.alice.send("TARGET_CARD_RESP", CARD_POS="MY_SOLDIER_1")
    moved = await duel.alice.hears("MOVE_CARD")
    assert sorted(moved["CARD_MOVEMENTS"]) == [
        ["MY_SOLDIER_1", "THEIR_SOLDIER_2"],
        ["THEIR_SOLDIER_2", "MY_SOLDIER_1"],
    ]
    assert commands([await duel.alice.next() for _ in range(2)]) == ["CARD_UPDATE", "CARD_UPDATE"]


async def test_a_trickster_that_looks_shows_what_is_face_down_to_the_chooser_only(here: Hall) -> None:
    duel = await here.duel()
    duel.put(0, T1, 28)
    duel.put(0, T2, 33)
    duel.put(1, T1, 31)
    await duel.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=11)
    await duel.bob.until("PLAY_CARD_RESP")
    await duel.bob.send("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_1")
    await duel.alice.until("ACTIVATE_TRICKSTER_RESP")
    await duel.alice.send("ALLOW_ACTION")
    asked = await duel.bob.until("TARGET_CARD")
    assert asked["CARDS"] == {"THEIR_TRICKSTER_1": 28, "THEIR_TRICKSTER_2": 33}
    assert "TARGET_CARD" not in commands(await duel.alice.rest())


async def test_a_hidden_card_among_those_to_choose_from_has_no_id(here: Hall) -> None:
    duel = await here.duel(3)
    await duel.draws()
    duel.put(1, S1, 24)
    duel.put(1, T1, 28)
    duel.hand(0, 12)
    duel.put(0, S2, 24)
    await duel.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=12)
    await duel.alice.hears("TARGET_CARD")
    await duel.alice.send("TARGET_CARD_RESP", CARD_POS="MY_SOLDIER_2")
    assert (await duel.alice.hears("CASTLE_DAMAGE"))["MY_HEALTH"] == 125  # a cost in health comes first
    await duel.alice.hears("DESTROY_CARD_RESP")
    await duel.bob.until("PLAY_CARD_RESP")
    await duel.bob.send("ALLOW_ACTION")
    asked = await duel.alice.until("TARGET_CARD")
    assert asked["VALID_REGION"] == ["THEIR_SOLDIER_1", "THEIR_TRICKSTER_1"]
    assert asked["CARDS"] == {"THEIR_SOLDIER_1": 24}


async def test_c63_d19_d20_announcements_results_and_refusals_are_told_apart(here: Hall) -> None:
    duel = await here.duel()
    await duel.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=11)
    first = await duel.alice.hears("PLAY_CARD_RESP")
    assert (first["SUCCESS"], first["PENDING"], "RESULT" in first, "CODE" in first) == (True, True, False, False)
    assert (first["ACTION_ID"], first["RESPONDER_ID"], first["IN_RESPONSE"]) == (1, 1, False)
    await duel.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=11)
    no = await duel.alice.hears("PLAY_CARD_RESP")
    assert (no["SUCCESS"], "PENDING" in no, no["CODE"]) == (False, False, "NOT_YOUR_MOVE")
    await duel.bob.until("PLAY_CARD_RESP")
    await duel.bob.send("ALLOW_ACTION")
    done = await duel.alice.hears("PLAY_CARD_RESP")
    assert (done["SUCCESS"], done["PENDING"], done["RESULT"], done["ACTION_ID"]) == (True, False, "DONE", 1)
    assert "RESPONDER_ID" not in done


async def test_c57_d24_d78_an_ability_that_is_cancelled(here: Hall) -> None:
    duel = await here.duel()
    duel.put(1, T1, 35)
    await duel.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=11)
    await duel.bob.until("PLAY_CARD_RESP")
    await duel.bob.send("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_1", RESPONDS_TO=1)
    await duel.alice.until("ACTIVATE_TRICKSTER_RESP")
    await duel.alice.send("ALLOW_ACTION")
    asked = await duel.bob.until("TARGET_CARD")
    await duel.bob.send("TARGET_CARD_RESP", CARD_POS=asked["VALID_REGION"][0])
    assert (await duel.alice.until("PLAY_CARD_RESP"))["RESULT"] == "ABILITY_CANCELLED"
    assert commands(await duel.alice.rest()) == ["MOVE_CARD"]


async def test_an_ability_or_a_level_whose_card_is_gone_fizzles(here: Hall) -> None:
    duel = await here.duel(3)
    await duel.draws()
    duel.put(0, M1, 43)
    duel.put(0, M2, 43)
    duel.put(1, T1, 30)
    await duel.alice.send("LEVEL_MAGE", TARGET="MY_MAGE_1")
    assert (await duel.bob.until("LEVEL_MAGE_RESP"))["NEW_LEVEL"] == 2
    await duel.bob.send("DESTROY_CARD", CARD_POS="THEIR_MAGE_1")
    await duel.alice.until("DESTROY_CARD_RESP")
    await duel.alice.send("ALLOW_ACTION")
    told = await duel.bob.until("LEVEL_MAGE_RESP")
    assert (told["RESULT"], told["NEW_LEVEL"], told["TARGET"]) == ("FIZZLED", 1, "THEIR_MAGE_1")


async def test_d53_d54_points_of_a_castle_are_told_with_the_card(here: Hall) -> None:
    duel = await here.duel(2)
    await duel.draws()
    duel.hand(1, 42)  # a mage of the castle that adds 5
    duel.position.sides[1].deck = [11] * 9
    await played(duel, 42, "MY_MAGE_1")
    assert (await duel.bob.until("PLAY_CARD_RESP"))["POINTS"] == 15


async def test_game_state_in_a_window(here: Hall) -> None:
    duel = await here.duel(3)
    await duel.draws()
    duel.put(0, T1, 28)
    duel.put(0, D, 9)
    duel.put(1, M1, 43, level=2, stunned=True)
    duel.put(0, S1, 18)
    await duel.alice.send("ATTACK_CARD", ATTACKER="MY_SOLDIER_1", TARGET="THEIR_MAGE_1")
    await duel.bob.until("ATTACK_CARD_RESP")
    state = await duel.bob.state()
    number = duel.position.actions
    assert (state["PHASE"], state["TURN"], state["CURRENT_PLAYER_ID"], state["MUST_DRAW"]) == ("WINDOW", 3, 0, False)
    assert state["RESPONDER_ID"] == 1 and state["REQUEST"] is None
    assert state["STACK"] == [
        {"ACTION_ID": number, "KIND": "ATTACK", "PLAYER_ID": 0, "CARD_POS": "THEIR_SOLDIER_1"},
    ]
    assert (state["MY_CASTLE"], state["THEIR_CASTLE"], state["MY_HEALTH"], state["THEIR_HEALTH"]) == (5, 3, 50, 140)
    nothing = {"POINTS": None, "LEVEL": None, "STUNNED": False, "ATTACKS_LEFT": 0}
    cards = state["CARDS"]
    assert cards["THEIR_TRICKSTER_1"] == {"CARD_ID": -1, **nothing, "FACE_DOWN": True}
    assert cards["THEIR_DECREE"] == {"CARD_ID": 9, **nothing, "FACE_DOWN": False}
    mage = {"CARD_ID": 43, "POINTS": 15, "LEVEL": 2, "STUNNED": True, "FACE_DOWN": False, "ATTACKS_LEFT": 1}
    assert cards["MY_MAGE_1"] == mage
    assert cards["MY_HAND_1"] == {"CARD_ID": BOB[49]} and cards["THEIR_HAND_1"] == {"CARD_ID": -1}
    assert not any("DECK" in place or "CASTLE" in place for place in cards)


async def test_asking_for_the_state_changes_nothing(here: Hall) -> None:
    duel = await here.duel()
    before = duel.table.fingerprint(), duel.table.seq
    assert await duel.bob.state() == await duel.bob.state()
    assert (duel.table.fingerprint(), duel.table.seq) == before
    assert await duel.alice.rest() == []


async def test_c23_hands_beyond_ten_have_names(here: Hall) -> None:
    duel = await here.duel(3)
    duel.hand(0, *[24] * 10)
    await duel.draws()
    await duel.alice.rest()
    state = await duel.alice.state()
    assert state["CARDS"]["MY_HAND_11"]["CARD_ID"] > 0
