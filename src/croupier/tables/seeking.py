"""Finding a game for somebody who looks for one: which of the open tables they may be sent to, and what the table is
like at which they wait for others, where none fits.

Such a table of seekers is one like any other, with a number (``Lobby.seekers``): no two of a game that wait have the
same. So people who look for a game at the same moment, by way of several nodes, do not wait alone at two tables: the
journal has one name for each number (``claims``), and who comes second is sent to the table of whoever was first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from croupier.tables import intents
from croupier.tables.board import free_seats
from croupier.tables.summary import Player, Summary
from croupier.tables.table import AnyGame

USUAL_SEATS = 4
"""Of a table of seekers, where the game is for so many."""
COUNTDOWN = 10
"""Seconds from when the game could begin with those who are there; at once when all seats are taken."""
CROWD = 12
"""People who have looked for the same game and are still there, from whom on they are brought together by rating."""
APART = 5.0
"""How far apart these may be in it. Of two who are, one wins four times out of five."""
NEWCOMER = 25.0
"""The rating that everybody begins with."""


def gathers(table: Summary) -> bool:
    """Whether it is a table of seekers whose first game has not begun, and somebody can sit down."""
    return table.lobby.seekers > 0 and table.games == 0 and free_seats(table) > 0


def claims(table: Summary) -> tuple[str, ...]:
    """What such a table is called in a journal that several nodes share, as long as people gather there."""
    return (f"seekers/{table.game}/{table.lobby.seekers}",) if gathers(table) else ()


def fitting(tables: Iterable[Summary], game: AnyGame, usual: Any, level: float | None) -> list[Summary]:
    """The tables of a game that somebody may be sent to who looks for one, best first: where fewest people are missing
    then, and of these where others look for a first game. ``level``: how well they play; None: that is not asked."""
    possible = game.seats_for(usual)

    def preference(table: Summary) -> tuple[bool | int | float | str, ...]:
        there = 1 + sum(not player.away for player in table.players)
        missing = next((count - there for count in possible if count >= there), table.seats)
        return missing, not gathers(table), table.lobby.seekers == 0, _apart(table, level), table.opened_at, table.id

    found = [table for table in tables if _fits(table, usual) and _apart(table, level) <= APART]
    return sorted(found, key=preference)


def _fits(table: Summary, usual: Any) -> bool:
    """Whether anybody may be sent there."""
    if not (free_seats(table) > 0 and table.lobby.listed and not table.locked and table.options == usual):
        return False
    if gathers(table):
        return True  # who is away just now keeps nobody waiting: the game begins without them
    if table.lobby.seekers:  # for another game: they are not sent to somebody who still looks at the last one
        people = _people(table)
        return bool(people) and all(player.ready and not player.away for player in people)
    host = next((player for player in table.players if player.seat == table.host), None)
    return host is not None and not host.away and host.can_host


def _apart(table: Summary, level: float | None) -> float:
    there = table.lobby.level
    return 0.0 if level is None or there is None else abs(there - level)


def crowded(tables: Iterable[Summary]) -> bool:
    """Whether so many look for a game that they can be brought together by rating."""
    there = (player for table in tables if table.lobby.seekers for player in _people(table))
    return sum(not (player.away or player.gone) for player in there) >= CROWD


def _people(table: Summary) -> list[Player]:
    return [player for player in table.players if player.bot is None]


def joining(intent: intents.Seek, table: Summary, name: str) -> intents.Join:
    return intents.Join(id=intent.id, table=table.id, player=name, avatar=intent.avatar)


def opening(
    intent: intents.Seek, tables: Collection[Summary], game: AnyGame, usual: Any, level: float | None
) -> intents.OpenAs:
    """A table of seekers where there is none that fits."""
    taken = {table.lobby.seekers for table in tables if gathers(table)}
    possible = game.seats_for(usual)
    # Where three of two or four had to wait for one more, two have a game of their own.
    seats = possible[0] if possible.step > 1 else min(possible[-1], max(possible[0], USUAL_SEATS))
    return intents.OpenAs(
        id=intent.id,
        game=game.name,
        player=intent.player,
        name=intent.name,
        avatar=intent.avatar,
        seats=seats,
        auto_start=True,
        countdown=COUNTDOWN,
        seekers=next(number for number in range(1, len(taken) + 2) if number not in taken),
        level=None if level is None else round(level),
    )
