"""What happens at a table by itself: bots move, clocks run out, people are given up, empty tables close.

Questions about a table, answered without changing it: when is the next time to look, what is due then, and who thinks
about it meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.kernel import Clock, Dice
from croupier.tables import bot_pace, rulings
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry, Closed, Expired, Moved, StoodIn
from croupier.tables.seat import Seat
from croupier.tables.settings import Settings
from croupier.tables.table import Table
from croupier.tables.wall_clock import ms

PLAYS_ON = 30_000
"""Milliseconds. Where everybody is gone bots rest, and who comes back finds the game as it was. But there are protocols
whose tables are kept for no longer than this: they promise that the game goes on meanwhile."""


def next_due(table: Table, bots: Bots, settings: Settings) -> int:
    """When the next thing happens by itself."""
    dues = [_idle_at(table, settings)]
    if table.lingers:
        return min(*dues, _lingers_until(table))
    if table.phase == "playing":
        rests = _rests(table)
        clocks = _running(table, rests)
        graces = _graces(table)
        dues += [clock.due for clock in clocks]
        dues += graces.values()
        for number in table.awaited():
            seat = table.seats[number]
            if seat.automatic:
                if not rests:
                    dues.append(bot_pace.thinks_until(table, bots, seat, settings))
            elif not seat.present and not clocks and not graces and table.alone is None:
                dues.append(_waited_for_until(table, seat))
        if not rests:
            dues += [bot_pace.hesitates_until(table, bots, seat, settings) for seat in bots.to_be_asked()]
    elif table.phase == "waiting":
        if table.starts_at is not None:
            dues.append(table.starts_at)
        dues.extend(seat.keeps_until for seat in table.seats.values() if not seat.present)
    if bot_pace.deserted(table):
        dues.append(_kept_until(table))
    return min(dues)


def fall_due(table: Table, bots: Bots, settings: Settings, now: int, dice: Dice) -> Sequence[AnyEntry]:
    """The first thing that is due by now; nothing when it was too early to look."""
    if table.lingers:
        return [Closed("over")] if _lingers_until(table) <= now else ()
    if bot_pace.deserted(table) and _kept_until(table) <= now:
        return [Closed("abandoned")]
    if _idle_at(table, settings) <= now:
        return [Closed("idle")]
    if table.phase == "playing":
        return _given_up(table, now) or _gone_on(table, bots, settings, now, dice)
    if table.phase == "waiting":
        for seat in table.seats.values():
            if not seat.present and seat.keeps_until <= now:
                return rulings.left(table, seat, closes=False)
    return ()


def thinking(table: Table, bots: Bots, now: int) -> Sequence[Seat]:
    """Whose bots look ahead now: those who are awaited, unless there is nobody to do it for."""
    if table.phase != "playing" or not bots.searching or _rests(table):
        return ()
    if bot_pace.deserted(table) and now < table.grace_until:
        return ()
    awaited = table.awaited()
    return [seat for seat in bots.searching if seat.number in awaited]


def _given_up(table: Table, now: int) -> Sequence[AnyEntry]:
    """Who has been away for too long; all together whose time is over at the same moment."""
    graces = _graces(table)
    first = min(graces.values(), default=None)
    if first is None or first > now:
        return []
    return rulings.gave_up(table, [seat for seat, until in graces.items() if until == first])


def _gone_on(table: Table, bots: Bots, settings: Settings, now: int, dice: Dice) -> Sequence[AnyEntry]:
    """A game goes on by a bot's move, or because somebody is late."""
    rests = _rests(table)
    clocks = _running(table, rests)
    stand_in = table.game.customs.late == "stand_in"
    for number in table.awaited():
        seat = table.seats[number]
        if seat.automatic:
            if not rests and bot_pace.thinks_until(table, bots, seat, settings) <= now:
                return [Moved(number, bots.move(seat, dice), bot=True)]
        elif seat.present or clocks or table.alone is not None or _graces(table):
            continue
        elif _waited_for_until(table, seat) <= now:
            return [StoodIn(number, "late")] if stand_in else rulings.left(table, seat, closes=False)
    for seat in () if rests else bots.to_be_asked():
        if bot_pace.hesitates_until(table, bots, seat, settings) <= now:
            interjection = bots.interjection(seat, dice)
            if interjection is not None:
                return [Moved(seat.number, interjection, bot=True)]
    for clock in clocks:
        if clock.due <= now:
            if not stand_in or not clock.seats:  # nobody is late whom a bot could stand in for
                return [Expired(clock.name)]
            for number in clock.seats:
                if not table.seats[number].automatic:
                    return [StoodIn(number, "late")]
    return ()


def _waited_for_until(table: Table, seat: Seat) -> int:
    """How long a game without a clock waits for somebody who is away."""
    since = max(table.acted_at, seat.away_since or 0, table.grace_until)
    return since + ms(table.game.customs.away_limit)


def _graces(table: Table) -> dict[Seat, int]:
    """Until when those who are away keep their seats in the game, where that is limited."""
    grace = table.game.customs.grace
    if grace is None or table.alone is not None:
        return {}
    return {
        seat: max(seat.away_since + ms(grace), table.grace_until)
        for seat in table.seats.values()
        if seat.human and seat.away_since is not None
    }


def _lingers_until(table: Table) -> int:
    return table.acted_at + ms(table.game.customs.linger or 0)


def _idle_at(table: Table, settings: Settings) -> int:
    """When so little has happened for so long that the table is closed."""
    custom = table.game.customs.idle
    since = max(table.at, table.soft.heard_at)
    return since + ms(settings.idle_after if custom is None or table.state is not None else custom)


def _rests(table: Table) -> bool:
    """Whether bots wait until somebody is there again. The clocks of people run all the same."""
    if not bot_pace.deserted(table):
        return False
    gone = [seat.away_since for seat in table.seats.values() if seat.human and seat.away_since is not None]
    return _kept_until(table) - max(table.soft.unwatched_at, *gone, 0) > PLAYS_ON


def _running(table: Table, rests: bool) -> Sequence[Clock]:
    """The clocks that count: not those of bots that rest, or that would only have a bot stand in for a bot."""
    clocks = table.clocks()
    if not rests and table.game.customs.late != "stand_in":
        return clocks
    seats = table.seats
    return [clock for clock in clocks if not clock.seats or not all(seats[number].automatic for number in clock.seats)]


def _kept_until(table: Table) -> int:
    """When an empty table closes. The patience of those who are away begins again when the last spectator goes."""
    away = [(seat, seat.away_since) for seat in table.seats.values() if seat.human and seat.away_since is not None]
    if table.keeps is not None and table.phase != "playing":
        return max(table.emptied_at, table.soft.unwatched_at, *(since for _, since in away)) + table.keeps
    return max((seat.keeps_until + max(0, table.soft.unwatched_at - since) for seat, since in away), default=0)
