"""Plain TCP: one message a line."""

from __future__ import annotations

import asyncio
import socket
from functools import partial
from typing import Literal, cast

from croupier.net.addresses import household
from croupier.net.backlog import SLOW
from croupier.net.inbox import Inbox
from croupier.net.port import TcpPort, bind
from croupier.net.porter import Guest, TurnedAway
from croupier.net.websocket import READ_AT_ONCE, Door
from croupier.tables.dialect import ConnectionRequest, Message

Kind = Literal["data", "text", "overlong"]
DATA: Kind = "data"
TEXT: Kind = "text"
OVERLONG: Kind = "overlong"


class Lines(Door):
    """An endpoint behind TCP."""

    async def listen(self, host: str, port: int) -> TcpPort:
        return TcpPort(self.porter, partial(Welcome, self), await bind(host, port))


class Welcome(asyncio.Protocol):
    """A connection that has just been made. Whoever may not come in is let go without a word."""

    def __init__(self, door: Lines) -> None:
        self._door = door

    def connection_made(self, plain: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, plain)  # uvloop's is none of asyncio's
        peer = transport.get_extra_info("peername")
        try:
            connection = Connection(self._door, household(peer[0]) if peer else "")
        except TurnedAway:
            transport.abort()
        else:
            transport.set_protocol(connection)
            connection.connection_made(transport)


class Connection(asyncio.Protocol, Inbox, Guest):
    def __init__(self, door: Lines, address: str) -> None:
        porter = door.porter
        porter.check_room(address)
        Inbox.__init__(self, porter.house.turns, porter.purses.of(address))
        Guest.__init__(self, porter, door.accept(ConnectionRequest("", {}, {}, porter.house, address)), address)
        self._longest = door.message_size
        self._transport: asyncio.Transport | None = None
        self._begun = bytearray()
        """A line of which the end has not come yet."""
        self._skipping = False
        """Whether that line is too long, and the rest of it is of no interest."""
        self._slow = False
        """Whether so much waits to be taken that it is counted."""

    # The house's side

    def send(self, message: Message) -> None:
        if self._transport is not None:
            self._transport.write(message + b"\n")
            if self._slow:
                self._count()

    def close(self, code: int, reason: str = "") -> None:
        """TCP has no codes: what was said is still delivered, and that is all."""
        self.forget()
        if self._transport is not None:
            self._transport.close()
            self._gone()

    # The client's side

    def connection_made(self, plain: asyncio.BaseTransport) -> None:
        self._transport = transport = cast(asyncio.Transport, plain)
        transport.set_write_buffer_limits(high=SLOW)
        _keep_alive(transport.get_extra_info("socket"), self.porter.limits.ping_every)
        self.porter.came(self)
        self.house.connected(self)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), READ_AT_ONCE):
            self.arrived(data[start : start + READ_AT_ONCE], DATA)
            if self._transport is None:
                return

    def take(self, message: bytes, kind: Kind) -> None:
        if kind == DATA:
            lines = self._lines(message)
            if self._queued:  # they are next, each in its turn
                self._unread.extendleft(reversed(lines))
            else:
                for line in lines:
                    self.arrived(*line)
        elif kind == TEXT:
            self.hear(message, True)
        else:
            self.house.overlong(self)

    def _lines(self, data: bytes) -> list[tuple[bytes, Kind]]:
        """The lines that are complete now, but for blank ones."""
        found: list[tuple[bytes, Kind]] = []
        *lines, rest = data.split(b"\n")
        for line in lines:
            whole = bytes(self._begun) + line if self._begun else line
            self._begun.clear()
            if self._skipping:
                self._skipping = False
            elif len(whole) >= self._longest:
                found.append((b"", OVERLONG))
            elif message := whole.strip():
                found.append((message, TEXT))
        self._begun += rest
        if len(self._begun) > self._longest and not self._skipping:
            self._skipping = True
            found.append((b"", OVERLONG))
        if self._skipping:
            self._begun.clear()
        return found

    def hold(self, on: bool) -> None:
        if self._transport is not None:
            self._transport.pause_reading() if on else self._transport.resume_reading()

    def eof_received(self) -> bool:
        """They say no more, but may wait for the answers to what they have said."""
        self.after_all(self._goodbye)
        return True

    def _goodbye(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def pause_writing(self) -> None:
        self._slow = True
        self._count()

    def resume_writing(self) -> None:
        self._slow = False
        self.porter.unread.done(self)

    def _count(self) -> None:
        if self._transport is not None:
            self.porter.unread.waits(self, self._transport.get_write_buffer_size())

    def cut_off(self) -> None:
        # They are shown everything anew when they come back.
        if self._transport is not None:
            self.forget()
            self._transport.abort()
            self._gone()

    def connection_lost(self, error: Exception | None) -> None:
        self._gone()

    def _gone(self) -> None:
        if self._transport is not None:
            self._transport = None
            self.porter.unread.done(self)
            self.after_all(self._left)

    def _left(self) -> None:
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
