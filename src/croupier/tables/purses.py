"""Prices and purses: what a connection, an address, a table or all together may use.

A ``Purse`` is for what comes in again with time: turns of the event loop, messages, lines of chat, guesses at
passwords. ``Holdings`` are for what somebody keeps: connections, tables, seats, bots. Prices are named where they are
paid; what an operator may want to change is a setting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from math import inf

MOST_ADDRESSES = 10_000
"""That are remembered."""


class Purse:
    """So much at once, and then as much as has come in again.

    >>> purse = Purse(each=500, at_once=3)
    >>> [purse.pay(1, now=5_000) for _ in range(4)]
    [True, True, True, False]
    >>> purse.pay(1, now=5_500)
    True

    Some things are paid for when they are done, and then there may have been too little in it.

    >>> purse.charge(2, now=6_000)
    >>> purse.overdrawn(6_000), purse.overdrawn(6_500)
    (True, False)
    """

    __slots__ = ("_each", "_most", "_whole", "full_at")

    def __init__(self, each: float, at_once: float, debt: float = inf) -> None:
        """``each``: the time, in whatever the caller counts it, in which one comes in again. ``at_once``: what is there
        when it is full. ``debt``: what may be owed; what would be more is forgiven."""
        self._each = each
        self._whole = each * at_once
        self._most = each * (at_once + debt)
        self.full_at = 0.0
        """When it is full again, if nothing more is taken."""

    def holds(self, price: float, now: float) -> bool:
        return max(self.full_at - now, 0.0) + price * self._each <= self._whole

    def pay(self, price: float, now: float) -> bool:
        """Whether there was enough; if not, nothing is taken."""
        if self.holds(price, now):
            self.charge(price, now)
            return True
        return False

    def charge(self, price: float, now: float) -> None:
        # On the way of every message, and therefore without min and max.
        full_at, most = self.full_at, now + self._most
        full_at = (full_at if full_at > now else now) + price * self._each
        self.full_at = full_at if full_at < most else most

    def overdrawn(self, now: float) -> bool:
        return self.full_at - now > self._whole

    def exhausted(self, now: float) -> bool:
        """Whether as much is owed as can be."""
        return self.full_at >= now + self._most


class Purses:
    """One for each address, since connections cost nothing. They are remembered when nobody is there, or it would help
    to hang up and come again.

    >>> purses = Purses(lambda address: Purse(each=1, at_once=1))
    >>> purses.of("here").charge(1, now=0)
    >>> purses.of("here").holds(1, now=0), purses.of("there").holds(1, now=0)
    (False, True)
    """

    def __init__(self, make: Callable[[str], Purse]) -> None:
        self._make = make
        self._purses: dict[str, Purse] = {}

    def of(self, address: str) -> Purse:
        purse = self._purses.pop(address, None) or self._make(address)
        self._purses[address] = purse  # last come, last forgotten
        if len(self._purses) > MOST_ADDRESSES:
            del self._purses[next(iter(self._purses))]
        return purse


class Holdings:
    """How many of something are kept by each address, and by what: rooms, connections.

    >>> bots = Holdings(most=5)
    >>> bots.enter("a table", {"here": 4})
    >>> bots.full("here"), bots.full("here", more=2), bots.full("there", more=5)
    (False, True, False)
    >>> bots.enter("a table", ())
    >>> bots.full("here", more=5)
    False
    """

    def __init__(self, most: int) -> None:
        """``most``: for each address; 0: no limit."""
        self._most = most
        self._held: Counter[str] = Counter()
        self._by_keeper: dict[Hashable, tuple[tuple[str, int], ...]] = {}
        """Pairs, since a counter weighs three times as much, and every connection has one."""

    def full(self, address: str, more: int = 1) -> bool:
        """Whether so many more would be too many."""
        return 0 < self._most < self._held[address] + more

    def enter(self, keeper: Hashable, addresses: Iterable[str] | Mapping[str, int]) -> None:
        """These have something there from now on, each as many as it is there; nobody else does."""
        before, now = self._by_keeper.pop(keeper, ()), Counter(addresses)
        kept = tuple(now.items())
        if kept:
            self._by_keeper[keeper] = kept
        if before != kept:
            self._held.update(now)
            for address, count in before:
                self._held[address] -= count
                if not self._held[address]:
                    del self._held[address]
