"""The ids of Cambia's own protocol: a lobby is a table, and each of its games, each round of a match, has an id."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from croupier.games.cambia.cards import is_id
from croupier.games.cambia.rules import Cambia
from croupier.tables.place import Place
from croupier.tables.summary import Summary

NIL = "00000000-0000-0000-0000-000000000000"


def read(given: object) -> str | None:
    """An id as the server writes it, or None when it is no id."""
    return given.lower() if isinstance(given, str) and is_id(given.lower()) else None


def lobby_id(table: str) -> str:
    """
    >>> lobby_id("2a"), table_of(lobby_id("2a"))
    ('00000000-0000-0000-0000-00000000002a', '2a')
    """
    digits = f"{table:0>32}"  # UUID would take ten times as long, and lists have many
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def table_of(lobby: str) -> str:
    return f"{UUID(lobby).int:x}"


class LobbyGame(NamedTuple):
    """One game of a lobby."""

    table: str
    number: int
    """The lobby's games are counted from 1."""
    round: int

    @property
    def id(self) -> str:
        head, mask = _digest(self.table, self.number)
        return str(UUID(bytes=head + (mask ^ self.round).to_bytes(2, "big")))


def _digest(table: str, number: int) -> tuple[bytes, int]:
    digest = hashlib.sha256(f"{table} {number}".encode()).digest()
    return digest[:14], int.from_bytes(digest[14:16], "big")


def count(table: Summary) -> int:
    """The number of the game that is played now, or was last."""
    return table.games + (table.phase == "playing")


def present(place: Place) -> LobbyGame:
    """The game that is on the table."""
    view = place.view()
    return LobbyGame(place.table, count(place.summary), 1 if view is None else view.round)


def aliases(table: Summary) -> list[str]:
    """What a table is found by, as long as its games are remembered."""
    if table.game != Cambia.name:
        return []
    return [_alias(_digest(table.id, number)[0]) for number in _remembered(table)]


def alias(game: str) -> str:
    """The alias of the table that a game is played at, or was."""
    return _alias(UUID(game).bytes[:14])


def _alias(head: bytes) -> str:
    return f"cambia game/{head.hex()}"


def _remembered(table: Summary) -> range:
    """The games before the last are remembered too, to tell what is over from what never was."""
    return range(count(table), max(0, count(table) - 4), -1)


def find(tables: Iterable[Summary], game: str) -> tuple[Summary, LobbyGame] | None:
    """Whose game this is."""
    given = UUID(game).bytes
    for table in tables:
        for number in _remembered(table):
            head, mask = _digest(table.id, number)
            if head == given[:14]:
                return table, LobbyGame(table.id, number, mask ^ int.from_bytes(given[14:], "big"))
    return None
