"""Bots of the house: they sit down where people wait for others, and open tables so that nobody comes to an empty room.

Off unless the server is told otherwise. Some protocols show them as they show people; in the native one, and
on the page, they are the bots they are.
"""

from __future__ import annotations

from croupier.tables import error_log, luck, rulings
from croupier.tables.house import House
from croupier.tables.room import Room
from croupier.tables.table import AnyGame, Table

SOONEST, LATEST = 100, 10_000
"""Milliseconds from one round to the next."""
COMES_AFTER = 10_000
"""Milliseconds that a table has been there for when the first of them comes."""


class Company:
    """The bots of one game, who look in every few seconds."""

    def __init__(self, house: House, game: AnyGame, tables: int) -> None:
        self._house = house
        self._game = game
        self._tables = tables
        """How many there should be at least."""

    def begin(self) -> None:
        house = self._house
        house.later(house.now() + SOONEST + house.dice.below(LATEST - SOONEST), self._round)

    def _round(self) -> None:
        house, cluster = self._house, self._house.cluster
        if cluster is None:
            self._look_round()
        elif cluster.rank(f"company for {self._game.name}", cluster.alive) == 0:
            # One node sees to all tables; those that somebody waits at need not be in its memory.
            waiting = [summary.id for summary in house.listed(self._game.name) if summary.phase != "playing"]
            cluster.seek(waiting, lambda known: self._look_round())
        self.begin()

    def _look_round(self) -> None:
        house = self._house
        rooms = [room for room in house.rooms.values() if room.table.game.name == self._game.name and not room.stale]
        for room in rooms:
            try:
                self._see_to(room)
            except Exception:
                error_log.report("table", "bots of the house can't sit down", table=room.table.id)
        if len(house.summaries(self._game.name)) < self._tables:
            house.open_for_bots(self._game)

    def _see_to(self, room: Room) -> None:
        house, table = self._house, room.table
        hosted = table.host is not None and table.host.house
        if hosted and table.phase == "over":
            room.record(rulings.reopened(table, table.host, luck.draw(table, house.settings)))
        elif hosted and table.phase == "waiting" and not rulings.free_seats(table):
            room.record(rulings.started(table, table.host, luck.draw(table, house.settings)))
        elif _wants_company(table, house.now(), hosted):
            room.record([rulings.kept_company(table, house.dice)])


def _wants_company(table: Table, now: int, hosted: bool) -> bool:
    if table.phase != "waiting" or table.password is not None or not table.lobby.listed:
        return False
    # They play with people and not with themselves: at a table of their own, the last seat is for somebody.
    kept = 1 if hosted and not any(seat.human for seat in table.seats.values()) else 0
    return now - table.opened_at > COMES_AFTER and len(rulings.free_seats(table)) > kept
