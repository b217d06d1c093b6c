"""How the server and the processes beside it speak: messages over pipes, each with its length before it."""

from __future__ import annotations

import os

HEAD = 4
"""Bytes before each message, for its length."""


class Ended(Exception):
    """Nothing more will come."""


def framed(message: bytes) -> bytes:
    return len(message).to_bytes(HEAD, "big") + message


def received(pipe: int) -> bytes:
    """The next message. Not a byte more is read, or it could not be seen that there is more."""
    return _read(pipe, int.from_bytes(_read(pipe, HEAD), "big"))


def _read(pipe: int, size: int) -> bytes:
    found = b""
    while len(found) < size:
        some = os.read(pipe, size - len(found))
        if not some:
            raise Ended
        found += some
    return found
