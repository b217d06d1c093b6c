"""The port for the oldest clients: each of the seven points of that part of docs/protocols/fortress.md."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.dialect.reference import KNOWN
from tests.games.fortress.wire import BOB, M1, S1, T1, T2, Client, Duel, Hall, Json, hall, spoken

OLD = "fortress-reference"


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


class Old(Client):
    """It hears no answers to nonsense, so it waits until what it said has been dealt with another way."""

    hall: Hall

    async def rest(self) -> list[Json]:
        nobody = await self.hall.enter()
        await nobody.rest()
        told = []
        while True:
            try:
                async with asyncio.timeout(0.05):
                    told.append(json.loads(await self.reader.readline()))
            except TimeoutError:
                return told


async def old(here: Hall) -> Old:
    found = await here.enter(OLD)
    client = Old(found.reader, found.writer)
    client.hall = here
    return client


async def duel(here: Hall) -> Duel:
    """Alice, who is new, and bob, who is old, on turn 1."""
    alice, bob = await here.enter(), await old(here)
    await alice.joins()
    await bob.joins(BOB, "bob")
    await alice.until("MULLIGAN_OFFER")
    found = Duel(alice, bob, here.tables[0])
    await bob.until("DIAG_OFFER")
    await bob.send("DIAG_RESP", BOOL=False)
    await alice.send("GAME_START_ACCEPT")
    await found.both("TURN_START")
    return found


async def test_5_a_deal_the_question_about_it_and_the_start(here: Hall) -> None:
    alice, bob = await here.enter(), await old(here)
    await alice.joins()
    assert (await bob.joins(BOB, "bob"))["PLAYER_ID"] == 1
    dealt = await bob.hears("DRAW_CARD_RESP")  # no GAME_INIT (1)
    assert dealt["USER_ID"] == 1 and dealt["CLEAR_FLAG"]
    assert [drawn["card"] for drawn in dealt["DRAWN_CARDS"]] == [27, 35, 30, 23, 42, 46]
    assert (dealt["DRAWN_CARDS"][0]["cardPos"], dealt["DRAWN_CARDS"][0]["oldPos"]) == ("MY_HAND_1", "MY_DECK_50")
    theirs = await bob.hears("DRAW_CARD_RESP")
    assert {drawn["card"] for drawn in theirs["DRAWN_CARDS"]} == {28}  # 4
    assert (await bob.hears("DIAG_OFFER"))["MSG"]
    await bob.send("DIAG_RESP", BOOL=True)
    assert len((await bob.hears("DRAW_CARD_RESP"))["DRAWN_CARDS"]) == 5
    await bob.hears("DIAG_OFFER")
    await bob.send("DIAG_RESP", BOOL=False)
    await alice.send("GAME_START_ACCEPT")
    start = await bob.hears("GAME_START")
    assert start["DECK"] == {f"MY_DECK_{number}": 28 for number in range(1, 46)}
    assert (start["MY_NAME"], start["THEIR_NAME"]) == ("bob", "alice")
    assert [(await bob.next())["COMMAND"] for _ in range(3)] == ["SPAWN_CASTLES", "CASTLE_DAMAGE", "TURN_START"]


async def test_1_2_7_actions_are_allowed_for_it_and_only_results_are_told(here: Hall) -> None:
    game = await duel(here)
    game.hand(0, 24, 28, 43)
    await game.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=24)
    assert (await game.alice.until("PLAY_CARD_RESP", PENDING=False))["RESULT"] == "DONE"
    told = await game.bob.hears("PLAY_CARD_RESP")
    assert (told["PENDING"], told["CARD_ID"]) == (False, 24)
    moved = await game.bob.hears("MOVE_CARD")
    assert moved["CARD_MOVEMENTS"] == {"THEIR_HAND_2": "THEIR_HAND_1", "THEIR_HAND_3": "THEIR_HAND_2"}  # 3
    await game.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_TRICKSTER_1", CARD_ID=28)
    assert (await game.bob.hears("PLAY_CARD_RESP"))["CARD_ID"] == 28  # 4: what it would be told of any
    await game.bob.hears("MOVE_CARD")


async def test_6_nonsense_and_illegal_commands_are_ignored_without_end(here: Hall) -> None:
    game = await duel(here)
    for _ in range(150):
        await game.bob.raw(b'{}\nnonsense\n{"COMMAND":"TURN_END"}\n{"COMMAND":"FLY"}\n[]\n')
    await game.bob.raw(b"x" * 70_000 + b"\n")
    assert await game.bob.rest() == []
    await game.alice.send("TURN_END")
    assert (await game.bob.hears("TURN_START"))["PLAYER_ID"] == 1


async def test_6_a_join_that_is_refused_is_told(here: Hall) -> None:
    bob = await old(here)
    await bob.send("JOIN_GAME", USERNAME="bob", DECK_DATA=[1.0, 2.0])
    (told,) = await bob.closed()
    assert (told["COMMAND"], told["SUCCESS"], told["CODE"]) == ("JOIN_GAME_RESP", False, "BAD_DECK")


async def test_7_it_draws_by_itself_and_takes_what_is_offered(here: Hall) -> None:
    game = await duel(here)
    game.put(1, 6, 8)  # a decree that offers a draw
    await game.alice.send("TURN_END")
    await game.alice.until("DRAW_CARD_RESP", PENDING=True)
    await game.bob.hears("TURN_START")
    await game.alice.send("ALLOW_ACTION")
    for position in ("MY_HAND_7", "MY_HAND_8"):
        (drawn,) = (await game.bob.hears("DRAW_CARD_RESP"))["DRAWN_CARDS"]
        assert drawn["cardPos"] == position


async def test_6_7_a_level_is_asked_for_in_its_own_way_and_an_offered_one_is_taken(here: Hall) -> None:
    game = await duel(here)
    game.hand(1, 50)
    game.put(1, M1, 43)
    await game.alice.send("TURN_END")
    await game.alice.until("DRAW_CARD_RESP", PENDING=True)
    await game.alice.send("ALLOW_ACTION")
    await game.bob.until("DRAW_CARD_RESP")
    await game.bob.send("LEVEL_MAGE_RESP", TARGET="MY_MAGE_1")
    await game.alice.until("LEVEL_MAGE_RESP")
    await game.alice.send("ALLOW_ACTION")
    assert (await game.bob.hears("LEVEL_MAGE_RESP"))["NEW_LEVEL"] == 2
    asked = await game.bob.hears("TARGET_CARD")
    await game.bob.send("TARGET_CARD_RESP", CARD_POS=asked["VALID_REGION"][0])
    told = await game.bob.until("LEVEL_MAGE_RESP")
    assert (told["TARGET"], told["NEW_LEVEL"]) == ("MY_MAGE_2", 2)


async def test_5_it_accepts_by_itself_and_its_player_takes_other_cards_all_the_same(here: Hall) -> None:
    """It says so at the first hand it sees, and ``{}`` at every other; the dialog comes up after that."""
    alice, bob = await here.enter(), await old(here)
    await alice.joins()
    await bob.joins(BOB, "bob")
    await bob.hears("DRAW_CARD_RESP")
    await bob.send("GAME_START_ACCEPT")
    await bob.hears("DRAW_CARD_RESP")
    await bob.raw(b"{}\n")
    for size in (5, 4, 3, 2, 1):
        await bob.hears("DIAG_OFFER")
        await bob.send("DIAG_RESP", BOOL=True)
        assert len((await bob.hears("DRAW_CARD_RESP"))["DRAWN_CARDS"]) == size
        await bob.raw(b"{}\n")
    await alice.send("GAME_START_ACCEPT")  # the last card needs no word of his: there is nothing left to ask
    await bob.hears("GAME_START")


async def test_5_a_hand_can_be_accepted_in_so_many_words(here: Hall) -> None:
    """By who says it again, when it has been asked."""
    alice, bob = await here.enter(), await old(here)
    await alice.joins()
    await bob.joins(BOB, "bob")
    await bob.until("DIAG_OFFER")
    await bob.send("GAME_START_ACCEPT")
    await alice.send("GAME_START_ACCEPT")
    assert await bob.rest() == []
    await bob.send("GAME_START_ACCEPT")
    await bob.hears("GAME_START")


async def test_7_its_player_has_fifteen_seconds_for_the_one_card_that_lets_them_choose(here: Hall) -> None:
    game = await duel(here)
    await game.alice.send("TURN_END")
    await game.alice.until("DRAW_CARD_RESP", PENDING=True)
    await game.alice.send("ALLOW_ACTION")
    await game.bob.until("DRAW_CARD_RESP")
    for slot in (S1, S1 + 1):
        game.put(0, slot, 24)
        game.put(1, slot, 24)
    game.hand(1, 12, 24)
    await game.bob.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=12.0)
    assert (await game.bob.until("TARGET_CARD"))["PURPOSE"] == "COST"
    await here.time.to_pass(14.9)
    assert game.position.request is not None
    await here.time.to_pass(0.1)
    await game.alice.until("PLAY_CARD_RESP")
    await game.alice.send("ALLOW_ACTION")
    assert (await game.bob.until("TARGET_CARD"))["PURPOSE"] == "DESTROY"
    await here.time.to_pass(14.9)
    await game.bob.send(
        "TARGET_CARD_RESP", TRIGGER_POS="MY_SOLDIER_1", CARD_POS="THEIR_SOLDIER_2", ABILITY_TRIGGERED=True
    )
    assert (await game.bob.until("DESTROY_CARD_RESP"))["CARD_LOCATIONS"] == ["THEIR_SOLDIER_2"]


@pytest.mark.parametrize("optional", [False, True])
async def test_7_nobody_waits_for_a_choice_that_it_can_not_make(here: Hall, optional: bool) -> None:
    game = await duel(here)
    card = 21 if optional else 23  # play a soldier, or stun one
    game.put(0, S1, 24)
    await game.alice.send("TURN_END")
    await game.alice.until("DRAW_CARD_RESP", PENDING=True)
    await game.alice.send("ALLOW_ACTION")
    await game.bob.until("DRAW_CARD_RESP")
    game.hand(1, card, 24)
    await game.bob.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=float(card))
    await game.alice.until("PLAY_CARD_RESP")
    await game.alice.send("ALLOW_ACTION")
    asked = await game.bob.until("TARGET_CARD")
    assert asked["OPTIONAL"] is optional
    await here.time.to_pass(0.9)
    assert game.position.request is not None
    await here.time.to_pass(0.1)
    assert game.position.request is None
    unit = game.position.sides[0].field[S1]
    assert unit is not None and unit.stunned is not optional
    assert game.position.strikes == [0, 0]


async def test_7_an_answer_in_time_is_not_answered_again(here: Hall) -> None:
    game = await duel(here)
    await game.alice.send("TURN_END")
    await game.alice.until("DRAW_CARD_RESP", PENDING=True)
    await game.alice.send("ALLOW_ACTION")
    await game.bob.until("DRAW_CARD_RESP")
    for slot in (S1, S1 + 1):
        game.put(0, slot, 24)
    game.hand(1, 23, 24)
    await game.bob.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=23)
    await game.alice.until("PLAY_CARD_RESP")
    await game.alice.send("ALLOW_ACTION")
    await game.bob.until("TARGET_CARD")
    await game.bob.send("TARGET_CARD_RESP", CARD_POS="THEIR_SOLDIER_2")
    await game.alice.until("CARD_UPDATE")
    await here.time.to_pass(20)
    stunned = [unit.stunned for unit in game.position.sides[0].field[:2] if unit is not None]
    assert stunned == [False, True]


async def test_3_places_of_a_hand_beyond_ten_do_not_exist(here: Hall) -> None:
    game = await duel(here)
    game.hand(1, *[24] * 12)
    await game.alice.send("TURN_END")
    await game.alice.until("DRAW_CARD_RESP", PENDING=True)
    await game.bob.hears("TURN_START")
    await game.alice.send("ALLOW_ACTION")
    await game.alice.until("DRAW_CARD_RESP", PENDING=False)
    assert await game.bob.rest() == []  # the thirteenth card
    await game.bob.send("PLAY_CARD", START_POS="MY_HAND_12", END_POS="MY_SOLDIER_1", CARD_ID=24)
    await game.alice.until("PLAY_CARD_RESP")
    await game.alice.send("ALLOW_ACTION")
    assert (await game.bob.hears("PLAY_CARD_RESP"))["START_POS"] == "MY_HAND_10"
    assert await game.bob.rest() == []  # no move to tell of
    await game.bob.send("TURN_END")
    asked = await game.bob.hears("TARGET_CARD")
    assert asked["VALID_REGION"] == [f"MY_HAND_{number}" for number in range(1, 11)]
    await game.bob.send("TARGET_CARD_RESP", CARD_POS="MY_HAND_9")
    moves = (await game.bob.hears("MOVE_CARD"))["CARD_MOVEMENTS"]
    assert moves == {"MY_HAND_9": moves["MY_HAND_9"], "MY_HAND_10": "MY_HAND_9"}


async def test_7_a_window_that_is_passed_on_is_allowed_too(here: Hall) -> None:
    game = await duel(here)
    await game.alice.send("TURN_END")
    await game.alice.until("DRAW_CARD_RESP", PENDING=True)
    game.put(0, T1, 33)
    game.put(0, T2, 33)
    await game.alice.send("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_1", MORE=True)
    await game.alice.until("ACTIVATE_TRICKSTER_RESP")
    await game.alice.send("ALLOW_ACTION")
    assert (await game.alice.until("ACTIVATE_TRICKSTER_RESP", PENDING=False))["RESULT"] == "DONE"


class Strict:
    """Dies of what the oldest client dies of."""

    def hear(self, message: Json) -> None:
        assert message["COMMAND"] in KNOWN
        assert not message.get("PENDING")
        assert not isinstance(message.get("CARD_MOVEMENTS", {}), list)
        if message["COMMAND"] != "JOIN_GAME_RESP":
            assert message.get("SUCCESS", True)
        text = json.dumps(message)
        assert "-1" not in text
        assert not any(f"HAND_{number}" in text for number in range(11, 51))


@pytest.mark.parametrize("seed", range(4))
async def test_1_to_4_whole_games_of_an_old_client_and_a_new_one(seed: int, tmp_path: Path) -> None:
    luck = random.Random(seed)
    decks = [list(deck) for deck in STARTERS.values()]
    async with hall(tmp_path, test_no_shuffle=False, test_first=None, test_seed=f"{seed:064x}") as here:
        new, ancient = await here.enter(), await here.enter(OLD)
        await new.joins(decks[seed % 3])
        await ancient.joins(decks[1], "bob")
        table, strict = here.tables[0], Strict()
        heard: asyncio.Task[Any] = asyncio.create_task(listen(ancient, strict))
        for _ in range(2000):
            state = table.state
            if state.winner is not None:
                break
            seat = luck.choice(table.game.awaited(state))
            if seat == 1 and state.phase == "choice" and luck.random() < 0.3:
                await here.time.to_pass(15)
                continue
            if state.phase == "mulligan":
                said = {"COMMAND": "DIAG_RESP", "BOOL": False}
            else:
                said = spoken(luck.choice(table.game.moves(state, seat)), seat, state)
            player, step = (new, ancient)[seat], table.step
            await player.raw(json.dumps(said).encode() + b"\n")
            async with asyncio.timeout(10):
                while table.step == step:  # noqa: ASYNC110
                    await asyncio.sleep(0)
        assert table.state.winner is not None
        async with asyncio.timeout(10):
            assert (await heard)["WINNER_ID"] == table.state.winner
        assert [message for message in await new.rest() if message["COMMAND"] == "ERROR"] == []


async def listen(client: Client, strict: Strict) -> Json:
    while True:
        message = await client.next()
        strict.hear(message)
        if message["COMMAND"] == "GAME_END":
            return message
