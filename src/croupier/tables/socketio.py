"""Socket.IO (protocol 5), for dialects that speak it: packets, and a conversation on the default namespace.

>>> read(b'212["playCard",60]')
Packet(kind='2', namespace='/', ack=12, data=['playCard', 60], attachments=0)
>>> event("update", {"turn": 3})
b'2["update",{"turn":3}]'
>>> event("wellConnected")
b'2["wellConnected"]'
>>> acknowledgement(12, {"ok": True})
b'312[{"ok":true}]'
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from croupier.tables.dialect import Dialect, Hangup, Message
from croupier.tables.intents import Intent

CONNECT, DISCONNECT, EVENT, ACK, CONNECT_ERROR, BINARY_EVENT, BINARY_ACK = "0123456"
NAMESPACE = "/"
DISCONNECTED = b"1"

PROTOCOL_ERROR = 1002
MOST_ATTACHMENTS = 10
LONGEST_NUMBER = 400
"""Digits; what is longer is infinite, as it is to those who wrote it."""

_PACKET = re.compile(rb"([0-6])(?:(\d{1,3})-)?(?:(/[^,]*),?)?(\d{1,15})?", re.DOTALL)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class Malformed(Exception):
    """Not a packet."""


class Packet(NamedTuple):
    kind: str
    namespace: str
    ack: int | None
    """The number under which the sender wants an answer."""
    data: Any
    """JSON; None when there is none."""
    attachments: int = 0
    """How many binary messages follow, which belong into it."""


def read(message: bytes) -> Packet:
    found = _PACKET.match(message)
    if found is None:
        raise Malformed(f"no packet: {message[:20]!r}")
    kind, attachments, namespace, ack = found.groups()
    rest = message[found.end() :]
    try:
        return Packet(
            kind.decode(),
            (namespace or b"/").decode().partition("?")[0],
            None if ack is None else int(ack),
            _json(rest) if rest else None,
            0 if attachments is None else int(attachments),
        )
    except (ValueError, RecursionError) as error:
        raise Malformed(str(error)) from None


def _json(text: bytes) -> Any:
    try:
        return _decode(text)
    except msgspec.DecodeError:
        # Some of what JavaScript calls JSON is not understood above: half a surrogate pair, numbers without end.
        return json.loads(text.decode(), parse_int=_integer, parse_constant=_no_constant)


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= LONGEST_NUMBER else math.inf


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def connected(id: str, **more: Any) -> bytes:
    return b"0" + _encode({"sid": id, **more})


def connect_error(namespace: str, message: str) -> bytes:
    return f"4{namespace},".encode() + _encode({"message": message})


def event(name: str, *arguments: Any) -> bytes:
    return b"2" + _encode([name, *arguments])


def acknowledgement(ack: int, *arguments: Any) -> bytes:
    return f"3{ack}".encode() + _encode(arguments)


class Conversation(Dialect):
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

    def heard(self, name: str, arguments: Sequence[Any], ack: int | None) -> Iterable[Intent | Message]:
        """An event. Binary arguments are bytes."""
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
            return self.entered(packet.data)
        if packet.namespace != NAMESPACE or not self._connected:
            raise Hangup(PROTOCOL_ERROR, "not connected")
        if packet.kind in (EVENT, BINARY_EVENT):
            return self._event(packet)
        if packet.kind == DISCONNECT:
            self._connected = False
            return self.left()
        if packet.kind in (ACK, BINARY_ACK):  # nothing that is sent asks for one
            return ()
        raise Hangup(PROTOCOL_ERROR, "not for a client to say")

    def _packet(self, message: Message, text: bool) -> Packet | None:
        """The next packet, attachments and all; None when there is more to come."""
        unfinished = self._unfinished
        if text != (unfinished is None):
            raise Hangup(PROTOCOL_ERROR, "attachments and packets are mixed up")
        if unfinished is None:
            try:
                packet = read(message)
            except Malformed as error:
                raise Hangup(PROTOCOL_ERROR, str(error)) from None
            if packet.attachments > MOST_ATTACHMENTS or (packet.attachments and packet.kind < BINARY_EVENT):
                raise Hangup(PROTOCOL_ERROR, "attachments are out of place")
            if not packet.attachments:
                return packet
            self._unfinished, self._attachments = packet, []
            return None
        self._attachments.append(message)
        if len(self._attachments) < unfinished.attachments:
            return None
        self._unfinished = None
        return unfinished._replace(data=_filled(unfinished.data, self._attachments))

    def _event(self, packet: Packet) -> Iterable[Intent | Message]:
        if type(packet.data) is not list or not packet.data:
            raise Hangup(PROTOCOL_ERROR, "an event is a name and its arguments")
        name, *arguments = packet.data
        if type(name) is not str and type(name) is not int:
            raise Hangup(PROTOCOL_ERROR, "an event has a name")
        return self.heard(str(name), arguments, packet.ack)


def _filled(data: Any, attachments: Sequence[bytes]) -> Any:
    """JSON with the attachments in their places."""
    if type(data) is list:
        return [_filled(item, attachments) for item in data]
    if type(data) is not dict:
        return data
    if data.get("_placeholder") is True:
        number = data.get("num")
        if type(number) is not int or not 0 <= number < len(attachments):
            raise Hangup(PROTOCOL_ERROR, "no such attachment")
        return attachments[number]
    return {key: _filled(value, attachments) for key, value in data.items()}
