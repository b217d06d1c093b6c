"""Letting entries happen at a table that has no room around it: one after the other, with what follows from each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from croupier.kernel import Dice, Event
from croupier.tables import aftermath
from croupier.tables.aftermath import Before
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry, Moved, StoodIn
from croupier.tables.table import Table

Happened = tuple[AnyEntry, Sequence[Event]]


def happen(
    table: Table, found: Iterable[AnyEntry], now: int, bots: Bots | None = None, dice: Dice | None = None
) -> list[Happened]:
    """What has happened, and what came of it in the game. ``bots`` are shown it, and move for whoever is late."""
    told: list[Happened] = []
    for entry in found:
        before = Before.of(table)
        told.append(_apply(table, entry, now, bots))
        told += [_apply(table, each, now, bots) for each in aftermath.follows(table, entry, before, now)]
        if bots is not None and dice is not None and isinstance(entry, StoodIn) and entry.why == "late":
            move = bots.move(table.seats[entry.seat], dice)
            told += happen(table, [Moved(entry.seat, move, bot=True)], now, bots, dice)
    return told


def _apply(table: Table, entry: AnyEntry, now: int, bots: Bots | None) -> Happened:
    events = table.apply(entry, now)
    if bots is not None:
        bots.follow(entry, events)
    return entry, events
