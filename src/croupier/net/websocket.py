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
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from urllib.parse import parse_qsl, urlsplit

import msgspec
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

from croupier.tables.dialect import Dialect, Doorway, Entering, Message, Pace
from croupier.tables.house import House
from croupier.tables.session import Session
from croupier.tables.timekeeping import Time, ms

BINARY, TEXT, CONTINUATION, CLOSE = WSMsgType.BINARY, WSMsgType.TEXT, WSMsgType.CONTINUATION, WSMsgType.CLOSE
TOO_BIG = 1009
POLICY = 1008
LINGER = 1.0
"""Seconds that a connection which we close has for its side of the goodbye."""

_CONNECTION = re.compile(rb"\r\nconnection:[^\r]*\r\n", re.IGNORECASE)
"""Some browsers say ``keep-alive, Upgrade``. uvicorn has seen that it is an upgrade; picows wants just that word."""

_picows_log = logging.getLogger("picows")
_picows_log.setLevel(logging.CRITICAL)  # it reports every bad frame of every stranger as an error


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What connections may do."""

    message_size: int = 65536
    """In bytes; a longer message closes the connection with 1009. A doorway may have a limit of its own."""
    outbox_size: int = 4 * 1024 * 1024
    """In bytes, not yet taken by the other side; a reader that falls further behind is cut off."""
    connections: int = 20000
    """All together; further ones are turned away with 503."""
    connections_per_address: int = 0
    """0: no limit."""
    messages_per_second: float = 50.0
    """On average, where the dialect has no limit of its own; 0: no limit. The burst is four times as much."""
    request_seconds: float = 30.0
    """For an HTTP request to arrive, and for its answer to be taken by somebody who is slow to read."""
    ping_every: float = 20.0
    """Seconds of silence after which the other side is asked for a sign of life; it has as long again to answer."""


class Allowance:
    """How many messages somebody may send: some at once, and so many a second."""

    __slots__ = ("_at", "_burst", "_debt", "_left", "_rate", "_told_at")

    def __init__(self, rate: float, burst: float, debt: float) -> None:
        self._rate = rate
        self._burst = self._left = burst
        self._debt = debt
        """How far it may be overdrawn; 0: what is too much costs nothing."""
        self._at = time.monotonic()
        self._told_at = 0.0

    def spend(self) -> bool:
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left >= 1:
            self._left -= 1
            return True
        self._left -= 1 if self._debt else 0
        return False

    @property
    def exhausted(self) -> bool:
        return self._debt > 0 and self._left < -self._debt

    def complain(self) -> bool:
        """Whether it is time to say so: once a second, and not for every message."""
        if self._told_at and self._at - self._told_at < 1:
            return False
        self._told_at = self._at
        return True


class Speed:
    """Whether somebody keeps to the pace of a protocol."""

    __slots__ = ("_heard", "_pace", "_refused", "_time")

    def __init__(self, pace: Pace, time: Time) -> None:
        self._pace = pace
        self._time = time
        self._heard: deque[int] = deque(maxlen=pace.messages)
        self._refused: deque[int] = deque(maxlen=pace.refusals)

    def wait(self) -> int:
        """A message has come: 0 when it is in time, else how many milliseconds too early."""
        now, heard = self._time.now(), self._heard
        wait = heard[0] + ms(self._pace.seconds) - now if len(heard) == self._pace.messages else 0
        if wait <= 0:
            heard.append(now)
        return max(0, wait)

    def complain(self) -> bool:
        """Whether it is time to say so: every time, or once in a while, as the protocol has it."""
        now, refused = self._time.now(), self._refused
        if self._pace.once and refused and now - refused[-1] < ms(self._pace.seconds):
            return False
        refused.append(now)
        return True

    @property
    def lost(self) -> bool:
        """Whether there is no hope left."""
        refused = self._refused
        return len(refused) == self._pace.refusals and refused[-1] - refused[0] < ms(self._pace.within)


class Guest(Session):
    """Somebody's connection, as the house sees it, whatever it is made of; one of those that the porter counts."""

    def __init__(self, porter: Porter, dialect: Dialect, address: str) -> None:
        super().__init__(dialect)
        self.porter = porter
        self.house = porter.house
        self.address = address
        rate, own = porter.limits.messages_per_second, dialect.rate
        self._speed = None if dialect.pace is None else Speed(dialect.pace, porter.house.time)
        self._allowance: Allowance | None = None
        if self._speed is not None:
            return
        if own is not None and own > 0:
            self._allowance = Allowance(own, own, 0)
        elif own is None and rate > 0:
            self._allowance = Allowance(rate, 4 * rate, 40 * rate)

    def hear(self, message: Message, text: bool) -> None:
        """A message has come in."""
        allowance = self._allowance
        if self._speed is not None and (wait := self._speed.wait()):
            if self._speed.complain():
                self._complain(message, text, wait)
        elif allowance is None or allowance.spend():
            self.house.receive(self, message, text)
        elif allowance.exhausted:
            self.close(POLICY, "too many messages")
        elif allowance.complain():
            self._complain(message, text, 1000)

    def _complain(self, message: Message, text: bool, wait: int) -> None:
        for complaint in self.dialect.slow_down(message, text, wait):
            self.send(complaint)
        if self._speed is not None and self._speed.lost:
            assert self.dialect.pace is not None
            self.end(self.dialect.pace.hangup)


class Line(WSListener):
    """One WebSocket as picows sees it: whole messages out of frames, and an outbox that has an end."""

    handshake: Mapping[str, str] = {}
    """Headers of the answer to the request for it."""

    def __init__(self, binary: bool, message_size: int, outbox_size: int) -> None:
        self._kind = BINARY if binary else TEXT
        self._opcode: int = self._kind.value  # which is a Python function's, every time
        self._message_size = message_size
        self._outbox_size = outbox_size
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

    def write_all(self, messages: Sequence[Message]) -> None:
        """Several in one call of the system, which is the dearest part of a message. picows has no word for it, so
        they are framed here: without a mask, as servers do."""
        if self._transport is not None:
            frames: list[bytes] = []
            for message in messages:
                frames += (header(self._opcode, len(message)), message)
            self._transport.underlying_transport.write(b"".join(frames))

    def shut(self, code: int, reason: str = "") -> None:
        """End it, politely."""
        transport = self._transport
        if transport is not None:
            self._gone()
            said = reason.encode()[:123].decode(errors="ignore").encode()  # as much as fits, in whole characters
            transport.send_close(code, said)  # type: ignore[arg-type]
            asyncio.get_running_loop().call_later(LINGER, transport.disconnect)

    # picows' side

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        transport.underlying_transport.set_write_buffer_limits(high=self._outbox_size)
        self.opened()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if self._transport is None:
            if frame.msg_type == CLOSE:  # the answer to our goodbye
                transport.disconnect()
            return
        kind = frame.msg_type
        if kind == CLOSE:
            # A goodbye without a code is answered with an ordinary one: there is no code that says "none".
            transport.send_close(frame.get_close_code() if frame.payload_size else WSCloseCode.OK)
            transport.disconnect()
            self._gone()
        elif frame.fin and kind in (BINARY, TEXT) and not self._fragments:
            self.received(frame.get_payload_as_bytes(), kind == TEXT)
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
            self.received(message, self._fragments_text)

    def pause_writing(self) -> None:
        # The outbox is full: they get a fresh view when they come back, not a backlog.
        if self._transport is not None:
            self._transport.disconnect(graceful=False)
            self._gone()

    def resume_writing(self) -> None:
        pass

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._gone()

    def _gone(self) -> None:
        if self._transport is not None:
            self._transport = None
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
        Line.__init__(self, dialect.binary, message_size, porter.limits.outbox_size)
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


class TurnedAway(Exception):
    """Somebody may not come in: an answer in HTTP."""

    def __init__(self, status: HTTPStatus, body: bytes | None = None) -> None:
        super().__init__(status.phrase)
        self.status = status
        self.body = status.phrase.encode() if body is None else body


class Porter:
    """Knows who is there, and who may come in."""

    def __init__(self, house: House, limits: Limits, origins: frozenset[str]) -> None:
        self.house = house
        self.limits = limits
        self._origins = origins
        """Sites whose pages may connect, besides the server's own."""
        self.guests: set[Guest] = set()
        self._by_address: Counter[str] = Counter()

    def check_origin(self, headers: Mapping[str, str], doorway: Doorway) -> None:
        """Whether a page of that origin may connect. Programs that are no browsers send no origin."""
        origin = headers.get("origin")
        if not doorway.checks_origin or origin is None or "*" in self._origins:
            return
        own = origin.partition("://")[2] == headers.get("host")
        if not (own or origin in self._origins or origin in doorway.origins):
            raise TurnedAway(HTTPStatus.FORBIDDEN)

    def check_room(self, address: str) -> None:
        most = self.limits.connections_per_address
        if len(self.guests) >= self.limits.connections or 0 < most <= self._by_address[address]:
            raise TurnedAway(HTTPStatus.SERVICE_UNAVAILABLE)

    def farewell(self) -> None:
        """Tell everybody to come back in a moment."""
        for guest in list(self.guests):
            guest.close(guest.dialect.restart, "the server is going down; come back in a moment")

    def came(self, guest: Guest) -> None:
        self.guests.add(guest)
        self._by_address[guest.address] += 1

    def went(self, guest: Guest) -> None:
        self.guests.discard(guest)
        self._by_address[guest.address] -= 1
        if not self._by_address[guest.address]:
            del self._by_address[guest.address]


class Door:
    """A doorway as this server keeps it: here over plain WebSockets."""

    pings = True
    """Whether silent connections are tested by WebSocket's own means."""

    def __init__(self, porter: Porter, doorway: Doorway) -> None:
        self.porter = porter
        self.doorway = doorway
        self.message_size = doorway.message_size or porter.limits.message_size

    def admit(self, entering: Entering, address: str) -> Line:
        """A WebSocket is asked for. Raises ``TurnedAway``."""
        self.porter.check_origin(entering.headers, self.doorway)
        self.porter.check_room(address)
        return Socket(self.porter, self.enter(entering), address, self.message_size)

    def enter(self, entering: Entering) -> Dialect:
        dialect = self.doorway.enter(entering)
        if isinstance(dialect, Dialect):
            return dialect
        raise TurnedAway(dialect)


Find = Callable[[str], tuple[Door, str] | None]
"""Which door a path leads to, and what is left of the path below it."""


class Upgraded(WSProtocol):  # type: ignore[misc]
    """A connection that uvicorn has read the request of, and hands over."""

    def __init__(self, limits: Limits, find: Find) -> None:
        # picows is set up when the request is there: only then is it known which door it asks for, and its limits.
        self._limits = limits
        self._find = find
        self._handed_over: asyncio.Transport | None = None
        self._door: Door | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        self._handed_over = transport

    def data_received(self, data: bytes) -> None:
        """The request, once; what follows comes through the buffer."""
        transport = self._handed_over
        assert transport is not None
        data = _CONNECTION.sub(b"\r\nconnection: Upgrade\r\n", data, 1)
        peer = transport.get_extra_info("peername")
        self._address = peer[0] if peer else ""
        url = urlsplit(data.split(b" ", 2)[1].decode("latin-1"))
        found = self._find(url.path)
        self._door, below = found if found is not None else (None, "")
        self._below, self._query = below, dict(parse_qsl(url.query))
        limits, door = self._limits, self._door
        super().__init__(
            host_port=None,
            ws_path=None,
            is_client_side=False,
            ws_listener_factory=self._enter,
            logger=_picows_log,
            disconnect_on_exception=True,
            websocket_handshake_timeout=LINGER,
            enable_auto_ping=limits.ping_every > 0 and (door is None or door.pings),
            auto_ping_idle_timeout=limits.ping_every,
            auto_ping_reply_timeout=limits.ping_every,
            auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE,
            enable_auto_pong=True,
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

    def _enter(self, request: WSUpgradeRequest) -> WSUpgradeResponseWithListener:
        try:
            if self._door is None:
                raise TurnedAway(HTTPStatus.NOT_FOUND)
            headers = {name.lower(): value for name, value in request.headers.items()}
            entering = Entering(self._below, self._query, headers, self._door.porter.house, self._address)
            line = self._door.admit(entering, self._address)
        except TurnedAway as away:
            response = WSUpgradeResponse.create_error_response(away.status, away.body)
            return WSUpgradeResponseWithListener(response, None)
        return WSUpgradeResponseWithListener(WSUpgradeResponse.create_101_response(dict(line.handshake)), line)
