"""A client of the native protocol, for tests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

Json = dict[str, Any]
PATIENCE = 20
"""Seconds after which a message that does not come is given up: a test fails, it never hangs."""


class Refusal(Exception):
    def __init__(self, problem: Json) -> None:
        super().__init__(problem["message"])
        self.code = problem["code"]
        self.data: Json = problem.get("data", {})


class Client:
    def __init__(self, socket: ClientConnection, patience: float = PATIENCE) -> None:
        self.socket = socket
        self._patience = patience
        self.welcome: Json = {}
        self.told: list[Json] = []
        """Everything but replies, in order."""
        self._read = 0
        self._requests = 0
        self.token = ""
        self.table = ""
        self.seat: int | None = None

    async def ask(self, kind: str, **fields: Any) -> Json:
        """Send a request and wait for its reply. What is told meanwhile is kept."""
        self._requests += 1
        await self.socket.send(json.dumps({"type": kind, "id": self._requests, **fields}))
        return await self.reply(self._requests)

    async def reply(self, request: int | None) -> Json:
        while True:
            message = await self._receive()
            if message["type"] == "reply":
                assert message["id"] == request or message["error"]["code"] == "too_fast"  # which is not read at all
                if "error" in message:
                    raise Refusal(message["error"])
                if "sync" in message:
                    self.seat = message["sync"]["seat"]
                    self.table = message["sync"]["table"]["id"]
                self.token = message.get("token", self.token)
                return message
            self.told.append(message)

    async def hear(self, wanted: Callable[[Json], bool] = lambda message: True) -> Json:
        """The next message that was told and is wanted; those before it are passed over."""
        while True:
            while self._read < len(self.told):
                message = self.told[self._read]
                self._read += 1
                if message.get("seat") is not None:
                    self.seat = message["seat"]
                if wanted(message):
                    return message
            self.told.append(await self._receive())

    @property
    def behind(self) -> bool:
        """Whether something was told that is not read yet."""
        return self._read < len(self.told)

    def forget(self) -> None:
        """What was read, so that a long game does not fill the memory."""
        del self.told[: self._read]
        self._read = 0

    async def entry(self, name: str) -> Json:
        """The next fact of this kind."""
        return await self.hear(lambda message: message["type"] == "fact" and message["entry"]["entry"] == name)

    async def silent(self) -> bool:
        """Whether nothing has been told that was not read; a request and its reply flush what is on the way."""
        await self.ask("list")
        return not self.behind

    async def _receive(self) -> Json:
        async with asyncio.timeout(self._patience):
            message: Json = json.loads(await self.socket.recv())
        return message


@asynccontextmanager
async def client(url: str, **options: Any) -> AsyncIterator[Client]:
    async with connect(url, open_timeout=PATIENCE, close_timeout=1, **options) as socket:
        found = Client(socket)
        found.welcome = await found._receive()
        yield found


async def play_out(player: Client, choose: Callable[[list[Json]], Json] = lambda moves: moves[0]) -> Json:
    """Make moves whenever there are some, until the game is over; returns the last fact."""
    while True:
        told = await player.hear(lambda message: message["type"] in ("fact", "resync"))
        if "result" in told:
            return told
        moves = told["sync"]["moves"] if told["type"] == "resync" else told.get("moves")
        if moves:
            await _play(player, choose(moves))


async def _play(player: Client, move: Json) -> None:
    while True:
        try:
            await player.ask("play", move=move)
        except Refusal as refusal:
            if refusal.code == "too_fast":
                await asyncio.sleep(1.1)  # it is said once a second, and by then a few more are allowed
                continue
            # Where several may move at once, a later fact may have changed what was offered.
        return
