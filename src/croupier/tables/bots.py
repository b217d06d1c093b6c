"""Asking bots: what they are made of is nobody's business, and must not be anybody's trouble.

A bot thinks on the event loop, between two moves of everybody else. One that raises is passed over; one that does not
come to an end is interrupted and relieved: from then on its seat plays at random. (That works for code in Python, on
the main thread. Nothing can interrupt an extension written in C that never returns.)
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

from croupier.kernel import Event, RandomBot
from croupier.tables import error_log

if TYPE_CHECKING:
    from croupier.tables.table import Seat

T = TypeVar("T")

BUDGET = 1.0
"""Seconds of the processor that a bot may take; they should need a hundredth of it, since everybody waits for them."""
PATIENCE = 10.0
"""Seconds on the clock, for one that only waits. A machine with other things to do is not the bot's fault."""


class TooSlow(BaseException):
    """Not an ``Exception``: a bot that catches those must not catch this."""


class _budget:  # noqa: N801 - used like a function
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


def consult(seat: Seat, game: str, question: Callable[[], T], otherwise: T) -> T:
    """What the seat's bot answers; ``otherwise`` when it can't."""
    try:
        with _budget():
            return question()
    except Exception:
        error_log.report("bot", "bot failed", game=game, bot=_name(seat))
    except TooSlow:
        _relieve(seat, game)
    return otherwise


def observe(seats: Sequence[Seat], game: str, events: Sequence[Event]) -> None:
    """Let the seats' bots see what has happened. One that can't has lost track, and is relieved.

    They have one budget together: to set the alarm for each of 254 was nearly all that a move took.
    """
    redacts = any(type(event).seen_by is not Event.seen_by for event in events)
    left = list(reversed(seats))
    while left:
        seat = left[-1]
        try:
            with _budget():
                while left:
                    seat = left.pop()
                    number, brain = seat.number, seat.brain
                    assert brain is not None
                    brain.observe(number, _seen(events, number) if redacts else events)
        except Exception:
            error_log.report("bot", "bot failed", game=game, bot=_name(seat))
            seat.brain = RandomBot()
        except TooSlow:
            _relieve(seat, game)


def _seen(events: Sequence[Event], seat: int) -> list[Event]:
    return [view for event in events if (view := event.seen_by(seat)) is not None]


def _relieve(seat: Seat, game: str) -> None:
    error_log.report("bot", "bot takes too long and is relieved", game=game, bot=_name(seat), seconds=BUDGET)
    seat.brain = RandomBot()


def _name(seat: Seat) -> str:
    return type(seat.brain).__name__
