"""One table of Coup, three protocols: a native client and one of each version of its own play to the end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.client import Client, Json, Refusal, client
from tests.live import Live, server

PATIENCE = 30


async def hear(socket: ClientConnection) -> Json:
    async with asyncio.timeout(PATIENCE):
        message: Json = json.loads(await socket.recv())
    return message


class First:
    """Keeps track by the events alone; claims what comes to mind."""

    def __init__(self, socket: ClientConnection, luck: Random, speed: float) -> None:
        self.socket = socket
        self.luck = luck
        self.speed = speed
        """How much faster the server's clock is."""
        self.coins: dict[str, int] = {}
        self.out: set[str] = set()
        self.winner = ""
        self.confirming: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """The wait before our own action or block is confirmed."""

    async def say(self, event: str, **data: Any) -> None:
        await self.socket.send(json.dumps({"event": event, "user": "ann", "data": data}))

    async def play(self) -> None:
        while not self.winner:
            message = await hear(self.socket)
            event, data = message["event"], message["data"]
            match event:
                case "COINS_CHANGED":
                    self.coins.update(data["coins"])
                case "playerJoined":
                    self.coins[data["playerName"]] = data["coins"]
                case "PLAYER_OUT":
                    self.out.add(data["playerName"])
                case "GAME_OVER":
                    self.winner = data["winner"]
                case "nextTurn" if data["currentPlayerName"] == "ann":
                    await self.propose()
                case "PROPOSE_ACTION" | "BLOCK_ACTION" if data["playerName"] != "ann" and "ann" not in self.out:
                    answer = self.luck.choice(["ALLOW_ACTION", "ALLOW_ACTION", "CALL_BS"])
                    await self.say(answer, to="BLOCK" if event == "BLOCK_ACTION" else "ACTION")
                case "PROPOSE_ACTION" | "BLOCK_ACTION" if data["playerName"] == "ann":
                    self.confirming.cancel()
                    self.confirming = asyncio.create_task(self.confirm(event, data))
                case "PLAYER_LOSE_CARD":
                    await self.say("PLAYER_LOSE_CARD", card=self.luck.choice(data["cards"]))
                case "EXCHANGE_OPTIONS":
                    await self.say("EXCHANGE_CARDS", keep=data["cards"][-data["keep"] :])
        self.confirming.cancel()

    async def confirm(self, event: str, data: Json) -> None:
        """As soon as may be; by then somebody may have objected."""
        await asyncio.sleep(0.01 + data["confirmAfterMs"] / 1000 / self.speed)
        await self.say("CONFIRM_ACTION", action="BLOCK" if event == "BLOCK_ACTION" else data["action"])

    async def propose(self) -> None:
        living = [name for name in self.coins if name not in self.out and name != "ann"]
        if self.coins["ann"] >= 7:
            await self.say("PROPOSE_ACTION", action="COUP", targetPlayer=self.luck.choice(living))
        else:
            await self.say("PROPOSE_ACTION", action=self.luck.choice(["TAX", "EXCHANGE", "FOREIGN_AID", "INCOME"]))


class Second:
    """Acts on every state, as the web page of this protocol lets people do."""

    def __init__(self, socket: ClientConnection, luck: Random) -> None:
        self.socket = socket
        self.luck = luck
        self.winner = ""
        self.state: Json = {}

    async def say(self, event: str, **data: Any) -> None:
        await self.socket.send(json.dumps({"event": event, "user": "bob", "data": data}))

    async def play(self) -> None:
        while self.state.get("status") != "Game Over":
            message = await hear(self.socket)
            if message.get("event") == "Game Over":
                self.winner = message["data"]["name"]
            if message.get("event") == "Current State":
                self.state = message["data"]["state"]
                await self.act()

    async def act(self) -> None:
        state = self.state
        own = next(player for player in state["players"] if player["name"] == "bob")
        others = [p["name"] for p in state["players"] if p["name"] != "bob" and not p["isOut"]]
        live = [card["card"] for card in own["cards"] if not card["isRevealed"]]
        turn = state["currentPlayerName"] == "bob"
        action = state.get("currentAction", {})
        if own["isOut"]:
            return
        match state["status"]:
            case "Awaiting Action" if turn:
                if own["coins"] >= 7:
                    await self.say("Choose Action", action="Coup", targetPlayer=self.luck.choice(others))
                else:
                    chosen = self.luck.choice(["Tax", "Foreign Aid", "Exchange", "Income"])
                    await self.say("Choose Action", action=chosen)
            case "Action Selected":
                if action.get("targetPlayer", state["currentPlayerName"]) == "bob":
                    await self.say("Confirm Action")
                elif not turn and self.luck.random() < 0.3:
                    await self.say("Challenge Action")
            case "Action Blocked":
                if turn:
                    await self.say(self.luck.choice(["Accept Block", "Challenge Block"]))
            case "Player Losing Card" if state["playerLosingCard"]["player"] == "bob":
                await self.say("Player Reveal Card", card=live[0])
            case "Awaiting Exchange" if turn:
                await self.say("Exchange Cards", exchangeKeeping=[*state["exchangeCards"], *live][: len(live)])


@asynccontextmanager
async def joined(live: Live, code: str, luck: Random, speed: float) -> AsyncIterator[tuple[First, Second]]:
    """ann and bob sit down with Hanna, who is there already."""
    async with (
        connect(live.ws(f"/coup/v1/ann?table={code}")) as one,
        connect(live.ws(f"/coup/v2/ws?username=bob&gameCode={code}")) as two,
    ):
        first, second = First(one, luck, speed), Second(two, luck)
        for wanted, socket in (("YOUR_HAND", one), ("Current State", two)):
            while (message := await hear(socket))["event"] != wanted:
                pass
        second.state = message["data"]["state"]
        first.coins = {"Hanna": 2, "ann": 2, "bob": 2}
        yield first, second


def assert_same_end(end: Json, first: First, second: Second) -> None:
    """c90: the last fact of the native protocol, and what the others were told of the end."""
    names = {player["seat"]: player["name"] for player in end["table"]["players"]}
    winner = names[end["result"]["placings"][0][0]]
    assert winner == first.winner == second.winner
    coins = {names[seat]: coins for seat, coins in enumerate(end["view"]["coins"])}
    assert coins == first.coins == {player["name"]: player["coins"] for player in second.state["players"]}
    for seat, cards in enumerate(end["view"]["cards"]):
        shown = [slot["card"].capitalize() for slot in cards]
        assert [card["card"] for card in second.state["players"][seat]["cards"]] == shown


async def play_native(player: Client, luck: Random) -> Json:
    while True:
        fact = await player.hear(lambda message: message["type"] == "fact")
        if "result" in fact:
            return fact
        if fact.get("moves"):
            with suppress(Refusal):  # somebody was quicker
                await player.ask("play", move=luck.choice(fact["moves"]))


@pytest.mark.parametrize("seed", range(3))
async def test_c90_a_native_client_and_both_versions_play_to_the_end(tmp_path: Path, seed: int) -> None:
    speed = 2000.0
    settings: dict[str, Any] = {"test_seed": f"{seed:02}" * 32, "synchronous": "OFF", "bot_delay": 0}
    luck = Random(seed)
    async with (
        server(tmp_path, test_clock_speed=speed, **settings) as live,
        client(live.ws("/ws?views=1")) as native,
    ):
        options = {"ruleset": "official" if seed else "note", "min_wait_ms": 2000}
        await native.ask("open", game="coup", player="Hanna", options=options)
        code = (await native.ask("list"))["tables"][0]["code"]
        async with joined(live, code, luck, speed) as (first, second):
            await native.ask("start")
            end, _, _ = await asyncio.gather(play_native(native, luck), first.play(), second.play())
        assert_same_end(end, first, second)
