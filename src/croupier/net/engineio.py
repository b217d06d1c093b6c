"""Engine.IO 4, server side: what Socket.IO travels on. WebSocket, HTTP long-polling, and the change from one to the other.

Written here and not taken from python-engineio because a move is told to every seat, and with that library each
telling costs fifteen times what it costs on a plain WebSocket. The protocol is small: packets of one digit and a text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from croupier.net.websocket import Porter, Socket
from croupier.tables import keys
from croupier.tables.dialect import Dialect, Doorway, Message
from croupier.tables.session import Session

OPEN, CLOSE, PING, PONG, MESSAGE, UPGRADE, NOOP = b"0", b"1", b"2", b"3", b"4", b"5", b"6"
SEPARATOR = b"\x1e"
PING_EVERY, PING_TIMEOUT = 25.0, 20.0
MOST = 1_000_000
"""Bytes of one message, and of what may wait for a poll."""

PROBLEMS = {
    0: "Transport unknown",
    1: "Session ID unknown",
    2: "Bad handshake method",
    3: "Bad request",
    5: "Unsupported protocol version",
}


class Connection(Session):
    """One client, whichever way its packets take at the moment."""

    def __init__(self, engine: Engine, dialect: Dialect) -> None:
        super().__init__(dialect)
        self.id = keys.new_id()
        self._engine = engine
        self._waiting: list[bytes] = []
        """Packets for the next poll."""
        self._waiting_size = 0
        self._poll: asyncio.Future[None] | None = None
        self._socket: Carrier | None = None
        """The WebSocket, once there is one."""
        self._closed = False
        self._timer: asyncio.TimerHandle | None = None

    def open(self, socket: Carrier | None) -> None:
        self._socket = socket
        upgrades = [] if socket is not None else ["websocket"]
        handshake = {
            "sid": self.id,
            "upgrades": upgrades,
            "pingInterval": round(PING_EVERY * 1000),
            "pingTimeout": round(PING_TIMEOUT * 1000),
            "maxPayload": MOST,
        }
        self._packet(OPEN + msgspec.json.encode(handshake))
        self._later(PING_EVERY, self._ping)
        self._engine.porter.house.connected(self)

    # The house's side

    def send(self, message: Message) -> None:
        self._packet(MESSAGE + message)

    def close(self, code: int, reason: str = "") -> None:
        if not self._closed:
            self._packet(CLOSE)
            socket = self._socket
            self.gone()
            if socket is not None:
                socket.shut(code, reason)

    # The client's side

    def packet(self, packet: bytes) -> None:
        kind, content = packet[:1], packet[1:]
        if kind == MESSAGE:
            self._engine.porter.house.receive(self, content, True)
        elif kind == PONG:
            self._later(PING_EVERY, self._ping)
        elif kind == CLOSE:
            self.close(1000)

    def upgrade(self, socket: Carrier) -> None:
        """From now on everything goes over the WebSocket, and first what was waiting for a poll."""
        self._socket = socket
        waiting, self._waiting, self._waiting_size = self._waiting, [], 0
        for packet in waiting:
            socket.write(packet)
        self.release()

    def release(self) -> None:
        """Let a poll that is waiting go home."""
        if self._poll is not None and not self._poll.done():
            self._poll.set_result(None)

    @property
    def polling(self) -> bool:
        return self._socket is None and not self._closed

    async def poll(self) -> bytes:
        """What there is to fetch; waits until there is something."""
        if self._poll is not None:
            self.close(1002, "two polls at a time")
            return CLOSE
        if not self._waiting and not self._closed:
            self._poll = asyncio.get_running_loop().create_future()
            try:
                await self._poll
            finally:
                self._poll = None
        packets, self._waiting, self._waiting_size = self._waiting or [NOOP], [], 0
        return SEPARATOR.join(packets)

    def gone(self) -> None:
        """The client is not there any more."""
        if not self._closed:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
            self._engine.connections.pop(self.id, None)
            self.release()
            self._engine.porter.house.lost(self)

    def _packet(self, packet: bytes) -> None:
        if self._closed:
            return
        if self._socket is not None:
            self._socket.write(packet)
            return
        self._waiting.append(packet)
        self._waiting_size += len(packet)
        if self._waiting_size > self._engine.porter.limits.outbox_size:
            self.gone()
        self.release()

    def _ping(self) -> None:
        self._packet(PING)
        self._later(PING_TIMEOUT, self.gone)

    def _later(self, seconds: float, what: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, what)


class Carrier(Socket):
    """A WebSocket that carries packets: of a connection of its own, or of one that began with polling."""

    def __init__(self, engine: Engine, address: str, connection: Connection, probing: bool) -> None:
        super().__init__(engine.porter, connection.dialect, address)
        self._connection = connection
        self._probing = probing

    def _arrived(self) -> None:
        if not self._probing:
            self._connection.open(self)

    def _left(self) -> None:
        if not self._probing:
            self._connection.gone()

    def _received(self, message: bytes, text: bool) -> None:
        if not self._may_speak():
            return
        if not self._probing:
            self._connection.packet(message)
        elif message == PING + b"probe":
            self.write(PONG + b"probe")
            self._connection.release()  # the poll on the other way must end before the client changes over
        elif message == UPGRADE and self._connection.polling:
            self._probing = False
            self._connection.upgrade(self)
        else:
            self.shut(1002, "not an upgrade")

    def write(self, packet: bytes) -> None:
        super().send(packet)

    def shut(self, code: int, reason: str) -> None:
        super().close(code, reason)
