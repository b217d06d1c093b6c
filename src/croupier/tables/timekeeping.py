"""What happens at a table by itself: bots move, clocks run out, people are given up, empty tables close.

Two questions about a table, both answered without changing it: when is the next time to look, and what is due then.
(But for a note at the seat of a bot that was asked whether it interjects: it is asked once.)
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from croupier.kernel import Dice, RandomBot, Rig
from croupier.tables import bots, rulings, troubles
from croupier.tables.entries import AnyEntry, Closed, Expired, Moved, StoodIn
from croupier.tables.lobby import Standing
from croupier.tables.table import Seat, Table


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How long the house waits for what, in seconds; and how tests may fix its luck."""

    bot_delay: float = 0.1
    """How long a bot seems to think. To interject something it takes between three and fifteen times as long."""
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
    rig: Rig | None = None
    first: int | None = None
    """The place that leads in every game."""
    seed: bytes | None = None
    """The seed of every game."""
    options: dict[str, dict[str, Any]] = {}
    """By game: options of the tables at which nobody says otherwise."""
    standing: dict[str, Standing] = {}
    """By game: the tables that are opened for clients whose protocol can't say how."""
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
        """How many real seconds it takes until then."""
        return max(0, due - self.now()) / 1000 / self._speed


def ms(seconds: float) -> int:
    return round(seconds * 1000)


def next_due(table: Table, settings: Settings) -> int:
    """When the next thing happens by itself."""
    dues = [_idle_at(table, settings)]
    if lingers(table):
        return min(*dues, _lingers_until(table))
    if table.phase == "playing":
        clocks = table.clocks()
        graces = _graces(table)
        dues += [clock.due for clock in clocks]
        dues += graces.values()
        for number in table.game.awaited(table.state):
            seat = table.seats[number]
            if seat.automatic:
                dues.append(_thinks_until(table, settings))
            elif not seat.present and not clocks and not graces:
                dues.append(_waited_for_until(table, seat))
        dues += [_hesitates_until(table, seat, settings) for seat in _to_be_asked(table)]
    elif table.phase == "waiting":
        if table.starts_at is not None:
            dues.append(table.starts_at)
        dues.extend(seat.keeps_until for seat in table.seats.values() if not seat.present)
    if _empty(table):
        dues.append(_kept_until(table))
    return min(dues)


def fall_due(table: Table, settings: Settings, now: int, dice: Dice) -> Iterable[AnyEntry]:
    """The first thing that is due by now; nothing when it was too early to look."""
    if lingers(table):
        return [Closed("over")] if _lingers_until(table) <= now else ()
    if _empty(table) and _kept_until(table) <= now:
        return [Closed("abandoned")]
    if _idle_at(table, settings) <= now:
        return [Closed("idle")]
    if table.phase == "playing":
        return _given_up(table, now) or _gone_on(table, settings, now, dice)
    if table.phase == "waiting":
        for seat in table.seats.values():
            if not seat.present and seat.keeps_until <= now:
                return rulings.left(table, seat, closes=False)
    return ()


def _given_up(table: Table, now: int) -> list[AnyEntry]:
    """Who has been away for too long; all together whose time is over at the same moment."""
    graces = _graces(table)
    first = min(graces.values(), default=None)
    if first is None or first > now:
        return []
    return rulings.gave_up(table, [seat for seat, until in graces.items() if until == first])


def _gone_on(table: Table, settings: Settings, now: int, dice: Dice) -> Iterable[AnyEntry]:
    """A game goes on by a bot's move, or because somebody is late."""
    clocks = table.clocks()
    stand_in = table.game.customs.late == "stand_in"
    for number in table.game.awaited(table.state):
        seat = table.seats[number]
        if seat.automatic:
            if _thinks_until(table, settings) <= now:
                return [_bot_move(table, seat, dice)]
        elif not seat.present and not clocks and not _graces(table) and _waited_for_until(table, seat) <= now:
            return _late(table, seat, dice) if stand_in else rulings.left(table, seat, closes=False)
    for seat in _to_be_asked(table):
        if _hesitates_until(table, seat, settings) <= now:
            interjection = _interjection(table, seat, dice)
            if interjection is not None:
                return [interjection]
            seat.asked = table.step
    for clock in clocks:
        if clock.due <= now:
            if not stand_in:
                return [Expired(clock.name)]
            for number in clock.seats:
                if not table.seats[number].automatic:
                    return _late(table, table.seats[number], dice)
    return ()


def _late(table: Table, seat: Seat, dice: Dice) -> Iterator[AnyEntry]:
    """One indivisible step: who is late loses the seat to a bot, and it makes the move that is overdue."""
    yield StoodIn(seat.number, "late")
    yield _bot_move(table, seat, dice)


def _bot_move(table: Table, seat: Seat, dice: Dice) -> AnyEntry:
    game, number, brain = table.game, seat.number, seat.brain
    moves = game.moves(table.state, number)
    assert brain is not None
    view = game.view(table.state, number)
    move = bots.consult(seat, game.name, lambda: brain.choose(number, view, moves, dice), None)
    if move not in moves:
        if move is not None:
            troubles.report("bot", "bot chose a move that it was not offered", game=game.name, bot=type(brain).__name__)
        move = RandomBot().choose(number, None, moves, dice)
    return Moved(number, move, bot=True)


def _thinks_until(table: Table, settings: Settings) -> int:
    """When a bot moves. After a restart not before somebody is back, or has had the time to come back: a game that
    goes on without anybody may be over by then, and its table closed."""
    due = table.acted_at + ms(settings.bot_delay * table.game.customs.pace)
    return max(due, table.grace_until) if _empty(table) else due


def _to_be_asked(table: Table) -> list[Seat]:
    """Whose bots may interject and have not been asked since the game last went on."""
    if not table.interjectors():
        return []
    awaited = table.game.awaited(table.state)
    return [seat for seat in table.interjectors() if seat.asked != table.step and seat.number not in awaited]


def _hesitates_until(table: Table, seat: Seat, settings: Settings) -> int:
    """When a bot interjects: a while after something has happened, never the same, so that people have a chance."""
    times = 3 + (7 * table.step + 5 * seat.number) % 13
    return table.acted_at + ms(settings.bot_delay * times)


def _interjection(table: Table, seat: Seat, dice: Dice) -> AnyEntry | None:
    game, number = table.game, seat.number
    moves = game.moves(table.state, number)
    if not moves:
        return None
    brain = seat.brain
    assert brain is not None
    view = game.view(table.state, number)
    move = bots.consult(seat, game.name, lambda: brain.interject(number, view, moves, dice), None)
    return Moved(number, move, bot=True) if move in moves else None


def _waited_for_until(table: Table, seat: Seat) -> int:
    """How long a game without a clock waits for somebody who is away."""
    since = max(table.acted_at, seat.away_since or 0, table.grace_until)
    return since + ms(table.game.customs.away_limit)


def _graces(table: Table) -> dict[Seat, int]:
    """Until when those who are away keep their seats in the game, where that is limited."""
    grace = table.game.customs.grace
    if grace is None:
        return {}
    return {
        seat: max(seat.away_since + ms(grace), table.grace_until)
        for seat in table.seats.values()
        if seat.human and seat.away_since is not None
    }


def lingers(table: Table) -> bool:
    """Whether a game is over here, and the table stays as it was."""
    return table.result is not None and table.game.customs.linger is not None


def _lingers_until(table: Table) -> int:
    return table.acted_at + ms(table.game.customs.linger or 0)


def _idle_at(table: Table, settings: Settings) -> int:
    """When so little has happened for so long that the table is closed."""
    custom = table.game.customs.idle
    return table.at + ms(settings.idle_after if custom is None or table.state is not None else custom)


def _empty(table: Table) -> bool:
    """Whether nobody is there, neither at the table nor watching. Bots don't keep a table alive."""
    return not table.watchers and not any(seat.human and seat.present for seat in table.seats.values())


def _kept_until(table: Table) -> int:
    """When an empty table closes. The patience of those who are away begins again when the last spectator goes."""
    away = [(seat, seat.away_since) for seat in table.seats.values() if seat.human and seat.away_since is not None]
    if table.keeps is not None and table.phase != "playing":
        return max(table.emptied_at, table.unwatched_at, *(since for _, since in away)) + table.keeps
    return max((seat.keeps_until + max(0, table.unwatched_at - since) for seat, since in away), default=0)
