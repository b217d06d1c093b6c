"""WebSockets: picows behind uvicorn's HTTP, on one port.

uvicorn reads the request; when it asks for a WebSocket, uvicorn makes one of the class it was given and hands the
connection over. Ours is picows' own protocol, so that from the first frame on nothing of uvicorn's or ASGI's is in
the way of a move.
"""

from __future__ import annotations

import asyncio
import logging
import re
import struct
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from picows import (
    WSAutoPingStrategy,
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)
from picows.picows import WSProtocol  # type: ignore[attr-defined]

from croupier.net import origins
from croupier.net.backlog import SLOW
from croupier.net.inbox import Inbox
from croupier.net.porter import Guest, Porter, TurnedAway
from croupier.tables.dialect import ConnectionRequest, Dialect, Endpoint, Message

BINARY, TEXT, CONTINUATION = WSMsgType.BINARY, WSMsgType.TEXT, WSMsgType.CONTINUATION
PING, CLOSE = WSMsgType.PING, WSMsgType.CLOSE
READ_AT_ONCE = 1024
"""Bytes. All frames in them come at once, and are at least put aside; picows would read ever more the more there is."""
READ_OF_A_LONG_MESSAGE = 4096
"""The same in the midst of one, where there are no frames to come at once."""
TOO_BIG = 1009
LINGER = 1.0
"""Seconds that a connection which we close has for its side of the goodbye."""

_CONNECTION = re.compile(rb"\r\nconnection:[^\r]*\r\n", re.IGNORECASE)
"""Some browsers say ``keep-alive, Upgrade``. uvicorn has seen that it is an upgrade; picows wants just that word."""

_picows_log = logging.getLogger("picows")
_picows_log.setLevel(logging.CRITICAL)  # it reports every bad frame of every stranger as an error


class Line(WSListener, Inbox):
    """One WebSocket as picows sees it: whole messages out of frames, and an outbox that has an end."""

    handshake: Mapping[str, str] = {}
    """Headers of the answer to the request for it."""

    def __init__(self, porter: Porter, address: str, binary: bool, message_size: int) -> None:
        Inbox.__init__(self, porter.house.turns, porter.purses.of(address))
        self._kind = BINARY if binary else TEXT
        self._opcode: int = self._kind.value  # which is a Python function's, every time
        self._message_size = message_size
        self._unread_by_all, self._unfinished = porter.unread, porter.unfinished
        self._slow = False
        """Whether so much waits to be taken that it is counted."""
        self._arriving = 0
        """Bytes of a message that has not come to its end, or after our goodbye."""
        self._longest = 0
        """Bytes of the longest that has come to its end: picows keeps as much memory for the next."""
        self._aside = 0
        """Bytes of long messages that wait for their turn."""
        self._left: WSTransport | None = None
        """Where we have said goodbye, and wait for theirs."""
        self._transport: WSTransport | None = None
        self._fragments: list[bytes] = []
        self._fragments_size = 0
        self._fragments_text = False

    # What is made of it

    def opened(self) -> None:
        """The connection stands."""
        raise NotImplementedError

    def received(self, message: Message, text: bool) -> None:
        raise NotImplementedError

    def ended(self) -> None:
        """The connection is gone, whoever ended it. Said once."""
        raise NotImplementedError

    def write(self, message: Message) -> None:
        if self._transport is not None:
            self._transport.send(self._kind, message)
            if self._slow:
                self._count()

    def write_all(self, messages: Sequence[Message]) -> None:
        """Several in one call of the system, which is the dearest part of a message. picows has no word for it, so
        they are framed here: without a mask, as servers do."""
        if self._transport is not None:
            frames: list[bytes] = []
            for message in messages:
                frames += (header(self._opcode, len(message)), message)
            self._transport.underlying_transport.write(b"".join(frames))
            if self._slow:
                self._count()

    def shut(self, code: int, reason: str = "") -> None:
        """End it, politely."""
        transport = self._transport
        self.forget()
        if transport is not None:
            if self._held:
                self.hold(False)  # or their goodbye would not be read
            self._gone()
            said = reason.encode()[:123].decode(errors="ignore").encode()  # as much as fits, in whole characters
            transport.send_close(code, said)  # type: ignore[arg-type]
            self._left, self._arriving = transport, 0
            asyncio.get_running_loop().call_later(LINGER, transport.disconnect)

    # The inbox

    def take(self, message: Any, kind: WSMsgType) -> None:
        transport = self._transport
        if kind in (BINARY, TEXT):
            self.received(message, kind == TEXT)
        elif transport is not None and kind == PING:
            transport.send_pong(message)
        elif transport is not None:
            transport.send_close(message)
            transport.disconnect()
            self._gone()

    def _wait(self, message: Any, kind: WSMsgType) -> None:
        super()._wait(message, kind)
        if kind in (BINARY, TEXT) and len(message) > SLOW:
            self._hold()
            self._aside += len(message)
            self._count_unfinished()

    def forget(self) -> None:
        super().forget()
        self._taken()

    def hold(self, on: bool) -> None:
        if not on:
            self._taken()
        if self._transport is not None:
            plain = self._transport.underlying_transport
            plain.pause_reading() if on else plain.resume_reading()

    def _taken(self) -> None:
        if self._aside:
            self._aside = 0
            self._count_unfinished()

    def _count_unfinished(self) -> None:
        """What is in memory of it, here and in picows."""
        size = self._aside
        if self._transport is not None:
            size += max(self._arriving, self._longest)
        if size > SLOW:
            self._unfinished.waits(self, size)
        else:
            self._unfinished.done(self)

    # picows' side

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        transport.underlying_transport.set_write_buffer_limits(high=SLOW)
        self.opened()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if self._transport is None:
            if frame.msg_type == CLOSE:  # the answer to our goodbye
                transport.disconnect()
            return
        if self._arriving:
            self._longest = max(self._longest, self._arriving)
            self._arriving = 0
        kind = frame.msg_type
        if frame.fin and kind in (BINARY, TEXT) and not self._fragments:
            self.arrived(frame.get_payload_as_bytes(), kind)
        elif kind == CLOSE:
            # A goodbye without a code is answered with an ordinary one: there is no code that says "none".
            self.arrived(frame.get_close_code() if frame.payload_size else WSCloseCode.OK, CLOSE)
        elif kind == PING:
            self.arrived(frame.get_payload_as_bytes(), PING)
        elif kind in (BINARY, TEXT, CONTINUATION):
            self._fragment(frame, kind)

    def _fragment(self, frame: WSFrame, kind: WSMsgType) -> None:
        if (kind == CONTINUATION) != bool(self._fragments):
            self.shut(1002, "fragments out of order")
            return
        if kind != CONTINUATION:
            self._fragments_text = kind == TEXT
            self._fragments_size = 0
        self._fragments.append(frame.get_payload_as_bytes())
        self._fragments_size += frame.payload_size
        # An empty list means "no message begun", so that the pieces are counted even when they are empty.
        if self._fragments_size > self._message_size or len(self._fragments) > 4096:
            self.shut(TOO_BIG, "the message is too long")
        elif frame.fin:
            message, self._fragments = b"".join(self._fragments), []
            self.arrived(message, TEXT if self._fragments_text else BINARY)

    @property
    def in_a_long_message(self) -> bool:
        """Whether nothing of what was read last had an end."""
        return self._arriving > READ_OF_A_LONG_MESSAGE

    def arriving(self, size: int) -> None:
        """More has come of a message that may have no end."""
        self._arriving += size
        if self._arriving <= SLOW:
            return
        if self._transport is not None:
            self._count_unfinished()
        elif self._left is not None:  # who goes on talking after our goodbye has not heard it, and will not
            self._left.disconnect(graceful=False)
            self._left = None

    def pause_writing(self) -> None:
        self._slow = True
        self._count()

    def resume_writing(self) -> None:
        self._slow = False
        self._unread_by_all.done(self)

    def _count(self) -> None:
        if self._transport is not None:
            self._unread_by_all.waits(self, self._transport.underlying_transport.get_write_buffer_size())

    def cut_off(self) -> None:
        self._aside = self._arriving = self._longest = 0
        self.forget()
        if self._transport is not None:
            self._transport.disconnect(graceful=False)
            self._gone()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._gone()

    def _gone(self) -> None:
        if self._transport is not None:
            self._transport = None
            self._unread_by_all.done(self)
            self._count_unfinished()
            self.after_all(self._end)

    def _end(self) -> None:
        self.forget()
        self.ended()


def header(opcode: int, size: int) -> bytes:
    """What comes before a whole message in one frame (RFC 6455, 5.2)."""
    first = 0x80 | opcode
    if size < 126:
        return bytes((first, size))
    return struct.pack("!BBH", first, 126, size) if size < 0x10000 else struct.pack("!BBQ", first, 127, size)


class Socket(Line, Guest):
    """A WebSocket on which a dialect's messages travel as they are."""

    def __init__(self, porter: Porter, dialect: Dialect, address: str, message_size: int) -> None:
        Line.__init__(self, porter, address, dialect.binary, message_size)
        Guest.__init__(self, porter, dialect, address)
        self.handshake = dialect.handshake

    # On the way of every message: the same thing under both its names.
    send = Line.write
    send_all = Line.write_all
    close = Line.shut
    received = Guest.hear

    def opened(self) -> None:
        self.porter.came(self)
        self.house.connected(self)

    def ended(self) -> None:
        self.porter.went(self)
        self.house.lost(self)


class Door:
    """An endpoint as this server keeps it: here over plain WebSockets."""

    pings = True
    """Whether silent connections are tested by WebSocket's own means."""

    def __init__(self, porter: Porter, endpoint: Endpoint) -> None:
        self.porter = porter
        self.endpoint = endpoint
        self.message_size = endpoint.message_size or porter.limits.message_size

    def admit(self, request: ConnectionRequest, address: str) -> Line:
        """A WebSocket is asked for. Raises ``TurnedAway``."""
        headers, secure = request.headers, request.secure
        self.porter.check_origin(headers, secure, self.endpoint)
        self.porter.check_room(address)
        at_home = self.porter.at_home(headers, secure)
        if not at_home:
            request = request._replace(headers=origins.without(headers, "cookie"))
        socket = Socket(self.porter, self.accept(request), address, self.message_size)
        if not at_home:
            socket.handshake = origins.without(socket.handshake, "set-cookie")
        return socket

    def accept(self, request: ConnectionRequest) -> Dialect:
        dialect = self.endpoint.accept(request)
        if isinstance(dialect, Dialect):
            return dialect
        raise TurnedAway(dialect)


Find = Callable[[str], tuple[Door, str] | None]
"""Which door a path leads to, and what is left of the path below it."""


class Upgraded(WSProtocol):  # type: ignore[misc]
    """A connection that uvicorn has read the request of, and hands over."""

    def __init__(self, porter: Porter, find: Find) -> None:
        # picows is set up when the request is there: only then is it known which door it asks for, and its limits.
        self._porter = porter
        self._find = find
        self._handed_over: asyncio.Transport | None = None
        self._door: Door | None = None
        self._line: Line | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        self._handed_over = transport

    def data_received(self, data: bytes) -> None:
        """The request, once; what follows comes through the buffer."""
        transport = self._handed_over
        assert transport is not None
        data = _CONNECTION.sub(b"\r\nconnection: Upgrade\r\n", data, 1)
        peer = transport.get_extra_info("peername")
        self._peer = peer[0] if peer else ""
        url = urlsplit(data.split(b" ", 2)[1].decode("latin-1"))
        found = self._find(url.path)
        self._door, below = found if found is not None else (None, "")
        self._below, self._query = below, dict(parse_qsl(url.query))
        limits, door = self._porter.limits, self._door
        super().__init__(
            host_port=None,
            ws_path=None,
            is_client_side=False,
            ws_listener_factory=self._accept,
            logger=_picows_log,
            disconnect_on_exception=True,
            websocket_handshake_timeout=LINGER,
            enable_auto_ping=limits.ping_every > 0 and (door is None or door.pings),
            auto_ping_idle_timeout=limits.ping_every,
            auto_ping_reply_timeout=limits.ping_every,
            auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE,
            enable_auto_pong=False,
            max_frame_size=limits.message_size if door is None else door.message_size,
            extra_headers=None,
            read_buffer_init_size=2048,
        )
        super().connection_made(transport)
        while data:
            buffer = self.get_buffer(len(data))
            size = min(len(buffer), len(data))
            buffer[:size] = data[:size]
            data = data[size:]
            self.buffer_updated(size)

    def get_buffer(self, size: int) -> Any:
        long = self._line is not None and self._line.in_a_long_message
        return super().get_buffer(size)[: READ_OF_A_LONG_MESSAGE if long else READ_AT_ONCE]

    def buffer_updated(self, size: int) -> None:
        if size < READ_AT_ONCE:
            super().buffer_updated(size)
            return
        begun = monotonic()
        super().buffer_updated(size)
        if self._line is not None:
            self._line.arriving(size)
            self._line.pay(begun)

    def _accept(self, upgrade: WSUpgradeRequest) -> WSUpgradeResponseWithListener:
        try:
            if self._door is None:
                raise TurnedAway(HTTPStatus.NOT_FOUND)
            headers = {name.lower(): value for name, value in upgrade.headers.items()}
            porter, address = self._porter, self._porter.address(self._peer, headers)
            secure = origins.secure(headers, "https" if porter.proxies.secure(self._peer, headers) else "http")
            request = ConnectionRequest(self._below, self._query, headers, porter.house, address, secure)
            line = self._line = self._door.admit(request, address)
        except TurnedAway as away:
            response = WSUpgradeResponse.create_error_response(away.status, away.body)
            return WSUpgradeResponseWithListener(response, None)
        return WSUpgradeResponseWithListener(WSUpgradeResponse.create_101_response(dict(line.handshake)), line)
