"""The packets of Socket.IO (protocol 5).

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
from typing import Any, NamedTuple

import msgspec

CONNECT, DISCONNECT, EVENT, ACK, CONNECT_ERROR, BINARY_EVENT, BINARY_ACK = "0123456"
NAMESPACE = "/"
DISCONNECTED = b"1"

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


def auth(data: bytes) -> Any:
    """What somebody shows who connects; None: nothing, or too much to be looked into. Raises ``Malformed``."""
    try:
        return _json(data) if 0 < len(data) <= LONGEST_ARGUMENT else None
    except (ValueError, RecursionError, msgspec.DecodeError) as error:
        raise Malformed(str(error)) from None


def check(data: bytes) -> None:
    """Whether it is JSON, whatever it says. Raises ``Malformed``."""
    try:
        _skip(data)
    except (ValueError, RecursionError, msgspec.DecodeError) as error:
        raise Malformed(str(error)) from None


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
