"""The server goes down and comes back under the existing clients of Coup, stopped or killed: in the lobby, in the
middle of a game, on its result; and what they do then, by the addresses and the names they have.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from websockets.asyncio.client import connect

from tests.games.coup.wire import First, Second, events
from tests.live import LiveProcess, process, request

FLAGS = ("--listen", "coup=127.0.0.1:0", "--test-mode", "--message-rate", "0")
UNPACED = "from croupier.games.coup.dialect.connection import CoupDialect; CoupDialect.pace = None"
"""Tests say more in no time than the protocol allows."""
QUICK = {"minWaitMs": 0}


class Company:
    """A server in a process of its own, and who is connected to it."""

    def __init__(self, live: LiveProcess, stack: AsyncExitStack) -> None:
        self.live = live
        self._stack = stack

    async def table(self, version: str) -> str:
        reply = await request(self.live.ports["coup"], "POST", f"/{version}/game", json.dumps(QUICK).encode())
        return str(json.loads(reply.body)["gameCode"])

    async def first(self, name: str, code: str | None = None) -> First:
        path = "/v1" if code is None else f"/v1?table={code}"
        player = First(await self._stack.enter_async_context(connect(self.live.own("coup", path))), name)
        await player.says("PLAYER_JOIN_GAME")
        return player

    async def second(self, name: str, code: str) -> Second:
        path = f"/v2/ws?username={quote(name)}&gameCode={code}"
        return Second(await self._stack.enter_async_context(connect(self.live.own("coup", path))), name)

    async def goes(self, how: str) -> None:
        await (self.live.kill() if how == "killed" else self.live.terminate())


@asynccontextmanager
async def company(data: Path) -> AsyncIterator[Company]:
    async with process(data, *FLAGS, sabotage=UNPACED) as live, AsyncExitStack() as stack:
        yield Company(live, stack)


HOW = pytest.mark.parametrize("how", ["stopped", "killed"])


async def heard(*players: First | Second) -> list[list[str]]:
    return [events(await player.heard()) for player in players]


@HOW
async def test_first_version_in_the_lobby_everybody_is_removed_and_comes_again_by_name(
    tmp_path: Path, how: str
) -> None:
    """The note: who loses the connection before the game is removed."""
    async with company(tmp_path) as here:
        code = await here.table("v1")
        ann, bob = await here.first("ann", code), await here.first("bob", code)
        assert (await heard(ann, bob))[1] == ["WELCOME", "playerJoined", "YOUR_HAND"]
        await here.goes(how)
    async with company(tmp_path) as here:
        bob = await here.first("bob", code)  # the second to sit down is the first to be back
        welcome = await bob.hears("WELCOME")
        assert (welcome["playerNames"], welcome["host"]) == (["bob"], "bob")
        joined = await bob.hears("playerJoined")
        assert (joined["playerName"], joined["turnOrder"], joined["isHost"]) == ("bob", 0, True)
        assert len((await bob.hears("YOUR_HAND"))["cards"]) == 2
        ann = await here.first("ann", code)
        assert (await heard(ann))[0] == ["WELCOME", "playerJoined", "YOUR_HAND"]
        assert ann.state["deckCount"] == 11  # all cards are accounted for
        await bob.heard()
        await bob.says("START_GAME")
        assert await heard(bob, ann) == [["START_GAME", "nextTurn"]] * 2


@HOW
async def test_first_version_at_the_table_without_a_name(tmp_path: Path, how: str) -> None:
    async with company(tmp_path) as here:
        ann, bob = await here.first("ann"), await here.first("bob")
        await heard(ann, bob)
        await here.goes(how)
    async with company(tmp_path) as here:
        eve = await here.first("eve")  # a stranger: at a new table, and host of nobody's ghosts
        assert (await eve.hears("WELCOME"))["playerNames"] == ["eve"]
        ann = await here.first("ann")
        assert (await ann.hears("WELCOME"))["playerNames"] == ["eve", "ann"]


@HOW
async def test_second_version_in_the_lobby_the_page_comes_back_with_the_same_name(tmp_path: Path, how: str) -> None:
    """As its alert says: "try re-connecting with the same name"."""
    async with company(tmp_path) as here:
        code = await here.table("v2")
        ann, bob = await here.second("ann", code), await here.second("bob", code)
        await heard(ann, bob)
        await here.goes(how)
    async with company(tmp_path) as here:
        reply = await request(here.live.ports["coup"], "GET", "/v2/games")
        assert json.loads(reply.body) == {"games": [code]}
        ann = await here.second("ann", code)
        assert (await heard(ann))[0] == ["Player Join Game", "Current State"]
        assert [(player["name"], player["isHost"]) for player in ann.state["players"]] == [("ann", True)]
        bob = await here.second("bob", code)
        assert (await heard(bob, ann)) == [["Player Join Game", "Current State"]] * 2
        await ann.says("Start Game")
        assert await heard(ann, bob) == [["Start Game", "Current State"]] * 2
        assert ann.state["deckCount"] == 11


async def first_plays(*players: First) -> list[list[str]]:
    """Two people to the end, by coins and coups. What they are told last."""
    while True:
        await heard(*players)
        state = players[0].state
        if state["losing"] is not None:
            who, event = state["losing"]["playerName"], "PLAYER_LOSE_CARD"
        else:
            who, event = state["currentPlayerName"], "PROPOSE_ACTION"
        player, other = sorted(players, key=lambda one: one.name != who)
        if event == "PLAYER_LOSE_CARD":
            await player.says(event, card=player.state["you"]["cards"][0])
        elif next(one["coins"] for one in state["players"] if one["playerName"] == who) >= 7:
            await player.says(event, action="COUP", targetPlayer=other.name)
        else:
            await player.says(event, action="INCOME", targetPlayer=None)
        told = await heard(player, other)
        if told[0][-1] == "GAME_OVER":
            return told


async def second_plays(*players: Second) -> list[list[str]]:
    """The same, as the page does."""
    while True:
        await heard(*players)
        state = players[0].state
        if state["status"] == "Player Losing Card":
            who, event = state["playerLosingCard"]["player"], "Player Reveal Card"
        else:
            who, event = state["currentPlayerName"], "Choose Action"
        player, other = sorted(players, key=lambda one: one.name != who)
        mine = next(one for one in player.state["players"] if one["name"] == who)
        if event == "Player Reveal Card":
            await player.says(event, card=next(card["card"] for card in mine["cards"] if not card["isRevealed"]))
        elif mine["coins"] >= 7:
            await player.says(event, action="Coup", targetPlayer=other.name)
        else:
            await player.says(event, action="Income")
        told = await heard(player, other)
        if "Game Over" in told[0]:
            return told


@HOW
async def test_first_version_in_the_middle_of_a_game_on_its_result_and_in_the_second_game(
    tmp_path: Path, how: str
) -> None:
    async with company(tmp_path) as here:
        code = await here.table("v1")
        ann, bob = await here.first("ann", code), await here.first("bob", code)
        await heard(ann, bob)
        await ann.says("START_GAME")
        await heard(ann, bob)
        await ann.says("PROPOSE_ACTION", action="INCOME", targetPlayer=None)
        await heard(ann, bob)
        seen = bob.state
        await here.goes(how)
    async with company(tmp_path) as here:  # in the middle
        bob = await here.first("bob", code)  # the host is not there: who is there is
        assert (await heard(bob))[0] == ["WELCOME", "GAME_STATE", "PLAYER_RECONNECT", "HOST_CHANGED", "GAME_PAUSED"]
        assert (bob.state["you"], bob.state["currentPlayerName"]) == (seen["you"], seen["currentPlayerName"])
        ann = await here.first("ann", code)
        assert (await heard(ann))[0] == ["WELCOME", "GAME_STATE", "PLAYER_RECONNECT", "GAME_RESUMED"]
        again = await here.first("ann", code)  # a second tab: the first stays
        await again.errs("ALREADY_CONNECTED")
        assert (await first_plays(ann, bob))[0][-1] == "GAME_OVER"
        await here.goes(how)
    async with company(tmp_path) as here:  # on the result
        ann, bob = await here.first("ann", code), await here.first("bob", code)
        told = await heard(ann, bob)
        assert told[1] == ["WELCOME", "GAME_STATE", "PLAYER_RECONNECT"]
        assert ann.state["phase"] == bob.state["phase"] == "GAME_OVER"
        host, other = (ann, bob) if ann.state["host"] == "ann" else (bob, ann)
        await host.says("NEW_GAME")
        assert await heard(host, other) == [["NEW_GAME", "YOUR_HAND"]] * 2
        await here.goes(how)
    async with company(tmp_path) as here:  # in the lobby of the second game
        ann, bob = await here.first("ann", code), await here.first("bob", code)
        assert (await heard(bob))[0] == ["WELCOME", "playerJoined", "YOUR_HAND"]
        again = await here.first("ann", code)
        assert (await again.hears("USERNAME_TAKEN"))["username"] == "ann"
        await ann.heard()
        await ann.says("START_GAME")
        assert await heard(ann, bob) == [["START_GAME", "nextTurn"]] * 2
        assert (await first_plays(ann, bob))[0][-1] == "GAME_OVER"


@HOW
async def test_second_version_in_the_middle_of_a_game_on_its_result_and_in_the_second_game(
    tmp_path: Path, how: str
) -> None:
    async with company(tmp_path) as here:
        code = await here.table("v2")
        ann, bob = await here.second("ann", code), await here.second("bob", code)
        await heard(ann, bob)
        await ann.says("Start Game")
        await heard(ann, bob)
        await ann.says("Choose Action", action="Income")
        await heard(ann, bob)
        seen = bob.state
        await here.goes(how)
    async with company(tmp_path) as here:  # in the middle
        bob = await here.second("bob", code)
        told = await bob.heard()
        assert events(told) == ["Pause Game", "Current State"]  # not an empty page
        assert told[0][1]["data"] == {"reason": "ann lost connection"}
        assert bob.state["isPaused"] is True
        assert bob.state["players"][1]["isHost"] is True  # who is there
        assert bob.state["players"][1]["cards"] == seen["players"][1]["cards"]
        ann = await here.second("ann", code)
        assert (await heard(ann, bob)) == [["Resume Game", "Current State"]] * 2
        again = await here.second("ann", code)  # a second tab: the first stays
        assert await again.closed() == (4004, "username 'ann' is taken, choose another one")
        assert "Game Over" in (await second_plays(ann, bob))[0]
        await here.goes(how)
    async with company(tmp_path) as here:  # on the result
        ann, bob = await here.second("ann", code), await here.second("bob", code)
        await heard(ann, bob)
        assert ann.state["status"] == bob.state["status"] == "Game Over"
        hosts = [player["name"] for player in ann.state["players"] if player["isHost"]]
        host, other = (ann, bob) if hosts == ["ann"] else (bob, ann)
        await host.says("New Game")
        assert await heard(host, other) == [["New Game", "Current State"]] * 2
        await here.goes(how)
    async with company(tmp_path) as here:  # in the lobby of the second game
        bob, ann = await here.second("bob", code), await here.second("ann", code)
        await heard(ann, bob)
        assert [player["name"] for player in bob.state["players"] if player["isHost"]] == ["bob"]
        await bob.says("Start Game")
        assert await heard(bob, ann) == [["Start Game", "Current State"]] * 2
        assert "Game Over" in (await second_plays(ann, bob))[0]
