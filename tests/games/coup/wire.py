"""Clients of Coup's own protocol, both versions, for tests; by a clock that stands still until a test lets it pass."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from croupier.games.coup.dialect.connection import CoupDialect
from croupier.games.coup.state import State
from tests.clock import ManualTime
from tests.live import LiveHere, Reply, request, server

PATIENCE = 20
DECK = [
    "duke", "captain", "assassin", "contessa", "ambassador", "duke", "contessa", "captain", "duke", "assassin",
    "ambassador", "contessa", "captain", "assassin", "ambassador",
]  # fmt: skip
"""So ann gets DUKE and CAPTAIN, bob ASSASSIN and CONTESSA, cy AMBASSADOR and DUKE, dee CONTESSA and CAPTAIN."""
NAMES = ("ann", "bob", "cy", "dee", "eve", "fay")
MARK = "MARK"

Said = tuple[str, Any]
"""A message: its event and its data; of the second version, the event and the whole message."""


class Peer:
    """A connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, message: Any) -> None:
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def next(self) -> Any:
        async with asyncio.timeout(PATIENCE):
            message = await self.socket.recv()
        assert isinstance(message, str), "every message is a text"
        return json.loads(message)

    async def closed(self) -> tuple[int | None, str | None]:
        """With what the server closes the connection, without another word."""
        try:
            async with asyncio.timeout(PATIENCE):
                told = await self.socket.recv()
        except ConnectionClosed:
            return self.socket.close_code, self.socket.close_reason
        raise AssertionError(f"told instead of closed: {told!r}")


class First(Peer):
    """Somebody who speaks the first version."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        super().__init__(socket)
        self.name = name
        self.state: Any = None

    async def says(self, event: str, **data: Any) -> None:
        await self.send({"event": event, "user": self.name, "data": data})

    async def hears(self, event: str) -> Any:
        """The data of the next message, which must be this."""
        message = await self.next()
        assert list(message) == ["event", "data"], message  # c14
        assert isinstance(message["data"], dict)
        assert message["event"] == event, message
        return message["data"]

    async def errs(self, code: str) -> Any:
        data = await self.hears("ERROR")
        assert data["code"] == code, data
        assert isinstance(data["message"], str) and data["message"]
        return data

    async def heard(self) -> list[Said]:
        """Everything that was said and not heard yet. Who has a seat asks for the state, and it is kept."""
        await self.send({"event": "GET_STATE"})
        await self.send({"event": MARK})
        found: list[Said] = []
        while True:
            message = await self.next()
            assert list(message) == ["event", "data"] and isinstance(message["data"], dict), message  # c14
            event, data = message["event"], message["data"]
            if event == "ERROR" and data["inReplyTo"] == MARK:
                break
            found.append((event, data))
        event, data = found.pop()
        if event == "GAME_STATE":
            self.state = data
        else:
            assert (event, data["code"]) == ("ERROR", "NOT_JOINED")
        return found

    async def joins(self) -> list[Said]:
        await self.says("PLAYER_JOIN_GAME")
        return await self.heard()


class Second(Peer):
    """Somebody who speaks the second version."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        super().__init__(socket)
        self.name = name
        self.state: Any = None

    async def says(self, event: str, **data: Any) -> None:
        await self.send({"event": event, "user": self.name, "data": data})

    async def heard(self) -> list[Said]:
        """Everything that was said and not heard yet; states are kept, and only named in the list."""
        await self.send({"event": MARK})
        found: list[Said] = []
        while True:
            message = await self.next()
            if "error" in message:
                assert list(message) == ["error", "receivedData"]
                assert isinstance(message["error"], str) and message["error"]  # c87
                if MARK in message["receivedData"]:
                    return found
                found.append(("error", message["error"].partition(":")[0]))
            elif message["event"] == "Current State":
                self.state = message["data"]["state"]
                found.append(("Current State", None))
            else:
                assert set(message) <= {"event", "user", "data"}
                found.append((message["event"], message))


Somebody = First | Second


def events(told: Sequence[Said]) -> list[str]:
    return [event for event, _ in told]


class Table:
    """A table of Coup and the connections of those who sit at it, by name."""

    def __init__(self, hall: Hall, code: str) -> None:
        self.hall = hall
        self.code = code
        self.players: dict[str, Any] = {}

    @property
    def game(self) -> State:
        """The real state, for tests that set the coins."""
        table = self.hall.house.registry.by_code["coup", self.code].table
        assert isinstance(table.state, State)
        return table.state

    async def first(self, name: str) -> list[Said]:
        """Somebody joins in the first version."""
        player = self.players[name] = await self.hall.first(name, self.code)
        told = await player.joins()
        self.players = {other: self.players[other] for other in NAMES if other in self.players}
        return told

    async def second(self, name: str, more: str = "") -> list[Said]:
        player = self.players[name] = await self.hall.second(name, self.code, more)
        self.players = {other: self.players[other] for other in NAMES if other in self.players}
        return list(await player.heard())

    async def does(self, who: str, event: str, **data: Any) -> dict[str, list[Said]]:
        """Somebody sends something. What everybody is told."""
        await self.players[who].says(event, **data)
        return await self.heard(who)

    async def heard(self, first: str | None = None) -> dict[str, list[Said]]:
        order = sorted(self.players, key=lambda name: name != first)
        found = {name: await self.players[name].heard() for name in order}
        return {name: found[name] for name in self.players}

    async def passes(self, milliseconds: int) -> dict[str, list[Said]]:
        await self.hall.time.to_pass(milliseconds / 1000)
        return await self.heard()

    async def loses(self, name: str) -> dict[str, list[Said]]:
        """Somebody's connection is lost. What the others are told."""
        lost = self.players.pop(name)
        await lost.socket.close()  # answered in the same breath in which the others are told
        return await self.heard()

    async def propose(self, who: str, action: str, target: str | None = None) -> dict[str, list[Said]]:
        return await self.does(who, "PROPOSE_ACTION", action=action, targetPlayer=target)


class Hall:
    """A server with Coup on a port of its own, and its clients."""

    def __init__(self, live: LiveHere, time: ManualTime) -> None:
        self.live = live
        self.house = live.house
        self.time = time
        self._peers: list[Peer] = []

    async def connect(self, path: str) -> ClientConnection:
        url = self.live.own("coup", path)
        return await connect(url, compression=None, max_queue=None, ping_interval=None)

    async def peer(self, path: str) -> Peer:
        peer = Peer(await self.connect(path))
        self._peers.append(peer)
        return peer

    async def first(self, name: str, code: str | None = None, path: str = "/v1") -> First:
        player = First(await self.connect(path if code is None else f"{path}?table={code}"), name)
        self._peers.append(player)
        return player

    async def second(self, name: str, code: str, more: str = "") -> Second:
        player = Second(await self.connect(f"/v2/ws?username={quote(name)}&gameCode={quote(code)}{more}"), name)
        self._peers.append(player)
        return player

    async def ask(self, method: str, path: str, body: Any = b"") -> Reply:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await request(self.live.ports["coup"], method, path, content)

    async def table(self, version: int = 1, **options: Any) -> Table:
        """A new one, with nobody there."""
        reply = await self.ask("POST", f"/v{version}/game", options or b"")
        assert reply.status == 200, reply
        return Table(self, json.loads(reply.body)["gameCode"])

    async def lobby(self, people: int = 3, **options: Any) -> Table:
        """With ann, bob and cy in the first version."""
        table = await self.table(**options)
        for name in NAMES[:people]:
            await table.first(name)
        await table.heard()
        return table

    async def playing(self, people: int = 3, **options: Any) -> Table:
        table = await self.lobby(people, **options)
        await table.does("ann", "START_GAME")
        return table

    def stay(self) -> None:
        """The server will have to send them away."""
        self._peers.clear()

    async def leave(self) -> None:
        await asyncio.gather(*(peer.socket.close() for peer in self._peers))


@asynccontextmanager
async def hall(data: Path, paced: bool = False, **settings: Any) -> AsyncIterator[Hall]:
    """With the usual deck. Most tests say more in no time than the protocol allows."""
    usual: dict[str, Any] = {
        "listen": ("coup=127.0.0.1:0",),
        "test_orders": {"deck": DECK},
        "synchronous": "OFF",
        "message_rate": 0,
    }
    pace = CoupDialect.pace if paced else None
    with patch.object(CoupDialect, "pace", pace):
        time = ManualTime()
        async with server(data, time=time, **usual | settings) as live:
            found = Hall(live, time)
            try:
                yield found
            finally:
                await found.leave()
