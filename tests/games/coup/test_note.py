"""Clients of Coup that were written by the note alone: its addresses, its words, and nothing else to go by."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from tests.games.coup.wire import First, Hall, Table, events, hall


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def company(here: Hall, people: int = 3) -> Table:
    """At the table without a name; the first comes by ``/``, the others by their names."""
    table = Table(here, "main")
    ann = table.players["ann"] = await here.first("ann", path="/")
    await ann.joins()
    for name in ("bob", "cy")[: people - 1]:
        table.players[name] = await here.first(name, path=f"/{name}")
        assert events(await table.players[name].heard()) == ["WELCOME", "playerJoined", "YOUR_HAND"]
    return table


async def playing(here: Hall, people: int = 3) -> Table:
    table = await company(here, people)
    await table.heard()
    told = await table.does("ann", "START_GAME")
    assert events(told["bob"]) == ["START_GAME", "nextTurn"]
    return table


def answers(told: list[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Of the last message that has any."""
    found = [data["answers"] for _, data in told if "answers" in data]
    return found[-1] if found else []


def words(told: list[tuple[str, Any]]) -> set[str]:
    return {answer["event"] for answer in answers(told)}


async def test_the_addresses_of_the_note(here: Hall) -> None:
    ann = await here.first("ann", path="/")
    await ann.says("PLAYER_JOIN_GAME")
    assert (await ann.hears("WELCOME"))["playerNames"] == ["ann"]
    bob = await here.first("bob", path="/bob")
    assert (await bob.hears("WELCOME"))["playerNames"] == ["ann", "bob"]
    spaced = await here.first("cy d", path="/cy%20d")
    assert (await spaced.hears("WELCOME"))["playerNames"] == ["ann", "bob", "cy d"]
    again = await here.first("bob", path="/bob")
    assert (await again.hears("USERNAME_TAKEN"))["suggestion"] == "bob-2"
    nobody = await here.first("x", path="/favicon.ico")
    await nobody.errs("BAD_USERNAME")


async def test_the_addresses_on_the_shared_port_and_at_other_tables(here: Hall) -> None:
    table = await here.lobby(1)
    for path, name in ((f"/coup?table={table.code}", "bob"), (f"/coup/cy?table={table.code}", "cy")):
        async with connect(here.live.ws(path)) as socket:
            player = First(socket, name)
            if name == "bob":
                await player.says("PLAYER_JOIN_GAME")
            assert (await player.hears("WELCOME"))["playerNames"] == ["ann", name]
        await table.heard()


@pytest.mark.parametrize("action", ["Tax", "tax", "TAX", " t A x "])
async def test_actions_as_the_note_writes_them(here: Hall, action: str) -> None:
    table = await playing(here)
    told = await table.propose("ann", action)
    assert told["bob"][0][1]["action"] == "TAX"
    await table.passes(5000)
    told = await table.does("ann", "CONFIRM_ACTION", action=action, targetPlayer=None)
    assert events(told["bob"]) == ["CONFIRM_ACTION", "COINS_CHANGED", "nextTurn"]


async def test_every_action_and_every_card_of_the_note(here: Hall) -> None:
    table = await playing(here)
    table.game.coins[:] = [20, 20, 20]
    for name in ("Coup", "coup"):
        await table.players["ann"].says("PROPOSE_ACTION", action=name, targetPlayer="nobody")
        await table.players["ann"].errs("BAD_TARGET")  # it is known, and asks for somebody
    table.game.coins[:] = [5, 5, 5]
    for action, target in (("Foreign Aid", None), ("foreign_aid", None), ("Income", None)):
        who = str(table.players["ann"].state["currentPlayerName"])
        told = await table.propose(who, action, target)
        if action != "Income":
            assert told["cy"][0][1]["action"] == "FOREIGN_AID"
            await table.passes(5000)
            await table.does(who, "CONFIRM_ACTION", action=action)
    told = await table.propose("ann", "Assassinate", "bob")
    assert told["cy"][0][1]["action"] == "ASSASSINATE"
    told = await table.does("bob", "BLOCK_ACTION", blockAs="Contessa")
    assert told["cy"][0][1]["blockAs"] == "CONTESSA"
    told = await table.does("cy", "CALL_BS")
    told = await table.does("cy", "PLAYER_LOSE_CARD", card="duke")
    assert told["ann"][0][1] == {"playerName": "cy", "card": "DUKE", "reason": "BS_WRONG"}
    told = await table.propose("bob", "Steal", "ann")
    told = await table.does("ann", "CALL_BS")  # bob has no captain
    told = await table.does("bob", "PLAYER_LOSE_CARD", card="Assasin")  # as the note writes it
    assert told["ann"][0][1] == {"playerName": "bob", "card": "ASSASSIN", "reason": "BS_CAUGHT"}


async def test_a_refusal_says_what_is_accepted(here: Hall) -> None:
    table = await playing(here)
    ann, bob = table.players["ann"], table.players["bob"]
    await ann.says("PROPOSE_ACTION", action="Bribe")
    refusal = (await ann.errs("BAD_ACTION"))["message"]
    assert "INCOME, FOREIGN_AID, COUP, TAX, ASSASSINATE, STEAL, EXCHANGE" in refusal
    await ann.says("PROPOSE_ACTION", action=1)
    await ann.errs("BAD_ACTION")
    await table.propose("ann", "STEAL", "bob")
    await bob.says("BLOCK_ACTION", blockAs="King")
    assert "DUKE, AMBASSADOR, ASSASSIN, CONTESSA, CAPTAIN" in (await bob.errs("BAD_CARD"))["message"]
    await bob.says("BLOCK_ACTION", blockAs="Duke")
    refusal = (await bob.errs("BAD_BLOCK_CARD"))["message"]
    assert refusal.startswith("STEAL is blocked as ") and "CAPTAIN" in refusal and "AMBASSADOR" in refusal
    await bob.says("ALLOW")
    assert "ALLOW_ACTION" in (await bob.errs("UNKNOWN_EVENT"))["message"]


async def test_who_comes_by_v1_is_told_where_any_spelling_will_do(here: Hall) -> None:
    table = await here.playing()
    await table.players["ann"].says("PROPOSE_ACTION", action="Income")
    refusal = (await table.players["ann"].errs("BAD_ACTION"))["message"]
    assert "INCOME" in refusal and "without /v1" in refusal


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"action": None, "targetPlayer": None},
        {"action": "Steal", "targetPlayer": "bob"},
        {"action": "STEAL", "targetPlayer": "ann"},
        {"action": "steal"},
        {"action": "Block"},
        {"action": "BLOCK", "targetPlayer": "ann"},
    ],
)
async def test_a_block_is_confirmed_by_the_blocked_action_or_by_nothing(here: Hall, data: dict[str, Any]) -> None:
    table = await playing(here)
    await table.propose("ann", "Steal", "bob")
    await table.does("bob", "BLOCK_ACTION", blockAs="Captain")
    await table.players["bob"].says("CONFIRM_ACTION", **data)
    assert (await table.players["bob"].errs("TOO_EARLY"))["retryAfterMs"] == 5000
    await table.passes(5000)
    told = await table.does("bob", "CONFIRM_ACTION", **data)
    assert told["ann"][0] == ("passAction", {"reason": "BLOCKED", "playerName": "bob"})
    assert events(told["ann"]) == ["passAction", "nextTurn"]


async def test_something_else_does_not_confirm_a_block(here: Hall) -> None:
    table = await playing(here)
    await table.propose("ann", "Steal", "bob")
    await table.does("bob", "BLOCK_ACTION", blockAs="Captain")
    for data in ({"action": "Tax"}, {"action": "Steal", "targetPlayer": "cy"}, {"action": 4}):
        await table.players["bob"].says("CONFIRM_ACTION", **data)
        assert (await table.players["bob"].errs("ACTION_MISMATCH"))["message"] == "what is open is BLOCK"
    await table.players["ann"].says("CONFIRM_ACTION")
    await table.players["ann"].errs("NOT_YOUR_ACTION")


async def test_every_wait_tells_the_way_out(here: Hall) -> None:
    """What the note has no word for: starting, allowing, accepting a block, keeping cards, a kick, another game."""
    table = await company(here)
    told = await table.heard()
    assert answers(told["ann"]) == [{"event": "START_GAME", "data": {}}]
    assert answers(told["bob"]) == []  # only the host may
    told = await table.does("ann", "START_GAME")
    assert words(told["ann"]) == {"PROPOSE_ACTION"}
    assert {"event": "PROPOSE_ACTION", "data": {"action": "STEAL", "targetPlayer": "cy"}} in answers(told["ann"])
    assert answers(told["bob"]) == []
    told = await table.propose("ann", "Foreign Aid")
    assert answers(told["bob"]) == [
        {"event": "ALLOW_ACTION", "data": {}},
        {"event": "BLOCK_ACTION", "data": {"blockAs": "DUKE"}},
    ]
    confirm = {"event": "CONFIRM_ACTION", "data": {"action": "FOREIGN_AID", "targetPlayer": None}}
    assert confirm in answers(told["ann"])
    told = await table.does("bob", "BLOCK_ACTION", blockAs="Duke")
    assert answers(told["bob"]) == [{"event": "CONFIRM_ACTION", "data": {"action": "BLOCK", "targetPlayer": "ann"}}]
    assert words(told["ann"]) == {"ALLOW_ACTION", "CALL_BS"}
    await table.passes(5000)
    told = await table.does("bob", **answers(told["bob"])[0]["data"], event="CONFIRM_ACTION")
    assert events(told["ann"]) == ["passAction", "nextTurn"]
    await table.propose("bob", "Exchange")
    await table.passes(5000)
    told = await table.does("bob", "CONFIRM_ACTION", action="Exchange")
    assert words(told["bob"]) == {"EXCHANGE_CARDS"}
    assert answers(told["ann"]) == []  # nobody else learns of any card
    told = await table.does("bob", "EXCHANGE_CARDS", **answers(told["bob"])[0]["data"])
    assert events(told["ann"]) == ["EXCHANGE_DONE", "nextTurn"]
    told = await table.loses("cy")
    assert answers(told["ann"]) == [{"event": "KICK_PLAYER", "data": {"playerName": "cy"}}]
    assert answers(told["bob"]) == []
    await table.does("ann", "KICK_PLAYER", playerName="cy")
    table.game.coins[0] = 7
    table.game.lost[1].append(0)
    told = await table.propose("ann", "Coup", "bob")
    assert events(told["ann"])[-1] == "GAME_OVER"
    assert answers(told["ann"]) == [{"event": "NEW_GAME", "data": {}}]


async def test_who_comes_back_is_told_what_is_owed(here: Hall) -> None:
    table = await playing(here)
    await table.propose("ann", "Tax")
    await table.does("bob", "CALL_BS")
    await table.loses("bob")
    bob = table.players["bob"] = await here.first("bob", path="/bob")
    told = await bob.heard()
    assert events(told)[:2] == ["WELCOME", "GAME_STATE"]
    assert words(told) == {"PLAYER_LOSE_CARD"}
    assert {answer["data"]["card"] for answer in answers(told)} == {"ASSASSIN", "CONTESSA"}


async def test_the_second_game(here: Hall) -> None:
    table = await playing(here, 2)
    table.game.coins[0] = 7
    table.game.lost[1].append(0)
    await table.propose("ann", "Coup", "bob")
    told = await table.does("ann", "NEW_GAME")
    assert events(told["bob"]) == ["NEW_GAME", "YOUR_HAND"]
    assert answers(told["ann"]) == [{"event": "START_GAME", "data": {}}]
    told = await table.does("ann", "START_GAME")
    assert events(told["bob"]) == ["START_GAME", "nextTurn"]
    told = await table.propose("ann", "income")
    assert events(told["bob"]) == ["CONFIRM_ACTION", "COINS_CHANGED", "nextTurn"]
    assert words(told["bob"]) == {"PROPOSE_ACTION"}
