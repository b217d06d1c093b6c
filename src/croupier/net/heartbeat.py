"""Silent connections are pinged, and those of whom nothing is heard then either are given up.

There is one timer for all of them, where picows would have a task for each, which weighs more than a kilobyte. It turns
a wheel of steps. A connection waits in the step in which it will have been silent for a period, and is looked at then;
if something has been heard of it since, it waits for the end of a period from that. So whoever talks costs nothing but
a note of the step in which they were heard.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from croupier.tables import error_log

STEPS = 16
"""In a period: so finely it is known when something was heard."""
AT_ONCE = 50
"""Connections that are looked at in one turn of the event loop; thousands may fall silent in the same step."""


class Watched(Protocol):
    heard: int
    """The step in which something was heard of it last."""
    pinged: int
    """The step in which it was pinged last."""
    waits: set[Watched] | None
    """All that wait for the same step."""

    def ping(self) -> None: ...

    def give_up(self) -> None:
        """It does not answer."""


class Heartbeat:
    """A period of silence, and there is a ping; another one, and it was the last."""

    def __init__(self, period: float) -> None:
        """``period``: in seconds."""
        self.step = 0
        self._seconds = period / STEPS
        self._wheel: list[set[Watched]] = [set() for _ in range(STEPS + 1)]
        """Who waits for a step, by its number; no step is further off than a period."""
        self._timer: asyncio.TimerHandle | None = None
        """Runs while anybody waits."""

    def watch(self, connection: Watched) -> None:
        connection.heard, connection.pinged = self.step, -1
        self._wait(connection, self.step + STEPS)

    def forget(self, connection: Watched) -> None:
        if connection.waits is not None:
            connection.waits.discard(connection)

    def _wait(self, connection: Watched, step: int) -> None:
        connection.waits = self._wheel[step % len(self._wheel)]
        connection.waits.add(connection)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self.beat)

    def beat(self) -> None:
        """The next step."""
        self.step += 1
        place = self.step % len(self._wheel)
        due, self._wheel[place] = self._wheel[place], set()
        waiting = any(self._wheel)
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self.beat) if waiting else None
        self._look_at(due)

    def _look_at(self, due: set[Watched]) -> None:
        for _ in range(min(AT_ONCE, len(due))):
            try:
                self._look(due.pop())
            except Exception:  # or nobody would look at the others any more
                error_log.report("server", "a silent connection can't be pinged")
        if due:
            asyncio.get_running_loop().call_soon(self._look_at, due)

    def _look(self, connection: Watched) -> None:
        if connection.heard < connection.pinged:
            connection.waits = None
            connection.give_up()
        elif connection.heard + STEPS > self.step:
            self._wait(connection, connection.heard + STEPS)
        else:
            connection.pinged = self.step
            self._wait(connection, self.step + STEPS)
            connection.ping()
