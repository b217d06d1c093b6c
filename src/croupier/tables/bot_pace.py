"""How long bots think, and when they interject: as people would, where people look on."""

from __future__ import annotations

from math import inf

from croupier.tables.bots import Bots
from croupier.tables.seat import Seat
from croupier.tables.settings import Settings
from croupier.tables.table import Table
from croupier.tables.wall_clock import ms

BEFORE_THE_END = 500
"""Milliseconds before a clock runs out, in which a bot that is still thinking moves as well as it can."""


def thinks_until(table: Table, bots: Bots, seat: Seat, settings: Settings) -> int:
    """When a bot moves. After a restart not before somebody is back, or has had the time to come back: a game that
    goes on without anybody may be over by then, and its table closed."""
    least, most = _pace(table)
    since = bots.awaited_since(seat)
    # Those who are asked together think at the same time; but their answers don't come all at once.
    due = max(since + _varied(settings, least, most, since, seat), table.acted_at + ms(settings.bot_delay * least))
    if (thought := bots.thoughts.get(seat)) is not None:
        due = thought.moves_at(due, _runs_out_at(table, seat) - BEFORE_THE_END)
    return max(due, table.grace_until) if deserted(table) else due


def _runs_out_at(table: Table, seat: Seat) -> float:
    """When somebody else decides what the seat does."""
    return min((clock.due for clock in table.clocks() if not clock.seats or seat.number in clock.seats), default=inf)


def _pace(table: Table) -> tuple[float, float]:
    """How long bots think here. Who can only watch them finish would rather not wait for every card."""
    game, here = table.game, [seat for seat in table.people if seat.present and seat.unhurried]
    if not here:
        return game.customs.pace
    if all(game.done(table.state, seat.number) for seat in table.people):
        return (game.customs.leisure[0],) * 2
    return game.customs.leisure


def _varied(settings: Settings, least: float, most: float, moment: int, seat: Seat) -> int:
    """Never the same, and the same whenever it is asked for."""
    mixed = (moment * 0x9E3779B1 + (seat.number + 1) * 0x85EBCA6B) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    return ms(settings.bot_delay * (least + (most - least) * (mixed >> 8) / (1 << 24)))


def hesitates_until(table: Table, bots: Bots, seat: Seat, settings: Settings) -> int:
    """When a bot interjects: a while after something has happened, so that people have a chance."""
    return table.acted_at + _varied(settings, *bots.reacts(seat), table.acted_at, seat)


def deserted(table: Table) -> bool:
    """Whether nobody is there, neither at the table nor watching. Bots don't keep a table alive."""
    return not table.soft.watchers and not any(seat.present for seat in table.people)
