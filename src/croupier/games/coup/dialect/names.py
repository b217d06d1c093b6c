"""The names of players and tables in Coup's own protocol.

The numbers D1, D2, … are the decisions of the game's page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from croupier.games.coup.rules import Coup
from croupier.tables import names
from croupier.tables.notices import Refused
from croupier.tables.summary import Player, Summary

COUP = Coup()


def valid_name(name: Any) -> bool:
    """D45: words with single spaces between them, 1 to 20 characters. What looks like a bot is no name either."""
    try:
        return type(name) is str and names.of_person(name, COUP) == name
    except Refused:
        return False


def taken(name: str, players: Iterable[Player]) -> bool:
    """D44: whether somebody has that name, perhaps in other case."""
    return names.folded(name) in {names.folded(player.name) for player in players}


def named(players: Iterable[Player]) -> dict[int, str]:
    return {player.seat: player.name for player in players}


def game_code(table: Summary) -> str:
    return table.code or table.id


def is_open(table: Summary) -> bool:
    """Whether anybody can still sit down."""
    return table.phase == "waiting" and len(table.players) < table.seats and not table.locked


def suggestion(name: str, players: Sequence[Player]) -> str:
    """The first free name that looks like it.

    >>> suggestion("Ann", [Player(0, "ann"), Player(1, "ann-2")])
    'Ann-3'
    """
    number = 2
    while True:
        ending = f"-{number}"
        found = name[: 20 - len(ending)].rstrip(" ") + ending
        if not taken(found, players):
            return found
        number += 1
