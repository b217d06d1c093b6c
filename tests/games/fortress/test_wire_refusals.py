"""What the game's own protocol answers to bad input: each row of the lists in docs/protocols/fortress.md, in order.

The names d3, d30, … are that page's decisions; c61, c62, … the lines of its checklist.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games.fortress.dialect.commands import COMMANDS
from tests.games.fortress.wire import ALICE, BOB, M1, S1, S2, T1, T2, Client, D, Duel, Hall, Json, hall


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


@pytest.fixture
async def somebody(here: Hall) -> Client:
    return await here.enter()


# Lines


@pytest.mark.parametrize(
    "line",
    [b"not json", b'{"COMMAND":"TURN_END"', b"\xff\xfe", b'{"COMMAND":"\xc3"}', b"{'COMMAND':1}", b"[" * 5000],
)
async def test_invalid_json(somebody: Client, line: bytes) -> None:
    await somebody.raw(line + b"\n")
    assert await somebody.error() == ("INVALID_JSON", None)


@pytest.mark.parametrize("line", [b"[]", b'"TURN_END"', b"12", b"null", b"true"])
async def test_not_an_object(somebody: Client, line: bytes) -> None:
    await somebody.raw(line + b"\n")
    assert await somebody.error() == ("NOT_AN_OBJECT", None)


@pytest.mark.parametrize("line", [b"{}", b'{"COMMAND":null}', b'{"COMMAND":7}', b'{"mode":"CLIENT_DISCONNECT"}'])
async def test_missing_command(somebody: Client, line: bytes) -> None:
    await somebody.raw(line + b"\n")
    assert await somebody.error() == ("MISSING_COMMAND", None)


@pytest.mark.parametrize("command", ["FLY", "turn_end", "", "GAME_START", "GAME_STATE", "PLAY_CARD_RESP", "ERROR"])
async def test_unknown_command_or_one_of_the_server(somebody: Client, command: str) -> None:
    await somebody.send(command)
    assert await somebody.error() == ("UNKNOWN_COMMAND", command)


async def test_line_too_long_is_skipped_and_the_next_is_read(somebody: Client) -> None:
    await somebody.raw(b'{"COMMAND":"' + b"x" * 70_000 + b'"}\n{"COMMAND":"FLY"}\n')
    assert await somebody.error() == ("LINE_TOO_LONG", None)
    assert await somebody.error() == ("UNKNOWN_COMMAND", "FLY")
    longest = b'{"COMMAND":"%s"}\n' % (b"x" * (65_536 - len(b'{"COMMAND":""}\n')))
    await somebody.raw(longest)
    assert (await somebody.error())[0] == "UNKNOWN_COMMAND"


async def test_c2_d5_d76_line_ends_blank_lines_and_the_unfinished_last_line(here: Hall, somebody: Client) -> None:
    await somebody.raw(b'\r\n\n  \r\n{"COMMAND":"FLY"}\r\n{"COMMAND":"SWIM"}\n{"mode":"CLIENT_DISCONNECT"}')
    assert await somebody.error() == ("UNKNOWN_COMMAND", "FLY")
    assert await somebody.error() == ("UNKNOWN_COMMAND", "SWIM")
    assert b"\r" not in somebody.bytes
    somebody.writer.write_eof()
    assert await somebody.closed() == []


NEEDS: dict[str, Json] = {
    "RETURN_CARD": {"START_POS": "MY_HAND_1"},
    "PLAY_CARD": {"START_POS": "MY_HAND_1", "END_POS": "MY_SOLDIER_1", "CARD_ID": 11},
    "ATTACK_CARD": {"ATTACKER": "MY_SOLDIER_1", "TARGET": "THEIR_CASTLE"},
    "LEVEL_MAGE": {"TARGET": "MY_MAGE_1"},
    "LEVEL_MAGE_RESP": {"TARGET": "MY_MAGE_1"},
    "USE_ABILITY": {"CARD_POS": "MY_SOLDIER_1"},
    "DESTROY_CARD": {"CARD_POS": "THEIR_SOLDIER_1"},
    "ACTIVATE_TRICKSTER": {"TARGET": "MY_TRICKSTER_1"},
    "TARGET_CARD_RESP": {"CARD_POS": "MY_HAND_1"},
    "CHOOSE_COST_RESP": {"CARD_POS": "MY_HAND_1"},
    "DIAG_RESP": {"BOOL": True},
}


def lacking() -> list[Any]:
    return [pytest.param(command, name, id=f"{command}-{name}") for command in NEEDS for name in NEEDS[command]]


@pytest.mark.parametrize(("command", "name"), lacking())
async def test_bad_fields_comes_before_everything_but_the_command(somebody: Client, command: str, name: str) -> None:
    fields = NEEDS[command]
    assert await somebody.refused(command, **{**fields, name: {}}) == "BAD_FIELDS"
    del (left := dict(fields))[name]
    assert await somebody.refused(command, **left) == "BAD_FIELDS"
    nullable = command in ("TARGET_CARD_RESP", "CHOOSE_COST_RESP")
    answer = await somebody.refused(command, **{**fields, name: None})
    assert answer == ("NOT_JOINED" if nullable else "BAD_FIELDS")
    assert await somebody.refused(command, **fields) == "NOT_JOINED"


@pytest.mark.parametrize(
    ("command", "optional"),
    [
        ("PLAY_CARD", {"ABILITY_TRIGGERED": "yes"}),
        ("LEVEL_MAGE_RESP", {"OPT": 1}),
        ("USE_ABILITY", {"RESPONDS_TO": "1"}),
        ("DESTROY_CARD", {"SOURCE_POS": 1}),
        ("ACTIVATE_TRICKSTER", {"MORE": 0}),
        ("ACTIVATE_TRICKSTER", {"RESPONDS_TO": 1.5}),
        ("TARGET_CARD_RESP", {"REQUEST_ID": True}),
        ("DIAG_RESP", {"REQUEST_ID": "1"}),
    ],
)
async def test_bad_fields_that_need_not_be_there(somebody: Client, command: str, optional: Any) -> None:
    assert await somebody.refused(command, **NEEDS[command], **optional) == "BAD_FIELDS"
    absent = dict.fromkeys(optional)
    assert await somebody.refused(command, **NEEDS[command], **absent) == "NOT_JOINED"


def test_every_command_with_fields_is_tried() -> None:
    assert NEEDS.keys() == {name for name, shape in COMMANDS.items() if shape.needs or name in NEEDS}


async def test_d4_a_card_id_is_an_integer_however_it_is_written(here: Hall) -> None:
    duel = await here.duel()
    for wrong in (11.5, "11", True):
        fields = {"START_POS": "MY_HAND_1", "END_POS": "MY_SOLDIER_1", "CARD_ID": wrong}
        assert await duel.alice.refused("PLAY_CARD", **fields) == "BAD_FIELDS"
    await duel.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=11.0)
    told = await duel.alice.hears("PLAY_CARD_RESP")
    assert told["PENDING"] and type(told["CARD_ID"]) is int


async def test_d3_keys_count_in_any_case_and_capitals_win(here: Hall) -> None:
    duel = await here.duel()
    line = {"Command": "PLAY_CARD", "start_pos": "MY_HAND_1", "End_Pos": "MY_SOLDIER_1", "CARD_ID": 11, "card_id": 99}
    await duel.alice.raw(json.dumps(line).encode() + b"\n")
    assert (await duel.alice.hears("PLAY_CARD_RESP"))["CARD_ID"] == 11


async def test_unknown_fields_and_whoever_somebody_claims_to_be_are_ignored(here: Hall) -> None:
    duel = await here.duel()
    await duel.bob.send("TURN_END", USER_ID=0, PLAYER=0, PLAYER_ID=0, HUMBUG=[1])
    assert await duel.bob.error() == ("NOT_YOUR_TURN", "TURN_END")


# Who may say what, when


ALL: dict[str, Json] = {
    command: NEEDS.get(command, {}) for command in COMMANDS if command not in ("JOIN_GAME", "TERMINATE_CONN")
}


async def test_not_joined_is_an_error_whatever_the_command(somebody: Client) -> None:
    for command, fields in ALL.items():
        await somebody.send(command, **fields)
        assert await somebody.error() == ("NOT_JOINED", command)


async def test_already_joined_and_still_connected(here: Hall) -> None:
    alice = await here.enter()
    await alice.joins()
    await alice.send("JOIN_GAME", USERNAME="alice", DECK_DATA=ALICE)
    assert await alice.error() == ("ALREADY_JOINED", "JOIN_GAME")
    await (await here.enter()).joins(BOB, "bob")
    assert (await alice.hears("PLAYER_JOINED"))["USERNAME"] == "bob"


async def test_not_started_while_waiting_and_in_the_answer_of_each_command(here: Hall) -> None:
    alice = await here.enter()
    await alice.joins()
    for command, fields in ALL.items():
        assert await alice.refused(command, **fields) == "NOT_STARTED"


async def test_not_started_during_the_mulligan(here: Hall) -> None:
    alice, _ = await here.joined()
    mulligan = {"GET_STATE", "GAME_START_MULLIGAN", "GAME_START_ACCEPT", "RETURN_CARD", "DIAG_RESP"}
    for command, fields in ALL.items():
        if command not in mulligan:
            assert await alice.refused(command, **fields) == "NOT_STARTED"


async def test_c26_c65_d48_d71_game_over_after_the_end(here: Hall) -> None:
    duel = await here.duel()
    duel.position.sides[0].deck.clear()
    await duel.ends_turn()
    await duel.ends_turn()
    await duel.alice.send("DRAW_CARD")
    await duel.bob.until("DRAW_CARD_RESP")
    await duel.bob.send("ALLOW_ACTION")
    for player in duel.players:
        assert (await player.until("GAME_END"))["REASON"] == "DECK_OUT"
        for command, fields in ALL.items():
            if command != "GET_STATE":
                assert await player.refused(command, **fields) == "GAME_OVER"
        assert (await player.state())["PHASE"] == "OVER"
        assert await player.refused("JOIN_GAME", USERNAME="x", DECK_DATA=ALICE) == "ALREADY_JOINED"


async def test_d40_d41_what_a_refusal_repeats(here: Hall) -> None:
    duel = await here.duel()
    bob = duel.bob

    async def answer(command: str, **fields: Any) -> Any:
        await bob.send(command, **fields, HUMBUG=1)
        told = await bob.next()
        assert told.pop("MESSAGE")
        return told

    no = {"SUCCESS": False, "CODE": "NOT_YOUR_TURN"}
    assert await answer("DRAW_CARD") == {"COMMAND": "DRAW_CARD_RESP", "DRAWN_CARDS": [], "USER_ID": 1, **no}
    target = {"CARD_POS": "THEIR_SOLDIER_1"}
    nothing = {"CARD_LOCATIONS": [], "IN_RESPONSE": False}
    assert await answer("DESTROY_CARD", **target) == {"COMMAND": "DESTROY_CARD_RESP", **target, **nothing, **no}
    for command in ("PLAY_CARD", "ATTACK_CARD", "LEVEL_MAGE", "USE_ABILITY", "ACTIVATE_TRICKSTER"):
        fields = NEEDS[command]
        assert await answer(command, **fields) == {"COMMAND": f"{command}_RESP", **fields, **no}
    assert await answer("TURN_END") == {"COMMAND": "ERROR", "CODE": "NOT_YOUR_TURN", "REPLY_TO": "TURN_END"}
    # d30: without an offer it is a wish
    fields = {"TARGET": "MY_MAGE_1"}
    assert await answer("LEVEL_MAGE_RESP", **fields, OPT=True) == {"COMMAND": "LEVEL_MAGE_RESP", **fields, **no}


# The mulligan


async def test_c16_d11_d12_d13_mulligan_refusals(here: Hall) -> None:
    alice, bob = await here.joined()
    for position in ("MY_HAND_7", "THEIR_HAND_1", "MY_DECK_1", "MY_SOLDIER_1", "NOWHERE", "MY_HAND_0", "my_hand_1"):
        assert await alice.refused("RETURN_CARD", START_POS=position) == "BAD_POSITION"
    for size in range(5, 0, -1):
        await alice.send("GAME_START_MULLIGAN")
        assert len((await alice.hears("GAME_START"))["DECK"]) == size
        if size > 1:
            assert (await alice.hears("MULLIGAN_OFFER"))["NEXT_SIZE"] == size - 1
    assert await alice.refused("GAME_START_MULLIGAN") == "NO_MULLIGAN_LEFT"
    assert await alice.refused("DIAG_RESP", BOOL=True) == "NO_MULLIGAN_LEFT"
    await alice.send("DIAG_RESP", BOOL=False)
    for command, fields in (
        ("GAME_START_MULLIGAN", {}),
        ("GAME_START_ACCEPT", {}),
        ("RETURN_CARD", {"START_POS": "MY_HAND_1"}),
        ("DIAG_RESP", {"BOOL": True}),
    ):
        assert await alice.refused(command, **fields) == "ALREADY_ACCEPTED"
    assert [message["COMMAND"] for message in await bob.rest()] == ["DRAW_CARD_RESP"] * 5


# While a request is open


async def asked_for_cost(here: Hall) -> Duel:
    """Alice has been asked what pays for her Cannonmen (18)."""
    duel = await here.duel()
    duel.put(0, S1, 24)
    duel.put(0, S2, 24)
    duel.hand(0, 18)
    await duel.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=18)
    assert (await duel.alice.hears("TARGET_CARD"))["PURPOSE"] == "COST"
    return duel


async def test_request_of_somebody_else(here: Hall) -> None:
    duel = await asked_for_cost(here)
    for command, fields in ALL.items():
        if command != "GET_STATE":
            assert await duel.bob.refused(command, **fields) == "NOT_YOUR_MOVE"


async def test_d38_request_answered_wrongly(here: Hall) -> None:
    duel = await asked_for_cost(here)
    alice, number = duel.alice, duel.position.requests
    good, bad = {"CARD_POS": "MY_SOLDIER_1"}, {"CARD_POS": "MY_SOLDIER_2"}
    for command in ("TARGET_CARD_RESP", "CHOOSE_COST_RESP"):
        assert await alice.refused(command, **good, REQUEST_ID=number + 1) == "STALE_REQUEST"
        assert await alice.refused(command, **bad, REQUEST_ID=number + 1) == "STALE_REQUEST"
        assert await alice.refused(command, **bad) == "BAD_TARGET"
        assert await alice.refused(command, CARD_POS="NOWHERE") == "BAD_TARGET"
        assert await alice.refused(command, CARD_POS=None) == "TARGET_REQUIRED"
    assert await alice.refused("DIAG_RESP", BOOL=True, REQUEST_ID=number + 1) == "STALE_REQUEST"
    for command, fields in ALL.items():
        if command not in ("GET_STATE", "TARGET_CARD_RESP", "CHOOSE_COST_RESP"):
            assert await alice.refused(command, **fields) == "ANSWER_FIRST"
    played = {**NEEDS["PLAY_CARD"], "ABILITY_TRIGGERED": True}
    assert await alice.refused("PLAY_CARD", **played) == "ANSWER_FIRST"  # that is no answer to a cost
    await alice.send("CHOOSE_COST_RESP", TRIGGER_POS=17, **good, REQUEST_ID=float(number))  # d38
    assert (await alice.hears("DESTROY_CARD_RESP"))["CARD_IDS"] == [24]


async def test_d39_play_card_as_an_answer(here: Hall) -> None:
    duel = await here.duel()
    duel.hand(0, 21, 11, 24)
    await duel.alice.send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=21)
    await duel.bob.hears("PLAY_CARD_RESP")
    await duel.bob.send("ALLOW_ACTION")
    told = await duel.alice.until("TARGET_CARD")
    assert (told["PURPOSE"], told["OPTIONAL"]) == ("PLAY", True)
    alice = duel.alice

    async def refused(start: str, end: str, card: int, triggered: bool = True) -> str:
        fields = {"START_POS": start, "END_POS": end, "CARD_ID": card, "ABILITY_TRIGGERED": triggered}
        return await alice.refused("PLAY_CARD", **fields)

    assert await refused("MY_HAND_3", "MY_SOLDIER_1", 24) == "BAD_TARGET"
    assert await refused("MY_HAND_2", "MY_SOLDIER_1", 11) == "WRONG_CARD"
    assert await refused("MY_HAND_2", "MY_SOLDIER_1", 24) == "BAD_POSITION"
    assert await refused("MY_HAND_2", "MY_MAGE_1", 24) == "BAD_POSITION"
    assert await refused("MY_HAND_2", "THEIR_SOLDIER_2", 24) == "BAD_POSITION"
    assert await refused("MY_HAND_2", "MY_SOLDIER_2", 24, triggered=False) == "ANSWER_FIRST"
    fields = {"START_POS": "MY_HAND_2", "END_POS": "MY_SOLDIER_2", "CARD_ID": 24}
    await alice.send("PLAY_CARD", **fields, ABILITY_TRIGGERED=True)
    told = await alice.hears("PLAY_CARD_RESP")
    assert told["END_POS"] == "MY_SOLDIER_2" and told["ABILITY_TRIGGERED"] and "ACTION_ID" not in told


# While a window is open


async def window(here: Hall, turn: int = 1) -> Duel:
    """Whose turn it is plays a Squire (11), which has an On play ability; the other one may answer."""
    duel = await here.duel(turn)
    active = duel.position.active
    if duel.position.must_draw:
        await duel.draws()
    duel.hand(active, 11)
    await duel.players[active].send("PLAY_CARD", START_POS="MY_HAND_1", END_POS="MY_SOLDIER_1", CARD_ID=11)
    await duel.hush()
    return duel


async def test_window_of_somebody_else_and_what_is_no_answer(here: Hall) -> None:
    duel = await window(here)
    for command, fields in ALL.items():
        if command != "GET_STATE":
            assert await duel.alice.refused(command, **fields) == "NOT_YOUR_MOVE"
    answers = {"GET_STATE", "ALLOW_ACTION", "ACTIVATE_TRICKSTER", "DESTROY_CARD", "USE_ABILITY"}
    for command, fields in ALL.items():
        if command not in answers:
            assert await duel.bob.refused(command, **fields) == "RESPOND_OR_ALLOW"


async def test_d31_window_trickster_refusals(here: Hall) -> None:
    duel = await window(here)
    bob, number = duel.bob, duel.position.actions
    duel.put(1, T1, 28)  # answers a trickster
    for command in ("ACTIVATE_TRICKSTER", "USE_ABILITY", "DESTROY_CARD"):
        for wrong in (number + 1, 0, -3):
            assert await bob.refused(command, **NEEDS[command], RESPONDS_TO=wrong) == "BAD_RESPONDS_TO"
    for position in ("MY_TRICKSTER_2", "THEIR_TRICKSTER_1", "MY_SOLDIER_1", "MY_HAND_1", "NOWHERE"):
        assert await bob.refused("ACTIVATE_TRICKSTER", TARGET=position) == "BAD_POSITION"
    assert await bob.refused("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_1") == "WRONG_TRIGGER"
    # d31: the trickster is the one that is named as one
    fields = {"TARGET": "THEIR_SOLDIER_1", "TRICKSTER_POS": "MY_TRICKSTER_1"}
    assert await bob.refused("ACTIVATE_TRICKSTER", **fields) == "WRONG_TRIGGER"
    duel.put(1, T2, 33, face_down=False)
    assert await bob.refused("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_2") == "BAD_POSITION"


async def test_c45_c55_d25_d62_window_not_special_and_abilities(here: Hall) -> None:
    """Bob answers a trickster on his own turn."""
    duel = await window(here, turn=2)
    alice, bob = duel.players
    duel.put(0, T1, 33)
    await alice.send("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_1")
    await duel.hush()
    duel.put(1, T1, 33)
    assert await bob.refused("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_1") == "NOT_SPECIAL"
    assert await bob.refused("USE_ABILITY", CARD_POS="MY_SOLDIER_2") == "BAD_POSITION"
    assert await bob.refused("USE_ABILITY", CARD_POS="THEIR_SOLDIER_1") == "BAD_POSITION"
    for card, traits, code in (
        (24, {}, "NO_ABILITY"),
        (15, {"stunned": True, "used": True}, "STUNNED"),
        (15, {"used": True}, "ALREADY_USED"),
        (18, {}, "WRONG_TRIGGER"),
    ):
        duel.put(1, S2, card, **traits)
        assert await bob.refused("USE_ABILITY", CARD_POS="MY_SOLDIER_2") == code
    # A Seeker may, on its own turn (c45).
    duel.put(1, S2, 15)
    await bob.send("USE_ABILITY", CARD_POS="MY_SOLDIER_2", RESPONDS_TO=duel.position.actions)
    told = await bob.hears("USE_ABILITY_RESP")
    assert told["PENDING"] and told["IN_RESPONSE"]


async def test_window_no_source(here: Hall) -> None:
    duel = await window(here)
    duel.put(0, M1, 43)
    duel.put(1, T1, 31)  # destroys tricksters, not mages
    assert await duel.bob.refused("DESTROY_CARD", CARD_POS="THEIR_MAGE_1") == "NO_SOURCE"
    assert await duel.bob.refused("DESTROY_CARD", CARD_POS="MY_MAGE_1") == "NO_SOURCE"
    duel.put(1, T2, 30)
    fields = {"CARD_POS": "THEIR_MAGE_1", "SOURCE_POS": "MY_TRICKSTER_1"}
    assert await duel.bob.refused("DESTROY_CARD", **fields) == "NO_SOURCE"


# In the main part


async def test_main_nothing_is_asked(here: Hall) -> None:
    duel = await here.duel()
    for player in duel.players:
        assert await player.refused("ALLOW_ACTION") == "NOTHING_TO_ALLOW"
        for command in ("TARGET_CARD_RESP", "CHOOSE_COST_RESP", "DIAG_RESP", "DRAW_CARD_OFFER_IGNORE"):
            assert await player.refused(command, **NEEDS.get(command, {})) == "NOTHING_ASKED"
        for command in ("GAME_START_MULLIGAN", "GAME_START_ACCEPT", "RETURN_CARD"):
            assert await player.refused(command, **NEEDS.get(command, {})) == "NOT_NOW"


TURN: tuple[str, ...] = (
    "DRAW_CARD",
    "PLAY_CARD",
    "ATTACK_CARD",
    "LEVEL_MAGE",
    "USE_ABILITY",
    "DESTROY_CARD",
    "TURN_END",
)
TURN += ("ACTIVATE_TRICKSTER", "LEVEL_MAGE_RESP")


async def test_c21_c22_d16_d17_main_whose_turn_and_the_draw(here: Hall) -> None:
    duel = await here.duel()
    for command in TURN:
        assert await duel.bob.refused(command, **NEEDS.get(command, {})) == "NOT_YOUR_TURN"
    triggered = {**NEEDS["PLAY_CARD"], "ABILITY_TRIGGERED": True}
    assert await duel.bob.refused("PLAY_CARD", **triggered) == "NOT_YOUR_TURN"
    assert await duel.alice.refused("DRAW_CARD") == "NO_DRAW_ON_FIRST_TURN"
    assert await duel.alice.refused("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_1") == "WRONG_TRIGGER"
    assert await duel.alice.refused("PLAY_CARD", **triggered) == "NOTHING_ASKED"
    await duel.ends_turn()
    for command in TURN[1:]:
        assert await duel.bob.refused(command, **NEEDS.get(command, {})) == "DRAW_FIRST"  # c22
    assert await duel.bob.refused("PLAY_CARD", **triggered) == "DRAW_FIRST"
    await duel.draws()
    assert await duel.bob.refused("DRAW_CARD") == "ALREADY_DRAWN"


async def test_c27_c30_c31_main_play_card(here: Hall) -> None:
    duel = await here.duel()
    alice = duel.alice
    duel.hand(0, 24, 12, 18, 8, 16)
    duel.put(0, S1, 24)
    duel.put(0, D, 9)

    async def refused(start: str, end: str, card: int) -> str:
        return await alice.refused("PLAY_CARD", START_POS=start, END_POS=end, CARD_ID=card)

    for start in ("MY_HAND_6", "MY_DECK_1", "THEIR_HAND_1", "MY_SOLDIER_1", "NOWHERE", "MY_HAND_51"):
        assert await refused(start, "MY_SOLDIER_2", 99) == "BAD_POSITION"
    assert await refused("MY_HAND_1", "THEIR_SOLDIER_1", 11) == "WRONG_CARD"
    for end in ("THEIR_SOLDIER_1", "MY_MAGE_1", "MY_SOLDIER_3", "MY_CASTLE"):
        assert await refused("MY_HAND_1", end, 24) == "BAD_POSITION"
    duel.position.sides[0].played = ["soldier"]
    assert await refused("MY_HAND_1", "MY_SOLDIER_1", 24) == "ALREADY_PLAYED"  # c27
    duel.position.sides[0].played = []
    assert await refused("MY_HAND_1", "MY_SOLDIER_1", 24) == "POSITION_OCCUPIED"
    assert await refused("MY_HAND_4", "MY_DECREE", 8) == "POSITION_OCCUPIED"
    assert await refused("MY_HAND_5", "MY_SOLDIER_1", 16) == "POSITION_OCCUPIED"  # its cost is no soldier
    assert await refused("MY_HAND_5", "MY_SOLDIER_2", 16) == "COST_NOT_PAYABLE"
    duel.position.sides[0].health = 15
    assert await refused("MY_HAND_2", "MY_SOLDIER_2", 12) == "COST_NOT_PAYABLE"  # c31
    await alice.send("PLAY_CARD", START_POS="MY_HAND_3", END_POS="MY_SOLDIER_1", CARD_ID=18)  # c30
    assert (await alice.hears("TARGET_CARD"))["VALID_REGION"] == ["MY_SOLDIER_1"]


async def test_c37_d18_d28_main_attack_card(here: Hall) -> None:
    duel = await here.duel()
    alice = duel.alice
    duel.put(0, S1, 18)
    duel.put(0, M1, 43)

    async def refused(attacker: str, target: str) -> str:
        return await alice.refused("ATTACK_CARD", ATTACKER=attacker, TARGET=target)

    assert await refused("MY_SOLDIER_1", "THEIR_CASTLE") == "NO_ATTACK_ON_FIRST_TURN"  # c21
    duel.position.turn = 3
    for attacker in ("MY_SOLDIER_2", "THEIR_SOLDIER_1", "MY_TRICKSTER_1", "MY_HAND_1", "MY_CASTLE", "NOWHERE"):
        assert await refused(attacker, "NOWHERE") == "BAD_POSITION"
    for target in ("THEIR_SOLDIER_1", "MY_MAGE_1", "MY_CASTLE", "THEIR_TRICKSTER_1", "THEIR_HAND_1", "NOWHERE"):
        assert await refused("MY_SOLDIER_1", target) == "BAD_TARGET"
    unit = duel.position.sides[0].field[S1]
    assert unit is not None
    unit.stunned, unit.attacks = True, 1
    assert await refused("MY_SOLDIER_1", "THEIR_CASTLE") == "STUNNED"
    unit.stunned = False
    assert await refused("MY_MAGE_1", "THEIR_CASTLE") == "LEVEL_TOO_LOW"  # c38
    assert await refused("MY_SOLDIER_1", "THEIR_CASTLE") == "ALREADY_ATTACKED"
    unit.attacks = 0
    duel.put(1, S1, 10)
    duel.put(1, S2, 27)
    duel.put(1, M1, 43)
    assert await refused("MY_SOLDIER_1", "THEIR_CASTLE") == "MUST_ATTACK_PAWN_WARRIOR"  # d53
    duel.put(1, S1, 24)
    assert await refused("MY_SOLDIER_1", "THEIR_CASTLE") == "CASTLE_PROTECTED"  # c37
    assert await refused("MY_SOLDIER_1", "THEIR_MAGE_1") == "TARGET_PROTECTED"


async def test_c43_d30_main_level_mage(here: Hall) -> None:
    duel = await here.duel()

    async def refused(target: str = "MY_MAGE_1", **traits: Any) -> str:
        if traits:
            duel.put(0, M1, 43, **traits)
        code = await duel.alice.refused("LEVEL_MAGE", TARGET=target)
        assert await duel.alice.refused("LEVEL_MAGE_RESP", TARGET=target, OPT=True) == code  # d30
        return code

    for target in ("MY_MAGE_1", "THEIR_MAGE_1", "MY_SOLDIER_1", "NOWHERE"):
        assert await refused(target) == "BAD_POSITION"
    turn = duel.position.turn
    every: Any = {"levelled": True, "stunned": True}
    assert await refused(level=3, entered=turn, **every) == "MAX_LEVEL"  # c43
    assert await refused(entered=turn, **every) == "SUMMONED_THIS_TURN"
    assert await refused(**every) == "ALREADY_LEVELLED"
    assert await refused(stunned=True) == "STUNNED"


async def test_c45_d32_d62_main_use_ability(here: Hall) -> None:
    duel = await here.duel()
    alice = duel.alice

    async def refused(slot: int, card: int, **traits: Any) -> str:
        duel.put(0, slot, card, **traits)
        return await alice.refused("USE_ABILITY", CARD_POS={S1: "MY_SOLDIER_1", M1: "MY_MAGE_1", D: "MY_DECREE"}[slot])

    for position in ("MY_SOLDIER_1", "THEIR_SOLDIER_1", "MY_TRICKSTER_1", "MY_CASTLE", "NOWHERE"):
        assert await alice.refused("USE_ABILITY", CARD_POS=position) == "BAD_POSITION"
    assert await refused(S1, 24) == "NO_ABILITY"
    assert await refused(M1, 48, level=2) == "NO_ABILITY"
    assert await refused(D, 8) == "NO_ABILITY"
    assert await refused(S1, 18, stunned=True, used=True) == "STUNNED"
    assert await refused(S1, 18, used=True) == "ALREADY_USED"
    duel.hand(0, 11)
    assert await refused(M1, 48, level=3) == "NOT_ENOUGH_CARDS"
    assert await refused(S1, 15) == "WRONG_TRIGGER"  # c45
    assert await refused(S1, 22) == "WRONG_TRIGGER"


async def test_d27_main_destroy_card(here: Hall) -> None:
    duel = await here.duel()
    duel.put(1, S1, 24)
    duel.put(0, M1, 46, level=2)
    for position in ("THEIR_SOLDIER_1", "THEIR_SOLDIER_2", "MY_MAGE_1", "THEIR_CASTLE", "NOWHERE"):
        assert await duel.alice.refused("DESTROY_CARD", CARD_POS=position) == "NO_SOURCE"
    duel.put(0, M1, 46, level=3)
    fields = {"CARD_POS": "THEIR_SOLDIER_1", "SOURCE_POS": "MY_SOLDIER_1"}
    assert await duel.alice.refused("DESTROY_CARD", **fields) == "NO_SOURCE"
    await duel.alice.send("DESTROY_CARD", CARD_POS="THEIR_SOLDIER_1")
    told = await duel.alice.hears("DESTROY_CARD_RESP")
    assert (told["SOURCE_POS"], told["SOURCE_ID"], told["IN_RESPONSE"]) == ("MY_MAGE_1", 46, False)


# What bad input does not do


async def test_c61_c62_d41_bad_input_changes_nothing_and_nobody_else_notices(here: Hall) -> None:
    duel = await window(here)
    duel.put(1, T1, 33)
    before = duel.table.fingerprint(), duel.table.seq
    for line in (b"not json", b"[]", b"{}", b'{"COMMAND":"FLY"}', b"x" * 70_000, b'{"COMMAND":"PLAY_CARD"}'):
        await duel.bob.raw(line + b"\n")
        await duel.bob.next()
    for command, fields in ALL.items():
        if command not in ("ALLOW_ACTION", "ACTIVATE_TRICKSTER", "GET_STATE"):
            await duel.bob.refused(command, **fields)
    assert (duel.table.fingerprint(), duel.table.seq) == before
    assert await duel.alice.rest() == []
    await duel.bob.send("ALLOW_ACTION")
    assert (await duel.alice.hears("PLAY_CARD_RESP"))["RESULT"] == "DONE"


async def test_too_many_errors_in_a_row(here: Hall) -> None:
    duel = await here.duel()
    for _ in range(99):
        await duel.bob.send("ALLOW_ACTION")
    await duel.bob.send("GET_STATE")  # makes sense, so it begins again
    for _ in range(99):
        assert (await duel.bob.error())[0] == "NOTHING_TO_ALLOW"
    await duel.bob.hears("GAME_STATE")
    await duel.bob.raw(b'{"COMMAND":"FLY"}\n' * 100)
    *errors, last = await duel.bob.closed()
    assert [error["CODE"] for error in errors] == ["UNKNOWN_COMMAND"] * 100
    assert (last["COMMAND"], last["CODE"]) == ("ERROR", "TOO_MANY_ERRORS")
    assert (await duel.alice.hears("PLAYER_LEFT"))["GRACE"] == 30


async def test_commands_that_were_received_are_all_carried_out(here: Hall) -> None:
    alice, bob = await here.joined()
    await bob.send("GAME_START_ACCEPT")
    await bob.rest()
    play = {"COMMAND": "PLAY_CARD", "START_POS": "MY_HAND_1", "END_POS": "MY_SOLDIER_1", "CARD_ID": 11}
    await alice.raw(b'{"COMMAND":"GAME_START_ACCEPT"}\n' + json.dumps(play).encode() + b'\n{"COMMAND":"TURN_END"}\n')
    await alice.until("PLAY_CARD_RESP", PENDING=True)
    assert await alice.error() == ("NOT_YOUR_MOVE", "TURN_END")
