"""Turns: the event loop, shared out.

Everything happens on one loop, so that what is done for one is waited for by all. Who asks for little is served at
once. All who have used more than a share of the loop have one small slice of each of its turns together: as long as
that lasts they are served at once, too; the rest waits in a queue, in which who has used least goes first. While there
are others, the loop pauses after a slice that was too short, so that whoever comes finds it idle. Nothing is refused.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Generator
from functools import partial
from itertools import count
from time import monotonic
from types import coroutine
from typing import Any, TypeVar

from croupier.tables import troubles
from croupier.tables.purses import Purse

T = TypeVar("T")

SLICE = 0.0005
"""Seconds of each turn of the loop for all who have used their share."""
PAUSE = 0.001
"""Seconds between two such slices, while there is anybody within their share."""
LATELY = 0.1
"""Seconds after which somebody is not there any more who has asked for nothing."""
MEMORY = 1.0
"""Seconds after which it is forgotten how much more somebody has used."""


def share_of_the_loop(share: float, burst: float) -> Purse:
    """A purse of the loop's time, on average so much of it; ``burst``: seconds that may be used at once."""
    return Purse(1 / share, burst, share * MEMORY)


Work = Callable[[], bool]
"""Does a piece of something, and tells whether there is more of it."""


class Turns:
    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, Purse, Work, float, Purse | None]] = []
        """A heap: who has used least first, and of those who came first."""
        self._numbers = count()
        self._next: asyncio.Handle | None = None
        """The next slice, if one is to come."""
        self._pausing = False
        """Whether it comes after a pause."""
        self._used = 0.0
        """Seconds of the present slice."""
        self.served_at = 0.0
        """When somebody was last served who was within their share."""
        self.served_for: Purse | None = None
        """Their address, if they have one."""

    @property
    def spare(self) -> bool:
        """Whether there is something left of the slice, and nobody who waits for it."""
        return self._used < SLICE and not self._waiting

    def spend(self, seconds: float) -> None:
        """So much of the slice was used at once."""
        self._used += seconds
        self._come(soon=True)

    def serve(self, purse: Purse, work: Work) -> None:
        """Do this, at once if whoever pays for it can; what can't be done at once in its turn."""
        begun = monotonic()
        overdrawn = purse.overdrawn(begun)
        if overdrawn and not self.spare:
            self.queue(purse, work)
            return
        more = self._piece(begun, purse, work)
        if overdrawn:
            self.spend(monotonic() - begun)
        if more:
            self.queue(purse, work)

    async def turn(self, purse: Purse, price: float) -> None:
        """Return when it is the turn of whoever pays for what is done then (see ``metered``), and takes about that many
        seconds."""
        if purse.overdrawn(monotonic()):
            come = asyncio.get_running_loop().create_future()
            self.queue(purse, partial(_come, come), price)
            await come

    def queue(self, purse: Purse, work: Work, price: float = 0.0, address: Purse | None = None) -> None:
        """Do this piece by piece, each in its turn. ``price``: seconds of the slice that go to what a piece sets going.
        ``address``: the purse of all who come from there, if it is not that of one of them that is meant."""
        heapq.heappush(self._waiting, (purse.full_at, next(self._numbers), purse, work, price, address))
        if not (self._pausing and self._patient(purse, address, monotonic())):
            self._come(soon=True)

    def _patient(self, purse: Purse, address: Purse | None, now: float) -> bool:
        """Whether there has to be a pause before it is their turn again: they have used their share, and others are
        there; or all from their address have, and there are others elsewhere."""
        if not self._others(now):
            return False
        if purse.overdrawn(now):
            return True
        return address is not None and address is not self.served_for and address.overdrawn(now)

    def _others(self, now: float) -> bool:
        """Whether anybody is there who has not used their share. Those who have may use the whole loop otherwise."""
        return now - self.served_at <= LATELY

    def _come(self, soon: bool) -> None:
        """Have the next slice, soon or after a pause."""
        if self._next is not None:
            if not (soon and self._pausing):
                return
            self._next.cancel()
        loop = asyncio.get_running_loop()
        self._next = loop.call_soon(self._slice) if soon else loop.call_later(PAUSE, self._slice)
        self._pausing = not soon

    def _slice(self) -> None:
        waiting, now = self._waiting, monotonic()
        self._next, self._pausing = None, False
        self._used = 0.0
        end = now + SLICE
        while waiting and now < end:
            _, _, purse, work, price, address = heapq.heappop(waiting)
            if not (purse.overdrawn(now) or (address is not None and address.overdrawn(now))):
                self.served_at, self.served_for = now, address
            if self._piece(now, purse, work):
                heapq.heappush(waiting, (purse.full_at, next(self._numbers), purse, work, price, address))
            now = monotonic()
            end -= price
        if waiting:
            _, _, purse, _, _, address = waiting[0]
            self._come(soon=not self._patient(purse, address, now))

    @staticmethod
    def _piece(begun: float, purse: Purse, work: Work) -> bool:
        try:
            more = work()
        except Exception:
            troubles.report("server", "what waited for its turn has failed")
            more = False
        purse.charge(monotonic() - begun, begun)
        return more


@coroutine
def metered(purse: Purse, work: Awaitable[T]) -> Generator[Any, Any, T]:
    """Await this; the purse pays for what it takes of the loop, and not for what it waits."""
    steps = work.__await__()
    step: Callable[[Any], Any] = steps.send
    given: Any = None
    while True:
        begun = monotonic()
        try:
            awaited = step(given)
        except StopIteration as done:
            result: T = done.value
            return result
        finally:
            purse.charge(monotonic() - begun, begun)
        try:
            step, given = steps.send, (yield awaited)
        except BaseException as thrown:
            step, given = steps.throw, thrown


def _come(future: asyncio.Future[None]) -> bool:
    if not future.done():  # who has gone meanwhile does not come
        future.set_result(None)
    return False
