"""How a table goes on after the server was away."""

from __future__ import annotations

from croupier.tables import entries, rulings
from croupier.tables.room import Room
from croupier.tables.settings import Settings
from croupier.tables.wall_clock import ms


def go_on(room: Room, settings: Settings, now: int) -> None:
    """Nobody is connected; no clock runs out before its grace is over, and the table waits a while for its people."""
    until, absent_until = now + ms(settings.restart_grace), now + ms(settings.restart_patience)
    room.record([entries.Resumed(until, absent_until, entries.EDITION)])
    table = room.table
    # Where nothing is played yet, seats that go with their connections have not outlived the server.
    for seat in list(table.seats.values()):
        if table.phase == "waiting" and (seat.by_name if table.gathering else seat.bound and table.state is None):
            room.record(rulings.left(table, seat, closes=False))
