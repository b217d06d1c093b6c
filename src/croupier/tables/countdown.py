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
    if table.gathers_seekers:
        return _hurries(table, now)
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


def _hurries(table: Table, now: int) -> list[AnyEntry]:
    """Where people look for a game it begins as soon as it can, with those who are there: at once when nobody else can
    come, otherwise in a moment, which no newcomer makes longer."""
    there = [seat for seat in table.seats.values() if seat.takes_part() and seat.ready]
    enough = len(there) in table.game.seats_for(table.options) and any(seat.human for seat in there)
    if not enough or len(there) == 1:  # some can be played alone
        return [] if table.starts_at is None else [CountdownStopped()]
    seconds = 0 if len(there) == table.capacity else table.lobby.countdown
    if table.starts_at is not None and table.starts_at <= now + 1000 * seconds:
        return []
    return [CountdownBegun(seconds, now + 1000 * seconds)]


def missing(table: Table) -> int:
    """How many have a seat and are not there."""
    return sum(seat.human and not seat.present for seat in table.seats.values())
