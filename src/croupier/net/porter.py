"""Who is connected, whoever they are and by whatever transport; who may come in, and how much they may ask for."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from math import inf
from time import monotonic

import msgspec

from croupier.net import origins
from croupier.net.addresses import Proxies, household
from croupier.net.backlog import Backlog
from croupier.net.inbox import ADDRESS_BURST, ADDRESS_SHARE, REQUESTS_BURST, REQUESTS_SHARE
from croupier.tables.dialect import Dialect, Endpoint, Message, Pace
from croupier.tables.house import House
from croupier.tables.purses import Holdings, Purse, Purses
from croupier.tables.session import Session
from croupier.tables.timekeeping import Time, ms
from croupier.tables.turns import share_of_the_loop

POLICY = 1008
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
    """All together; further ones are turned away with 503."""
    connections_per_address: int = 5000
    """0: no limit."""
    messages_per_second: float = 50.0
    """On average, where the dialect has no limit of its own; 0: no limit. The burst is four times as much."""
    request_seconds: float = 30.0
    """For an HTTP request to arrive, the first or the next on a connection; and for its answer to be taken by somebody
    who is slow to read."""
    ping_every: float = 20.0
    """Seconds of silence after which the other side is asked for a sign of life; it has as long again to answer."""


class Speed:
    """Whether somebody keeps to the pace of a protocol."""

    __slots__ = ("_heard", "_pace", "_refused", "_time")

    def __init__(self, pace: Pace, time: Time) -> None:
        self._pace = pace
        self._time = time
        self._heard: deque[int] = deque(maxlen=pace.messages)
        self._refused: deque[int] = deque(maxlen=pace.refusals)

    def wait(self) -> int:
        """A message has come: 0 when it is in time, else how many milliseconds too early."""
        now, heard = self._time.now(), self._heard
        wait = heard[0] + ms(self._pace.seconds) - now if len(heard) == self._pace.messages else 0
        if wait <= 0:
            heard.append(now)
        return max(0, wait)

    def complain(self) -> bool:
        """Whether it is time to say so: every time, or once in a while, as the protocol has it."""
        now, refused = self._time.now(), self._refused
        if self._pace.once and refused and now - refused[-1] < ms(self._pace.seconds):
            return False
        refused.append(now)
        return True

    @property
    def lost(self) -> bool:
        """Whether there is no hope left."""
        refused = self._refused
        return len(refused) == self._pace.refusals and refused[-1] - refused[0] < ms(self._pace.within)


class Guest(Session):
    """Somebody's connection, as the house sees it, whatever it is made of; one of those that the porter counts."""

    def __init__(self, porter: Porter, dialect: Dialect, address: str) -> None:
        super().__init__(dialect)
        self.porter = porter
        self.house = porter.house
        self.address = address
        self._speed = None if dialect.pace is None else Speed(dialect.pace, porter.house.time)
        rate = porter.limits.messages_per_second if dialect.rate is None else dialect.rate
        self._tolerated = dialect.rate is not None
        """Whether the protocol says how many messages there may be; then nobody is cut off for more."""
        self._messages: Purse | None = None
        self._complaints: Purse | None = None
        if self._speed is None and rate > 0:
            self._messages = Purse(1 / rate, rate if self._tolerated else 4 * rate, 40 * rate)
            self._complaints = Purse(1, at_once=1)

    def hear(self, message: Message, text: bool) -> None:
        """A message has come in."""
        messages = self._messages
        if messages is not None and not messages.pay(1, now := monotonic()):
            self._too_many(message, text, now)
        elif self._speed is not None and (wait := self._speed.wait()):
            if self._speed.complain():
                self._complain(message, text, wait)
        else:
            self.house.receive(self, message, text)

    def _too_many(self, message: Message, text: bool, now: float) -> None:
        assert self._messages is not None and self._complaints is not None
        if not self._tolerated:
            self._messages.charge(1, now)
            if self._messages.exhausted(now):
                self.close(POLICY, "too many messages")
                return
        if self._complaints.pay(1, now):  # and not for every message
            self._complain(message, text, 1000)

    def _complain(self, message: Message, text: bool, wait: int) -> None:
        for complaint in self.dialect.slow_down(message, text, wait):
            self.send(complaint)
        if self._speed is not None and self._speed.lost:
            assert self.dialect.pace is not None
            self.end(self.dialect.pace.hangup)


class TurnedAway(Exception):
    """Somebody may not come in: an answer in HTTP."""

    def __init__(self, status: HTTPStatus, body: bytes | None = None) -> None:
        super().__init__(status.phrase)
        self.status = status
        self.body = status.phrase.encode() if body is None else body


class Porter:
    """Knows who is there, and who may come in."""

    def __init__(self, house: House, limits: Limits, origins: frozenset[str], proxies: Proxies | None = None) -> None:
        self.house = house
        self.limits = limits
        self.proxies = proxies or Proxies()
        self._origins = origins
        """Sites whose pages may connect, besides the server's own."""
        self.guests: set[Guest] = set()
        self.unread = Backlog(limits.outbox_size, limits.backlog_size)
        self.unfinished = Backlog(BIGGEST, limits.backlog_size)
        self.purses = Purses(partial(self._purse, ADDRESS_SHARE, ADDRESS_BURST))
        """The time of the event loop that addresses may use."""
        self.request_purses = Purses(partial(self._purse, REQUESTS_SHARE, REQUESTS_BURST))
        """The same for HTTP requests and handshakes, of which nobody needs many; no protocol promises that they are
        served before or after anything else."""
        self._connections = Holdings(limits.connections_per_address)

    def address(self, peer: str, headers: Mapping[str, str]) -> str:
        """Who it is that calls from there, as far as limits are concerned."""
        found = self.proxies.client(peer, headers)
        return found if self.proxies.trusts(found) else household(found)

    def _purse(self, share: float, burst: float, address: str) -> Purse:
        """A proxy calls for everybody behind it."""
        return share_of_the_loop(1, inf) if self.proxies.trusts(address) else share_of_the_loop(share, burst)

    def check_origin(self, headers: Mapping[str, str], secure: bool, endpoint: Endpoint) -> None:
        """Whether the page behind a request may connect. Programs that are no browsers send no origin."""
        if not endpoint.checks_origin or origins.ANY in self._origins:
            return
        if not (self.at_home(headers, secure) or headers.get("origin") in endpoint.origins):
            raise TurnedAway(HTTPStatus.FORBIDDEN)

    def at_home(self, headers: Mapping[str, str], secure: bool) -> bool:
        """Whether a request comes from no page, or from one to whose requests the visitor's cookies belong: our own, or
        of a site that the server was told of by its name. That all may connect does not make them all our own."""
        return origins.own(headers, secure) or headers.get("origin") in self._origins

    def check_room(self, address: str) -> None:
        if len(self.guests) >= self.limits.connections or self._connections.full(address):
            raise TurnedAway(HTTPStatus.SERVICE_UNAVAILABLE)

    def farewell(self) -> None:
        """Tell everybody to come back in a moment."""
        for guest in list(self.guests):
            guest.close(guest.dialect.restart, "the server is going down; come back in a moment")

    def came(self, guest: Guest) -> None:
        self.guests.add(guest)
        self._connections.enter(guest, (guest.address,))

    def went(self, guest: Guest) -> None:
        self.guests.discard(guest)
        self._connections.enter(guest, ())
