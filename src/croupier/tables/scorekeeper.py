"""Lets games count that are over, soon after their end: for what people have played, and for their ratings."""

from __future__ import annotations

import asyncio

from croupier.journal import Journal, JournalDown
from croupier.people import projection
from croupier.tables import error_log

FIRST_LOOK = 3.0
"""Seconds after the start until games count that were left over: the tables have to be there first."""
LOOKS_EVERY = 60.0
"""Seconds until it is seen whether there is something that nobody has let count: whoever wrote it has crashed."""


class Scorekeeper:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._keep())

    def close(self) -> None:
        """What is not done then is there at the next start."""
        if self._task is not None:
            self._task.cancel()

    def game_over(self) -> None:
        """A game has ended, and that is in the journal."""
        self._news.set()

    async def _keep(self) -> None:
        patience = FIRST_LOOK
        while True:
            try:
                async with asyncio.timeout(patience):
                    await self._news.wait()
            except TimeoutError:
                pass
            patience = LOOKS_EVERY
            self._news.clear()
            try:
                await projection.catch_up(self._journal)
            except JournalDown:
                pass  # which is reported by the journal itself
            except Exception:
                error_log.report("server", "games that are over can't be counted")
