"""Chat: how long a line may be, how many one may say, and what is remembered of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import msgspec

from croupier.tables.purses import Purse

LONGEST_LINE = 500
"""Characters."""
LINES_KEPT = 100
LINES_A_SECOND = 2.0
"""That a connection of the native protocol may say in the long run; others limit all messages (``Dialect.rate``)."""
LINES_AT_ONCE = 10
"""Lines that a connection may say before it has to wait for the next."""
TOLD_A_SECOND, TOLD_AT_ONCE = 1500, 3000
"""How often what is said at a table may be told, to one after the other: the more are there, the fewer lines."""


def talk_purse(lines_a_second: float) -> Purse:
    """What one connection may say."""
    return Purse(1000 / lines_a_second, LINES_AT_ONCE)


class Line(msgspec.Struct, frozen=True):
    """Something that was said."""

    seat: int | None
    """Whose, as they are numbered now; null for spectators, and for who has gone."""
    name: str
    """Empty for spectators."""
    text: str
    at: int


class Chat:
    """What was said at one table."""

    __slots__ = ("_lines", "_purse")

    def __init__(self) -> None:
        self._purse = Purse(1000 / TOLD_A_SECOND, TOLD_AT_ONCE)
        self._lines: tuple[tuple[str, str, Line], ...] = ()
        """With who has said it: seats change their numbers. And who that is beyond the table, if it is known."""

    def has_room(self, listeners: int, at: int) -> bool:
        """Whether another line may be told to so many."""
        return self._purse.pay(listeners, at)

    def add(self, user: str, person: str, name: str, text: str, at: int) -> None:
        self._lines = (*self._lines, (user, person, Line(None, name, text, at)))[-LINES_KEPT:]

    def lines(self, numbers: Mapping[str, int], unheard: Set[str] = frozenset()) -> Sequence[Line]:
        """What was said last, by those who are here now and by others. ``numbers``: their seats, by who they are.
        ``unheard``: persons who are left out."""
        return [
            msgspec.structs.replace(line, seat=numbers.get(user))
            for user, person, line in self._lines
            if person not in unheard
        ]
