"""What the first version of Coup's own protocol refuses, and with which code, over real sockets.

Every refusal here also shows c14 (two keys), c19 (nothing has changed) and c20 (only the sender hears of it).
F1, F2, … are the rows about frames in docs/protocols/coup-v1.md, c1, c2, … the lines of its checklist.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from croupier.games.coup.rules import Coup
from tests.games.coup.wire import Hall, Table, events, hall


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def refused(table: Table, who: str, message: Any, code: str, event: str | None) -> Any:
    """Somebody sends this, and it is refused: nothing changes, and nobody else hears of it."""
    await table.heard()
    before = {name: player.state for name, player in table.players.items()}
    await table.players[who].send(message)
    told = await table.heard(who)
    assert {name: player.state for name, player in table.players.items()} == before  # c19
    assert {name for name in told if told[name]} == {who}  # c20
    ((answer, data),) = told[who]
    assert (answer, data["code"], data["inReplyTo"]) == ("ERROR", code, event), data
    assert set(data) - {"retryAfterMs"} == {"code", "message", "inReplyTo"}
    return data


# Frames and envelopes

FRAMES: list[tuple[str, Any, str, str | None]] = [
    ("F1 binary", b'{"event":"GET_STATE"}', "BAD_FRAME", None),
    ("F3 too big", json.dumps({"event": "GET_STATE", "x": "y" * 4096}), "TOO_BIG", "GET_STATE"),
    ("F5 not JSON", "{oops", "BAD_JSON", None),
    ("F5 empty", "", "BAD_JSON", None),
    ("F5 NaN", '{"event":"GET_STATE","x":NaN}', "BAD_JSON", None),
    ("F5 two values", '{"event":"GET_STATE"} {}', "BAD_JSON", None),
    ("F5 too deep", "[" * 4000, "BAD_JSON", None),
    ("F6 a list", '["GET_STATE"]', "BAD_ENVELOPE", None),
    ("F6 null", "null", "BAD_ENVELOPE", None),
    ("F6 a text", '"GET_STATE"', "BAD_ENVELOPE", None),
    ("F7 no event", '{"user":"ann","data":{}}', "BAD_ENVELOPE", None),
    ("F7 a number", '{"event":2}', "BAD_ENVELOPE", None),
    ("F7 null", '{"event":null}', "BAD_ENVELOPE", None),
    ("F8 user", '{"event":"GET_STATE","user":7}', "BAD_ENVELOPE", "GET_STATE"),
    ("F8 user null", '{"event":"GET_STATE","user":null}', "BAD_ENVELOPE", "GET_STATE"),
    ("F8 data list", '{"event":"GET_STATE","data":[]}', "BAD_ENVELOPE", "GET_STATE"),
    ("F8 data null", '{"event":"GET_STATE","data":null}', "BAD_ENVELOPE", "GET_STATE"),
    ("F8 before F9", '{"event":"x","data":[]}', "BAD_ENVELOPE", "x"),
    *(
        ("F9", json.dumps({"event": event}), "UNKNOWN_EVENT", event)
        for event in (
            "PAUSE_GAME", "RESUME_GAME", "PLAYER_DISCONNECT", "PLAYER_RECONNECT", "playerJoined", "nextTurn", "WELCOME",
            "GAME_OVER", "get_state", "Start Game", "Choose Action", "", "ALLOW_ACTION ",
        )
    ),
    ("F11", '{"event":"PLAYER_JOIN_GAME","user":"ann"}', "ALREADY_JOINED", "PLAYER_JOIN_GAME"),
    ("F11 first", '{"event":"PLAYER_JOIN_GAME","user":"bob"}', "ALREADY_JOINED", "PLAYER_JOIN_GAME"),
    ("F12", '{"event":"GET_STATE","user":"bob"}', "USER_MISMATCH", "GET_STATE"),
    ("F12 case", '{"event":"GET_STATE","user":"Ann"}', "USER_MISMATCH", "GET_STATE"),
    ("F12 empty", '{"event":"GET_STATE","user":""}', "USER_MISMATCH", "GET_STATE"),
]  # fmt: skip


async def test_c16_c17_d14_d60_frames(here: Hall) -> None:
    table = await here.playing(2)
    for _, message, code, event in FRAMES:
        await refused(table, "ann", message, code, event)


async def test_f5_not_even_text(here: Hall) -> None:
    table = await here.lobby(2)
    ann = table.players["ann"]
    await ann.socket.send(b'{"event":"\xff"}', text=True)
    assert (await ann.errs("BAD_JSON"))["inReplyTo"] is None
    assert await ann.heard() == []


async def test_f2_a_frame_that_is_much_too_big_ends_the_connection(here: Hall) -> None:
    table = await here.playing(2)
    ann = table.players.pop("ann")
    await ann.send(json.dumps({"event": "GET_STATE", "x": "y" * 65536}))
    assert (await ann.closed())[0] == 1009
    told = await table.heard()
    assert events(told["bob"]) == ["PLAYER_DISCONNECT", "HOST_CHANGED", "GAME_PAUSED"]


async def test_a_frame_that_is_just_big_enough(here: Hall) -> None:
    table = await here.lobby(1)
    message = json.dumps({"event": "GET_STATE", "x": ""})
    await table.players["ann"].send(message[:-2] + "y" * (4096 - len(message)) + message[-2:])
    await table.players["ann"].hears("GAME_STATE")


async def test_f4_flooding(tmp_path: Path) -> None:
    async with hall(tmp_path, paced=True) as here:
        ann = await here.first("ann")
        await ann.says("PLAYER_JOIN_GAME")
        for event in ("WELCOME", "playerJoined", "YOUR_HAND"):
            await ann.hears(event)
        await here.time.to_pass(0.4)
        for _ in range(19):
            await ann.says("GET_STATE")
            await ann.hears("GAME_STATE")
        await ann.says("GET_STATE")
        error = await ann.errs("RATE_LIMITED")
        assert (error["retryAfterMs"], error["inReplyTo"]) == (600, "GET_STATE")
        await here.time.to_pass(0.6)  # what was first is a second ago
        await ann.says("GET_STATE")
        await ann.hears("GAME_STATE")
        await ann.says("GET_STATE")
        await ann.errs("RATE_LIMITED")
        await ann.send(b"{}")  # F1 comes first
        await ann.errs("BAD_FRAME")
        await here.time.to_pass(60)
        for _ in range(20):
            await ann.says("GET_STATE")
            await ann.hears("GAME_STATE")
        for _ in range(100):
            await ann.send("{")
            await ann.errs("RATE_LIMITED")
        assert await ann.closed() == (4008, "too many messages")


async def test_f10_before_joining(here: Hall) -> None:
    stranger = await here.first("eve")
    for event in (
        "START_GAME", "PROPOSE_ACTION", "CONFIRM_ACTION", "CALL_BS", "BLOCK_ACTION", "PLAYER_LOSE_CARD", "ALLOW_ACTION",
        "NEVERMIND_ACTION", "EXCHANGE_CARDS", "KICK_PLAYER", "NEW_GAME", "GET_STATE", "PLAY_SOUND",
    ):  # fmt: skip
        await stranger.says(event)
        assert (await stranger.errs("NOT_JOINED"))["inReplyTo"] == event
    await stranger.says("nonsense")
    await stranger.errs("UNKNOWN_EVENT")


async def test_f13_d61_paused(here: Hall) -> None:
    table = await here.playing(3)
    await table.propose("ann", "TAX")
    await table.loses("cy")
    for event in (
        "START_GAME", "PROPOSE_ACTION", "CONFIRM_ACTION", "CALL_BS", "BLOCK_ACTION", "PLAYER_LOSE_CARD", "ALLOW_ACTION",
        "NEVERMIND_ACTION", "EXCHANGE_CARDS", "NEW_GAME",
    ):  # fmt: skip
        await refused(table, "bob", {"event": event}, "PAUSED", event)
    await refused(table, "bob", {"event": "START_GAME", "user": "cy"}, "USER_MISMATCH", "START_GAME")


async def test_f14_of_two_keys_the_last_one_counts(here: Hall) -> None:
    table = await here.lobby(1)
    await table.players["ann"].send('{"event":"START_GAME","event":"GET_STATE"}')
    await table.players["ann"].hears("GAME_STATE")


async def test_f15_c18_what_nobody_asked_for_is_never_repeated(here: Hall) -> None:
    table = await here.playing(2)
    junk = {"xyzzy": "xyzzy", "playerName": "xyzzy", "to": None}
    await table.players["ann"].send(
        {"event": "PROPOSE_ACTION", "xyzzy": 1, "data": {"action": "TAX", "targetPlayer": None, **junk}}
    )
    told = await table.heard("ann")
    assert events(told["bob"]) == ["PROPOSE_ACTION"]
    assert "xyzzy" not in json.dumps(told)
    assert "xyzzy" not in json.dumps(table.players["bob"].state)


async def test_the_name_may_be_left_out_once_joined(here: Hall) -> None:
    table = await here.lobby(2)
    await table.players["ann"].send({"event": "START_GAME"})
    assert events((await table.heard("ann"))["bob"]) == ["START_GAME", "nextTurn"]


async def test_f16_a_failure_of_the_server(here: Hall) -> None:
    table = await here.playing(2)
    await table.heard()
    before = {name: player.state for name, player in table.players.items()}

    def fails(*_: Any) -> None:
        raise RuntimeError("on purpose")

    with patch.object(Coup, "play", fails):
        await table.players["ann"].says("PROPOSE_ACTION", action="TAX")
        assert (await table.players["ann"].errs("INTERNAL"))["inReplyTo"] == "PROPOSE_ACTION"
    for player in table.players.values():  # everybody is shown how things are
        assert await player.hears("GAME_STATE") == before[player.name]
    assert events((await table.propose("ann", "INCOME"))["bob"]) == ["CONFIRM_ACTION", "COINS_CHANGED", "nextTurn"]


# Per event


async def lobby(here: Hall) -> Table:
    return await here.lobby(3)


async def turn(here: Hall) -> Table:
    return await here.playing(3)


async def tax(here: Hall) -> Table:
    table = await turn(here)
    await table.propose("ann", "TAX")
    return table


async def allowed(here: Hall) -> Table:
    table = await tax(here)
    await table.does("cy", "ALLOW_ACTION")
    return table


async def aid(here: Hall) -> Table:
    table = await turn(here)
    await table.propose("ann", "FOREIGN_AID")
    return table


async def aid_allowed(here: Hall) -> Table:
    table = await aid(here)
    await table.does("cy", "ALLOW_ACTION")
    return table


async def steal(here: Hall) -> Table:
    table = await turn(here)
    await table.propose("ann", "STEAL", "bob")
    return table


async def kill(here: Hall) -> Table:
    table = await turn(here)
    table.game.coins[0] = 3
    await table.propose("ann", "ASSASSINATE", "bob")
    return table


async def blocked(here: Hall) -> Table:
    table = await aid(here)
    await table.does("bob", "BLOCK_ACTION", blockAs="DUKE")
    return table


async def losing(here: Hall) -> Table:
    table = await tax(here)
    await table.does("bob", "CALL_BS")
    return table


async def exchanging(here: Hall) -> Table:
    table = await turn(here)
    await table.propose("ann", "EXCHANGE")
    await table.passes(5000)
    await table.does("ann", "CONFIRM_ACTION", action="EXCHANGE")
    return table


async def out(here: Hall) -> Table:
    """Bob has been thrown out and looks on; it is ann's turn."""
    table = await turn(here)
    await table.loses("bob")
    await table.does("ann", "KICK_PLAYER", playerName="bob")
    await table.first("bob")
    await table.heard()
    return table


async def out_tax(here: Hall) -> Table:
    table = await out(here)
    await table.propose("ann", "TAX")
    return table


async def out_losing(here: Hall) -> Table:
    table = await out_tax(here)
    await table.does("cy", "CALL_BS")
    return table


async def out_exchanging(here: Hall) -> Table:
    table = await out(here)
    await table.propose("ann", "EXCHANGE")
    await table.passes(5000)
    await table.does("ann", "CONFIRM_ACTION", action="EXCHANGE")
    return table


async def official(here: Hall) -> Table:
    table = await here.playing(3, ruleset="official")
    await table.propose("ann", "TAX")
    return table


async def all_must(here: Hall) -> Table:
    table = await here.playing(3, confirmPolicy="all")
    await table.propose("ann", "TAX")
    return table


def rich(coins: int) -> Callable[[Hall], Awaitable[Table]]:
    async def situation(here: Hall) -> Table:
        table = await turn(here)
        table.game.coins[0] = coins
        return table

    situation.__name__ = f"rich_{coins}"
    return situation


async def poor_bob(here: Hall) -> Table:
    table = await turn(here)
    table.game.coins[1] = 0
    return table


async def missing(here: Hall) -> Table:
    table = await turn(here)
    await table.loses("cy")
    return table


Situation = Callable[[Hall], Awaitable[Table]]
P = "PROPOSE_ACTION"
ROWS: list[tuple[str, Situation, str, str, dict[str, Any], str]] = [
    ("", tax, "ann", "START_GAME", {}, "WRONG_PHASE"),
    ("", tax, "bob", "START_GAME", {}, "WRONG_PHASE"),
    # PROPOSE_ACTION
    ("", lobby, "ann", P, {"action": "INCOME"}, "WRONG_PHASE"),
    ("c29", tax, "ann", P, {"action": "INCOME"}, "WRONG_PHASE"),
    ("", out_tax, "bob", P, {"action": "INCOME"}, "WRONG_PHASE"),
    ("", out, "bob", P, {"action": "nonsense"}, "YOU_ARE_OUT"),
    ("c29", turn, "bob", P, {"action": "nonsense"}, "NOT_YOUR_TURN"),
    *(
        ("", turn, "ann", P, data, "BAD_ACTION")
        for data in (
            {}, {"action": None}, {"action": 1}, {"action": "Income"}, {"action": "BLOCK"}, {"action": "NONE"},
            {"action": ["TAX"]}, {"action": "FOREIGN AID"},
        )
    ),
    ("", rich(12), "ann", P, {"action": "x"}, "BAD_ACTION"),
    *(
        ("c26 d6", rich(coins), "ann", P, {"action": action, "targetPlayer": "nobody"}, "MUST_COUP")
        for coins, action in ((10, "TAX"), (11, "INCOME"), (12, "STEAL"), (10, "ASSASSINATE"))
    ),
    *(
        ("c27", rich(7), "ann", P, {"action": action, "targetPlayer": target}, "BAD_TARGET")
        for action in ("COUP", "ASSASSINATE", "STEAL")
        for target in (None, "nobody", "ann", 1, ["bob"], "Bob", "")
    ),
    ("c27", rich(7), "ann", P, {"action": "COUP"}, "BAD_TARGET"),
    ("c27", turn, "ann", P, {"action": "TAX", "targetPlayer": "bob"}, "BAD_TARGET"),
    ("c27", turn, "ann", P, {"action": "INCOME", "targetPlayer": "nobody"}, "BAD_TARGET"),
    ("c27 out", out, "ann", P, {"action": "STEAL", "targetPlayer": "bob"}, "BAD_TARGET"),
    ("c23 d38", poor_bob, "ann", P, {"action": "STEAL", "targetPlayer": "bob"}, "BAD_TARGET"),
    ("target first", turn, "ann", P, {"action": "COUP", "targetPlayer": "ann"}, "BAD_TARGET"),
    ("c25", rich(6), "ann", P, {"action": "COUP", "targetPlayer": "bob"}, "NOT_ENOUGH_COINS"),
    ("c25", turn, "ann", P, {"action": "ASSASSINATE", "targetPlayer": "bob"}, "NOT_ENOUGH_COINS"),
    # CONFIRM_ACTION
    ("", turn, "ann", "CONFIRM_ACTION", {"action": "TAX"}, "WRONG_PHASE"),
    ("", losing, "ann", "CONFIRM_ACTION", {"action": "TAX"}, "WRONG_PHASE"),
    ("", out_tax, "bob", "CONFIRM_ACTION", {"action": "TAX"}, "YOU_ARE_OUT"),
    ("c34", tax, "bob", "CONFIRM_ACTION", {}, "NOT_YOUR_ACTION"),
    ("c34", blocked, "ann", "CONFIRM_ACTION", {"action": "BLOCK"}, "NOT_YOUR_ACTION"),
    *(
        ("c34", tax, "ann", "CONFIRM_ACTION", data, "ACTION_MISMATCH")
        for data in (
            {}, {"action": None}, {"action": 6}, {"action": "STEAL"}, {"action": "BLOCK"}, {"action": "Tax"},
            {"action": "TAX", "targetPlayer": "bob"}, {"action": "TAX", "targetPlayer": 3},
        )
    ),
    ("c34", steal, "ann", "CONFIRM_ACTION", {"action": "STEAL", "targetPlayer": "cy"}, "ACTION_MISMATCH"),
    ("c34", blocked, "bob", "CONFIRM_ACTION", {"action": "FOREIGN_AID"}, "ACTION_MISMATCH"),
    ("c34", blocked, "bob", "CONFIRM_ACTION", {"action": "BLOCK", "targetPlayer": "cy"}, "ACTION_MISMATCH"),
    ("c31", steal, "ann", "CONFIRM_ACTION", {"action": "STEAL", "targetPlayer": "bob"}, "TOO_EARLY"),
    ("c31", blocked, "bob", "CONFIRM_ACTION", {"action": "BLOCK", "targetPlayer": "ann"}, "TOO_EARLY"),
    ("c33", all_must, "ann", "CONFIRM_ACTION", {"action": "TAX"}, "TOO_EARLY"),
    # CALL_BS
    ("", turn, "bob", "CALL_BS", {}, "WRONG_PHASE"),
    ("d32", tax, "bob", "CALL_BS", {"to": "BLOCK"}, "WRONG_PHASE"),
    ("c44 d32", blocked, "cy", "CALL_BS", {"to": "ACTION"}, "WRONG_PHASE"),
    ("d32", tax, "bob", "CALL_BS", {"to": "nonsense"}, "WRONG_PHASE"),
    ("d32", tax, "bob", "CALL_BS", {"to": 1}, "WRONG_PHASE"),
    ("", out_tax, "bob", "CALL_BS", {}, "YOU_ARE_OUT"),
    ("c38", tax, "ann", "CALL_BS", {}, "OWN_ACTION"),
    ("c38", aid, "ann", "CALL_BS", {}, "OWN_ACTION"),
    ("c42", blocked, "bob", "CALL_BS", {}, "OWN_ACTION"),
    ("c37 d28", aid, "bob", "CALL_BS", {}, "NOT_CHALLENGEABLE"),
    ("c37", aid_allowed, "cy", "CALL_BS", {}, "NOT_CHALLENGEABLE"),
    ("c36 d33", allowed, "cy", "CALL_BS", {}, "ALREADY_RESPONDED"),
    ("second", losing, "cy", "CALL_BS", {}, "WRONG_PHASE"),
    # BLOCK_ACTION
    ("", turn, "bob", "BLOCK_ACTION", {"blockAs": "DUKE"}, "WRONG_PHASE"),
    ("c41", blocked, "cy", "BLOCK_ACTION", {"blockAs": "DUKE"}, "WRONG_PHASE"),
    ("", out_tax, "bob", "BLOCK_ACTION", {"blockAs": "DUKE"}, "YOU_ARE_OUT"),
    ("c38", aid, "ann", "BLOCK_ACTION", {"blockAs": "DUKE"}, "OWN_ACTION"),
    ("c40", tax, "bob", "BLOCK_ACTION", {"blockAs": "x"}, "NOT_BLOCKABLE"),
    ("c39 d29", steal, "cy", "BLOCK_ACTION", {"blockAs": "CAPTAIN"}, "NOT_TARGET"),
    ("c39 d29", kill, "cy", "BLOCK_ACTION", {"blockAs": "x"}, "NOT_TARGET"),
    *(
        ("", steal, "bob", "BLOCK_ACTION", data, "BAD_CARD")
        for data in ({}, {"blockAs": None}, {"blockAs": 4}, {"blockAs": "Captain"}, {"blockAs": "HIDDEN_CARD"})
    ),
    ("c40", steal, "bob", "BLOCK_ACTION", {"blockAs": "DUKE"}, "BAD_BLOCK_CARD"),
    ("c40", kill, "bob", "BLOCK_ACTION", {"blockAs": "DUKE"}, "BAD_BLOCK_CARD"),
    ("c40", aid, "bob", "BLOCK_ACTION", {"blockAs": "CAPTAIN"}, "BAD_BLOCK_CARD"),
    ("c36", aid_allowed, "cy", "BLOCK_ACTION", {"blockAs": "DUKE"}, "ALREADY_RESPONDED"),
    # ALLOW_ACTION
    ("", turn, "bob", "ALLOW_ACTION", {}, "WRONG_PHASE"),
    ("d32", tax, "bob", "ALLOW_ACTION", {"to": "BLOCK"}, "WRONG_PHASE"),
    ("", out_tax, "bob", "ALLOW_ACTION", {}, "YOU_ARE_OUT"),
    ("c38", tax, "ann", "ALLOW_ACTION", {}, "OWN_ACTION"),
    ("c38", blocked, "bob", "ALLOW_ACTION", {}, "OWN_ACTION"),
    ("c36", allowed, "cy", "ALLOW_ACTION", {}, "ALREADY_RESPONDED"),
    # NEVERMIND_ACTION
    ("", turn, "ann", "NEVERMIND_ACTION", {}, "WRONG_PHASE"),
    ("", blocked, "ann", "NEVERMIND_ACTION", {}, "WRONG_PHASE"),
    ("", out_tax, "bob", "NEVERMIND_ACTION", {}, "YOU_ARE_OUT"),
    ("", tax, "bob", "NEVERMIND_ACTION", {}, "NOT_YOUR_ACTION"),
    ("c57", official, "ann", "NEVERMIND_ACTION", {}, "NOT_ALLOWED"),
    # PLAYER_LOSE_CARD
    ("", turn, "ann", "PLAYER_LOSE_CARD", {"card": "DUKE"}, "WRONG_PHASE"),
    ("", out_losing, "bob", "PLAYER_LOSE_CARD", {"card": "DUKE"}, "YOU_ARE_OUT"),
    ("c59", losing, "cy", "PLAYER_LOSE_CARD", {"card": "x"}, "NOT_YOUR_CHOICE"),
    ("", losing, "bob", "PLAYER_LOSE_CARD", {}, "BAD_CARD"),
    ("d14", losing, "bob", "PLAYER_LOSE_CARD", {"card": 2}, "BAD_CARD"),
    ("", losing, "bob", "PLAYER_LOSE_CARD", {"card": "Assassin"}, "BAD_CARD"),
    ("c59", losing, "bob", "PLAYER_LOSE_CARD", {"card": "DUKE"}, "CARD_NOT_HELD"),
    # EXCHANGE_CARDS
    ("", turn, "ann", "EXCHANGE_CARDS", {"keep": ["DUKE"]}, "WRONG_PHASE"),
    ("", out_exchanging, "bob", "EXCHANGE_CARDS", {"keep": ["DUKE"]}, "YOU_ARE_OUT"),
    ("", exchanging, "cy", "EXCHANGE_CARDS", {}, "NOT_YOUR_CHOICE"),
    ("c64", exchanging, "ann", "EXCHANGE_CARDS", {"keep": ["DUKE", "DUKE"]}, "BAD_KEEP"),
    ("", exchanging, "ann", "EXCHANGE_CARDS", {"keep": {"0": "DUKE"}}, "BAD_KEEP"),
    # KICK_PLAYER
    ("c71", turn, "bob", "KICK_PLAYER", {"playerName": "nobody"}, "NOT_HOST"),
    ("c71", turn, "ann", "KICK_PLAYER", {"playerName": "nobody"}, "NOT_PAUSED"),
    ("c71", lobby, "ann", "KICK_PLAYER", {"playerName": "bob"}, "NOT_PAUSED"),
    ("", missing, "ann", "KICK_PLAYER", {"playerName": "nobody"}, "UNKNOWN_PLAYER"),
    ("", missing, "ann", "KICK_PLAYER", {}, "UNKNOWN_PLAYER"),
    ("", missing, "ann", "KICK_PLAYER", {"playerName": ["cy"]}, "UNKNOWN_PLAYER"),
    ("c71", missing, "ann", "KICK_PLAYER", {"playerName": "bob"}, "NOT_DISCONNECTED"),
    ("c71", missing, "ann", "KICK_PLAYER", {"playerName": "ann"}, "NOT_DISCONNECTED"),
    # NEW_GAME
    ("", turn, "ann", "NEW_GAME", {}, "WRONG_PHASE"),
    ("", lobby, "bob", "NEW_GAME", {}, "WRONG_PHASE"),
]  # fmt: skip


SITUATIONS = list(dict.fromkeys(row[1].__name__ for row in ROWS))


@pytest.mark.parametrize("situation", SITUATIONS)
async def test_refusals(here: Hall, situation: str) -> None:
    """All that is refused in a situation, one after the other: none of it changes anything."""
    rows = [row for row in ROWS if row[1].__name__ == situation]
    table = await rows[0][1](here)
    for _, _, who, event, data, code in rows:
        found = await refused(table, who, {"event": event, "user": who, "data": data}, code, event)
        early = code == "TOO_EARLY" and situation != "all_must"
        assert found.get("retryAfterMs") == (5000 if early else None)


def test_every_code_of_the_protocol_is_given_somewhere() -> None:
    page = Path("docs/protocols/coup-v1.md").read_text()
    given = {row[5] for row in ROWS} | {row[2] for row in FRAMES}
    elsewhere = {
        "ALREADY_CONNECTED", "BAD_TOKEN", "BAD_USERNAME", "GAME_FULL", "GAME_STARTED", "INTERNAL", "NOT_ENOUGH_PLAYERS",
        "NOT_JOINED", "PAUSED", "RATE_LIMITED", "UNKNOWN_SOUND", "UNKNOWN_TABLE",
    }  # fmt: skip
    for code in given | elsewhere:
        assert f"`{code}`" in page
    assert len(given | elsewhere) == 44
