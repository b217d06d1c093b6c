"""What happens at a table by itself: bots move, clocks run out, people are given up, empty tables close.

Two questions about a table, both answered without changing it: when is the next time to look, and what is due then.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from croupier.kernel import Clock, Dice, Rig
from croupier.tables import rulings
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry, Closed, Expired, Moved, StoodIn
from croupier.tables.lobby import StandingTables
from croupier.tables.seat import Seat
from croupier.tables.table import Table

LONGEST_WAIT = 86400.0
"""Seconds: no timer takes more than so many, whatever a log says. Who is woken too early looks, and waits again."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How long the house waits for what, in seconds; and how tests may fix its luck."""

    bot_delay: float = 0.1
    """How long a bot seems to think at least; where people follow a game, most take between three and fifteen times as
    long (``Customs.leisure``, ``Bot.reacts``)."""
    lobby_grace: float = 60.0
    """How long a seat at a table that waits for players is kept for somebody who lost the connection."""
    patience: float = 600.0
    """How long a running game waits for the return of the last person, unless their protocol says otherwise."""
    restart_grace: float = 15.0
    """After a restart no clock runs out earlier."""
    restart_patience: float = 120.0
    """After a restart, how long tables wait for anybody to come back."""
    idle_after: float = 86400.0
    """A table at which nothing happens for so long is closed."""
    max_tables: int = 20000
    max_tables_per_address: int = 1000
    """That were opened from one address and are still there; 0: no limit."""
    max_seats_per_address: int = 5000
    """At tables that wait for players, taken from one address; 0: no limit."""
    max_kept_seats_per_address: int = 8
    """Of these, by who has lost the connection; 0: no limit."""
    max_bots_per_address: int = 5000
    """At tables that were opened from one address; 0: no limit."""
    rig: Rig | None = None
    first: int | None = None
    """The place that leads in every game."""
    seed: bytes | None = None
    """The seed of every game."""
    options: dict[str, dict[str, Any]] = {}
    """By game: options of the tables at which nobody says otherwise."""
    standing: dict[str, StandingTables] = {}
    """By game: the tables that are opened for clients whose protocol can't say how."""
    house_bots: dict[str, int] = {}
    """By game in which bots of the house keep people company: how many tables they see to (``tables.company``)."""
    rigging: bool = False
    """Whether who opens a table may fix its luck."""


class Time:
    """The time of all tables, in milliseconds since 1970. Tests may let it run faster."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed
        self._start = time.time() * 1000
        self._since = time.monotonic()

    def now(self) -> int:
        # By the clock that nobody can set: a game does not end, or stand still for hours, because the day has changed.
        return int(self._start + (time.monotonic() - self._since) * 1000 * self._speed)

    def not_before(self, at: int) -> None:
        """It is at least that late: it has been written down already."""
        self._start += max(0, at - self.now())

    def until(self, due: int) -> float:
        """How many real seconds it takes until then; or so many that it is time to look again."""
        return min(max(0, due - self.now()) / 1000 / self._speed, LONGEST_WAIT)


PLAYS_ON = 30_000
"""Milliseconds. Where everybody is gone bots rest, and who comes back finds the game as it was. But there are protocols
whose tables are kept for no longer than this: they promise that the game goes on meanwhile."""


def ms(seconds: float) -> int:
    return round(seconds * 1000)


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
                    dues.append(_thinks_until(table, bots, seat, settings))
            elif not seat.present and not clocks and not graces and table.alone is None:
                dues.append(_waited_for_until(table, seat))
        if not rests:
            dues += [_hesitates_until(table, bots, seat, settings) for seat in bots.to_be_asked()]
    elif table.phase == "waiting":
        if table.starts_at is not None:
            dues.append(table.starts_at)
        dues.extend(seat.keeps_until for seat in table.seats.values() if not seat.present)
    if _empty(table):
        dues.append(_kept_until(table))
    return min(dues)


def fall_due(table: Table, bots: Bots, settings: Settings, now: int, dice: Dice) -> Sequence[AnyEntry]:
    """The first thing that is due by now; nothing when it was too early to look."""
    if table.lingers:
        return [Closed("over")] if _lingers_until(table) <= now else ()
    if _empty(table) and _kept_until(table) <= now:
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
            if not rests and _thinks_until(table, bots, seat, settings) <= now:
                return [Moved(number, bots.move(seat, dice), bot=True)]
        elif seat.present or clocks or table.alone is not None or _graces(table):
            continue
        elif _waited_for_until(table, seat) <= now:
            return [StoodIn(number, "late")] if stand_in else rulings.left(table, seat, closes=False)
    for seat in () if rests else bots.to_be_asked():
        if _hesitates_until(table, bots, seat, settings) <= now:
            interjection = bots.interjection(seat, dice)
            if interjection is not None:
                return [Moved(seat.number, interjection, bot=True)]
    for clock in clocks:
        if clock.due <= now:
            if not stand_in:
                return [Expired(clock.name)]
            for number in clock.seats:
                if not table.seats[number].automatic:
                    return [StoodIn(number, "late")]
    return ()


def _thinks_until(table: Table, bots: Bots, seat: Seat, settings: Settings) -> int:
    """When a bot moves. After a restart not before somebody is back, or has had the time to come back: a game that
    goes on without anybody may be over by then, and its table closed."""
    least, most = _pace(table)
    since = bots.awaited_since(seat)
    # Those who are asked together think at the same time; but their answers don't come all at once.
    due = max(since + _varied(settings, least, most, since, seat), table.acted_at + ms(settings.bot_delay * least))
    return max(due, table.grace_until) if _empty(table) else due


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


def _hesitates_until(table: Table, bots: Bots, seat: Seat, settings: Settings) -> int:
    """When a bot interjects: a while after something has happened, so that people have a chance."""
    return table.acted_at + _varied(settings, *bots.reacts(seat), table.acted_at, seat)


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


def _empty(table: Table) -> bool:
    """Whether nobody is there, neither at the table nor watching. Bots don't keep a table alive."""
    return not table.soft.watchers and not any(seat.present for seat in table.people)


def _rests(table: Table) -> bool:
    """Whether bots wait until somebody is there again. The clocks of people run all the same."""
    if not _empty(table):
        return False
    gone = [seat.away_since for seat in table.seats.values() if seat.human and seat.away_since is not None]
    return _kept_until(table) - max(table.soft.unwatched_at, *gone, 0) > PLAYS_ON


def _running(table: Table, rests: bool) -> Sequence[Clock]:
    """The clocks that count: not those of bots that rest."""
    clocks = table.clocks()
    if not rests:
        return clocks
    seats = table.seats
    return [clock for clock in clocks if not clock.seats or not all(seats[number].automatic for number in clock.seats)]


def _kept_until(table: Table) -> int:
    """When an empty table closes. The patience of those who are away begins again when the last spectator goes."""
    away = [(seat, seat.away_since) for seat in table.seats.values() if seat.human and seat.away_since is not None]
    if table.keeps is not None and table.phase != "playing":
        return max(table.emptied_at, table.soft.unwatched_at, *(since for _, since in away)) + table.keeps
    return max((seat.keeps_until + max(0, table.soft.unwatched_at - since) for seat, since in away), default=0)
