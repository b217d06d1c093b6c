"""Players for a load: every seat is a connection of its own that moves as soon as it is told that it may.

A client here is as lazy as it can be. What does not concern it is not even decoded, because the load shares the
machine with the server that it measures.
"""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any, ClassVar

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from benchmarks.peers import Running

decode = msgspec.json.decode
encode = msgspec.json.encode


class Load:
    """What all seats of all tables do, and how."""

    def __init__(self, running: Running, seats: int, pause: float = 0.0, options: dict[str, Any] | None = None) -> None:
        self.host = running.host
        """With its port."""
        self.lines = running.lines
        """The port for lines over TCP, where there is one."""
        self.seats = seats
        self.pause = pause
        """Seconds, on average, before a move; 0: at once."""
        self.options = options or {}
        self.dice = random.Random(1)
        self.held: list[tuple[Player, bytes]] | None = []
        """Moves that wait for all tables to be there; None once they are."""
        self.moves = 0
        self.refused = 0
        self.latencies: list[float] = []

    def go(self) -> None:
        """Everybody is there: let them play."""
        held, self.held = self.held or [], None
        for player, message in held:
            player.move(message)

    async def made(self, moves: int) -> None:
        """Wait until so many moves have been made."""
        async with asyncio.timeout(180):
            while self.moves < moves:  # noqa: ASYNC110 - an event would cost every move something
                await asyncio.sleep(0.05)


class Player:
    """Somebody who plays, however they are connected."""

    gap: ClassVar[float] = 0.0
    """Seconds between two messages, where the protocol asks for them."""

    def __init__(self, load: Load, table: Any, number: int) -> None:
        self.load = load
        self.table = table
        self.number = number
        self.sent_at = 0.0
        """When the move was sent that has not been acknowledged; 0: there is none."""
        self._last = 0.0

    def move(self, message: bytes) -> None:
        """Send a move, at once or after a while."""
        load = self.load
        if load.held is not None:
            load.held.append((self, message))
            return
        pause = load.pause and load.pause * load.dice.uniform(0.5, 1.5)
        if self.gap:
            pause = max(pause, self._last + self.gap - time.perf_counter())
        if pause > 0:
            asyncio.get_running_loop().call_later(pause, self._move, message)
        else:
            self._move(message)

    def _move(self, message: bytes) -> None:
        self.sent_at = self._last = time.perf_counter()
        self.say(message)

    def moved(self) -> None:
        """The move was acknowledged."""
        self.load.moves += 1
        self.load.latencies.append(time.perf_counter() - self.sent_at)
        self.sent_at = 0.0

    def say(self, message: bytes) -> None:
        raise NotImplementedError

    def told(self, message: bytes) -> None:
        raise NotImplementedError

    def leave(self) -> None:
        """End the connection, without a goodbye."""
        raise NotImplementedError


class Seat(Player, WSListener):
    """A player on a WebSocket. Subclasses know a protocol."""

    kind = WSMsgType.TEXT

    def __init__(self, load: Load, table: Any, number: int) -> None:
        super().__init__(load, table, number)
        self.connected = asyncio.get_running_loop().create_future()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        self.connected.set_result(None)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == self.kind:
            self.told(frame.get_payload_as_bytes())

    def send(self, message: Any) -> None:
        self.say(encode(message))

    def say(self, message: bytes) -> None:
        self.transport.send(self.kind, message)

    def leave(self) -> None:
        self.transport.disconnect(graceful=False)


class Table:
    """Some seats that play game after game."""

    path: ClassVar[str]
    seat: ClassVar[type[Seat]]

    def __init__(self, load: Load, number: int) -> None:
        self.load = load
        self.number = number
        self.seats = self.sit()
        self.started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """When the first game runs."""

    def sit(self) -> list[Any]:
        return [self.seat(self.load, self, number) for number in range(self.load.seats)]

    def leave(self) -> None:
        for seat in self.seats:
            seat.leave()

    async def open(self) -> None:
        """Connect everybody and begin."""
        for seat in self.seats:
            await self.connect(seat, self.path)
        self.begin()

    async def connect(self, seat: Seat, path: str) -> None:
        await ws_connect(lambda: seat, f"ws://{self.load.host}{path}", websocket_handshake_timeout=60)
        await seat.connected

    def begin(self) -> None:
        raise NotImplementedError

    def playing(self) -> None:
        if not self.started.done():
            self.started.set_result(None)
