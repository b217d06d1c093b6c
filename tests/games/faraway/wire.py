"""Clients of Faraway's own protocol, for tests. They believe nothing: every state they are told is looked through."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from croupier.games import Catalogue
from tests.clock import ManualTime
from tests.live import LiveHere, server
from tests.socketio_clients import BareClient

Json = dict[str, Any]

SUMMARY = {"users", "state", "maxPlayers"}
LOBBY = SUMMARY | {"roomId", "protocolVersion", "serverTime", "stateSeq", "options", "legalActions"}
RUNNING = LOBBY | {"turn", "phase", "pool", "sanctuaryPool", "players", "shop", "shopOrder"}
ENDED = RUNNING | {"winner", "score", "ranking", "endReason"}
PLAYER = {
    "hand", "sanctuaries", "playedCards", "playedSanctuaries", "hasPlayed", "hasToChoose", "sanctuaryChoose",
    "connected",
}  # fmt: skip
ACTIONS = {"play": "playCard", "sanctuary": "sanctuaryChoose", "shop": "shopChooseCard"}
USUAL = {"cardSet": "base", "openInformation": False, "tieBreak": "shared", "actionTimeoutSec": 0}


def look_through(state: Json, me: str, open_cards: bool = False) -> None:
    """Everything that can be said of a state by itself: its keys, what is hidden, and what clients rely on."""
    assert state["protocolVersion"] == 1  # D21, D22
    assert type(state["serverTime"]) is int
    assert me in state["users"]
    assert len(set(state["users"])) == len(state["users"]) <= state["maxPlayers"]
    assert set(state["options"]) == set(USUAL)
    if not state["state"]:
        assert set(state) == LOBBY
        assert state["stateSeq"] == 0
        assert state["legalActions"] == []
        return
    phase = state["phase"]
    assert set(state) - {"actionDeadline"} == (ENDED if phase == "end" else RUNNING)
    players = state["players"]
    assert list(players) == state["users"]  # K1, K2
    assert set(state["shopOrder"]) <= set(players)
    assert 0 <= state["turn"] <= 7
    hidden = not (open_cards or phase == "end")
    for id, player in players.items():
        assert set(player) == PLAYER
        assert player["sanctuaries"] == []  # D42
        assert all(card >= 0 for card in player["playedCards"] + player["playedSanctuaries"])
        secret = player["hand"] + player["sanctuaryChoose"]
        assert set(secret) <= {-1} if hidden and id != me else all(card >= 0 for card in secret)
        played = state["turn"] + 1
        if phase == "play" and not (player["hasPlayed"] and (id == me or open_cards)):
            played -= 1  # F13: what another has chosen is left out until all have
        if state.get("endReason") != "forfeit":
            assert len(player["playedCards"]) == played
        assert bool(player["sanctuaryChoose"]) == (phase == "sanctuary" and player["hasToChoose"])  # D41
    for pool in (state["pool"], state["sanctuaryPool"]):
        assert set(pool) <= {-1} if hidden else pool == sorted(pool)
    choosing = [id for id, player in players.items() if player["hasToChoose"]]
    assert not choosing if phase in ("play", "end") else len(choosing) == 1 or phase == "sanctuary"
    assert not any(player["hasPlayed"] and player["hasToChoose"] for player in players.values())
    mine = players[me]
    offers = {"play": mine["hand"], "sanctuary": mine["sanctuaryChoose"], "shop": state["shop"], "end": []}[phase]
    mine_to_move = mine["hasToChoose"] or (phase == "play" and not mine["hasPlayed"])
    expected = [{"type": ACTIONS[phase], "cardIndex": card} for card in offers] if mine_to_move else []
    assert state["legalActions"] == expected  # D45
    if phase == "end":
        assert len(state["score"]) == len(state["users"])  # K3
        for score in state["score"]:
            assert len(score["round"]) == 9
            assert sum(score["round"]) == score["total"]
        assert isinstance(state["winner"], list)  # K4
        assert set(state["winner"]) <= set(players)
        assert sorted(ranked["id"] for ranked in state["ranking"]) == sorted(players)
        assert all(player["hasPlayed"] for player in players.values())


class Player(BareClient):
    """A client that has come in."""

    token = ""
    room = ""
    rooms: Json
    session: Json
    state: Json
    """What was told last of the room."""
    open_cards = False

    async def arrives(self, auth: Any = None) -> None:
        assert (await self.packet()).startswith("0{")
        reply = await self.enters(auth)
        assert len(self.id) == 20
        assert await self.next() == ["wellConnected"]
        self.rooms = await self.hears("rooms")
        self.session = await self.hears("session")
        self.token = self.session["token"]
        self.room = self.session["roomId"] or ""
        assert set(reply) == {"sid", "pid"}
        assert reply["pid"] == self.token
        assert set(self.session) == {"token", "playerId", "resumed", "roomId"}
        assert self.session["playerId"] == self.id

    async def next(self) -> list[Any]:
        told = await super().next()
        if told[0] in ("update", "roomJoined", "roomState"):
            look_through(told[1], self.id, self.open_cards)
            last = getattr(self, "state", None)
            if last is not None and last["roomId"] == told[1]["roomId"]:
                assert told[1]["serverTime"] >= last["serverTime"]
                assert told[1]["stateSeq"] >= last["stateSeq"]
            self.state = told[1]
        return told

    async def updated(self) -> Json:
        state: Json = await self.hears("update")
        return state

    async def silent(self) -> bool:
        """Whether nothing has been told that was not heard: the answer to a new question is the next event."""
        await self.emit("getRooms")
        name, *_ = await self.next()
        return bool(name == "rooms")

    async def creates(self, **options: Any) -> str:
        await self.emit("createRoom", *([options] if options else []))
        self.room = await self.hears("joinedRoom")
        self.open_cards = bool(options.get("openInformation"))
        return self.room

    async def joins(self, other: Player, *members: Player) -> Json:
        """Join another's room; those who are there hear of it."""
        await self.emit("joinRoom", other.room)
        self.room, self.open_cards = other.room, other.open_cards
        joined: Json = await self.hears("roomJoined")
        assert await self.updated() == joined
        for member in members:
            assert await member.updated() == joined
        return joined

    async def acts(self, name: str, card: int, *others: Player) -> Json:
        """An action that is accepted; everybody hears of it, once and at the same time."""
        before = self.state["stateSeq"]
        await self.emit(name, card)
        state = await self.updated()
        assert state["stateSeq"] == before + 1
        for other in others:
            seen = await other.updated()
            assert (seen["stateSeq"], seen["serverTime"]) == (state["stateSeq"], state["serverTime"])
        return state

    async def refused(self, name: str, *payload: Any) -> str:
        """An action that is refused: the code. Nothing else happens."""
        await self.emit(name, *payload)
        return await self.rejected(name)

    async def rejected(self, name: str) -> str:
        told = await self.hears("actionRejected")
        assert set(told) == {"event", "code", "message", "stateSeq"}
        assert told["event"] == name
        assert told["message"]
        state = getattr(self, "state", {"stateSeq": 0, "roomId": ""})
        assert told["stateSeq"] == (state["stateSeq"] if state["roomId"] == self.room else 0)
        return str(told["code"])

    @property
    def me(self) -> Json:
        mine: Json = self.state["players"][self.id]
        return mine

    @property
    def action(self) -> tuple[str, int]:
        """The first thing that can be done."""
        first = self.state["legalActions"][0]
        return first["type"], first["cardIndex"]


async def play_on(*players: Player, until: str = "end", turn: int = 0) -> None:
    """Everybody does the first thing they can, until the phase is this one, in this turn or later."""
    while True:
        state = players[0].state
        if state["phase"] in (until, "end") and state["turn"] >= turn:
            return
        mover = next(player for player in players if player.state["legalActions"])
        await mover.acts(*mover.action, *(player for player in players if player is not mover))


class Hall:
    """A server with Faraway on a port of its own, and its clients."""

    def __init__(self, live: LiveHere, time: ManualTime) -> None:
        self.live = live
        self.house = live.house
        self.time = time
        self._players: list[Player] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.live.ports['faraway']}"

    async def enter(self, auth: Any = None) -> Player:
        # No limit to what waits to be heard: a test may never ask, and must still be able to say goodbye.
        address = self.live.own("faraway", "/socket.io/?EIO=4&transport=websocket")
        player = Player(await connect(address, compression=None, max_queue=None))
        self._players.append(player)
        await player.arrives(auth)
        return player

    async def back(self, player: Player, *others: Player) -> Player:
        """Somebody comes back on a new connection. They and the others are told."""
        again = await self.enter({"token": player.token})
        assert again.session == {
            "token": player.token, "playerId": again.id, "resumed": True, "roomId": player.room
        }  # fmt: skip
        again.open_cards = player.open_cards
        joined = await again.hears("roomJoined")
        assert await again.updated() == joined
        for other in others:
            assert (await other.updated())["stateSeq"] == joined["stateSeq"]
        return again

    async def leave(self) -> None:
        await asyncio.gather(*(player.socket.close() for player in self._players))

    async def lobby(self, count: int, **options: Any) -> list[Player]:
        """So many in one room; all have heard of each other."""
        players = [await self.enter()]
        await players[0].creates(**options)
        for _ in range(count - 1):
            player = await self.enter()
            await player.joins(players[0], *players)
            players.append(player)
        return players

    async def playing(self, count: int, **options: Any) -> list[Player]:
        """So many in a game that has just begun."""
        players = await self.lobby(count, **options)
        await start(*players)
        return players

    async def empty(self) -> None:
        """Returns when everybody's connection is gone."""
        while self.live.admission.connections:  # noqa: ASYNC110
            await asyncio.sleep(0.001)

    async def list_rooms(self) -> Json:
        somebody = await self.enter()
        await somebody.socket.close()
        return somebody.rooms


async def start(*players: Player) -> None:
    await players[0].emit("startGame", players[0].room)
    for player in players:
        begun = await player.hears("beginGame")
        assert set(begun) == {"protocolVersion", "serverTime", "gameId"}
        assert begun["gameId"] == players[0].room
        assert (await player.updated())["serverTime"] == begun["serverTime"]


@asynccontextmanager
async def hall(
    data: Path, games: Catalogue | None = None, time: ManualTime | None = None, **settings: Any
) -> AsyncIterator[Hall]:
    """With a clock that the test sets by hand. Rooms may be created with a seed."""
    usual: Json = {"listen": ("faraway=127.0.0.1:0",), "test_rigging": True, "synchronous": "OFF"}
    time = time or ManualTime()
    async with server(data, games, time, **usual | settings) as live:
        found = Hall(live, time)
        try:
            yield found
        finally:
            await found.leave()


def golden(moves: Iterable[str]) -> Iterable[tuple[int, str, int]]:
    """Moves such as ``A:P19``: whose, which event, which card."""
    names = {"P": "playCard", "S": "sanctuaryChoose", "H": "shopChooseCard"}
    for move in moves:
        who, what = move.split(":")
        yield "AB".index(who), names[what[0]], int(what[1:])


def written(told: Any) -> str:
    return json.dumps(told, separators=(",", ":"))
