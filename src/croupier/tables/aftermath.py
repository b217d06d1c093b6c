"""What follows from an entry when it has happened: another host, a countdown, who stays for another game."""

from __future__ import annotations

from typing import NamedTuple, Self

from croupier.tables import hosts
from croupier.tables.entries import (
    Absent,
    AnyEntry,
    Back,
    Closed,
    Configured,
    CountdownBegun,
    CountdownStopped,
    Gone,
    HandedOver,
    Joined,
    Left,
    Readied,
)
from croupier.tables.seat import Seat
from croupier.tables.table import Table


class Before(NamedTuple):
    """What has to be known of a table as it was before."""

    phase: str
    games: int
    missing: int

    @classmethod
    def of(cls, table: Table) -> Self:
        return cls(table.phase, table.games, _missing(table) if table.phase == "waiting" else 0)


def follows(table: Table, entry: AnyEntry, before: Before, now: int) -> list[AnyEntry]:
    """What follows from this entry, which has just happened."""
    if table.phase == "closed":
        return []
    if before.phase == "waiting":
        return countdown(table, entry, before.missing, now)
    found = after_game(table) if table.games > before.games else []
    if before.phase == "playing" and table.phase != "waiting" and isinstance(entry, Left | Gone):
        gone = entry.who if isinstance(entry, Gone) else (entry.seat,)
        found += _succession(table, [table.seats[number] for number in gone])
    return found


def _succession(table: Table, gone: list[Seat]) -> list[AnyEntry]:
    """The host has given up the seat in a game: it goes on with another."""
    heir = hosts.heir(table, *gone) if table.host in gone else None
    return [] if heir is None else [HandedOver(heir.number)]


def after_game(table: Table) -> list[AnyEntry]:
    """Who stays for another game."""
    seats = table.seats.values()
    found: list[AnyEntry] = [Back(seat.number) for seat in seats if seat.human and seat.stood_in and seat.present]
    if table.phase == "over":  # who stays is seen when the table is reopened
        return found
    customs = table.game.customs
    host = table.host
    if customs.absent_host == "close" and (host is None or not host.takes_part()):
        return [Closed("host left")]
    gone = [seat for seat in seats if seat.kicked or not (customs.keep_absent or seat.takes_part())]
    found += [Left(seat.number, "gone") for seat in gone]
    if host is not None and host in gone:
        heir = hosts.heir(table, *gone)
        found.append(Closed("host left") if heir is None else HandedOver(heir.number))
    elif host is not None and table.lingers and not hosts.hosted(table):
        relief = hosts.relief(table)
        found += [] if relief is None else [HandedOver(relief.number)]
    return found


def countdown(table: Table, entry: AnyEntry, missed: int, now: int) -> list[AnyEntry]:
    """Whether, after this, a countdown begins or ends. ``missed``: how many were not there before it."""
    if table.phase != "waiting" or (isinstance(entry, Left) and entry.why == "gone"):
        return []  # a game begins or has ended, without those who are not there
    expected = _missing(table)
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
        enough = len(there) >= table.game.seats_for(table.options)[0] and any(seat.human for seat in there)
        if enough and all(seat.ready for seat in there):
            found.append(CountdownBegun(table.lobby.countdown, now + 1000 * table.lobby.countdown))
    return found


def _missing(table: Table) -> int:
    """How many have a seat and are not there."""
    return sum(seat.human and not seat.present for seat in table.seats.values())
