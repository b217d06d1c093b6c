"""Who is the host of a table when the one it had is gone, or not there."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.tables.seat import Seat
from croupier.tables.table import Table


def heir(table: Table, *gone: Seat) -> Seat | None:
    """Who comes after these: somebody who is there before somebody who is not."""
    return first(table, (seat for seat in table.seats.values() if seat.human and seat not in gone))


def first(table: Table, seats: Iterable[Seat]) -> Seat | None:
    """Of these, who is there comes first, and who can know it and begin another game."""
    return min(seats, key=lambda seat: (not seat.present, not (seat.can_host and may_host(table, seat))), default=None)


def relieves(table: Table) -> bool:
    """Whether a host who is away is succeeded at once: by custom, or because no seat is given up here any more, and
    whoever is there would wait for them as long as the table is."""
    return table.game.customs.host == "present" or table.lingers


def relief(table: Table) -> Seat | None:
    """The first who is there, instead of the host."""
    there = (seat for seat in table.seats.values() if seat.human and seat.present and seat is not table.host)
    return next((seat for seat in there if may_host(table, seat)), None)


def hosted(table: Table) -> bool:
    """Whether there is a host who is there."""
    host = table.host
    return host is not None and host.human and host.present and may_host(table, host)


def may_host(table: Table, seat: Seat) -> bool:
    """Who goes by the name of a connection has no word for another game."""
    return not (table.lingers and seat.bound)
