"""The bots at a table. They are no part of its log: they are made when the table is played at.

A bot thinks on the event loop, between two moves of everybody else, unless it is one that looks ahead (``thinking``).
What it is made of is nobody's business, and must not be anybody's trouble: one that raises is passed over; one that
does not come to an end is interrupted and relieved, and from then on its seat plays at random. (That works for code in
Python, on the main thread. Nothing can interrupt an extension written in C that never returns.)
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import NamedTuple, TypeVar

from croupier.kernel import Bot, Dice, Event, Move, RandomBot, Searcher
from croupier.tables import entries, error_log
from croupier.tables.entries import AnyEntry
from croupier.tables.seat import Seat
from croupier.tables.table import Table
from croupier.tables.thoughts import Thought

T = TypeVar("T")

BUDGET = 1.0
"""Seconds of the processor that a bot may take; they should need a hundredth of it, since everybody waits for them."""
PATIENCE = 10.0
"""Seconds on the clock, for one that only waits. A machine with other things to do is not the bot's fault."""


class _Player(NamedTuple):
    bot: Bot
    since: int
    """The entry with which it began to play its seat."""


class Bots:
    __slots__ = (
        "_asked", "_interjecting", "_missing", "_observing", "_players", "_searching", "_unseen", "table", "thoughts",
        "waits",
    )  # fmt: skip

    def __init__(self, table: Table) -> None:
        self.table = table
        self._players: dict[Seat, _Player] = {}
        self._unseen: list[tuple[int, Sequence[Event]]] = []
        """What has happened in the game since the last bot was made, by the number of the entry: the next one may have
        to look back."""
        self.waits: dict[int, int] = {}
        """Since when whose move is awaited, where bots play."""
        self._asked: dict[Seat, int] = {}
        """The table's step when a bot was last asked whether it interjects, and let it be."""
        # Most bots keep no memory and don't interject: a table of 255 should not ask them all at every move.
        self._observing: list[Seat] | None = None
        self._interjecting: list[Seat] | None = None
        self._searching: list[Seat] | None = None
        self._missing = False
        """Whether some of those who observe have not been made."""
        self.thoughts: dict[Seat, Thought] = {}
        """What those who look ahead think about at the moment."""

    def follow(self, entry: AnyEntry, events: Sequence[Event]) -> None:
        """Something has happened at the table."""
        table = self.table
        self.look_back(entry, events)
        if table.phase == "playing":
            mover = entry.seat if type(entry) is entries.Moved else None
            self.waits = {
                number: table.at if number == mover else self.waits.get(number, table.at) for number in table.awaited()
            }

    def look_back(self, entry: AnyEntry, events: Sequence[Event]) -> None:
        """The same at a table that is being read from its log: nobody is waiting yet."""
        if type(entry) is not entries.Moved:
            self.look_again()
        if self.table.phase != "playing" or type(entry) is entries.Started:
            self._unseen.clear()
            self.waits.clear()
        if events and self.table.phase == "playing" and (observing := self._observers()):
            if self._missing:
                self._unseen.append((self.table.seq, events))
            else:
                self._show(observing, events)

    def awaited_since(self, seat: Seat) -> int:
        """Since when the seat's move is awaited; on a table that was just loaded, since the game last went on."""
        return self.waits.get(seat.number, self.table.acted_at)

    def to_be_asked(self) -> list[Seat]:
        """Whose bots may interject and have not been asked since the game last went on."""
        if self.table.course is not None and self.table.course.on:
            seats = self.table.seats.values()
            return [seat for seat in seats if seat.automatic and self._scripted(seat) is not None]
        if self._interjecting is None:
            self._interjecting = self._those_with(Bot.interject.__name__)
        if not self._interjecting:
            return []
        awaited, step = self.table.awaited(), self.table.step
        return [seat for seat in self._interjecting if self._asked.get(seat) != step and seat.number not in awaited]

    def _scripted(self, seat: Seat) -> Move | None:
        """What a lesson has this seat interject now."""
        course, awaited = self.table.course, self.table.awaited()
        if course is None or seat.number in awaited or self._asked.get(seat) == self.table.step:
            return None
        return course.interjection(seat.number)

    def reacts(self, seat: Seat) -> tuple[float, float]:
        return self._kind(seat).reacts

    @property
    def searching(self) -> list[Seat]:
        """Whose bots look ahead."""
        if self._searching is None:
            seats = self.table.seats.values()
            self._searching = [seat for seat in seats if seat.automatic and issubclass(self._kind(seat), Searcher)]
        return self._searching

    def forget_thoughts(self) -> None:
        """Nobody waits for them any more."""
        while self.thoughts:
            self.thoughts.popitem()[1].cancel()

    def _found(self, seat: Seat) -> Move | None:
        """What a bot has found that looks ahead; None when it has found nothing, or not in time."""
        thought = self.thoughts.pop(seat, None)
        if thought is None:
            return None
        thought.cancel()
        move: Move | None = thought.move
        if move is not None and self.table.game.offers(self.table.state, seat.number, move):
            return move
        thought.thinkers.fallbacks += 1
        if move is not None:
            self._report(seat, "bot chose a move that it was not offered")
        return None

    def move(self, seat: Seat, dice: Dice) -> Move:
        """The move of a bot that is awaited."""
        game, number, bot = self.table.game, seat.number, self.bot(seat)
        state = self.table.state
        if self.table.course is not None:
            scripted = self.table.course.next(number)
            if scripted is not None and game.offers(state, number, scripted):
                return scripted
        if (found := self._found(seat)) is not None:
            return found
        moves, view = game.candidates(state, number, dice), game.view(state, number)
        move = self._consult(seat, lambda: bot.choose(number, view, moves, dice))
        if move is None or not (move in moves or game.offers(state, number, move)):
            if move is not None:
                self._report(seat, "bot chose a move that it was not offered")
            move = RandomBot().choose(number, None, moves, dice)
        return move

    def interjection(self, seat: Seat, dice: Dice) -> Move | None:
        """The move of a bot that nobody waits for, if it wants to make one. It is asked once."""
        game, number, state = self.table.game, seat.number, self.table.state
        moves = game.candidates(state, number, dice)
        move = self._scripted(seat)
        if moves and move is None:
            bot, view = self.bot(seat), game.view(state, number)
            move = self._consult(seat, lambda: bot.interject(number, view, moves, dice))
        if move in moves or (move is not None and game.offers(state, number, move)):
            return move
        self._asked[seat] = self.table.step
        return None

    def bot(self, seat: Seat) -> Bot:
        """Who plays this seat."""
        if not self._is_made(seat):
            self._make()
        return self._players[seat].bot

    def _make(self) -> None:
        """Make the bots that are missing, and let them look back on what they would have seen."""
        missing = [seat for seat in self.table.seats.values() if seat.automatic and not self._is_made(seat)]
        for seat in missing:
            self._players[seat] = _Player(self._kind(seat)(), seat.automatic_since)
        self._asked = {seat: step for seat, step in self._asked.items() if seat.automatic}
        self._players = {seat: player for seat, player in self._players.items() if seat.automatic}
        observing = [seat for seat in missing if seat in self._observers()]
        for seq, events in self._unseen:
            self._show([seat for seat in observing if seat.automatic_since <= seq], events)
        self._unseen.clear()
        self._missing = False

    def _is_made(self, seat: Seat) -> bool:
        player = self._players.get(seat)
        return player is not None and player.since == seat.automatic_since

    def _kind(self, seat: Seat) -> type[Bot]:
        if self._is_made(seat):
            return type(self._players[seat].bot)  # it may have been relieved
        kinds = self.table.game.bots
        # Somebody is stood in for; or was played by a bot that this server does not have any more.
        return kinds.get(seat.bot or "") or next(iter(kinds.values()))

    def _observers(self) -> list[Seat]:
        if self._observing is None:
            self._observing = self._those_with(Bot.observe.__name__)
            self._missing = not all(self._is_made(seat) for seat in self._observing)
        return self._observing

    def _those_with(self, answer: str) -> list[Seat]:
        """The seats whose bots have an answer of their own to this question."""
        seats, usual = self.table.seats.values(), getattr(Bot, answer)
        return [seat for seat in seats if seat.automatic and getattr(self._kind(seat), answer) is not usual]

    def _show(self, seats: Sequence[Seat], events: Sequence[Event]) -> None:
        """Let bots see what has happened. One that can't has lost track, and is relieved.

        They have one budget together: to set the alarm for each of 254 was nearly all that a move took.
        """
        redacts = any(type(event).seen_by is not Event.seen_by for event in events)
        left = list(reversed(seats))
        while left:
            seat = left[-1]
            try:
                with budget():
                    while left:
                        seat = left.pop()
                        bot, number = self._players[seat].bot, seat.number
                        bot.observe(number, redacted(events, number) if redacts else events)
            except Exception:
                self._report(seat, "bot failed")
                self._relieve(seat)
            except TooSlow:
                self._report(seat, "bot takes too long and is relieved")
                self._relieve(seat)

    def _consult(self, seat: Seat, question: Callable[[], T]) -> T | None:
        """What the seat's bot answers; None when it can't."""
        try:
            with budget():
                return question()
        except Exception:
            self._report(seat, "bot failed")
        except TooSlow:
            self._report(seat, "bot takes too long and is relieved")
            self._relieve(seat)
        return None

    def _report(self, seat: Seat, what: str) -> None:
        error_log.report("bot", what, game=self.table.game.name, bot=type(self._players[seat].bot).__name__)

    def relieve(self, seat: Seat, bot: Bot, by: Bot) -> None:
        """Let another play the seat from now on, if this one still does."""
        if self._is_made(seat) and self._players[seat].bot is bot:
            self._players[seat] = _Player(by, seat.automatic_since)
            self.look_again()

    def _relieve(self, seat: Seat) -> None:
        self.relieve(seat, self._players[seat].bot, RandomBot())

    def look_again(self) -> None:
        """Who plays has changed."""
        self._observing = self._interjecting = self._searching = None


def redacted(events: Sequence[Event], seat: int) -> list[Event]:
    return [view for event in events if (view := event.seen_by(seat)) is not None]


class TooSlow(BaseException):
    """Not an ``Exception``: a bot that catches those must not catch this."""


class budget:  # noqa: N801 - used like a function
    """For what is done inside there is only so much time."""

    def __enter__(self) -> None:
        self._watched = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        if self._watched:
            self._begun, self._used = time.monotonic(), time.thread_time()
            self._before = signal.signal(signal.SIGALRM, self._look)
            signal.setitimer(signal.ITIMER_REAL, BUDGET, BUDGET)

    def __exit__(self, *_: object) -> None:
        if self._watched:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)

    def _look(self, number: int, frame: FrameType | None) -> None:
        # Half of it, since whoever loops for ever has no more of a processor than there is to be had.
        if time.thread_time() - self._used > BUDGET / 2 or time.monotonic() - self._begun > PATIENCE:
            raise TooSlow
