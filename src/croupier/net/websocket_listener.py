"""WebSockets that are asked for: picows behind uvicorn's HTTP, on one port.

uvicorn reads the request; when it asks for a WebSocket, uvicorn makes one of the class it was given and hands the
connection over. Ours is picows' own protocol, so that from the first frame on nothing of uvicorn's or ASGI's is in
the way of a move.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from picows import WSAutoPingStrategy, WSCloseCode, WSUpgradeRequest, WSUpgradeResponse, WSUpgradeResponseWithListener
from picows.picows import WSProtocol  # type: ignore[attr-defined]

from croupier.net import origins
from croupier.net.admission import Admission, Rejected
from croupier.net.connection import Connection
from croupier.net.heartbeat import Watched
from croupier.net.inbox import READ_AT_ONCE
from croupier.net.listener import Listener
from croupier.net.websocket import LINGER, READ_OF_A_LONG_MESSAGE, FrameListener, WebSocket
from croupier.tables.dialect import Dialect
from croupier.tables.endpoint import ConnectionRequest

_CONNECTION = re.compile(rb"\r\nconnection:[^\r]*\r\n", re.IGNORECASE)
"""Some browsers say ``keep-alive, Upgrade``. uvicorn has seen that it is an upgrade; picows wants just that word."""

logging.getLogger("picows").setLevel(logging.CRITICAL)  # it reports every bad frame of every stranger as an error
_picows_log = logging.LoggerAdapter(logging.getLogger("picows"))
"""Of a logger it would make another one for each connection."""


class WebSocketConnection(WebSocket, Connection):
    """A WebSocket on which a dialect's messages travel as they are."""

    def __init__(self, admission: Admission, dialect: Dialect, address: str, message_size: int) -> None:
        WebSocket.__init__(self, admission, address, dialect.binary, message_size)
        Connection.__init__(self, admission, dialect, address)
        self.handshake = dialect.handshake

    # On the way of every message: the same thing under both its names.
    send = WebSocket.write
    send_all = WebSocket.write_all
    close = WebSocket.shut
    received = Connection.received

    def opened(self) -> None:
        self.admission.add(self)
        self.house.connected(self)

    def ended(self) -> None:
        self.admission.remove(self)
        self.house.lost(self)


class WebSocketListener(Listener):
    """Admits connections to an endpoint over plain WebSockets."""

    pings = True
    """Whether silent connections are tested by WebSocket's own means."""

    def admit(self, request: ConnectionRequest, address: str) -> WebSocket:
        """A WebSocket is asked for. Raises ``Rejected``."""
        headers, secure = request.headers, request.secure
        self.admission.check_origin(headers, secure, self.endpoint)
        self.admission.check(address)
        trusted = self.admission.trusts_cookies(headers, secure)
        if not trusted:
            request = request._replace(headers=origins.without(headers, "cookie"))
        connection = WebSocketConnection(self.admission, self.accept(request), address, self.message_size)
        if not trusted:
            connection.handshake = origins.without(connection.handshake, "set-cookie")
        return connection

    def elsewhere(self, query: Mapping[str, str]) -> bool:
        """Whether what is asked for may be at another node."""
        return False

    async def pass_on(self, query: Mapping[str, str], client: asyncio.Transport, request: bytes) -> bool:
        """Let that node have the connection; False if there is none."""
        return False


Find = Callable[[str], tuple[WebSocketListener, str] | None]
"""Which listener a path leads to, and what is left of the path below it."""


class WebSocketProtocol(WSProtocol):  # type: ignore[misc]
    """A connection of which uvicorn has read the request, and which it hands over."""

    __slots__ = (
        "_admission", "_begun", "_below", "_elsewhere", "_find", "_handed_over", "_heartbeat", "_listener", "_peer",
        "_preparing", "_query", "_socket", "heard", "pinged", "waits",
    )  # fmt: skip

    def __init__(self, admission: Admission, find: Find) -> None:
        # picows is set up when the request is there: only then is it known which endpoint it asks for, and its limits.
        self._admission = admission
        self._find = find
        self._handed_over: asyncio.Transport | None = None
        self._listener: WebSocketListener | None = None
        self._socket: WebSocket | None = None
        self._begun = False
        self._elsewhere = False
        """Whether it is about a table that only other nodes can read."""
        self._preparing: asyncio.Task[None] | None = None
        self._heartbeat = admission.heartbeat
        self.heard = self.pinged = 0
        self.waits: set[Watched] | None = None

    def connection_lost(self, error: Exception | None) -> None:
        self._heartbeat.forget(self)
        if self._begun:
            super().connection_lost(error)

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
        self._listener, below = found if found is not None else (None, "")
        self._below, self._query = below, dict(parse_qsl(url.query))
        if self._listener is not None and self._listener.elsewhere(self._query):
            transport.pause_reading()
            self._preparing = asyncio.get_running_loop().create_task(self._pass_on(transport, data, self._listener))
            return
        names = None if self._listener is None else self._listener.endpoint.names
        if names is None or self._admission.house.cluster is None:
            self._begin(transport, data)
        else:
            transport.pause_reading()
            self._preparing = asyncio.get_running_loop().create_task(self._fetch(transport, data, names(below, b"")))

    async def _fetch(self, transport: asyncio.Transport, data: bytes, names: Sequence[str]) -> None:
        """The request is about a table that another node may have."""
        self._elsewhere = not await self._admission.house.fetch(names)
        if not transport.is_closing():
            transport.resume_reading()
            self._begin(transport, data)

    async def _pass_on(self, transport: asyncio.Transport, data: bytes, listener: WebSocketListener) -> None:
        if not await listener.pass_on(self._query, transport, data) and not transport.is_closing():
            transport.resume_reading()
            self._begin(transport, data)  # and it is rejected

    def _begin(self, transport: asyncio.Transport, data: bytes) -> None:
        self._begun = True
        limits, listener = self._admission.limits, self._listener
        super().__init__(
            host_port=None,
            ws_path=None,
            is_client_side=False,
            ws_listener_factory=self._accept,
            logger=_picows_log,
            disconnect_on_exception=True,
            websocket_handshake_timeout=LINGER,
            enable_auto_ping=False,  # ours weighs less
            auto_ping_idle_timeout=0,
            auto_ping_reply_timeout=0,
            auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE,
            enable_auto_pong=False,
            max_frame_size=limits.message_size if listener is None else listener.message_size,
            extra_headers=None,
            read_buffer_init_size=1024,
        )
        super().connection_made(transport)
        while data:
            buffer = self.get_buffer(len(data))
            size = min(len(buffer), len(data))
            buffer[:size] = data[:size]
            data = data[size:]
            self.buffer_updated(size)

    def get_buffer(self, size: int) -> Any:
        long = self._socket is not None and self._socket.in_a_long_message
        return super().get_buffer(size)[: READ_OF_A_LONG_MESSAGE if long else READ_AT_ONCE]

    def buffer_updated(self, size: int) -> None:
        self.heard = self._heartbeat.step
        if size < READ_AT_ONCE:
            super().buffer_updated(size)
            return
        begun = monotonic()
        super().buffer_updated(size)
        if self._socket is not None:
            self._socket.arriving(size)
            self._socket.charge_reading(begun)

    def _accept(self, upgrade: WSUpgradeRequest) -> WSUpgradeResponseWithListener:
        try:
            if self._listener is None:
                raise Rejected(HTTPStatus.NOT_FOUND)
            if self._elsewhere:
                raise Rejected(HTTPStatus.SERVICE_UNAVAILABLE)
            headers = {name.lower(): value for name, value in upgrade.headers.items()}
            admission, address = self._admission, self._admission.address(self._peer, headers)
            secure = origins.secure(headers, "https" if admission.proxies.secure(self._peer, headers) else "http")
            request = ConnectionRequest(self._below, self._query, headers, admission.house, address, secure)
            socket = self._socket = self._listener.admit(request, address)
        except Rejected as rejected:
            response = WSUpgradeResponse.create_error_response(rejected.status, rejected.body)
            return WSUpgradeResponseWithListener(response, None)
        if self._listener.pings and admission.limits.ping_every > 0:
            self._heartbeat.watch(self)
        accepted = WSUpgradeResponse.create_101_response(dict(socket.handshake))
        return WSUpgradeResponseWithListener(accepted, FrameListener(socket))

    # The heartbeat's side

    def ping(self) -> None:
        self.transport.send_ping()

    def give_up(self) -> None:
        self.transport.send_close(WSCloseCode.GOING_AWAY, "no answer to a ping")
        # To wait until somebody takes it, who is probably not there any more, could take a quarter of an hour.
        self.transport.underlying_transport.abort()
