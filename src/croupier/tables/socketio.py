"""Socket.IO (protocol 5), for dialects that speak it: packets, and a conversation on the default namespace.

>>> read(b'212["playCard",60]')
Packet(kind='2', namespace='/', ack=12, data=b'["playCard",60]', attachments=0)
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
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

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
LONGEST_EVENT = 65536
"""Bytes. What is longer makes no sense to anybody; only to find out whether it is JSON would take ten milliseconds."""
LONGEST_ARGUMENT = 4096
"""Bytes. What is longer is not looked into: no event has that much to say, and objects are dear to make."""

_PACKET = re.compile(rb"([0-6])(?:(\d{1,3})-)?(?:(/[^,]*),?)?(\d{1,15})?", re.DOTALL)
_NAME = re.compile(rb'\s*+\[\s*+("[^"\\]*+(?:\\.[^"\\]*+)*+"|-?\d{1,20})\s*+([,\]])', re.DOTALL)
_NOTHING = msgspec.Raw(b"null")
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
_skip = msgspec.json.Decoder(msgspec.Raw).decode


T = TypeVar("T")


class Malformed(Exception):
    """Not a packet."""


class Packet(NamedTuple):
    kind: str
    namespace: str
    ack: int | None
    """The number under which the sender wants an answer."""
    data: bytes
    """JSON that nobody has looked at; empty when there is none."""
    attachments: int = 0
    """How many binary messages follow, which belong into it."""


def read(message: bytes) -> Packet:
    found = _PACKET.match(message)
    if found is None:
        raise Malformed(f"no packet: {message[:20]!r}")
    kind, attachments, namespace, ack = found.groups()
    try:
        return Packet(
            kind.decode(),
            (namespace or b"/").decode().partition("?")[0],
            None if ack is None else int(ack),
            message[found.end() :],
            0 if attachments is None else int(attachments),
        )
    except ValueError as error:
        raise Malformed(str(error)) from None


class Event(msgspec.Struct, array_like=True):
    """A name and an argument; what follows is passed over."""

    name: msgspec.Raw
    argument: msgspec.Raw = _NOTHING


_decode_event = msgspec.json.Decoder(Event).decode


def called(data: bytes) -> tuple[str, Any]:
    """The name of an event and its first argument: bytes if that is too long to be looked into."""
    try:
        if len(data) > LONGEST_EVENT:
            return _long(data)
        try:
            event = _decode_event(data)
            name, raw = _json(event.name), bytes(event.argument)
            argument = _json(raw) if len(raw) <= LONGEST_ARGUMENT else raw
        except msgspec.ValidationError:
            raise Malformed("an event is a name and its arguments") from None
        except msgspec.DecodeError:
            found = _json(data)  # half a surrogate pair, in what is passed over
            if type(found) is not list or not found:
                raise Malformed("an event is a name and its arguments") from None
            name, argument = found[0], found[1] if len(found) > 1 else None
    except (ValueError, RecursionError, msgspec.DecodeError) as error:
        raise Malformed(str(error)) from None
    if type(name) is not str and type(name) is not int:
        raise Malformed("an event has a name")
    return str(name), argument


def _long(data: bytes) -> tuple[str, Any]:
    found = _NAME.match(data)
    if found is None:
        raise Malformed("an event is a name and its arguments")
    return str(_json(found[1])), data if found[2] == b"," else None


def _json(text: bytes | msgspec.Raw) -> Any:
    try:
        return _decode(text)
    except msgspec.DecodeError:
        # Some of what JavaScript calls JSON is not understood above: half a surrogate pair, numbers without end.
        if len(text) > LONGEST_ARGUMENT:
            raise
        return json.loads(bytes(text).decode(), parse_int=_integer, parse_constant=_no_constant)


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
            return self.entered(self._auth(packet.data))
        if packet.namespace != NAMESPACE or not self._connected:
            raise Hangup(PROTOCOL_ERROR, "not connected")
        if packet.kind in (EVENT, BINARY_EVENT):
            return self._event(packet)
        if packet.kind == DISCONNECT:
            self._connected = False
            return self.left()
        if packet.kind in (ACK, BINARY_ACK):  # nothing that is sent asks for one
            _readable(_skip, packet.data)
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

    def _auth(self, data: bytes) -> Any:
        return _readable(_json, data) if 0 < len(data) <= LONGEST_ARGUMENT else None

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
    except (Malformed, ValueError, RecursionError, msgspec.DecodeError) as error:
        raise Hangup(PROTOCOL_ERROR, str(error)) from None
