"""What follows from an entry when it has happened: another host, a countdown, who stays for another game."""

from __future__ import annotations

from typing import NamedTuple, Self

from croupier.tables import countdown, hosts
from croupier.tables.entries import (
    AnyEntry,
    Back,
    Closed,
    Gone,
    HandedOver,
    Left,
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
        return cls(table.phase, table.games, countdown.missing(table) if table.phase == "waiting" else 0)


def follows(table: Table, entry: AnyEntry, before: Before, now: int) -> list[AnyEntry]:
    """What follows from this entry, which has just happened."""
    if table.phase == "closed":
        return []
    if before.phase == "waiting":
        return countdown.follows(table, entry, before.missing, now)
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
