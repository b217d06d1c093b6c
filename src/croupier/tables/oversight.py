"""What the operator of a server sees of its tables, on all nodes, and does about them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from croupier.journal import Journal, JournalDown
from croupier.tables import entries
from croupier.tables.cluster import Cluster
from croupier.tables.registry import Registry
from croupier.tables.summary import Summary

SOON = 0.01
"""Seconds until somebody looks again whether something is in the journal who can wait."""


class OverseenHouse(Protocol):
    """What is needed of the house."""

    journal: Journal
    cluster: Cluster | None
    registry: Registry

    async def fetch(self, names: Sequence[str]) -> bool:
        """Have these tables in memory, if there are such."""


class Oversight:
    def __init__(self, house: OverseenHouse) -> None:
        self._house = house

    async def open_tables(self) -> int:
        """How many there are."""
        if self._house.cluster is not None:
            return await self._house.cluster.open_tables()
        return self._house.registry.count

    async def tables(self, game: str, phase: str, search: str, offset: int, limit: int) -> Sequence[Summary]:
        """The newest first, also those that are not listed. ``game`` and ``phase``: empty for all; ``search``: what a
        name of theirs, or of somebody there, contains."""
        if self._house.cluster is not None:
            return await self._house.cluster.every_table(game, phase, search, offset, limit)
        sought = search.casefold()
        found = [
            summary
            for summary in reversed(self._house.registry.summaries(game or None))
            if phase in ("", summary.phase) and any(sought in said.casefold() for said in _named(summary))
        ]
        return found[offset : offset + limit]

    async def close(self, table: str) -> bool:
        """Close a table, whoever is there, at whatever node. Returns whether there was one. Raises ``JournalDown``
        where that can't be written down."""
        house = self._house
        await house.fetch((table,))
        while (room := house.registry.rooms.get(table)) is not None:
            if room.frozen:
                raise JournalDown("the table can't go on")
            if not room.stale:
                batch = room.record([entries.Closed("abandoned", operator=True)])
                while batch is not None and not batch.done:  # noqa: ASYNC110 - nobody tells those who need not hurry
                    await asyncio.sleep(SOON)
                if batch is None or not batch.failed:
                    return True
                if house.journal.fault is not None:
                    raise JournalDown(house.journal.fault)
            await asyncio.sleep(SOON)  # and with what others have written meanwhile it is tried again
        return False


def _named(summary: Summary) -> Sequence[str]:
    return (summary.id, summary.code, summary.name, *(player.name for player in summary.players))
