"""Which connections there are, by whatever transport; which are admitted, and how much they may use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from math import inf

import msgspec

from croupier.net import origins
from croupier.net.addresses import Proxies, counted_as
from croupier.net.heartbeat import Heartbeat
from croupier.net.inbox import ADDRESS_BURST, ADDRESS_SHARE, REQUESTS_BURST, REQUESTS_SHARE
from croupier.net.slow_readers import Backlog
from croupier.tables.dialect import Hangup
from croupier.tables.endpoint import Endpoint
from croupier.tables.house import House
from croupier.tables.persons import BANNED
from croupier.tables.purses import Holdings, Purse, Purses
from croupier.tables.session import Session
from croupier.tables.turns import share_of_the_loop

POLICY_VIOLATION = 1008
BIGGEST = 1 << 24
"""Bytes that no endpoint takes for one message."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What connections may do."""

    message_size: int = 65536
    """In bytes; a longer message closes the connection with 1009. An endpoint may have a limit of its own."""
    outbox_size: int = 1024 * 1024
    """In bytes, not yet taken by the other side; a reader that falls further behind is cut off."""
    backlog_size: int = 16 * 1024 * 1024
    """The same for everybody together, and for messages that are only half here; beyond that whoever has most of it is
    cut off."""
    connections: int = 20000
    """All together; further ones are rejected with 503."""
    connections_per_address: int = 5000
    """0: no limit."""
    messages_per_second: float = 50.0
    """On average, where the dialect has no limit of its own; 0: no limit. The burst is four times as much."""
    request_seconds: float = 30.0
    """For an HTTP request to arrive, the first or the next on a connection; and for its answer to be taken by somebody
    who is slow to read."""
    ping_every: float = 20.0
    """Seconds of silence after which the other side is asked for a sign of life; it has as long again to answer."""


class Rejected(Exception):
    """A connection is not admitted: the answer in HTTP."""

    def __init__(self, status: HTTPStatus, body: bytes | None = None) -> None:
        super().__init__(status.phrase)
        self.status = status
        self.body = status.phrase.encode() if body is None else body


class Admission:
    """Admits connections, counts them for each address, and closes them when the server is."""

    def __init__(self, house: House, limits: Limits, origins: frozenset[str], proxies: Proxies | None = None) -> None:
        self.house = house
        self.limits = limits
        self.proxies = proxies or Proxies()
        self._origins = origins
        """Sites whose pages may connect, besides the server's own."""
        self.connections: set[Session] = set()
        self.unread = Backlog(limits.outbox_size, limits.backlog_size)
        self.unfinished = Backlog(BIGGEST, limits.backlog_size)
        self.purses = Purses(partial(self._purse, ADDRESS_SHARE, ADDRESS_BURST))
        """The time of the event loop that addresses may use."""
        self.request_purses = Purses(partial(self._purse, REQUESTS_SHARE, REQUESTS_BURST))
        """The same for HTTP requests and handshakes, of which nobody needs many; no protocol promises that they are
        served before or after anything else."""
        self.heartbeat = Heartbeat(limits.ping_every)
        """Of connections whose protocol has no pings of its own."""
        self._per_address = Holdings(limits.connections_per_address)
        house.persons.bans.changed.append(self._put_out)

    def _put_out(self) -> None:
        """Whoever is banned is to go, and those who are here have left."""
        bans, now = self.house.persons.bans, self.house.now()
        for connection in list(self.connections):
            person = connection.person or (connection.place.person if connection.place is not None else "")
            if bans.of_address(connection.address, now) is not None or (
                person and bans.of_person(person, now) is not None
            ):
                connection.put_out = True
                connection.end(Hangup(POLICY_VIOLATION, BANNED))

    def address(self, peer: str, headers: Mapping[str, str]) -> str:
        """The address by which limits count a request from there."""
        found = self.proxies.client(peer, headers)
        return found if self.proxies.trusts(found) else counted_as(found)

    def _purse(self, share: float, burst: float, address: str) -> Purse:
        """A proxy connects for everybody behind it."""
        return share_of_the_loop(1, inf) if self.proxies.trusts(address) else share_of_the_loop(share, burst)

    def check_origin(self, headers: Mapping[str, str], secure: bool, endpoint: Endpoint) -> None:
        """Whether the page behind a request may connect. Programs that are no browsers send no origin."""
        if not endpoint.checks_origin or origins.ANY in self._origins:
            return
        if not (self.trusts_cookies(headers, secure) or headers.get("origin") in endpoint.origins):
            raise Rejected(HTTPStatus.FORBIDDEN)

    def trusts_cookies(self, headers: Mapping[str, str], secure: bool) -> bool:
        """Whether a request comes from no page, or from one to whose requests the browser's cookies belong: our own, or
        of a site that the server was told of by its name. That all may connect does not make them all our own."""
        return origins.own(headers, secure) or headers.get("origin") in self._origins

    def check(self, address: str) -> None:
        """Whether another connection from there is admitted. Raises ``Rejected``."""
        if self.house.persons.bans.of_address(address, self.house.now()) is not None:
            raise Rejected(HTTPStatus.FORBIDDEN, BANNED.encode())
        if len(self.connections) >= self.limits.connections or self._per_address.full(address):
            raise Rejected(HTTPStatus.SERVICE_UNAVAILABLE)

    def close_all(self) -> None:
        """Tell everybody to come back in a moment."""
        for connection in list(self.connections):
            connection.close(connection.dialect.restart, "the server is going down; come back in a moment")

    def add(self, connection: Session) -> None:
        self.connections.add(connection)
        self._per_address.enter(connection, (connection.address,))

    def remove(self, connection: Session) -> None:
        self.connections.discard(connection)
        self._per_address.enter(connection, ())
