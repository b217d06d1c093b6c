"""Having tables in memory that are in a journal which nodes share: all that are asked for at a time, at once.

When a node has died, hundreds of people come to another one in the same second. To ask the database for their tables
one by one costs more than to play their games again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import structlog

from croupier.journal import Attending, JournalDown, Listing, SharedJournal
from croupier.tables import error_log
from croupier.tables.bots import Bots
from croupier.tables.loading import load
from croupier.tables.logbook import Newer
from croupier.tables.registry import Registry
from croupier.tables.shared_room import SharedRoom
from croupier.tables.table import AnyGame, Table

AT_ONCE = 64
"""Of those who ask, whose tables are read together."""

log = structlog.get_logger()


class FetchingNode(Protocol):
    """What is needed of the node that has the tables."""

    @property
    def games(self) -> Mapping[str, AnyGame]: ...

    @property
    def registry(self) -> Registry: ...

    async def attending(self, tables: Sequence[str]) -> list[Attending]:
        """Who is at these tables, by way of any node."""

    def admit(self, bots: Bots, rows: Sequence[Attending]) -> None:
        """A table was read, and who is there."""


class Fetcher:
    def __init__(self, node: FetchingNode, journal: SharedJournal) -> None:
        self._node = node
        self._journal = journal
        self._wanted: list[tuple[Sequence[str], asyncio.Future[bool]]] = []
        self._fetching: asyncio.Task[None] | None = None
        self.too_new: set[str] = set()
        """Names of tables at which a newer release has written what this one can't read. Other nodes can."""

    async def fetch(self, names: Sequence[str]) -> bool:
        """Have the open tables of these names in memory. Returns whether it could be found out which there are."""
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._wanted.append((names, answer))
        if self._fetching is None:
            self._fetching = asyncio.create_task(self._fetch())
        return await answer

    async def _fetch(self) -> None:
        while self._wanted:
            some, self._wanted = self._wanted[:AT_ONCE], self._wanted[AT_ONCE:]
            found: dict[str, Listing] = {}
            unread: set[str] = set()
            reached = True
            try:
                asked = [name for names, _ in some for name in names]
                found = await self._journal.find(asked)
                unread = await self.load({listing.id: listing for listing in found.values()}.values())
                newer = {name for name, listing in found.items() if listing.id in self.too_new}
                self.too_new = self.too_new.difference(asked) | newer
            except JournalDown:
                reached = False
            except Exception:
                error_log.report("table", "tables can't be read", names=some[0][0][:1])
            for names, answer in some:
                if not answer.done():  # nobody may wait for it any more
                    answer.set_result(reached and not any(found[name].id in unread for name in names if name in found))
        self._fetching = None

    async def load(self, listings: Iterable[Listing]) -> set[str]:
        """Have these tables in memory. Returns those that can't be read just now."""
        tables: list[Table] = []
        for listing in listings:
            room, game = self._node.registry.rooms.get(listing.id), self._node.games.get(listing.game)
            if isinstance(room, SharedRoom):
                if not room.stale:  # it is here, and has not heard of everything: it was not known by that name
                    await room.caught_up()
            elif game is None:
                self.leave_to_others(listing.id, "its game is not known here")
            elif listing.id not in self.too_new:
                tables.append(Table(listing.id, game))
        if not tables:
            return set()
        unread = set()
        read = await load(self._journal, tables)
        rows: dict[str, list[Attending]] = {table.id: [] for table in tables}
        for row in await self._node.attending(list(rows)):
            rows[row.table].append(row)
        for bots, fault in read:
            if fault is None:
                self._node.admit(bots, rows[bots.table.id])
            elif isinstance(fault, JournalDown):
                unread.add(bots.table.id)
            elif isinstance(fault, Newer):
                self.leave_to_others(bots.table.id, str(fault))
            else:
                self._leave_alone(bots.table, fault)
        return unread

    def leave_to_others(self, table: str, why: str) -> None:
        """A newer release has written at a table what can't be read here: one of its nodes has to see to it."""
        if table not in self.too_new:
            what = "a newer release writes at a table, and it is left to nodes that can read it"
            log.warning(what, table=table, why=why)
            self.too_new.add(table)

    def _leave_alone(self, table: Table, fault: Exception) -> None:
        self._node.registry.left_alone.add(table.id)
        try:
            raise fault
        except Exception:  # which is written to the log with it
            error_log.report("table", "a table can't be read and is left alone", table=table.id)
