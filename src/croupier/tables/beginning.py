"""What a table was before the first line of a record: all of it that the rules may come to hear of."""

from __future__ import annotations

from typing import Any, Self

import msgspec
from msgspec import UNSET, UnsetType

from croupier.kernel import Chance
from croupier.tables.seat import Seat
from croupier.tables.table import AnyGame, Table


class Seated(msgspec.Struct, frozen=True, omit_defaults=True):
    seat: int
    """Before the game: it may give people other numbers."""
    name: str
    bot: str | None = None
    away: bool = False
    gone: bool = False
    """Whether they had given up the seat, and only still had it."""


class Beginning(msgspec.Struct, frozen=True):
    edition: int
    """How the log is to be understood."""
    options: Any
    seats: tuple[Seated, ...]
    """In the order of the table."""
    legacy: Any = UNSET
    """What the game before has passed on, by its own seats; left out where that is nothing."""
    lineup: tuple[int | None, ...] | UnsetType = UNSET
    """Who had those seats, by the seats of now; null for who has gone."""

    @classmethod
    def of(cls, table: Table) -> Self | None:
        """None before a table is opened."""
        if table.seq == 0:
            return None
        seats = table.seats
        seated = [Seated(s.number, s.name, s.bot, not s.present, s.kicked) for s in seats.values()]
        if table.legacy is None:
            return cls(table.edition, table.options, tuple(seated))
        lineup = tuple([seat.number if seats.get(seat.number) is seat else None for seat in table.lineup])
        return cls(table.edition, table.options, tuple(seated), table.legacy, lineup)


def table_before(beginning: Beginning | None, id: str, game: AnyGame, number: int, chance: type[Chance]) -> Table:
    """A table as it was before its game of that number."""
    table = Table(id, game, chance)
    table.games = number - 1
    if beginning is None:
        return table
    table.edition = beginning.edition
    options = beginning.options
    table.options = msgspec.convert(options, game.Options) if type(options) is dict else options
    for seated in beginning.seats:
        seat = Seat(seated.seat, seated.name, None, seated.bot, kicked=seated.gone)
        if seated.away:
            seat.go_away(0, 0)
        table.seats[seat.number] = seat
    if beginning.legacy is not UNSET:
        legacy = beginning.legacy
        table.legacy = msgspec.convert(legacy, game.Legacy) if type(legacy) is dict else legacy
        gone = Seat(-1, "", None, None)
        table.lineup = [gone if number is None else table.seats[number] for number in beginning.lineup or ()]
    return table
