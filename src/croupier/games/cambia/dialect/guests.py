"""Guests: people whom the protocol knows again without anybody keeping a list of them.

A guest is an id and a name. What proves it is a token, which is both of them with the server's signature; so nothing
has to be stored but the server's secret, and a token is good as long as that is kept.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import NamedTuple
from uuid import UUID

import msgspec

from croupier.tables import keys


class Guest(NamedTuple):
    id: str
    """A random UUID; everybody may know it."""
    name: str
    token: str
    """Only the guest may know it."""


class Guests:
    """
    >>> guests = Guests(bytes(32))
    >>> ann = guests.new("Ann")
    >>> guests.known(ann.token) == ann, guests.known(ann.token[:-1]), guests.known("")
    (True, None, None)
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def new(self, name: str) -> Guest:
        return self._signed(str(UUID(bytes=keys.new_seed()[:16], version=4)), name)

    def known(self, token: str) -> Guest | None:
        """Whose token it is; None when it was not made here."""
        try:
            id, name = msgspec.json.decode(base64.urlsafe_b64decode(token.partition(".")[0]), type=tuple[str, str])
        except (ValueError, msgspec.DecodeError):
            return None
        guest = self._signed(id, name)
        return guest if hmac.compare_digest(guest.token.encode(), token.encode()) else None

    def _signed(self, id: str, name: str) -> Guest:
        content = base64.urlsafe_b64encode(msgspec.json.encode((id, name))).decode()
        signature = hmac.new(self._secret, content.encode(), hashlib.sha256).hexdigest()
        return Guest(id, name, f"{content}.{signature}")
