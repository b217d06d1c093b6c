"""Those who must not notice: people who play, people who are just there, and people who come."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from tests.attack.lines import BINARY, Refused, Socket, answer, connect, request, websocket

THINKING = 0.02
"""Seconds, before every move."""


UNSEATED = 40.0
"""Seconds that somebody stays who has not joined."""
MOVE = 2
"""The number of requests that are moves."""


class Move(NamedTuple):
    at: float
    """When it was sent, by the monotonic clock."""
    took: float
    """Seconds until its reply; so long it has waited so far, if there is none yet."""


class Control:
    """A table of two who play one game after the other."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._done: list[Move] = []
        self._asked: dict[Socket, float] = {}
        """Since when somebody waits for an answer."""

    @property
    def moves(self) -> int:
        return len(self._done)

    def since(self, begun: float, until: float) -> list[float]:
        """How long moves took that were sent in between, or that somebody still waits for."""
        now = time.monotonic()
        sent = [*self._done, *(Move(at, now - at) for at in self._asked.values())]
        return [move.took for move in sent if begun <= move.at < until]

    async def sit(self, port: int) -> None:
        self._people = [await websocket(port, "/ws") for _ in range(2)]
        host, other = self._people
        for person in self._people:
            person.line.patience = None
        options = {"turn_timer": 0} if self._game == "palace" else {}
        opened = await host.ask("open", game=self._game, player="Ann", seats=2, options=options)
        await other.ask("join", table=opened["sync"]["table"]["id"], player="Ben")

    async def play(self) -> None:
        await self._people[0].say({"type": "start"})
        async with asyncio.TaskGroup() as group:
            for person in self._people:
                group.create_task(self._person(person, person is self._people[0]))

    async def _person(self, me: Socket, host: bool) -> None:
        moves: list[Any] = []
        while True:
            told = await me.json()
            if told["type"] == "reply" and told["id"] == MOVE:
                sent = self._asked.pop(me)
                self._done.append(Move(sent, time.monotonic() - sent))
                assert "error" not in told or told["error"]["code"] in ("out_of_turn", "illegal"), told
                if "error" in told:  # the other has acted first; what is right now is told
                    await me.say({"type": "see"})
            elif told["type"] == "reply" and "sync" in told:
                moves = told["sync"]["moves"]
            elif told["type"] == "fact":
                moves = told.get("moves", [])
                if "result" in told and host:
                    await me.say({"type": "reopen"})  # where there is something to put away
                    await me.say({"type": "start"})
            if moves and me not in self._asked:
                await asyncio.sleep(THINKING)
                self._asked[me] = time.monotonic()
                await me.say({"type": "play", "id": MOVE, "move": moves[0]})
                moves = []


class Bystanders:
    """An idle connection of every protocol."""

    def __init__(self, ports: Mapping[str, int]) -> None:
        self._ports = ports
        self._waiting: dict[str, asyncio.Task[None]] = {}
        """Who is there, and listens."""
        self.inns: list[str] = []
        """Tables with free seats, whose hosts are among them."""

    @property
    def count(self) -> int:
        return len(self._waiting)

    @property
    def lost(self) -> dict[str, BaseException | None]:
        """Who is not there any more, and why."""
        return {name: waiting.exception() for name, waiting in self._waiting.items() if waiting.done()}

    async def come(self) -> None:
        for number in range(4):
            host = await self._socket("/ws")
            told = await host.ask("open", game="palace", player="Host", name=f"Inn {number}", seats=8)
            self.inns.append(told["sync"]["table"]["id"])
            self._stays(f"native host {number}", host)
        spectator = await self._socket("/ws")
        await spectator.ask("watch", table=self.inns[0])
        self._stays("native spectator", spectator)
        follower = await self._socket("/ws")
        await follower.ask("follow")
        self._stays("native follower", follower)
        self._stays("native", await self._socket("/ws"))
        palace = await self._socket("/palace")
        lobby = {"max_players": 4, "password": "", "lobby_name": "Lobby", "player_name": "Matt"}
        await palace.say({"NewLobby": lobby}, BINARY)
        self._stays("palace", palace)
        self._stays("coup v1", await self._socket("/coup/v1/Ann"))
        made = await self._ask("POST", "/coup/v2/game")
        self._stays("coup v2", await self._socket(f"/coup/v2/ws?username=Ann&gameCode={made['gameCode']}"))
        token = (await self._ask("POST", "/cambia/user/guest"))["token"]
        made = await self._ask("POST", "/cambia/lobby/create", b"{}", Authorization=f"Bearer {token}")
        self._stays("cambia", await self._socket(f"/cambia/lobby/ws/{made['id']}?token={token}"))
        faraway = await self._socket("/socket.io/?EIO=4&transport=websocket")
        await faraway.say(b"40")
        await faraway.say(b'42["createRoom"]')
        self._stays("faraway", faraway)
        await self._fortress()
        await self._poller()

    def leave(self) -> None:
        for waiting in self._waiting.values():
            waiting.cancel()

    async def _socket(self, path: str) -> Socket:
        return await websocket(self._ports["http"], path)

    def _stays(self, name: str, socket: Socket) -> None:
        socket.line.patience = None
        self._waiting[name] = asyncio.create_task(self._listen(socket))

    async def _listen(self, socket: Socket) -> None:
        while True:
            if await socket.message() == b"2":  # Engine.IO's ping
                await socket.say(b"3")

    async def _fortress(self) -> None:
        # Not at the table: there is one for such clients, and an attacker wants it. Who has not joined has to leave
        # after a minute, so that another one comes before that.
        lines = [await connect(self._ports["fortress"])]

        async def listen() -> None:
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(UNSEATED):
                        await lines[0].lost.wait()
                        raise ConnectionResetError
                lines[0].hang_up()
                lines[0] = await connect(self._ports["fortress"])

        self._waiting["fortress"] = asyncio.create_task(listen())

    async def _poller(self) -> None:
        line = await connect(self._ports["http"])
        line.patience = None
        path = "/socket.io/?EIO=4&transport=polling"
        await line.push(request("GET", path))
        path += "&sid=" + json.loads((await answer(line)).body[1:])["sid"]

        async def asked(method: str, body: bytes = b"") -> bytes:
            await line.push(request(method, path, body))
            reply = await answer(line)
            if reply.status != 200:
                raise Refused(str(reply.status))
            return reply.body

        async def poll() -> None:
            await asked("POST", b"40")
            while True:
                if await asked("GET") == b"2":
                    await asked("POST", b"3")

        self._waiting["faraway by polling"] = asyncio.create_task(poll())

    async def _ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Any:
        line = await connect(self._ports["http"])
        try:
            await line.push(request(method, path, body, **headers))
            return (await answer(line)).json
        finally:
            line.hang_up()


class Newcomers:
    """Every half second somebody comes in, takes a seat at a table that waits, and leaves again."""

    def __init__(self, port: int, inns: list[str]) -> None:
        self._port = port
        self._inns = inns
        self._seated: list[Move] = []
        self._coming: dict[int, float] = {}
        self.turned_away: list[str] = []

    @property
    def seated(self) -> int:
        return len(self._seated)

    def worst(self, begun: float, until: float) -> float:
        """Seconds until the slowest sat of those who came in between; who still waits has waited so long at least."""
        now = time.monotonic()
        came = [*self._seated, *(Move(at, now - at) for at in self._coming.values())]
        return max((move.took for move in came if begun <= move.at < until), default=0.0)

    async def come(self) -> None:
        async with asyncio.TaskGroup() as group:
            for number in itertools.count():
                group.create_task(self._one(number))
                await asyncio.sleep(0.5)

    async def _one(self, number: int) -> None:
        self._coming[number] = begun = time.monotonic()
        try:
            socket = await websocket(self._port, "/ws")
            told: Any = None
            for inn in self._inns:
                told = await socket.ask("join", table=inn, player=f"Guest {number}")
                if "error" not in told:
                    break
            if "error" in told:
                self.turned_away.append(told["error"]["code"])
            else:
                self._seated.append(Move(begun, time.monotonic() - begun))
                await socket.ask("leave")
            socket.line.hang_up()
        except (ConnectionError, TimeoutError, OSError) as problem:
            self.turned_away.append(repr(problem))
        finally:
            del self._coming[number]
