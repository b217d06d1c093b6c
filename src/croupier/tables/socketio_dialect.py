"""For dialects that are spoken over Socket.IO: a conversation on the default namespace."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from croupier.tables.dialect import Dialect, Hangup, Message
from croupier.tables.intents import Intent
from croupier.wire.socketio import (
    ACK,
    BINARY_ACK,
    BINARY_EVENT,
    CONNECT,
    DISCONNECT,
    EVENT,
    NAMESPACE,
    Malformed,
    Packet,
    auth,
    called,
    check,
    connect_error,
    read,
)

PROTOCOL_ERROR = 1002
MOST_ATTACHMENTS = 10

T = TypeVar("T")


class SocketIoDialect(Dialect):
    """A dialect of events on the default namespace. What breaks the protocol ends the connection, as in Socket.IO."""

    def __init__(self) -> None:
        self._connected = False
        """Whether the client is in the namespace, and not only on the line."""
        self._unfinished: Packet | None = None
        """An event whose attachments are on the way."""
        self._attachments: list[bytes] = []

    # For the dialect that is spoken

    def entered(self, auth: Any) -> Iterable[Intent | Message]:
        """The client has come into the namespace. The first thing to say is ``connected``."""
        raise NotImplementedError

    def left(self) -> Iterable[Intent | Message]:
        """The client has gone out of the namespace, and may come back on the same line."""
        raise NotImplementedError

    def heard(self, name: str, argument: Any, ack: int | None) -> Iterable[Intent | Message]:
        """An event. A binary argument is bytes, and so is one that is too long for anybody to look into."""
        raise NotImplementedError

    # The conversation

    def receive(self, message: Message, text: bool) -> Iterable[Intent | Message]:
        packet = self._packet(message, text)
        if packet is None:
            return ()
        if packet.kind == CONNECT:
            if packet.namespace != NAMESPACE:
                return (connect_error(packet.namespace, "Invalid namespace"),)
            if self._connected:
                raise Hangup(PROTOCOL_ERROR, "connected already")
            self._connected = True
            return self.entered(_readable(auth, packet.data))
        if packet.namespace != NAMESPACE or not self._connected:
            raise Hangup(PROTOCOL_ERROR, "not connected")
        if packet.kind in (EVENT, BINARY_EVENT):
            return self._event(packet)
        if packet.kind == DISCONNECT:
            self._connected = False
            return self.left()
        if packet.kind in (ACK, BINARY_ACK):  # nothing that is sent asks for one
            _readable(check, packet.data)
            return ()
        raise Hangup(PROTOCOL_ERROR, "not for a client to say")

    def _packet(self, message: Message, text: bool) -> Packet | None:
        """The next packet, when its attachments are here too; None when there is more to come."""
        unfinished = self._unfinished
        if text != (unfinished is None):
            raise Hangup(PROTOCOL_ERROR, "attachments and packets are mixed up")
        if unfinished is None:
            packet = _readable(read, message)
            if packet.attachments > MOST_ATTACHMENTS or (packet.attachments and packet.kind < BINARY_EVENT):
                raise Hangup(PROTOCOL_ERROR, "attachments are out of place")
            self._attachments = []
            if not packet.attachments:
                return packet
            self._unfinished = packet
            return None
        self._attachments.append(message)
        if len(self._attachments) < unfinished.attachments:
            return None
        self._unfinished = None
        return unfinished

    def _event(self, packet: Packet) -> Iterable[Intent | Message]:
        name, argument = _readable(called, packet.data)
        if type(argument) is dict and argument.get("_placeholder") is True and packet.kind == BINARY_EVENT:
            number, attachments = argument.get("num"), self._attachments
            if type(number) is not int or not 0 <= number < len(attachments):
                raise Hangup(PROTOCOL_ERROR, "no such attachment")
            argument = attachments[number]
        return self.heard(name, argument, packet.ack)


def _readable(reading: Callable[[bytes], T], message: bytes) -> T:
    try:
        return reading(message)
    except Malformed as error:
        raise Hangup(PROTOCOL_ERROR, str(error)) from None
