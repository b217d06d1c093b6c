"""What is written down of all that happens at a table, and what is only told."""

from __future__ import annotations

from croupier.tables import entries
from croupier.tables.entries import AnyEntry
from croupier.tables.table import Table


def belongs(entry: AnyEntry, table: Table) -> bool:
    """Whether this, if it happens now, has to be in the table's log. Who is connected is not history. What it means is:
    to a game that has to know, and for somebody who was played for or is given more time."""
    match entry:
        case entries.Absent():
            return _heeds_absence(table)
        case entries.Back(number, handle, avatar):
            seat = table.seats[number]
            changed = handle is not None or avatar is not None or seat.stood_in
            return changed or _heeds_absence(table) or table.excusable(seat) is not None
        case entries.Watched() | entries.Unwatched() | entries.Said() | entries.Sounded() | entries.Invited():
            return False
    return True


def _heeds_absence(table: Table) -> bool:
    return table.game.heeds_absence and (table.phase == "playing" or table.lingers)
