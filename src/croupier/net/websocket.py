"""WebSockets: picows behind uvicorn's HTTP, on one port.

uvicorn reads the request; when it asks for a WebSocket, uvicorn makes one of the class it was given and hands the
connection over. Ours is picows' own protocol, so that from the first frame on nothing of uvicorn's or ASGI's is in
the way of a move.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import parse_qsl, urlsplit

import msgspec
from picows import (
    WSAutoPingStrategy,
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

BINARY, TEXT, CONTINUATION, CLOSE = WSMsgType.BINARY, WSMsgType.TEXT, WSMsgType.CONTINUATION, WSMsgType.CLOSE
TOO_BIG = 1009
POLICY = 1008
LINGER = 1.0
"""Seconds that a connection which we close has for its side of the goodbye."""

_picows_log = logging.getLogger("picows")
_picows_log.setLevel(logging.CRITICAL)  # it reports every bad frame of every stranger as an error


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What connections may do."""

    message_size: int = 65536
    """In bytes; a longer message closes the connection with 1009."""
    outbox_size: int = 4 * 1024 * 1024
    """In bytes, not yet taken by the other side; a reader that falls further behind is cut off."""
    connections: int = 20000
    """All together; further ones are turned away with 503."""
    connections_per_address: int = 0
    """0: no limit."""
    messages_per_second: float = 50.0
    """On average, where the dialect allows a limit; 0: no limit. The burst is four times as much."""
    ping_every: float = 20.0
    """Seconds of silence after which the other side is asked for a sign of life; it has as long again to answer."""


Door = tuple[Doorway, str]
"""A doorway, and what of a path is below it."""


class Socket(WSListener, Session):
    """One WebSocket, as picows and as the house see it."""

    def __init__(self, porter: Porter, dialect: Dialect, address: str) -> None:
        Session.__init__(self, dialect)
        self._porter = porter
        self._house = porter.house
        self.address = address
        self._kind = BINARY if dialect.binary else TEXT
        self._transport: WSTransport | None = None
        self._fragments: list[bytes] = []
        self._fragments_text = False
        rate = porter.limits.messages_per_second if dialect.rate_limited and dialect.pace is None else 0.0
        self._pacer = None if dialect.pace is None else Pacer(dialect.pace)
        self._rate = rate
        self._allowance = rate * 4
        self._counted_at = time.monotonic() if rate else 0.0

    # picows' side

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        transport.underlying_transport.set_write_buffer_limits(high=self._porter.limits.outbox_size)
        self._porter.came(self)
        self._house.connected(self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if self._transport is None:
            if frame.msg_type == CLOSE:  # the answer to our goodbye
                transport.disconnect()
            return
        kind = frame.msg_type
        if kind == CLOSE:
            code = frame.get_close_code()
            transport.send_close(code)
            transport.disconnect()
            self._gone()
        elif frame.fin and kind in (BINARY, TEXT) and not self._fragments:
            self._received(frame.get_payload_as_bytes(), kind == TEXT)
        elif kind in (BINARY, TEXT, CONTINUATION):
            self._fragment(frame, kind)

    def _fragment(self, frame: WSFrame, kind: WSMsgType) -> None:
        if (kind == CONTINUATION) != bool(self._fragments):
            self.close(1002, "fragments out of order")
            return
        if kind != CONTINUATION:
            self._fragments_text = kind == TEXT
        self._fragments.append(frame.get_payload_as_bytes())
        # An empty list means "no message begun", so that the pieces are counted even when they are empty.
        if sum(map(len, self._fragments)) > self._porter.limits.message_size or len(self._fragments) > 4096:
            self.close(TOO_BIG, "the message is too long")
        elif frame.fin:
            message, self._fragments = b"".join(self._fragments), []
            self._received(message, self._fragments_text)

    def pause_writing(self) -> None:
        # The outbox is full: they get a fresh view when they come back, not a backlog.
        if self._transport is not None:
            self._transport.disconnect(graceful=False)
            self._gone()

    def resume_writing(self) -> None:
        pass

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._gone()

    # The house's side

    def send(self, message: Message) -> None:
        if self._transport is not None:
            self._transport.send(self._kind, message)

    def close(self, code: int, reason: str = "") -> None:
        transport = self._transport
        if transport is not None:
            self._gone()
            transport.send_close(code, reason[:60].encode()[:123])  # type: ignore[arg-type]
            asyncio.get_running_loop().call_later(LINGER, transport.disconnect)

    def _gone(self) -> None:
        if self._transport is not None:
            self._transport = None
            self._porter.went(self)
            self._house.lost(self)

    def _received(self, message: bytes, text: bool) -> None:
        if self._pacer is not None and not self._pacer.lets(self):
            return
        if self._rate and not self._may_speak():
            return
        self._house.receive(self, message, text)

    def _may_speak(self) -> bool:
        now = time.monotonic()
        self._allowance = min(self._rate * 4, self._allowance + (now - self._counted_at) * self._rate)
        self._counted_at = now
        self._allowance -= 1
        if self._allowance >= 0:
            return True
        if self._allowance < -40 * self._rate:
            self.close(POLICY, "too many messages")
        elif self._allowance > -2:  # said once, when the limit is passed, and not for every message after
            for complaint in self.dialect.slow_down():
                self.send(complaint)
        return False


class Pacer:
    """Holds a client to the pace of its protocol."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._times: deque[float] = deque(maxlen=pace.messages)
        """Of the last messages that were let through."""
        self._told_at = 0.0
        self._told = 0
        """How often in a row."""

    def lets(self, socket: Socket) -> bool:
        pace, now = self._pace, time.monotonic()
        if len(self._times) < pace.messages or now - self._times[0] >= pace.seconds:
            self._times.append(now)
            return True
        since = now - self._told_at
        if since >= pace.seconds:
            self._told = self._told + 1 if since < 2 * pace.seconds else 1
            self._told_at = now
            for complaint in socket.dialect.slow_down():
                socket.send(complaint)
            if self._told >= pace.refusals:
                socket.end(pace.hangup)
        return False


class Porter:
    """Lets WebSockets in, or not."""

    def __init__(self, house: House, limits: Limits, origins: frozenset[str]) -> None:
        self.house = house
        self.limits = limits
        self._origins = origins
        """Sites whose pages may connect, besides the server's own."""
        self.sockets: set[Socket] = set()
        self._by_address: Counter[str] = Counter()

    def admit(self, request: WSUpgradeRequest, door: Door | None, address: str) -> Socket | HTTPStatus:
        if door is None:
            return HTTPStatus.NOT_FOUND
        doorway, path = door
        headers = {name.lower(): value for name, value in request.headers.items()}
        if doorway.checks_origin and not self._welcome(headers):
            return HTTPStatus.FORBIDDEN
        most = self.limits.connections_per_address
        if len(self.sockets) >= self.limits.connections or 0 < most <= self._by_address[address]:
            return HTTPStatus.SERVICE_UNAVAILABLE
        query = dict(parse_qsl(urlsplit(request.path.decode("latin-1")).query))
        entered = doorway.enter(Entering(path, query, headers, self.house))
        return Socket(self, entered, address) if isinstance(entered, Dialect) else entered

    def _welcome(self, headers: dict[str, str]) -> bool:
        """Whether a page of that origin may connect. Programs that are no browsers send no origin."""
        origin = headers.get("origin")
        if origin is None or "*" in self._origins or origin in self._origins:
            return True
        return urlsplit(origin).netloc == headers.get("host")

    def farewell(self) -> None:
        """Tell everybody to come back in a moment."""
        for socket in list(self.sockets):
            socket.close(socket.dialect.restart, "the server is going down; come back in a moment")

    def came(self, socket: Socket) -> None:
        self.sockets.add(socket)
        self._by_address[socket.address] += 1

    def went(self, socket: Socket) -> None:
        self.sockets.discard(socket)
        self._by_address[socket.address] -= 1
        if not self._by_address[socket.address]:
            del self._by_address[socket.address]


class Upgraded(WSProtocol):  # type: ignore[misc]
    """A connection that uvicorn has read the request of, and hands over."""

    def __init__(self, porter: Porter, find: Callable[[str], Door | None]) -> None:
        self._porter = porter
        self._find = find
        self._address = ""
        limits = porter.limits
        super().__init__(
            host_port=None,
            ws_path=None,
            is_client_side=False,
            ws_listener_factory=self._enter,
            logger=_picows_log,
            disconnect_on_exception=True,
            websocket_handshake_timeout=LINGER,
            enable_auto_ping=limits.ping_every > 0,
            auto_ping_idle_timeout=limits.ping_every,
            auto_ping_reply_timeout=limits.ping_every,
            auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE,
            enable_auto_pong=True,
            max_frame_size=limits.message_size,
            extra_headers=None,
            read_buffer_init_size=2048,
        )

    def connection_made(self, transport: asyncio.Transport) -> None:
        peer = transport.get_extra_info("peername")
        self._address = peer[0] if peer else ""
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """The request, once; what follows comes through the buffer."""
        while data:
            buffer = self.get_buffer(len(data))
            size = min(len(buffer), len(data))
            buffer[:size] = data[:size]
            data = data[size:]
            self.buffer_updated(size)

    def _enter(self, request: WSUpgradeRequest) -> WSUpgradeResponseWithListener:
        path = urlsplit(request.path.decode("latin-1")).path
        admitted = self._porter.admit(request, self._find(path), self._address)
        if isinstance(admitted, Socket):
            accepted = WSUpgradeResponse.create_101_response(dict(admitted.dialect.handshake))
            return WSUpgradeResponseWithListener(accepted, admitted)
        response = WSUpgradeResponse.create_error_response(admitted, admitted.phrase.encode())
        return WSUpgradeResponseWithListener(response, None)
