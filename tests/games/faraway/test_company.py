"""A company of nine who create rooms, play, get lost, come back, steal their own seats and talk nonsense, by dice.

Whatever they do, every state that anybody is told is sound (see ``wire.look_through``), and nothing goes wrong.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.games.faraway.wire import Hall, Json, Player, hall, look_through

ROOMS: list[Json] = [
    {},
    {"openInformation": True},
    {"cardSet": "full", "maxPlayers": 7},
    {"actionTimeoutSec": 5, "tieBreak": "published"},
]
NONSENSE: list[Any] = [None, -1, 3, 5.0, True, "x", {"maxPlayers": 9}]
EVENTS = ["playCard", "sanctuaryChoose", "shopChooseCard", "getRoomState", "getRooms", "getRoomSummary", "createRoom"]

DOINGS = {"go on": 80, "start": 4, "join": 1, "leave": 1, "come back": 2, "wait": 2, "talk nonsense": 10}
"""And how often."""


class Company:
    def __init__(self, here: Hall, seed: int) -> None:
        self.here = here
        self.dice = random.Random(seed)
        self.members: list[Player] = []
        self.rooms: list[str] = []
        self.heard: Counter[str] = Counter()

    async def step(self) -> None:
        """Somebody does something; then everybody listens."""
        number = self.dice.randrange(len(self.members))
        who = self.members[number]
        able = [member for member in self.members if member.state.get("legalActions")]
        match self.dice.choices([*DOINGS], [*DOINGS.values()])[0]:
            case "go on" if able and (who.room or self.dice.random() < 0.7):
                mover = self.dice.choice(able)
                action = self.dice.choice(mover.state["legalActions"])
                await mover.ask(action["type"], action["cardIndex"])
            case "go on" if not who.room and self.rooms and self.dice.random() < 0.7:
                await who.ask("joinRoom", self.dice.choice(self.rooms[-3:]))
            case "go on" if not who.room:
                await who.ask("createRoom", self.dice.choice(ROOMS))
            case "start" if who.room:
                await who.ask("startGame", who.room)
            case "join" if self.rooms:
                await who.ask("joinRoom", self.dice.choice(self.rooms[-3:]))
            case "leave":
                await self._leaves(who)
            case "come back":
                if self.dice.random() < 0.6:
                    await who.tear()
                    await self.here.time.to_pass(self.dice.choice([0, 1, 30, 61]))
                self.members[number] = await self.enters({"token": who.token})
            case "wait":
                await self.here.time.to_pass(self.dice.choice([1, 6, 20]))
            case "talk nonsense":
                await who.ask(self.dice.choice(EVENTS), self.dice.choice(NONSENSE))
        for member in self.members:
            await self._listens(member)
            if member.state.get("phase") == "end" and self.dice.random() < 0.5:
                await self._leaves(member)

    async def enters(self, auth: Json | None = None) -> Player:
        player = await self.here.enter(auth)
        player.state = {}
        self.heard["resumed" if player.session["resumed"] else "new"] += 1
        return player

    async def _leaves(self, who: Player) -> None:
        await who.ask("leaveRoom")
        who.room, who.state = "", {}

    async def _listens(self, who: Player) -> None:
        last = await who.ask("updateAck")
        while not (packet := await who.packet()).startswith(f"43{last}["):
            told = json.loads(packet[packet.index("[") :])
            if packet.startswith("43"):
                (answer,) = told
                self.heard[answer.get("code", "ok")] += 1
                assert answer["ok"] is ("code" not in answer)
                continue
            name = told[0]
            self.heard[name] += 1
            if name in ("update", "roomJoined", "roomState"):
                self._believes(who, told[1])
            elif name == "joinedRoom":
                who.room, who.state = told[1], {}
                self.rooms.append(who.room)

    def _believes(self, who: Player, state: Json) -> None:
        look_through(state, who.id, state["options"]["openInformation"])
        if who.state.get("roomId") == state["roomId"]:
            assert state["serverTime"] >= who.state["serverTime"]
            assert state["stateSeq"] >= who.state["stateSeq"]
        if state.get("phase") == "end":
            self.heard[state["endReason"]] += 1
        who.room, who.state = state["roomId"], state


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


@pytest.mark.parametrize("seed", [1, 2])
async def test_c31_c43_c55_c61_people_come_and_go_and_every_state_is_sound(here: Hall, seed: int) -> None:
    company = Company(here, seed)
    company.members = [await company.enters() for _ in range(9)]
    for _ in range(1000):
        await company.step()
    heard = company.heard
    assert not heard["internalError"]
    for often in ("completed", "beginGame", "badPayload"):
        assert heard[often], heard
