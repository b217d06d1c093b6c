"""Plain TCP: one message a line."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import Literal, cast

from croupier.net.addresses import counted_as
from croupier.net.admission import Rejected
from croupier.net.connection import Connection
from croupier.net.inbox import READ_AT_ONCE, Inbox
from croupier.net.listener import Listener
from croupier.net.port import TcpPort
from croupier.net.slow_readers import UNCOUNTED, Outbox
from croupier.tables.dialect import Message
from croupier.tables.endpoint import ConnectionRequest

Kind = Literal["data", "text", "overlong"]
DATA: Kind = "data"
TEXT: Kind = "text"
OVERLONG: Kind = "overlong"


class LineListener(Listener):
    """Admits connections to an endpoint over TCP."""

    def listen(self, sockets: Sequence[socket.socket]) -> TcpPort:
        return TcpPort(self.admission, partial(NewConnection, self), sockets)


class NewConnection(asyncio.Protocol):
    """A connection that has just been made. If it is not admitted it is closed without a word."""

    def __init__(self, listener: LineListener) -> None:
        self._listener = listener

    def connection_made(self, plain: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, plain)  # uvloop's is none of asyncio's
        peer = transport.get_extra_info("peername")
        try:
            connection = LineConnection(self._listener, counted_as(peer[0]) if peer else "")
        except Rejected:
            transport.abort()
        else:
            transport.set_protocol(connection)
            connection.connection_made(transport)


class LineConnection(Outbox, asyncio.Protocol, Inbox, Connection):
    def __init__(self, listener: LineListener, address: str) -> None:
        admission = listener.admission
        admission.check(address)
        Outbox.__init__(self, admission.unread)
        Inbox.__init__(self, admission.house.turns, admission.purses.of(address))
        Connection.__init__(
            self, admission, listener.accept(ConnectionRequest("", {}, {}, admission.house, address)), address
        )
        self._longest = listener.message_size
        self._transport: asyncio.Transport | None = None
        self._begun = bytearray()
        """A line of which the end has not come yet."""
        self._skipping = False
        """Whether that line is too long, and the rest of it is of no interest."""

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
        transport.set_write_buffer_limits(high=UNCOUNTED)
        _keep_alive(transport.get_extra_info("socket"), self.admission.limits.ping_every)
        self.admission.add(self)
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
                self._waiting = deque([*lines, *(self._waiting or ())])
            else:
                for line in lines:
                    self.arrived(*line)
        elif kind == TEXT:
            self.received(message, True)
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
        self.after_all(self._close_transport)
        return True

    def _close_transport(self) -> None:
        if self._transport is not None:
            self._transport.close()

    # The backlog's side

    def unread_size(self) -> int | None:
        return None if self._transport is None else self._transport.get_write_buffer_size()

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
            self.admission.unread.remove(self)
            self.after_all(self._closed)

    def _closed(self) -> None:
        self.admission.remove(self)
        self.house.lost(self)


def _keep_alive(sock: socket.socket, every: float) -> None:
    """Let the system find out about clients that have vanished: these protocols have no pings."""
    if every > 0:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if hasattr(socket, "TCP_KEEPIDLE"):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, max(1, round(every)))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, max(1, round(every / 3)))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)
