"""Turns: the event loop, shared out.

Everything happens on one loop, so that what is done for one is waited for by all. Who asks for little is served at
once. All who have used more than a share of the loop have a part of it together, in small slices: as long as there is
something left of that they are served at once, too; the rest waits in a queue, in which who has used least goes first.
Where nobody else is there, they may use all of it. Nothing is refused.
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

from croupier.tables import error_log
from croupier.tables.purses import Purse

T = TypeVar("T")

SLICE = 0.0005
"""Seconds of one turn of the loop for all who have used their share."""
ALONE = 0.005
"""The same where nobody else is there."""
PART = 1 / 3
"""Of the loop's time that they have together, while there is anybody within their share."""
PAUSE = 0.001
"""Seconds without them, at least, after a slice that was too short."""
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
        self._waiting: list[tuple[float, int, Purse, Work, Purse | None]] = []
        """A heap: who has used least first, and of those who came first."""
        self._numbers = count()
        self._part = share_of_the_loop(PART, SLICE)
        """Of all who have used their share."""
        self._next: asyncio.Handle | None = None
        """The next slice, if one is to come."""
        self._pausing = False
        """Whether it comes after a pause."""
        self._used = 0.0
        """Seconds of the present slice."""
        self._set_going = False
        """Whether something was set going in it whose price is not known yet."""
        self.served_at = 0.0
        """When somebody was last served who was within their share, and so was their address."""
        self.served_for: Purse | None = None
        """Their address, if they have one."""

    @property
    def waiting(self) -> int:
        """How many pieces of work wait for their turn."""
        return len(self._waiting)

    def spare(self, now: float, address: Purse | None = None) -> bool:
        """Whether there is something left for those who have used their share, and nobody who waits for it."""
        if self._used >= ALONE or self._waiting:
            return False
        return not ((self._used >= SLICE or self._part.overdrawn(now)) and self._others(now, address))

    def spend(self, seconds: float, now: float) -> None:
        """So much of it was used at once."""
        self._used += seconds
        self._part.charge(seconds, now)
        self._come()

    def serve(self, purse: Purse, work: Work) -> None:
        """Do this, at once if whoever pays for it can; what can't be done at once in its turn."""
        begun = monotonic()
        overdrawn = purse.overdrawn(begun)
        if overdrawn and not self.spare(begun):
            self.queue(purse, work)
            return
        more = self._piece(begun, purse, work)
        if overdrawn:
            self.spend(monotonic() - begun, begun)
        if more:
            self.queue(purse, work)

    def turn(self, purse: Purse) -> asyncio.Future[bool]:
        """True when it is the turn of whoever pays for what is done then (see ``metered``). Who does not want it any
        more says so by setting it to False."""
        come: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if purse.overdrawn(monotonic()):
            self.queue(purse, partial(self._set_off, come))
        else:
            come.set_result(True)
        return come

    def _set_off(self, come: asyncio.Future[bool]) -> bool:
        if not come.done():
            come.set_result(True)
            self._set_going = True
        return False

    @coroutine
    def metered(self, purse: Purse, work: Awaitable[T]) -> Generator[Any, Any, T]:
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
                took = monotonic() - begun
                if purse.overdrawn(begun):
                    self._part.charge(took, begun)
                purse.charge(took, begun)
            try:
                step, given = steps.send, (yield awaited)
            except BaseException as thrown:
                step, given = steps.throw, thrown

    def queue(self, purse: Purse, work: Work, address: Purse | None = None) -> None:
        """Do this piece by piece, each in its turn. ``address``: the purse of all who come from there, if ``purse`` is
        that of one of them."""
        now = monotonic()
        self._push(now, purse, work, address)
        if not (self._pausing and self._patient(purse, address, now)):
            self._come()

    def _push(self, now: float, purse: Purse, work: Work, address: Purse | None) -> None:
        # Those of an address that has used its share are in the order in which they came, whoever of them used it.
        payer = address if address is not None and address.overdrawn(now) else purse
        used = payer.full_at if payer.overdrawn(now) else 0.0  # or newcomers would always be first
        heapq.heappush(self._waiting, (used, next(self._numbers), purse, work, address))

    def _patient(self, purse: Purse, address: Purse | None, now: float) -> bool:
        """Whether it is for the part of those who have used their share: they or all from their address have."""
        overdrawn = purse.overdrawn(now) or (address is not None and address.overdrawn(now))
        return overdrawn and self._others(now, address)

    def _others(self, now: float, address: Purse | None) -> bool:
        """Whether anybody is there, from another address, who has not used their share. Who has may use the whole loop
        otherwise: whoever plays quickly at several seats is not to see one of them fall behind."""
        return now - self.served_at <= LATELY and (address is None or address is not self.served_for)

    def _come(self, wait: float = 0.0) -> None:
        """Have the next slice, soon or after a pause."""
        if self._next is not None:
            if wait or not self._pausing:
                return
            self._next.cancel()
        loop = asyncio.get_running_loop()
        self._next = loop.call_later(wait, self._slice) if wait else loop.call_soon(self._slice)
        self._pausing = wait > 0

    def _slice(self) -> None:
        waiting, part, now = self._waiting, self._part, monotonic()
        self._next, self._pausing = None, False
        self._used, self._set_going = 0.0, False
        end = now + (SLICE if waiting and self._others(now, waiting[0][4]) else ALONE)
        while waiting and now < end and not self._set_going:
            _, _, purse, work, address = waiting[0]
            patient = self._patient(purse, address, now)
            if patient and part.overdrawn(now):
                break
            heapq.heappop(waiting)
            if not (purse.overdrawn(now) or (address is not None and address.overdrawn(now))):
                self.served_at, self.served_for = now, address
            more = self._piece(now, purse, work)
            begun, now = now, monotonic()
            if patient:
                part.charge(now - begun, begun)
            if more:
                self._push(now, purse, work, address)
        if waiting:
            _, _, purse, _, address = waiting[0]
            self._come(max(PAUSE, part.full_at - now) if self._patient(purse, address, now) else 0.0)

    @staticmethod
    def _piece(begun: float, purse: Purse, work: Work) -> bool:
        try:
            more = work()
        except Exception:
            error_log.report("server", "what waited for its turn has failed")
            more = False
        purse.charge(monotonic() - begun, begun)
        return more


BOTS_SHARE, BOTS_AT_ONCE = 0.05, 0.01
"""Of the event loop's time, and seconds of it at once: so much the tables of one address may use for what happens there
by itself, most of all for bots. What is more waits for its turn, and nobody waits for it."""


def bots_purse() -> Purse:
    return share_of_the_loop(BOTS_SHARE, BOTS_AT_ONCE)
