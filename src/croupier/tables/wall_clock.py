"""The time of all tables."""

from __future__ import annotations

import time

LONGEST_WAIT = 86400.0
"""Seconds: no timer takes more than so many, whatever a log says. Who is woken too early looks, and waits again."""


class Time:
    """The time of all tables, in milliseconds since 1970. Tests may let it run faster."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed
        self._start = time.time() * 1000
        self._since = time.monotonic()

    def now(self) -> int:
        # By the clock that nobody can set: a game does not end, or stand still for hours, because the day has changed.
        return int(self._start + (time.monotonic() - self._since) * 1000 * self._speed)

    def not_before(self, at: int) -> None:
        """It is at least that late: it has been written down already."""
        self._start += max(0, at - self.now())

    def until(self, due: int) -> float:
        """How many real seconds it takes until then; or so many that it is time to look again."""
        return min(max(0, due - self.now()) / 1000 / self._speed, LONGEST_WAIT)


def ms(seconds: float) -> int:
    return round(seconds * 1000)
