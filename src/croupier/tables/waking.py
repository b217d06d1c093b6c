"""Tables that are played at when a server starts. What strangers may see of them is known at once; their games are
played back from the journal when somebody comes, or when there is time for it, a few seconds later.

Until then nothing happens at them: they go on as if the server had been away for as long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from itertools import islice
from typing import Any

from croupier.journal import Journal, JournalDown
from croupier.tables.bots import Bots
from croupier.tables.loading import load
from croupier.tables.registry import Registry
from croupier.tables.table import AnyGame, Table

AT_ONCE = 10
"""Tables that are read in a row, while moves at other tables wait: a few milliseconds."""
AGAIN_AFTER = 1.0
"""Seconds until the journal is asked again that could not be read."""


class Waker:
    def __init__(
        self,
        journal: Journal,
        games: Mapping[str, AnyGame],
        registry: Registry,
        admit: Callable[[Bots, Exception | None], None],
    ) -> None:
        """``admit`` is handed each table when it has been read, and why it can't be if so."""
        self._journal = journal
        self._games = games
        self._registry = registry
        self._admit = admit
        self._wanted: dict[str, None] = {}
        """Those that somebody waits for."""
        self._waiting: list[tuple[set[str], asyncio.Future[bool]]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        """The event loop itself holds on to none of them."""

    def begin(self) -> None:
        self._set_going(self._wake_all())

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _set_going(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def seek(self, names: Sequence[str], then: Callable[[bool], None]) -> None:
        async def fetch() -> None:
            then(await self.fetch(names))

        self._set_going(fetch())

    async def fetch(self, names: Sequence[str]) -> bool:
        """Have the tables of these ids or names in memory. Returns whether they could be read."""
        wanted = self._registry.asleep(names)
        if not wanted:
            return True
        self._wanted |= dict.fromkeys(wanted)
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((set(wanted), answer))
        return await answer

    async def _wake_all(self) -> None:
        sleepers = self._registry.sleepers
        try:
            while sleepers:
                some = list(islice(self._wanted or sleepers, AT_ONCE))
                try:
                    await self._wake([id for id in some if id in sleepers])
                except JournalDown:
                    self._answer(set(self._wanted), False)
                    await asyncio.sleep(AGAIN_AFTER)
        finally:
            self._answer(set(self._wanted), False)

    async def _wake(self, ids: Sequence[str]) -> None:
        for bots, error in await self._read(ids):
            self._registry.wake(bots.table.id)
            self._admit(bots, error)
        self._answer(set(ids), True)

    async def _read(self, ids: Sequence[str]) -> list[tuple[Bots, Exception | None]]:
        sleepers = self._registry.sleepers
        tables = [Table(id, self._games[sleepers[id].summary.game]) for id in ids]
        try:
            return await load(self._journal, tables)
        except JournalDown:
            raise
        except Exception as error:  # of one of them, which is not to keep the others asleep
            if len(ids) == 1:
                return [(Bots(tables[0]), error)]
            return [found for id in ids for found in await self._read([id])]

    def _answer(self, ids: set[str], read: bool) -> None:
        """Tell those who have waited for the last of these."""
        for id in ids:
            self._wanted.pop(id, None)
        waiting, self._waiting = self._waiting, []
        for wanted, answer in waiting:
            wanted -= ids
            if wanted and read:
                self._waiting.append((wanted, answer))
            elif not answer.done():  # nobody may wait for it any more
                answer.set_result(read)
