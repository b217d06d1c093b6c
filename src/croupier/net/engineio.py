"""Engine.IO 4, server side: what Socket.IO travels in. WebSocket, HTTP long-polling, and the change between them.

Written here and not taken from python-engineio because a move is told to every seat, and with that library each
telling costs fifteen times what it costs on a plain WebSocket. The protocol is small: packets of one digit and a text.
"""

from __future__ import annotations

import asyncio
import binascii
from collections import deque
from collections.abc import Callable, Sequence
from http import HTTPStatus

import msgspec
from starlette.types import Receive

from croupier.net.admission import Admission, Rejected
from croupier.net.asgi import disconnection
from croupier.net.connection import Connection
from croupier.net.inbox import BURST, SHARE
from croupier.net.slow_readers import UNCOUNTED
from croupier.net.websocket import WebSocket
from croupier.tables.dialect import Dialect, Message
from croupier.tables.turns import share_of_the_loop

OPEN, CLOSE, PING, PONG, MESSAGE, UPGRADE, NOOP = b"0", b"1", b"2", b"3", b"4", b"5", b"6"
BINARY = b"b"
"""In front of a binary message, in base64, where the way takes text only."""
SEPARATOR = b"\x1e"
PROBE = b"probe"

PING_EVERY, PING_TIMEOUT = 25.0, 20.0
UPGRADE_TIMEOUT = 10.0
"""Seconds for the change from polling to a WebSocket, once that is open."""
LAST_POLL = 30.0
"""Seconds in which a client that polls may fetch what it was told last."""
PUT_ASIDE = 100
"""Messages of a client that polls which may wait for the one before."""
PACKETS = 16
"""That a poll fetches at most: the Python client takes more for an attack."""

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


def rejection(code: int) -> Rejected:
    """As the protocol's own library says it."""
    status = HTTPStatus.FORBIDDEN if code == FORBIDDEN else HTTPStatus.BAD_REQUEST
    return Rejected(status, _encode({"code": code, "message": MESSAGES[code]}))


class EngineIoConnection(Connection):
    """One client, whichever way its packets take at the moment."""

    def __init__(
        self,
        admission: Admission,
        dialect: Dialect,
        address: str,
        message_size: int,
        id: str,
        connections: dict[str, EngineIoConnection],
    ) -> None:
        super().__init__(admission, dialect, address)
        self.id = id
        """Known to this client alone: who has it can speak for it."""
        self.posting = False
        """Whether a request with packets is being read."""
        self._message_size = message_size
        self._connections = connections
        """All of the endpoint, by their ids."""
        self._purse = share_of_the_loop(SHARE, BURST)
        """Of the time that polling takes."""
        self._socket: EngineIoWebSocket | None = None
        """The WebSocket, once there is one."""
        self._probe: EngineIoWebSocket | None = None
        """A WebSocket that the client wants to change to."""
        self._waiting: list[bytes] = []
        """Packets for the next poll."""
        self._waiting_size = 0
        self._poll: asyncio.Future[None] | None = None
        self._paused = False
        self._put_aside: deque[tuple[Message, bool]] = deque()
        """Messages that have come meanwhile."""
        self._closed = False
        self._timer: asyncio.TimerHandle | None = None

    def open(self, socket: EngineIoWebSocket | None) -> None:
        self._socket = socket
        self._connections[self.id] = self
        self.admission.add(self)
        handshake = {
            "sid": self.id,
            "upgrades": ["websocket"] if socket is None else [],
            "pingInterval": round(PING_EVERY * 1000),
            "pingTimeout": round(PING_TIMEOUT * 1000),
            "maxPayload": self._message_size,
        }
        self._send_packet(OPEN + _encode(handshake))
        self._later(PING_EVERY, self._ping)
        self.house.connected(self)

    # The house's side

    def send(self, message: Message) -> None:
        self._send_packet(MESSAGE + message)

    def send_all(self, messages: Sequence[Message]) -> None:
        if self._socket is not None:
            self._socket.write_all([MESSAGE + message for message in messages])
        else:
            super().send_all(messages)

    def close(self, code: int, reason: str = "") -> None:
        if not self._closed:
            socket = self._socket
            # A WebSocket has a close frame of its own. To who polls the packet is the end for ever: the Python client
            # does not come back from it. When the server goes down, there is just nobody any more at the next poll.
            if socket is None and not self.house.closing:
                self._send_packet(CLOSE)
            self.gone()
            if socket is not None:
                socket.shut(code, reason)

    def pause(self) -> None:
        self._paused = True
        if self._socket is not None:
            self._socket.pause()

    def resume(self) -> None:
        self._paused = False
        if self._socket is not None:
            self._socket.resume()
        while self._put_aside and not self._paused:
            super().received(*self._put_aside.popleft())

    # The client's side

    def received(self, message: Message, text: bool) -> None:
        if not self._paused:
            super().received(message, text)
        elif len(self._put_aside) < PUT_ASIDE:
            self._put_aside.append((message, text))
        else:
            self.close(1008, "too many messages")

    def packet(self, packet: bytes) -> None:
        kind = packet[:1]
        if self._closed:
            pass
        elif kind == MESSAGE:
            self.received(packet[1:], True)
        elif kind == PONG:
            self._later(PING_EVERY, self._ping)
        elif kind == CLOSE:
            self.close(1000)
        elif kind == BINARY:
            try:
                self.received(binascii.a2b_base64(packet[1:], strict_mode=True), False)
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

    def probed(self, probe: EngineIoWebSocket) -> None:
        """A WebSocket works. Polls end at once from now on: the client waits for its last one before it changes."""
        self._probe = probe
        self._answer_poll()

    def upgrade(self, socket: EngineIoWebSocket) -> None:
        """From now on everything goes over the WebSocket, and first what was waiting for a poll."""
        self._socket, self._probe = socket, None
        waiting, self._waiting, self._waiting_size = self._waiting, [], 0
        self.admission.unread.remove(self)
        for packet in waiting:
            socket.write(packet)
        self._answer_poll()

    def dropped(self, socket: EngineIoWebSocket) -> None:
        """One of its WebSockets is gone."""
        if socket is self._socket:
            self.gone()
        elif socket is self._probe:
            self._probe = None

    async def poll(self, receive: Receive) -> bytes:
        """What there is to fetch; waits until there is something."""
        if self._poll is not None:
            self.close(1002, "two polls at a time")
            raise rejection(BAD_REQUEST)
        if not self._waiting and self._probe is None and not self._closed:
            self._poll = asyncio.get_running_loop().create_future()
            left = asyncio.ensure_future(disconnection(receive))
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
        self.admission.unread.remove(self)
        if self._closed and not self._waiting:
            self._connections.pop(self.id, None)
        return SEPARATOR.join(packets)

    def gone(self) -> None:
        """The client is not there any more, or is not wanted."""
        if self._closed:
            return
        self._closed = True
        self.admission.unread.remove(self)
        self.admission.unfinished.remove(self)
        if self._timer is not None:
            self._timer.cancel()
        if 0 < self._waiting_size <= UNCOUNTED:
            asyncio.get_running_loop().call_later(LAST_POLL, self._connections.pop, self.id, None)
        else:
            del self._connections[self.id]
        self._answer_poll()
        if self._probe is not None:
            self._probe.shut(1000)
        self._socket = self._probe = self._timer = None  # they would keep each other in memory
        self.admission.remove(self)
        self.house.lost(self)

    def _send_packet(self, packet: bytes) -> None:
        if self._socket is not None:
            self._socket.write(packet)
            return
        if self._closed:
            return
        self._waiting.append(packet)
        self._waiting_size += len(packet)
        if self._waiting_size > UNCOUNTED:
            self.admission.unread.update(self, self._waiting_size)
        self._answer_poll()

    def cut_off(self) -> None:
        self._waiting, self._waiting_size = [], 0
        self.gone()

    def _answer_poll(self) -> None:
        """Answer a poll that is waiting."""
        if self._poll is not None and not self._poll.done():
            self._poll.set_result(None)

    def _ping(self) -> None:
        self._send_packet(PING)
        self._later(PING_TIMEOUT, self._lapsed)

    def _lapsed(self) -> None:
        self.close(1001, "no answer to a ping")

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, what)


class EngineIoWebSocket(WebSocket):
    """A WebSocket that carries packets: of a connection of its own, or of one that began with polling."""

    def __init__(self, connection: EngineIoConnection, message_size: int, probing: bool) -> None:
        super().__init__(connection.admission, connection.address, False, message_size)
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
                connection.received(message, False)
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
