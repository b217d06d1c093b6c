"""Plain TCP: one message a line."""

from __future__ import annotations

import asyncio
import socket
from functools import partial
from typing import cast

from croupier.net.port import Port
from croupier.net.websocket import Door, Guest, TurnedAway
from croupier.tables.dialect import Entering, Message

OUTBOX = 1 << 20
"""Bytes that a client may leave unread."""


class Lines(Door):
    """A doorway behind TCP."""

    async def listen(self, host: str, port: int) -> Port:
        loop = asyncio.get_running_loop()
        return Port(await loop.create_server(partial(Welcome, self), host or None, port, backlog=1024))


class Welcome(asyncio.Protocol):
    """A connection that has just been made. Whoever may not come in is let go without a word."""

    def __init__(self, door: Lines) -> None:
        self._door = door

    def connection_made(self, plain: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, plain)  # uvloop's is none of asyncio's
        peer = transport.get_extra_info("peername")
        try:
            connection = Connection(self._door, peer[0] if peer else "")
        except TurnedAway:
            transport.abort()
        else:
            transport.set_protocol(connection)
            connection.connection_made(transport)


class Connection(asyncio.Protocol, Guest):
    def __init__(self, door: Lines, address: str) -> None:
        porter = door.porter
        porter.check_room(address)
        super().__init__(porter, door.enter(Entering("", {}, {}, porter.house, address)), address)
        self._longest = door.message_size
        self._transport: asyncio.Transport | None = None
        self._begun = bytearray()
        """A line of which the end has not come yet."""
        self._skipping = False
        """Whether that line is too long, and the rest of it is of no interest."""

    # The house's side

    def send(self, message: Message) -> None:
        if self._transport is not None:
            self._transport.write(message + b"\n")

    def close(self, code: int, reason: str = "") -> None:
        """TCP has no codes: what was said is still delivered, and that is all."""
        if self._transport is not None:
            self._transport.close()
            self._gone()

    # The client's side

    def connection_made(self, plain: asyncio.BaseTransport) -> None:
        self._transport = transport = cast(asyncio.Transport, plain)
        transport.set_write_buffer_limits(high=min(OUTBOX, self.porter.limits.outbox_size))
        _keep_alive(transport.get_extra_info("socket"), self.porter.limits.ping_every)
        self.porter.came(self)
        self.house.connected(self)

    def data_received(self, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._line(bytes(self._begun) + line + b"\n" if self._begun else line + b"\n")
            self._begun.clear()
            if self._transport is None:
                return
        self._begun += rest
        if len(self._begun) > self._longest and not self._skipping:
            self._skipping = True
            self.house.overlong(self)
        if self._skipping:
            self._begun.clear()

    def _line(self, line: bytes) -> None:
        if self._skipping:
            self._skipping = False
        elif len(line) > self._longest:
            self.house.overlong(self)
        elif message := line.strip():
            self.hear(message, True)

    def pause_writing(self) -> None:
        # The outbox is full: they are shown everything anew when they come back.
        if self._transport is not None:
            self._transport.abort()
            self._gone()

    def connection_lost(self, error: Exception | None) -> None:
        self._gone()

    def _gone(self) -> None:
        if self._transport is not None:
            self._transport = None
            self.porter.went(self)
            self.house.lost(self)


def _keep_alive(line: socket.socket, every: float) -> None:
    """Let the system find out about clients that have vanished: these protocols have no pings."""
    if every > 0:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if hasattr(socket, "TCP_KEEPIDLE"):
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, max(1, round(every)))
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, max(1, round(every / 3)))
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)
