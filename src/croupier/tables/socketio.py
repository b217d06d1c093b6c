"""Socket.IO packets (protocol 5), for dialects that speak it: what travels inside Engine.IO's messages.

Text only: a packet with binary attachments is not understood.

>>> read(b'212["playCard",60]')
Packet(kind='2', namespace='/', ack=12, data=['playCard', 60])
>>> event("update", {"turn": 3})
b'2["update",{"turn":3}]'
>>> event("wellConnected")
b'2["wellConnected"]'
>>> acknowledgement(12, {"ok": True})
b'312[{"ok":true}]'
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

CONNECT, DISCONNECT, EVENT, ACK, CONNECT_ERROR = "01234"

_PACKET = re.compile(rb"([0-4])(?:(/[^,]*),)?(\d{1,15})?", re.DOTALL)
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


def read(message: bytes) -> Packet:
    found = _PACKET.match(message)
    if found is None:
        raise Malformed(f"no packet: {message[:20]!r}")
    kind, namespace, ack = found.groups()
    rest = message[found.end() :]
    try:
        data = _decode(rest) if rest else None
        return Packet(kind.decode(), (namespace or b"/").decode(), None if ack is None else int(ack), data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(str(error)) from None


def connected(id: str) -> bytes:
    return b"0" + _encode({"sid": id})


def connect_error(namespace: str, message: str) -> bytes:
    return f"4{namespace},".encode() + _encode({"message": message})


def event(name: str, *arguments: Any) -> bytes:
    return b"2" + _encode([name, *arguments])


def acknowledgement(ack: int, *arguments: Any) -> bytes:
    return f"3{ack}".encode() + _encode(arguments)
