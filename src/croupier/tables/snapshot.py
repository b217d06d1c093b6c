"""What a table is when a game begins at it, so that nobody has to read its log from the first day on.

A snapshot is a cache: where there is none, or none that this server can read, the log says the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from croupier.kernel import Rig
from croupier.tables import entries
from croupier.tables.entries import AnyEntry
from croupier.tables.lobby_options import Lobby
from croupier.tables.logbook import is_time
from croupier.tables.seat import Seat
from croupier.tables.summary import BenchState
from croupier.tables.table import Table

FORMAT = 3
"""To be raised with every change of what a table makes of its log: snapshots of another format are not used."""


class Snapshot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table just before a game: all but that game and the ones before it. What it says is explained in ``Table``."""

    format: int
    seq: int
    at: int
    edition: int
    name: str
    code: str
    rig: Rig | None
    opened_at: int
    keeps: int | None
    emptied_at: int
    capacity: int
    password: str | None
    options: Any
    lobby: Lobby
    phase: Literal["waiting", "over"]
    seats: list[Seat]
    names: list[str]
    host: int | None
    bench: BenchState
    games: int
    cast: list[int | Seat]
    """Numbers of those who are still there."""
    step: int
    over_at: int | None
    ended_by: int
    acted_at: int
    grace_until: int
    late: tuple[int, ...]
    excused: int
    lineup: list[int | Seat] = []
    """Like ``cast``; where something is passed on to the next game."""
    legacy: Any = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Snapshot).decode

_SAME = [name for name in Snapshot.__struct_fields__ if name not in ("format", "seats", "host", "cast", "lineup")]


def belongs_before(entry: AnyEntry, table: Table) -> bool:
    """Whether this begins a game at a table that has played already: so much of its log is history.

    In logs before the third edition it could make a difference who was there, which no snapshot says.
    """
    begins = entries.Reopened if table.game.deals_early else entries.Started
    return type(entry) is begins and table.games > 0 and table.edition > 2


def take(table: Table) -> bytes:
    seats = table.seats

    def known(some: Iterable[Seat]) -> list[int | Seat]:
        return [seat.number if seats.get(seat.number) is seat else _unattended(seat) for seat in some]

    return _encode(
        Snapshot(
            format=FORMAT,
            seats=[_unattended(seat) for seat in seats.values()],
            host=None if table.host is None else table.host.number,
            cast=known(table.cast),
            lineup=[] if table.legacy is None else known(table.lineup),
            **{name: getattr(table, name) for name in _SAME},
        )
    )


def _unattended(seat: Seat) -> Seat:
    """All but the presence of somebody."""
    return msgspec.structs.replace(seat, away_since=None, keeps_until=0, dialect="")


def restore(table: Table, snapshot: bytes) -> bool:
    """Make a table what it was then. False, and it is as it was, if that can't be read."""
    try:
        found = _decode(snapshot)
        if found.format != FORMAT or not is_time(found.at):
            return False
        options = msgspec.convert(found.options, table.game.Options)
        seats = {seat.number: seat for seat in found.seats}
        host = None if found.host is None else seats[found.host]
        cast, lineup = (
            [seats[each] if isinstance(each, int) else each for each in some] for some in (found.cast, found.lineup)
        )
        legacy = None if found.legacy is None else msgspec.convert(found.legacy, table.game.Legacy)
    except (msgspec.DecodeError, LookupError, RecursionError):
        return False  # what is in a file may be anything
    for name in _SAME:
        setattr(table, name, getattr(found, name))
    table.options, table.seats, table.host, table.cast = options, seats, host, cast
    table.lineup, table.legacy = lineup, legacy
    table.by_token = {seat.token: seat for seat in found.seats if seat.token is not None}
    return True
