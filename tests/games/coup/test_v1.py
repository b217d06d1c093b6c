"""The first version of Coup's own protocol, over real sockets: joining, actions, windows, cards, sounds.

The names c1, c2, … are the lines of the checklist in docs/protocols/coup-v1.md; d1, d2, … the decisions, there and in
docs/games/coup.md.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import client
from tests.games.coup.wire import DECK, First, Hall, Table, events, hall


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


# Setting up


async def test_c2_c3_c4_c5_c6_d11_d12_d13_d46_d56_d57_joining(here: Hall) -> None:
    table = await here.table()
    for number, name in enumerate(["ann", "bob", "cy"]):
        told = await table.first(name)
        assert events(told) == ["WELCOME", "playerJoined", "YOUR_HAND"]
        (_, welcome), (_, joined), (_, hand) = told
        assert welcome["playerNames"] == ["ann", "bob", "cy"][: number + 1]
        assert (welcome["gameCode"], welcome["host"], welcome["ruleset"]) == (table.code, "ann", "note")
        assert "token" not in welcome
        assert joined == {
            "playerName": name,
            "turnOrder": number,
            "publicCards": [],
            "coins": 2,
            "cardCount": 2,
            "isHost": number == 0,
        }
        assert hand == {"cards": [card.upper() for card in DECK[2 * number :][:2]], "revealed": []}
        state = table.players[name].state
        assert (state["phase"], state["currentPlayerName"], state["deckCount"]) == ("PRE_GAME", None, 13 - 2 * number)
    told_ann = await table.players["ann"].heard()
    assert [data["playerName"] for _, data in told_ann] == ["bob", "cy"]


async def test_c7_d7_the_seventh_is_turned_away(here: Hall) -> None:
    table = await here.lobby(6)
    gus = await here.first("gus", table.code)
    assert events(await gus.joins()) == ["ERROR"]
    await gus.says("PLAYER_JOIN_GAME")
    assert (await gus.errs("GAME_FULL"))["inReplyTo"] == "PLAYER_JOIN_GAME"
    assert not any((await table.heard()).values())
    assert table.players["ann"].state["deckCount"] == 3


async def test_max_players(here: Hall) -> None:
    table = await here.lobby(2, maxPlayers=2)
    cy = await here.first("cy", table.code)
    await cy.says("PLAYER_JOIN_GAME")
    await cy.errs("GAME_FULL")


async def test_c8_d43_d44_a_name_that_is_taken(here: Hall) -> None:
    table = await here.lobby(2)
    eve = await here.first("ANN", table.code)
    await eve.says("PLAYER_JOIN_GAME")
    assert await eve.hears("USERNAME_TAKEN") == {"username": "ANN", "suggestion": "ANN-2"}
    eve.name = "ANN-2"
    assert events(await eve.joins()) == ["WELCOME", "playerJoined", "YOUR_HAND"]
    long = await here.first("ann", table.code)
    await long.says("PLAYER_JOIN_GAME")
    assert (await long.hears("USERNAME_TAKEN"))["suggestion"] == "ann-3"


async def test_a_suggestion_is_no_longer_than_a_name(here: Hall) -> None:
    table = await here.table()
    for _ in range(2):
        player = await here.first("abcdefghij klmnopqrs", table.code)
        await player.says("PLAYER_JOIN_GAME")
    assert (await player.hears("USERNAME_TAKEN"))["suggestion"] == "abcdefghij klmnopq-2"


@pytest.mark.parametrize(
    "name",
    ["", "x" * 21, "a  b", "__server", "__SERVER", "<b>", " ann", "ann ", "änn", "a\n", "a/b", "BOT Ada", "bot ada"],
)
async def test_c9_d45_bad_names(here: Hall, name: str) -> None:
    player = await here.first(name)
    await player.says("PLAYER_JOIN_GAME")
    assert (await player.errs("BAD_USERNAME"))["inReplyTo"] == "PLAYER_JOIN_GAME"
    assert not here.house.rooms


async def test_joining_without_a_name(here: Hall) -> None:
    player = await here.first("x")
    await player.send({"event": "PLAYER_JOIN_GAME"})
    await player.errs("BAD_USERNAME")


@pytest.mark.parametrize("name", ["x" * 20, "A-b_1 2 c", "0"])
async def test_d45_good_names(here: Hall, name: str) -> None:
    player = await here.first(name)
    assert events(await player.joins()) == ["WELCOME", "playerJoined", "YOUR_HAND"]


async def test_c10_starting_is_the_hosts_and_takes_two(here: Hall) -> None:
    table = await here.lobby(1)
    await table.players["ann"].says("START_GAME")
    await table.players["ann"].errs("NOT_ENOUGH_PLAYERS")
    await table.first("bob")
    await table.players["bob"].says("START_GAME")
    await table.players["bob"].errs("NOT_HOST")


async def test_c11_start(here: Hall) -> None:
    table = await here.lobby(2)
    told = await table.does("ann", "START_GAME")
    for name in ("ann", "bob"):
        assert told[name] == [("START_GAME", {}), ("nextTurn", {"currentPlayerName": "ann"})]
        assert table.players[name].state["phase"] == "AWAITING_ACTION"


async def test_c12_nobody_new_after_the_start(here: Hall) -> None:
    table = await here.playing(2)
    dee = await here.first("dee", table.code)
    await dee.says("PLAYER_JOIN_GAME")
    await dee.errs("GAME_STARTED")
    ann = await here.first("Ann", table.code)  # another name, since it is written differently
    await ann.says("PLAYER_JOIN_GAME")
    await ann.errs("GAME_STARTED")


async def test_c13_d9_leaving_before_the_start(here: Hall) -> None:
    table = await here.lobby(3)
    told = await table.loses("ann")
    for name in ("bob", "cy"):
        assert told[name] == [
            ("PLAYER_DISCONNECT", {"playerName": "ann", "removed": True}),
            ("HOST_CHANGED", {"host": "bob"}),
        ]
    state = table.players["cy"].state
    assert [(player["playerName"], player["turnOrder"]) for player in state["players"]] == [("bob", 0), ("cy", 1)]
    assert (state["deckCount"], state["host"]) == (11, "bob")
    # The same name may join again, at the end.
    assert (await table.first("ann"))[1][1]["turnOrder"] == 2
    assert [player["playerName"] for player in table.players["ann"].state["players"]] == ["bob", "cy", "ann"]
    # The seats are in order when the game begins, however they were numbered before.
    await table.does("bob", "START_GAME")
    assert table.players["cy"].state["currentPlayerName"] == "bob"
    told = await table.propose("bob", "INCOME")
    assert told["ann"][-1] == ("nextTurn", {"currentPlayerName": "cy"})


async def test_an_emptied_table_waits_for_a_first_player(here: Hall) -> None:
    table = await here.lobby(1)
    await table.loses("ann")
    assert (await table.first("bob"))[0][1]["host"] == "bob"
    await table.loses("bob")
    await here.time.to_pass(599.9)
    assert len(here.house.rooms) == 1
    await here.time.to_pass(0.2)
    assert not here.house.rooms


async def test_a_table_that_nobody_comes_to_is_gone_after_ten_minutes(here: Hall) -> None:
    table = await here.table()
    await here.time.to_pass(599.9)
    await (await here.first("ann", table.code)).joins()
    await here.time.to_pass(3600)
    assert len(here.house.rooms) == 1
    await here.table()
    await here.time.to_pass(600)
    assert len(here.house.rooms) == 1


async def test_d65_the_main_table(here: Hall) -> None:
    ann, bob = await here.first("ann"), await here.first("bob", " MAIN ".replace(" ", "%20"))
    assert (await ann.joins())[0][1]["gameCode"] == "main"
    assert (await bob.joins())[0][1]["playerNames"] == ["ann", "bob"]
    assert bob.state["options"] == {
        "maxPlayers": 6,
        "confirmPolicy": "wait",
        "minWaitMs": 5000,
        "responseTimeoutMs": 60000,
        "choiceTimeoutMs": 60000,
        "turnTimeoutMs": 120000,
    }
    (room,) = here.house.rooms.values()
    assert room.table.options.auto_kick_ms == 0
    await ann.socket.close()
    await bob.hears("PLAYER_DISCONNECT")
    await bob.socket.close()
    await here.time.to_pass(0)
    assert not here.house.rooms  # empty before a game: gone
    again = await here.first("ann")
    assert (await again.joins())[0][1]["playerNames"] == ["ann"]


async def test_d65_no_room_for_the_main_table(tmp_path: Path) -> None:
    async with hall(tmp_path, max_tables=1) as here:
        await here.table()
        ann = await here.first("ann")
        await ann.says("PLAYER_JOIN_GAME")
        assert (await ann.errs("GAME_FULL"))["inReplyTo"] == "PLAYER_JOIN_GAME"


async def test_the_main_table_is_gone_when_it_is_empty_after_a_game(here: Hall) -> None:
    table = Table(here, "main")
    await table.first("ann")
    await table.first("bob")
    await table.does("ann", "START_GAME")
    await table.loses("bob")
    await table.does("ann", "KICK_PLAYER", playerName="bob")
    assert table.players["ann"].state["phase"] == "GAME_OVER"
    await table.loses("ann")
    await here.time.to_pass(0.001)
    assert not here.house.rooms


async def test_joining_by_the_address_of_the_connection(here: Hall) -> None:
    table = await here.table()
    ann = await here.first("Ann Lee", table.code, "/v1/Ann%20Lee")
    assert events(await ann.heard()) == ["WELCOME", "playerJoined", "YOUR_HAND"]
    assert ann.state["you"]["playerName"] == "Ann Lee"
    other = await here.first("ann lee", table.code, "/v1/ann%20lee")
    assert events(await other.heard()) == ["USERNAME_TAKEN"]
    other.name = "bob"
    assert events(await other.joins()) == ["WELCOME", "playerJoined", "YOUR_HAND"]
    bad = await here.first("", table.code, "/v1/%3Cb%3E")
    assert (await bad.errs("BAD_USERNAME"))["inReplyTo"] is None


@pytest.mark.parametrize("path", ["/v1?table=zzzzz", "/v1/ann?table=zzzzz", "/v1?table=%20"])
async def test_an_unknown_table(here: Hall, path: str) -> None:
    stray = First(await here.connect(path), "ann")
    assert (await stray.errs("UNKNOWN_TABLE"))["inReplyTo"] is None
    assert (await stray.closed())[0] == 4004


async def test_codes_are_compared_without_case_and_spaces(here: Hall) -> None:
    table = await here.table()
    ann = await here.first("ann", f"%20{table.code.upper()}%20")
    assert (await ann.joins())[0][1]["gameCode"] == table.code


async def test_a_table_that_has_gone_meanwhile(here: Hall) -> None:
    table = await here.table()
    ann = await here.first("ann", table.code)
    await ann.heard()
    await here.time.to_pass(59)
    other = await here.first("bob", table.code)
    await other.heard()
    here.house.rooms[next(iter(here.house.rooms))].close()
    await ann.says("PLAYER_JOIN_GAME")
    assert (await ann.errs("UNKNOWN_TABLE"))["inReplyTo"] == "PLAYER_JOIN_GAME"
    assert (await ann.closed())[0] == 4004


async def test_who_does_not_join_within_a_minute_is_sent_away(here: Hall) -> None:
    ann, idler = await here.first("ann"), await here.first("idler")
    await ann.joins()
    await idler.heard()
    await here.time.to_pass(59.9)
    assert await idler.heard() == []
    await here.time.to_pass(0.1)
    assert (await idler.closed())[0] == 4001
    assert await ann.heard() == []


async def test_c80_who_has_not_joined_hears_nothing(here: Hall) -> None:
    table = await here.lobby(2)
    stranger = await here.first("eve", table.code)
    await table.does("ann", "START_GAME")
    await table.propose("ann", "TAX")
    assert await stranger.heard() == []


# Actions


async def test_c21_d27_income(here: Hall) -> None:
    table = await here.playing()
    told = await table.propose("ann", "INCOME")
    assert (
        told["ann"]
        == told["bob"]
        == told["cy"]
        == [
            ("CONFIRM_ACTION", {"targetPlayer": None, "action": "INCOME", "playerName": "ann"}),
            ("COINS_CHANGED", {"coins": {"ann": 3}}),
            ("nextTurn", {"currentPlayerName": "bob"}),
        ]
    )


@pytest.mark.parametrize(("action", "coins"), [("FOREIGN_AID", 4), ("TAX", 5)])
async def test_c22_c30_c31_coins_after_the_confirmation(here: Hall, action: str, coins: int) -> None:
    table = await here.playing()
    told = await table.propose("ann", action)
    assert told["bob"] == [
        (
            "PROPOSE_ACTION",
            {
                "action": action,
                "targetPlayer": None,
                "playerName": "ann",
                "blockOnly": False,
                "confirmAfterMs": 5000,
                "timeoutMs": 60000,
            },
        )
    ]
    await table.passes(4999)
    await table.players["ann"].says("CONFIRM_ACTION", action=action, targetPlayer=None)
    assert (await table.players["ann"].errs("TOO_EARLY"))["retryAfterMs"] == 1
    await table.passes(1)
    told = await table.does("ann", "CONFIRM_ACTION", action=action, targetPlayer=None)
    assert events(told["cy"]) == ["CONFIRM_ACTION", "COINS_CHANGED", "nextTurn"]
    assert told["cy"][1][1] == {"coins": {"ann": coins}}


@pytest.mark.parametrize(("has", "stolen"), [(2, 2), (1, 1)])
async def test_c23_d38_stealing(here: Hall, has: int, stolen: int) -> None:
    table = await here.playing()
    table.game.coins[1] = has
    await table.propose("ann", "STEAL", "bob")
    await table.passes(5000)
    told = await table.does("ann", "CONFIRM_ACTION", action="STEAL", targetPlayer="bob")
    assert told["cy"][:2] == [
        ("CONFIRM_ACTION", {"targetPlayer": "bob", "action": "STEAL", "playerName": "ann"}),
        ("COINS_CHANGED", {"coins": {"ann": 2 + stolen, "bob": has - stolen}}),
    ]


async def test_a_steal_that_finds_nothing_changes_no_coins(here: Hall) -> None:
    table = await here.playing()
    await table.propose("ann", "STEAL", "bob")
    table.game.coins[1] = 0
    await table.passes(5000)
    told = await table.does("ann", "CONFIRM_ACTION", action="STEAL", targetPlayer="bob")
    assert events(told["cy"]) == ["CONFIRM_ACTION", "nextTurn"]


async def test_c24_c58_coup(here: Hall) -> None:
    table = await here.playing()
    table.game.coins[0] = 7
    told = await table.propose("ann", "COUP", "bob")
    for name in ("ann", "cy"):
        assert told[name] == [
            ("CONFIRM_ACTION", {"targetPlayer": "bob", "action": "COUP", "playerName": "ann"}),
            ("COINS_CHANGED", {"coins": {"ann": 0}}),
        ]
    choice = {"reason": "COUP", "cards": ["ASSASSIN", "CONTESSA"], "timeoutMs": 60000}
    assert told["bob"][2:] == [("PLAYER_LOSE_CARD", choice)]
    for event, data in (("BLOCK_ACTION", {"blockAs": "CONTESSA"}), ("CALL_BS", {}), ("CONFIRM_ACTION", {})):
        await table.players["bob"].says(event, **data)
        await table.players["bob"].errs("WRONG_PHASE")
    assert table.players["cy"].state["losing"] == {"playerName": "bob", "reason": "COUP"}
    told = await table.does("bob", "PLAYER_LOSE_CARD", card="CONTESSA")
    assert events(told["cy"]) == ["revealCards", "nextTurn"]
    assert told["bob"][1] == ("YOUR_HAND", {"cards": ["ASSASSIN"], "revealed": ["CONTESSA"]})


async def test_c28_c43_an_assassination_is_paid_at_once_and_a_block_keeps_the_fee(here: Hall) -> None:
    table = await here.playing()
    table.game.coins[0] = 3
    told = await table.propose("ann", "ASSASSINATE", "bob")
    assert events(told["cy"]) == ["PROPOSE_ACTION", "COINS_CHANGED"]
    assert told["cy"][1][1] == {"coins": {"ann": 0}}
    told = await table.does("bob", "BLOCK_ACTION", blockAs="CONTESSA")
    blocked = {
        "playerName": "bob",
        "blockAs": "CONTESSA",
        "action": "ASSASSINATE",
        "targetPlayer": "bob",
        "confirmAfterMs": 5000,
        "timeoutMs": 60000,
    }
    assert told["cy"] == [("BLOCK_ACTION", blocked)]  # d18
    state = table.players["cy"].state
    assert state["current"] == {
        "kind": "BLOCK",
        "playerName": "bob",
        "action": "ASSASSINATE",
        "targetPlayer": "bob",
        "blockAs": "CONTESSA",
        "blockOnly": False,
        "confirmInMs": 5000,
        "timeoutInMs": 60000,
        "allowed": [],
    }
    await table.passes(5000)
    told = await table.does("bob", "CONFIRM_ACTION", action="BLOCK", targetPlayer="ann")  # d26
    assert told["cy"] == [
        ("passAction", {"reason": "BLOCKED", "playerName": "bob"}),
        ("nextTurn", {"currentPlayerName": "bob"}),
    ]
    assert table.players["cy"].state["players"][0]["coins"] == 0


# Windows


async def test_c32_c36_d21_d22_everybody_allows_and_still_it_takes_its_time(here: Hall) -> None:
    table = await here.playing()
    await table.propose("ann", "TAX")
    for name in ("cy", "bob"):
        told = await table.does(name, "ALLOW_ACTION")
        assert told["ann"] == told[name] == [("ACTION_ALLOWED", {"playerName": name})]
    assert table.players["ann"].state["current"]["allowed"] == ["cy", "bob"]
    await table.passes(4999)
    await table.players["ann"].says("CONFIRM_ACTION", action="TAX")
    assert (await table.players["ann"].errs("TOO_EARLY"))["retryAfterMs"] == 1


async def test_c33_d21_policy_all(here: Hall) -> None:
    table = await here.playing(confirmPolicy="all")
    told = await table.propose("ann", "TAX")
    assert told["bob"][0][1]["confirmAfterMs"] == 0
    await table.players["ann"].says("CONFIRM_ACTION", action="TAX")
    assert "retryAfterMs" not in await table.players["ann"].errs("TOO_EARLY")
    await table.does("bob", "ALLOW_ACTION", to="ACTION")
    told = await table.does("cy", "ALLOW_ACTION")
    assert events(told["bob"]) == ["ACTION_ALLOWED", "CONFIRM_ACTION", "COINS_CHANGED", "nextTurn"]


async def test_c35_d24_a_silent_owner(here: Hall) -> None:
    table = await here.playing()
    await table.propose("ann", "TAX")
    assert not any((await table.passes(59_999)).values())
    told = await table.passes(1)
    assert events(told["bob"]) == ["CONFIRM_ACTION", "COINS_CHANGED", "nextTurn"]


async def test_c41_d30_two_blocks_at_once(here: Hall) -> None:
    table = await here.playing()
    await table.propose("ann", "FOREIGN_AID")
    await table.players["bob"].says("BLOCK_ACTION", blockAs="DUKE")
    await table.players["cy"].says("BLOCK_ACTION", blockAs="DUKE")
    told = await table.heard("cy")
    blockers = {name for name in ("bob", "cy") if ("ERROR", "WRONG_PHASE") not in coded(told[name])}
    assert len(blockers) == 1
    assert [data["playerName"] for _, data in told["ann"]] == list(blockers)


def coded(told: list[Any]) -> list[Any]:
    return [(event, data.get("code")) for event, data in told]


async def test_c42_c44_d32_a_block_can_be_called_bs_by_the_proposer(here: Hall) -> None:
    table = await here.playing()
    await table.propose("ann", "FOREIGN_AID")
    await table.does("bob", "BLOCK_ACTION", blockAs="DUKE")
    for name, code in (("bob", "OWN_ACTION"), ("cy", "WRONG_PHASE")):
        await table.players[name].says("CALL_BS", **({"to": "ACTION"} if name == "cy" else {}))
        await table.players[name].errs(code)
    told = await table.does("ann", "CALL_BS", to="BLOCK")
    result = {
        "accuser": "ann",
        "wasCorrect": True,
        "accused": "bob",
        "claimedCard": "DUKE",
        "onBlock": True,
        "loser": "bob",
    }
    assert told["cy"] == [("callBSResult", result)]
    told = await table.does("bob", "PLAYER_LOSE_CARD", card="ASSASSIN")
    assert events(told["cy"]) == ["revealCards", "nextTurn"]  # c47, d3: no foreign aid


async def test_d33_who_allowed_an_action_may_still_call_its_block(here: Hall) -> None:
    table = await here.playing()
    await table.propose("ann", "FOREIGN_AID")
    await table.does("cy", "ALLOW_ACTION")
    await table.does("bob", "BLOCK_ACTION", blockAs="DUKE")
    assert events((await table.does("cy", "CALL_BS"))["ann"]) == ["callBSResult"]


async def test_d42_c57_withdrawing(here: Hall) -> None:
    table = await here.playing()
    table.game.coins[0] = 3
    await table.propose("ann", "ASSASSINATE", "cy")
    told = await table.does("ann", "NEVERMIND_ACTION")
    assert told["bob"] == [
        ("passAction", {"reason": "WITHDRAWN", "playerName": "ann"}),
        ("nextTurn", {"currentPlayerName": "bob"}),
    ]
    assert table.players["bob"].state["players"][0]["coins"] == 0
    official = await here.playing(ruleset="official")
    await official.propose("ann", "TAX")
    await official.players["ann"].says("NEVERMIND_ACTION")
    await official.players["ann"].errs("NOT_ALLOWED")


# BS


async def test_c45_c48_d34_a_bluff_is_caught(here: Hall) -> None:
    table = await here.playing()
    await table.propose("ann", "EXCHANGE")
    told = await table.does("cy", "CALL_BS")
    assert told["bob"][0][1] == {
        "accuser": "cy",
        "wasCorrect": True,
        "accused": "ann",
        "claimedCard": "AMBASSADOR",
        "onBlock": False,
        "loser": "ann",
    }
    assert events(told["ann"]) == ["callBSResult", "PLAYER_LOSE_CARD"]
    assert told["ann"][1][1]["reason"] == "BS_CAUGHT"
    told = await table.does("ann", "PLAYER_LOSE_CARD", card="DUKE")
    assert told["bob"] == [
        ("revealCards", {"playerName": "ann", "card": "DUKE", "reason": "BS_CAUGHT"}),
        ("nextTurn", {"currentPlayerName": "bob"}),
    ]
    # Now that her Duke is face up it proves nothing any more.
    await table.propose("bob", "INCOME")
    await table.propose("cy", "INCOME")
    await table.propose("ann", "TAX")
    assert (await table.does("bob", "CALL_BS"))["cy"][0][1]["wasCorrect"] is True


@pytest.mark.parametrize(("ruleset", "accuser", "fee"), [("note", "bob", True), ("note", "cy", True)])
async def test_c49_d4_the_fee_comes_back_when_the_action_is_called(
    here: Hall, ruleset: str, accuser: str, fee: bool
) -> None:
    table = await here.playing(ruleset=ruleset)
    table.game.coins[0] = 3
    await table.propose("ann", "ASSASSINATE", "bob")
    told = await table.does(accuser, "CALL_BS")
    assert told["ann"][1] == ("COINS_CHANGED", {"coins": {"ann": 3}})


async def test_c51_c52_d2_official_the_proven_card_is_swapped(tmp_path: Path) -> None:
    async with hall(tmp_path, test_orders={"deck": DECK, "reshuffle": ["contessa"]}) as here:
        table = await here.playing(ruleset="official")
        await table.propose("ann", "TAX")
        told = await table.does("bob", "CALL_BS")
        assert told["ann"][1] == ("YOUR_HAND", {"cards": ["CONTESSA", "CAPTAIN"], "revealed": []})
        assert events(told["cy"]) == ["callBSResult"]
        assert table.players["cy"].state["deckCount"] == 9
        told = await table.does("bob", "PLAYER_LOSE_CARD", card="CONTESSA")
        assert events(told["cy"]) == ["revealCards", "CONFIRM_ACTION", "COINS_CHANGED", "nextTurn"]


async def test_c53_d31_official_a_block_only_window(here: Hall) -> None:
    table = await here.playing(ruleset="official")
    await table.propose("ann", "STEAL", "bob")
    await table.does("cy", "CALL_BS")
    told = await table.does("cy", "PLAYER_LOSE_CARD", card="DUKE")
    assert told["bob"][-1][1] | {"targetPlayer": "bob", "blockOnly": True} == told["bob"][-1][1]
    assert table.players["bob"].state["current"]["blockOnly"] is True
    for name, event, data, code in (
        ("bob", "CALL_BS", {}, "NOT_CHALLENGEABLE"),
        ("cy", "ALLOW_ACTION", {}, "NOT_TARGET"),
        ("cy", "BLOCK_ACTION", {"blockAs": "CAPTAIN"}, "NOT_TARGET"),
    ):
        await table.players[name].says(event, **data)
        await table.players[name].errs(code)
    told = await table.does("bob", "BLOCK_ACTION", blockAs="CAPTAIN")
    assert events(told["ann"]) == ["BLOCK_ACTION"]


# Cards, and the end


async def test_c59_d35_d36_choosing_a_card_to_lose(here: Hall) -> None:
    table = await here.playing()
    await table.propose("ann", "TAX")
    await table.does("bob", "CALL_BS")
    for name, card, code in (
        ("ann", "DUKE", "NOT_YOUR_CHOICE"),
        ("bob", "DUKE", "CARD_NOT_HELD"),
        ("bob", "Contessa", "BAD_CARD"),
        ("bob", 3, "BAD_CARD"),
        ("bob", None, "BAD_CARD"),
    ):
        await table.players[name].says("PLAYER_LOSE_CARD", card=card)
        await table.players[name].errs(code)
    await table.does("bob", "PLAYER_LOSE_CARD", card="CONTESSA")
    await table.propose("bob", "TAX")
    told = await table.does("ann", "CALL_BS")
    # With one card left there is nothing to choose.
    assert events(told["cy"]) == ["callBSResult", "revealCards", "PLAYER_OUT", "COINS_CHANGED", "nextTurn"]  # c60
    assert events(told["bob"]) == [*events(told["cy"])[:2], "YOUR_HAND", *events(told["cy"])[2:]]
    assert told["cy"][3][1] == {"coins": {"bob": 0}}  # d37
    assert told["bob"][2][1] == {"cards": [], "revealed": ["CONTESSA", "ASSASSIN"]}
    # c61: who is out gets no turn, can't answer and can't be aimed at, but hears everything.
    assert told["cy"][-1][1] == {"currentPlayerName": "cy"}
    told = await table.propose("cy", "TAX")
    assert events(told["bob"]) == ["PROPOSE_ACTION"]
    for event in ("CALL_BS", "ALLOW_ACTION"):
        await table.players["bob"].says(event)
        await table.players["bob"].errs("YOU_ARE_OUT")
    await table.does("ann", "ALLOW_ACTION")
    await table.passes(60_000)
    for action in ("STEAL", "COUP", "ASSASSINATE"):
        await table.players["ann"].says("PROPOSE_ACTION", action=action, targetPlayer="bob")
        await table.players["ann"].errs("BAD_TARGET")


async def over(here: Hall) -> Table:
    """Bob loses both cards and with them the game."""
    table = await here.playing(2)
    table.game.coins[0] = 7
    await table.propose("ann", "COUP", "bob")
    await table.does("bob", "PLAYER_LOSE_CARD", card="CONTESSA")
    await table.propose("bob", "INCOME")
    table.game.coins[0] = 7
    told = await table.propose("ann", "COUP", "bob")
    assert events(told["ann"])[-2:] == ["COINS_CHANGED", "GAME_OVER"]  # c62: no nextTurn
    assert told["bob"][-1] == ("GAME_OVER", {"winner": "ann", "winnerCards": ["DUKE", "CAPTAIN"]})  # d58
    return table


async def test_c62_the_end(here: Hall) -> None:
    table = await over(here)
    assert table.players["bob"].state["phase"] == "GAME_OVER"
    for event, data in (
        ("PROPOSE_ACTION", {"action": "INCOME"}),
        ("CONFIRM_ACTION", {"action": "INCOME"}),
        ("CALL_BS", {}),
        ("BLOCK_ACTION", {"blockAs": "DUKE"}),
        ("ALLOW_ACTION", {}),
        ("NEVERMIND_ACTION", {}),
        ("PLAYER_LOSE_CARD", {"card": "DUKE"}),
        ("EXCHANGE_CARDS", {"keep": []}),
        ("START_GAME", {}),
    ):
        for name in ("ann", "bob"):
            await table.players[name].says(event, **data)
            await table.players[name].errs("WRONG_PHASE")


async def test_d59_u70_a_new_game(here: Hall) -> None:
    table = await over(here)
    await table.players["bob"].says("NEW_GAME")
    await table.players["bob"].errs("NOT_HOST")
    told = await table.does("ann", "NEW_GAME")
    for name in ("ann", "bob"):
        assert events(told[name]) == ["NEW_GAME", "YOUR_HAND"]
        assert told[name][0][1] == {"playerNames": ["ann", "bob"], "host": "ann"}
    state = table.players["bob"].state
    assert (state["phase"], state["currentPlayerName"], state["deckCount"]) == ("PRE_GAME", None, 11)
    assert [(player["coins"], player["cardCount"]) for player in state["players"]] == [(2, 2), (2, 2)]
    await table.players["ann"].says("NEW_GAME")
    await table.players["ann"].errs("WRONG_PHASE")
    await table.first("cy")
    told = await table.does("ann", "START_GAME")
    assert told["cy"][-1] == ("nextTurn", {"currentPlayerName": "ann"})


async def test_u70_who_is_not_there_has_no_part_in_a_new_game(here: Hall) -> None:
    table = await here.playing(3)
    await table.loses("ann")
    await table.does("bob", "KICK_PLAYER", playerName="ann")
    await table.loses("cy")
    told = await table.does("bob", "KICK_PLAYER", playerName="cy")
    assert events(told["bob"])[-1] == "GAME_OVER"
    assert (await table.first("cy"))[0][0] == "WELCOME"
    told = await table.does("bob", "NEW_GAME")
    assert told["cy"][0] == ("NEW_GAME", {"playerNames": ["bob", "cy"], "host": "bob"})
    told = await table.does("bob", "START_GAME")
    assert told["cy"][-1] == ("nextTurn", {"currentPlayerName": "bob"})


@pytest.mark.parametrize(("lost", "pool", "keep"), [(False, 4, 2), (True, 3, 1)])
async def test_c63_c64_c78_c79_d39_exchanging(here: Hall, lost: bool, pool: int, keep: int) -> None:
    table = await here.playing()
    if lost:
        table.game.lost[0].append(1)
    await table.propose("ann", "EXCHANGE")
    await table.passes(5000)
    told = await table.does("ann", "CONFIRM_ACTION", action="EXCHANGE")
    assert events(told["bob"]) == ["CONFIRM_ACTION"]
    options = told["ann"][1][1]
    assert options == {
        "cards": ["DUKE", "CAPTAIN", "CONTESSA", "CAPTAIN"] if not lost else ["DUKE", "CONTESSA", "CAPTAIN"],
        "keep": keep,
        "timeoutMs": 60000,
    }
    assert table.players["ann"].state["you"]["exchange"] == {"cards": options["cards"], "keep": keep}
    assert table.players["bob"].state["you"]["exchange"] is None
    assert table.players["bob"].state["deckCount"] == 7
    for bad in (None, "DUKE", [], ["DUKE"] * keep + ["DUKE"], ["DUKE", "DUKE"][: keep + 1], [1, 2], ["Duke"] * keep):
        if bad == ["DUKE"] * keep and keep == 1:
            continue
        if bad == ["DUKE", "DUKE"] and keep == 1:
            bad = ["DUKE", "CONTESSA"]
        await table.players["ann"].says("EXCHANGE_CARDS", keep=bad)
        await table.players["ann"].errs("BAD_KEEP")
    await table.players["bob"].says("EXCHANGE_CARDS", keep=["DUKE"])
    await table.players["bob"].errs("NOT_YOUR_CHOICE")
    told = await table.does("ann", "EXCHANGE_CARDS", keep=["CONTESSA", "CAPTAIN"][:keep])
    assert told["bob"] == [("EXCHANGE_DONE", {"playerName": "ann"}), ("nextTurn", {"currentPlayerName": "bob"})]
    assert events(told["ann"]) == ["EXCHANGE_DONE", "YOUR_HAND", "nextTurn"]
    assert told["ann"][1][1]["cards"] == ["CONTESSA", "CAPTAIN"][:keep]


async def test_c67_the_silent_are_served_by_time(here: Hall) -> None:
    table = await here.playing()
    told = await table.passes(120_000)
    assert events(told["cy"]) == ["CONFIRM_ACTION", "COINS_CHANGED", "nextTurn"]
    await table.propose("bob", "TAX")
    await table.does("ann", "CALL_BS")
    told = await table.passes(60_000)
    assert told["cy"][0] == ("revealCards", {"playerName": "bob", "card": "ASSASSIN", "reason": "BS_CAUGHT"})
    await table.propose("cy", "EXCHANGE")
    await table.passes(5_000)
    await table.does("cy", "CONFIRM_ACTION", action="EXCHANGE")
    told = await table.passes(60_000)
    assert events(told["ann"]) == ["EXCHANGE_DONE", "nextTurn"]
    assert told["cy"][1] == ("YOUR_HAND", {"cards": ["AMBASSADOR", "DUKE"], "revealed": []})
    table.game.coins[0] = 10
    told = await table.passes(120_000)
    assert told["cy"][0][1] == {"targetPlayer": "bob", "action": "COUP", "playerName": "ann"}


async def test_timeouts_can_be_switched_off(here: Hall) -> None:
    table = await here.playing(turnTimeoutMs=0, responseTimeoutMs=0)
    assert not any((await table.passes(3_600_000)).values())
    told = await table.propose("ann", "TAX")
    assert told["bob"][0][1]["timeoutMs"] == 0
    assert not any((await table.passes(3_600_000)).values())


# The sound board


async def test_a_sound_of_somebody_whom_a_native_host_has_silenced(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as nat:
        reply = await nat.ask("open", game="coup", player="Nat")
        ann = await here.first("ann", reply["sync"]["table"]["code"])
        await ann.joins()
        await nat.ask("silence", seat=1, silent=True)
        await ann.says("PLAY_SOUND", sound="gasp")
        await ann.errs("NOT_ALLOWED")
        await nat.ask("list")  # whatever is on the way has come by then
        assert not any(told["entry"]["entry"] == "sounded" for told in nat.told)


async def test_c91_d64_sounds(here: Hall) -> None:
    table = await here.lobby(3)
    told = await table.does("cy", "PLAY_SOUND", sound="gasp")
    for name in ("ann", "bob", "cy"):
        assert told[name] == [("SOUND", {"playerName": "cy", "sound": "gasp"})]
    await here.time.to_pass(0.4)
    await table.players["cy"].says("PLAY_SOUND", sound="gasp")
    assert (await table.players["cy"].errs("RATE_LIMITED"))["retryAfterMs"] == 2600
    for sound in ("moo", None, 7, ["gasp"], "GASP"):
        await table.players["ann"].says("PLAY_SOUND", sound=sound)
        await table.players["ann"].errs("UNKNOWN_SOUND")
    # Unknown comes before too fast.
    await table.players["cy"].says("PLAY_SOUND", sound="moo")
    await table.players["cy"].errs("UNKNOWN_SOUND")
    await here.time.to_pass(2.6)
    assert events((await table.does("cy", "PLAY_SOUND", sound="sadTrombone"))["ann"]) == ["SOUND"]


async def test_five_sounds_in_ten_seconds_are_enough_for_a_table(here: Hall) -> None:
    table = await here.lobby(6)
    for number, name in enumerate(["ann", "bob", "cy", "dee", "eve"]):
        assert events((await table.does(name, "PLAY_SOUND", sound="liar"))["fay"]) == ["SOUND"]
        await here.time.to_pass(1 if number < 4 else 0)
    await table.players["fay"].says("PLAY_SOUND", sound="liar")
    assert (await table.players["fay"].errs("RATE_LIMITED"))["retryAfterMs"] == 6000
    await here.time.to_pass(6)
    assert events((await table.does("fay", "PLAY_SOUND", sound="liar"))["ann"]) == ["SOUND"]


async def test_sounds_are_no_part_of_the_game(here: Hall) -> None:
    table = await here.playing(3)
    await table.propose("ann", "TAX")
    await table.passes(4_999)
    await table.does("bob", "PLAY_SOUND", sound="coins")
    await table.passes(1)
    assert events((await table.does("ann", "CONFIRM_ACTION", action="TAX"))["cy"])[0] == "CONFIRM_ACTION"
    await table.loses("cy")
    assert events((await table.does("ann", "PLAY_SOUND", sound="coins"))["bob"]) == ["SOUND"]  # paused
    quiet = await here.lobby(2, sounds=False)
    await quiet.players["ann"].says("PLAY_SOUND", sound="moo")
    await quiet.players["ann"].errs("NOT_ALLOWED")


def test_c15_all_names_of_the_note() -> None:
    """Every event of the note is said in the transcripts under its exact name."""
    texts = "".join(path.read_text() for path in Path("tests/conformance/coup").glob("*.txt"))
    for event in (
        "playerJoined", "START_GAME", "PROPOSE_ACTION", "CONFIRM_ACTION", "passAction", "callBSResult", "revealCards",
        "nextTurn", "PLAYER_DISCONNECT", "PLAYER_RECONNECT", "PLAYER_LOSE_CARD", "WELCOME", "GAME_PAUSED",
    ):  # fmt: skip
        assert f"<- {json.dumps({'event': event})[:-1]}" in texts.replace('{"event":', '{"event": ')
