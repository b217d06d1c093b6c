"""The countdown before a game that begins by itself: what begins it, and what stops it."""

from __future__ import annotations

from croupier.tables.entries import (
    Absent,
    AnyEntry,
    Back,
    Configured,
    CountdownBegun,
    CountdownStopped,
    Joined,
    Left,
    Readied,
)
from croupier.tables.table import Table


def follows(table: Table, entry: AnyEntry, missed: int, now: int) -> list[AnyEntry]:
    """Whether, after this, a countdown begins or ends. ``missed``: how many were not there before it."""
    if table.phase != "waiting" or (isinstance(entry, Left) and entry.why == "gone"):
        return []  # a game begins or has ended, without those who are not there
    expected = missing(table)
    # In some protocols only a mark begins it, and only somebody who comes, goes or takes theirs back ends it.
    by_marks = any(seat.marks_ready == "always" for seat in table.seats.values())
    found: list[AnyEntry] = []
    counting = table.starts_at is not None
    if counting:
        match entry:
            case Configured() if not (by_marks or table.lobby.auto_start):
                found.append(CountdownStopped())
            case Joined(bot=None, until=None) | Back() | Absent() | Readied(ready=False):
                found.append(CountdownStopped())
            case Left() if expected == missed:  # who was not there is none of those who have begun it
                found.append(CountdownStopped())
    # After a restart the marks are still there, and nobody says again that they are ready: all are back, or given up.
    complete = expected == 0 and (missed > 0 or not by_marks)
    begins = complete or (isinstance(entry, Readied) and entry.ready)
    if begins and (found or not counting) and table.lobby.auto_start:
        there = [seat for seat in table.seats.values() if seat.takes_part()]
        enough = len(there) in table.game.seats_for(table.options) and any(seat.human for seat in there)
        if enough and all(seat.ready for seat in there):
            found.append(CountdownBegun(table.lobby.countdown, now + 1000 * table.lobby.countdown))
    return found


def missing(table: Table) -> int:
    """How many have a seat and are not there."""
    return sum(seat.human and not seat.present for seat in table.seats.values())
