"""A clock that tests set by hand."""

from __future__ import annotations

import asyncio

from croupier.tables.timekeeping import Time


class ManualTime(Time):
    """Time that stands still until a test lets it pass. Timers look at it all the while."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 1_700_000_000_000

    def now(self) -> int:
        return self._now

    def until(self, due: int) -> float:
        return 0.001

    async def to_pass(self, seconds: float) -> None:
        """So much time passes at once; and whoever waits for its end has looked at it when this returns."""
        self._now += round(seconds * 1000)
        await asyncio.sleep(0.02)
