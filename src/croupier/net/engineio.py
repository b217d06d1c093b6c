"""Engine.IO 4, server side: what Socket.IO travels in. WebSocket, HTTP long-polling, and the change between them.

Written here and not taken from python-engineio because a move is told to every seat, and with that library each
telling costs fifteen times what it costs on a plain WebSocket. The protocol is small: packets of one digit and a text.
"""

from __future__ import annotations

import asyncio
import binascii
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from croupier.net import origins
from croupier.net.backlog import SLOW
from croupier.net.inbox import BURST, SHARE
from croupier.net.porter import Guest, Porter, TurnedAway
from croupier.net.websocket import TOO_BIG, Door, Line
from croupier.tables import keys
from croupier.tables.dialect import ConnectionRequest, Dialect, Endpoint, Message
from croupier.tables.turns import share_of_the_loop

OPEN, CLOSE, PING, PONG, MESSAGE, UPGRADE, NOOP = b"0", b"1", b"2", b"3", b"4", b"5", b"6"
BINARY = b"b"
"""In front of a binary message, in base64, where the way takes text only."""
SEPARATOR = b"\x1e"
PROBE = b"probe"

PING_EVERY, PING_TIMEOUT = 25.0, 20.0
UPGRADE_TIMEOUT = 10.0
"""Seconds for the change from polling to a WebSocket, once that is open."""
FAREWELL = 30.0
"""Seconds in which a client that polls may fetch what it was told last."""
PACKETS = 16
"""That a poll fetches at most: the Python client takes more for an attack."""
PAYLOAD = 1_000_000
"""Bytes that a client may send at once, unless the endpoint says otherwise."""

VERSION = "4"
TRANSPORTS = ("polling", "websocket")

UNKNOWN_TRANSPORT, UNKNOWN_SID, BAD_METHOD, BAD_REQUEST, FORBIDDEN, UNSUPPORTED_VERSION = range(6)
MESSAGES = (
    "Transport unknown",
    "Session ID unknown",
    "Bad handshake method",
    "Bad request",
    "Forbidden",
    "Unsupported protocol version",
)

_encode = msgspec.json.Encoder().encode


def problem(code: int) -> TurnedAway:
    """As the protocol's own library says it."""
    status = HTTPStatus.FORBIDDEN if code == FORBIDDEN else HTTPStatus.BAD_REQUEST
    return TurnedAway(status, _encode({"code": code, "message": MESSAGES[code]}))


class Connection(Guest):
    """One client, whichever way its packets take at the moment."""

    def __init__(self, engine: Engine, dialect: Dialect, address: str) -> None:
        super().__init__(engine.porter, dialect, address)
        self.id = keys.new_id()
        """Known to this client alone: who has it can speak for it."""
        self.posting = False
        """Whether a request with packets is being read."""
        self._engine = engine
        self._purse = share_of_the_loop(SHARE, BURST)
        """Of the time that polling takes."""
        self._socket: Carrier | None = None
        """The WebSocket, once there is one."""
        self._probe: Carrier | None = None
        """A WebSocket that the client wants to change to."""
        self._waiting: list[bytes] = []
        """Packets for the next poll."""
        self._waiting_size = 0
        self._poll: asyncio.Future[None] | None = None
        self._closed = False
        self._timer: asyncio.TimerHandle | None = None

    def open(self, socket: Carrier | None) -> None:
        self._socket = socket
        self._engine.connections[self.id] = self
        self.porter.came(self)
        handshake = {
            "sid": self.id,
            "upgrades": ["websocket"] if socket is None else [],
            "pingInterval": round(PING_EVERY * 1000),
            "pingTimeout": round(PING_TIMEOUT * 1000),
            "maxPayload": self._engine.message_size,
        }
        self._give(OPEN + _encode(handshake))
        self._later(PING_EVERY, self._ping)
        self.house.connected(self)

    # The house's side

    def send(self, message: Message) -> None:
        self._give(MESSAGE + message)

    def send_all(self, messages: Sequence[Message]) -> None:
        if self._socket is not None:
            self._socket.write_all([MESSAGE + message for message in messages])
        else:
            super().send_all(messages)

    def close(self, code: int, reason: str = "") -> None:
        if not self._closed:
            socket = self._socket
            # A WebSocket has a goodbye of its own. Who polls takes the packet for one for ever: the Python client does
            # not come back from it. When the server goes down, there is just nobody any more at the next poll.
            if socket is None and not self.house.closing:
                self._give(CLOSE)
            self.gone()
            if socket is not None:
                socket.shut(code, reason)

    # The client's side

    def packet(self, packet: bytes) -> None:
        kind = packet[:1]
        if self._closed:
            pass
        elif kind == MESSAGE:
            self.hear(packet[1:], True)
        elif kind == PONG:
            self._later(PING_EVERY, self._ping)
        elif kind == CLOSE:
            self.close(1000)
        elif kind == BINARY:
            try:
                self.hear(binascii.a2b_base64(packet[1:], strict_mode=True), False)
            except binascii.Error:
                self.close(1002, "not base64")
        elif kind not in (OPEN, UPGRADE, NOOP):
            self.close(1002, "not a packet")

    async def packets(self, payload: bytes) -> None:
        """All that came by one request, each in its turn."""
        done, start = asyncio.get_running_loop().create_future(), 0

        def next_packet() -> bool:
            nonlocal start
            end = payload.find(SEPARATOR, start)
            packet = payload[start : end if end >= 0 else len(payload)]
            start, more = end + 1, False
            try:
                self.packet(packet)
                more = start > 0 and not self._closed
            finally:
                if not (more or done.done()):
                    done.set_result(None)
            return more

        self.house.turns.serve(self._purse, next_packet)
        await done

    @property
    def polling(self) -> bool:
        return self._socket is None

    @property
    def may_upgrade(self) -> bool:
        return self._socket is None and self._probe is None and not self._closed

    def probed(self, probe: Carrier) -> None:
        """A WebSocket works. Polls end at once from now on: the client waits for its last one before it changes."""
        self._probe = probe
        self._release()

    def upgrade(self, socket: Carrier) -> None:
        """From now on everything goes over the WebSocket, and first what was waiting for a poll."""
        self._socket, self._probe = socket, None
        waiting, self._waiting, self._waiting_size = self._waiting, [], 0
        self.porter.unread.done(self)
        for packet in waiting:
            socket.write(packet)
        self._release()

    def dropped(self, socket: Carrier) -> None:
        """One of its WebSockets is gone."""
        if socket is self._socket:
            self.gone()
        elif socket is self._probe:
            self._probe = None

    async def poll(self, receive: Receive) -> bytes:
        """What there is to fetch; waits until there is something."""
        if self._poll is not None:
            self.close(1002, "two polls at a time")
            raise problem(BAD_REQUEST)
        if not self._waiting and self._probe is None and not self._closed:
            self._poll = asyncio.get_running_loop().create_future()
            left = asyncio.ensure_future(_disconnection(receive))
            try:
                await asyncio.wait((self._poll, left), return_when=asyncio.FIRST_COMPLETED)
                if not self._poll.done():
                    self.gone()
            finally:
                left.cancel()
                self._poll = None
        packets = self._waiting[:PACKETS] or [NOOP]
        del self._waiting[:PACKETS]
        self._waiting_size = sum(map(len, self._waiting))
        self.porter.unread.done(self)
        if self._closed and not self._waiting:
            self._engine.connections.pop(self.id, None)
        return SEPARATOR.join(packets)

    def gone(self) -> None:
        """The client is not there any more, or is not wanted."""
        if self._closed:
            return
        self._closed = True
        self.porter.unread.done(self)
        self.porter.unfinished.done(self)
        if self._timer is not None:
            self._timer.cancel()
        if 0 < self._waiting_size <= SLOW:
            asyncio.get_running_loop().call_later(FAREWELL, self._engine.connections.pop, self.id, None)
        else:
            del self._engine.connections[self.id]
        self._release()
        if self._probe is not None:
            self._probe.shut(1000)
        self._socket = self._probe = self._timer = None  # nobody holds on to anybody any more
        self.porter.went(self)
        self.house.lost(self)

    def _give(self, packet: bytes) -> None:
        if self._socket is not None:
            self._socket.write(packet)
            return
        if self._closed:
            return
        self._waiting.append(packet)
        self._waiting_size += len(packet)
        if self._waiting_size > SLOW:
            self.porter.unread.waits(self, self._waiting_size)
        self._release()

    def cut_off(self) -> None:
        self._waiting, self._waiting_size = [], 0
        self.gone()

    def _release(self) -> None:
        """Let a poll that is waiting go home."""
        if self._poll is not None and not self._poll.done():
            self._poll.set_result(None)

    def _ping(self) -> None:
        self._give(PING)
        self._later(PING_TIMEOUT, self._lapsed)

    def _lapsed(self) -> None:
        self.close(1001, "no answer to a ping")

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, what)


async def _disconnection(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Carrier(Line):
    """A WebSocket that carries packets: of a connection of its own, or of one that began with polling."""

    def __init__(self, engine: Engine, connection: Connection, probing: bool) -> None:
        super().__init__(engine.porter, connection.address, False, engine.message_size)
        self._connection = connection
        self._probing = probing

    def opened(self) -> None:
        if self._probing:
            asyncio.get_running_loop().call_later(UPGRADE_TIMEOUT, self._give_up)
        else:
            self._connection.open(self)

    def received(self, message: Message, text: bool) -> None:
        connection = self._connection
        if not self._probing:
            if text:
                connection.packet(message)
            else:
                connection.hear(message, False)
        elif message == PING + PROBE and connection.may_upgrade:
            self.write(PONG + PROBE)
            connection.probed(self)
        elif message == UPGRADE and connection._probe is self:
            self._probing = False
            connection.upgrade(self)
        else:
            self.shut(1002, "not an upgrade")

    def ended(self) -> None:
        self._connection.dropped(self)

    def _give_up(self) -> None:
        if self._probing:
            self.shut(1002, "no upgrade")


class Engine(Door):
    """An endpoint behind Engine.IO: an application for the polling, and a door for the WebSockets."""

    pings = False  # the protocol has its own

    def __init__(self, porter: Porter, endpoint: Endpoint) -> None:
        super().__init__(porter, endpoint)
        self.message_size = endpoint.message_size or PAYLOAD
        self.connections: dict[str, Connection] = {}

    def admit(self, request: ConnectionRequest, address: str) -> Line:
        query = request.query
        self._check_origin(request.headers, request.secure)
        connection = self._found(query)
        if query["transport"] != "websocket":
            raise problem(BAD_REQUEST)
        if connection is None:
            return Carrier(self, self._newcomer(query, address), probing=False)
        if not connection.may_upgrade:
            raise problem(BAD_REQUEST)
        return Carrier(self, connection, probing=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        headers: dict[str, str] = {}
        try:
            self._check_origin(request.headers, origins.secure(request.headers, request.url.scheme))
            headers = _cross_origin(request.headers)
            response = await self._answer(request)
        except TurnedAway as away:
            response = Response(away.body, away.status, media_type="application/json")
        response.headers.update(headers)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=HTTPStatus.NO_CONTENT, headers=_preflight(request.headers))
        query = request.query_params
        connection = self._found(query)
        if connection is None:
            if request.method != "GET":
                raise problem(BAD_METHOD)
            if query["transport"] != "polling":
                raise problem(BAD_REQUEST)
            connection = self._newcomer(query, request.client.host if request.client else "")
            connection.open(None)
        elif query["transport"] != "polling" or not connection.polling:
            raise problem(BAD_REQUEST)
        elif request.method == "POST":
            return await self._post(request, connection)
        elif request.method != "GET":
            raise problem(BAD_REQUEST)
        headers = {"Cache-Control": "no-store"}  # a poll is for one client, and for once
        return Response(await connection.poll(request.receive), headers=headers, media_type="text/plain")

    async def _post(self, request: Request, connection: Connection) -> Response:
        """Packets from a client that polls."""
        if connection.posting:
            connection.close(1002, "two requests at a time")
            raise problem(BAD_REQUEST)
        connection.posting = True
        payload = bytearray()
        try:
            async for chunk in request.stream():
                payload += chunk
                if len(payload) > SLOW:
                    self.porter.unfinished.waits(connection, len(payload))
                if len(payload) > self.message_size:
                    connection.close(TOO_BIG, "the message is too long")
                    return Response(status_code=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        finally:
            connection.posting = False
            self.porter.unfinished.done(connection)
        await connection.packets(bytes(payload))
        return Response(b"ok", media_type="text/html")

    def _check_origin(self, headers: Mapping[str, str], secure: bool) -> None:
        try:
            self.porter.check_origin(headers, secure, self.endpoint)
        except TurnedAway:
            raise problem(FORBIDDEN) from None

    def _found(self, query: Mapping[str, str]) -> Connection | None:
        """The connection a request belongs to; None for a new one."""
        if query.get("transport") not in TRANSPORTS:
            raise problem(UNKNOWN_TRANSPORT)
        id = query.get("sid")
        if not id:
            return None
        if id not in self.connections:
            raise problem(UNKNOWN_SID)
        return self.connections[id]

    def _newcomer(self, query: Mapping[str, str], address: str) -> Connection:
        if query.get("EIO") != VERSION:
            raise problem(UNSUPPORTED_VERSION)
        self.porter.check_room(address)
        return Connection(self, self.accept(ConnectionRequest("", query, {}, self.porter.house, address)), address)


def _cross_origin(headers: Mapping[str, str]) -> dict[str, str]:
    """For pages of other sites that are welcome, cookies and all."""
    origin = headers.get("origin")
    if origin is None:
        return {}
    return {"Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true", "Vary": "Origin"}


def _preflight(headers: Mapping[str, str]) -> dict[str, str]:
    allowed = {"Access-Control-Allow-Methods": "GET,POST,OPTIONS", "Access-Control-Max-Age": "600"}
    asked = headers.get("access-control-request-headers")
    return allowed if asked is None else {**allowed, "Access-Control-Allow-Headers": asked}
