"""What a connection has sent and nobody has looked at yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Any

from croupier.tables import error_log
from croupier.tables.purses import Purse
from croupier.tables.turns import Turns, Work, share_of_the_loop

READ_AT_ONCE = 1024
"""Bytes. All messages in them come at once, and are at least put aside."""
SHARE, BURST = 0.1, 0.001
"""Of the event loop's time, for one connection; what it asks for beyond that is done when it is its turn."""
ADDRESS_SHARE, ADDRESS_BURST = 0.2, 0.002
"""The same for all connections of one address."""
REQUESTS_SHARE, REQUESTS_BURST = 0.05, 0.002
"""And for all its HTTP requests and handshakes."""


class Inbox:
    """A connection whose messages are taken at once, or in their turn; those that wait stop the reading of more."""

    _rest: Work | None = None
    """What is left to do of the message before."""
    _paused = _parked = False
    """Whether the message before is not answered yet, and so long none is taken; and whether it has no turn."""
    _last: Callable[[], None] | None = None

    def __init__(self, turns: Turns, address: Purse) -> None:
        self._turns = turns
        self._address_purse = address
        self._purse = share_of_the_loop(SHARE, BURST)
        # Not the class's, as what is rare: Python reads those more slowly that got an attribute later than others.
        self._waiting: deque[tuple[Any, Any]] | None = None
        self._queued = False
        self._held = False
        """Whether no more is read, since several things wait."""

    def take(self, message: Any, kind: Any) -> None:
        """Do what a message asks for."""
        raise NotImplementedError

    def hold(self, on: bool) -> None:
        """Read nothing more for now; or go on."""
        raise NotImplementedError

    def arrived(self, message: Any, kind: Any) -> None:
        """A message has come in."""
        begun = monotonic()
        purse, address = self._purse, self._address_purse
        overdrawn = purse.overdrawn(begun) or address.overdrawn(begun)
        if self._queued or (overdrawn and not self._turns.spare(begun, address)):
            self._wait(message, kind)
            return
        self.take(message, kind)
        ended = monotonic()
        purse.charge(ended - begun, begun)
        address.charge(ended - begun, begun)
        if overdrawn:
            self._turns.spend(ended - begun, begun)
        else:
            self._turns.served_at, self._turns.served_for = begun, address

    def charge_reading(self, begun: float) -> None:
        """What was read since then has its price, whatever it was; beyond the share, more is read in its turn."""
        took = monotonic() - begun
        self._purse.charge(took, begun)
        self._address_purse.charge(took, begun)
        if self._purse.overdrawn(begun) or self._address_purse.overdrawn(begun):
            self._turns.spend(took, begun)
            self._hold()
            self._queue()

    def _wait(self, message: Any, kind: Any) -> None:
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append((message, kind))
        if self._queued:
            self._hold()  # for the first one it would take longer than the message
        self._queue()

    def _hold(self) -> None:
        if not self._held:
            self._held = True
            self.hold(True)

    def go_on(self, work: Work) -> None:
        """There is more to do of the message that was taken last: piece by piece, and before the next message."""
        self._rest = work
        self._queue()

    def pause(self) -> None:
        """Take no more messages: what the last one asks for is still to be decided."""
        self._paused = True
        if not self._queued:
            self._queued = self._parked = True

    def resume(self) -> None:
        """Go on with what has come meanwhile."""
        self._paused = False
        if self._parked:
            self._parked = False
            self._turns.queue(self._purse, self._next, address=self._address_purse)

    def _queue(self) -> None:
        if not self._queued:
            self._queued = True
            self._turns.queue(self._purse, self._next, address=self._address_purse)

    def _next(self) -> bool:
        if self._paused:
            self._parked = True
            return False
        begun = monotonic()
        try:
            if self._rest is not None:
                rest, self._rest = self._rest, None
                if rest():
                    self._rest = rest
            elif self._waiting:
                self.take(*self._waiting.popleft())
        except Exception:  # or what follows would wait for ever
            error_log.report("server", "a message that waited has failed")
        self._address_purse.charge(monotonic() - begun, begun)
        if self._paused:
            self._parked = True
            return False
        if self._rest is not None or self._waiting:
            return True
        self._queued, self._waiting = False, None
        if (last := self._last) is not None:
            self._last = None
            last()
        elif self._held:
            self._held = False
            self.hold(False)
        return False

    def forget(self) -> None:
        """Drop all that waits."""
        self._waiting = None
        self._rest = None

    def after_all(self, last: Callable[[], None]) -> None:
        """Nothing more comes: do this when all that has come is taken."""
        if self._queued:
            self._last = last
        else:
            last()
