"""A clock that tests set by hand."""

from __future__ import annotations

import asyncio

from croupier.tables.wall_clock import Time

LOOK = 0.001
"""Seconds after which whoever waits for something looks at the clock again."""


class ManualTime(Time):
    """Time that stands still until a test lets it pass. Timers look at it all the while."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 1_700_000_000_000
        self._awaited: list[int] = []
        """What was waited for by those who have looked lately."""

    def now(self) -> int:
        return self._now

    def not_before(self, at: int) -> None:
        self._now = max(self._now, at)

    def until(self, due: int) -> float:
        self._awaited.append(due)
        return LOOK

    async def to_pass(self, seconds: float) -> None:
        """So much time passes at once; and all that is due by then has happened when this returns."""
        self._now += round(seconds * 1000)
        while True:
            self._awaited.clear()
            await asyncio.sleep(LOOK)  # begun after the others' waits, it ends after them: they have all looked
            if all(due > self._now for due in self._awaited):
                return
