"""One game that agents play: who is asked, what they can say, and what becomes of it. Time passes only where nobody has
anything to say."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, Self

from croupier.gym.setup import Setup
from croupier.kernel import Chance, Event, Move, Result
from croupier.kernel.encoding import Choices, Encoding, Notes

NOBODY = -1
_due = attrgetter("due")


class Said(NamedTuple):
    """What a seat has answered."""

    seat: int
    number: int


class Episode:
    """One game, from the deal to its result.

    Asked is the first seat, in the order after whoever was asked last, of those that the game waits for; and of those
    that may interject something and have a reason to (``Encoding.interrupts``, ``tempts``). So all get their turn in
    what is simultaneous, and a race is won by whoever sits next to the one who began it.
    """

    __slots__ = (
        "_at",
        "_awake",
        "_encoding",
        "_game",
        "_last",
        "_notes",
        "choices",
        "log",
        "result",
        "said",
        "seat",
        "setup",
        "state",
        "view",
    )

    def __init__(self, setup: Setup, seed: bytes, log: list[Said | Event] | None = None) -> None:
        self.setup = setup
        self._game = game = setup.game
        self._encoding = encoding = setup.encoding
        self._at = 0
        self._last = NOBODY
        self._awake: list[int] = []
        """Who may interject something, and has not been asked yet."""
        self._notes = _notes(encoding)
        self.log = log
        """What was said and what has happened, if somebody wants to know."""
        self.result: Result | None = None
        """When it is over."""
        self.seat = NOBODY
        """Who is asked; nobody when it is over."""
        self.view: Any = None
        """What that seat sees."""
        self.choices: Choices = {}
        """What it can say."""
        self.said: list[int] = []
        """What it has said so far, of a move in steps."""
        self.state = game.deal(setup.options, encoding.seats, Chance(seed), self._at)
        self._ask()

    def say(self, number: int) -> None:
        """The answer of whoever is asked: one of the choices."""
        try:
            choice = self.choices[number]
        except KeyError:
            raise ValueError(f"{number} is not among the choices of seat {self.seat}: {[*self.choices]}") from None
        if self.log is not None:
            self.log.append(Said(self.seat, number))
        if callable(choice):
            self.said.append(number)
            self.choices = choice()
            return
        if self.said:
            self.said = []
        self._last = self.seat
        if choice is not None:
            self._happened(self._game.play(self.state, self.seat, choice, self._at))
        self._ask()

    def observe(self, seat: int) -> bytes:
        """The row of a seat, whoever is asked."""
        if seat == self.seat:
            return self._encoding.observe(seat, self.view, self._notes[seat], self.said, self.choices)
        return self._encoding.observe(seat, self._game.view(self.state, seat), self._notes[seat])

    def mask(self, seat: int) -> bytearray:
        """What this seat can say, by number: something only if it is asked."""
        return self._encoding.mask(self.choices if seat == self.seat else ())

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Another one that goes its own way from here. What never changes is shared."""
        twin = copy.copy(self)
        twin.state = self._game.clone(self.state)
        twin.log = None if self.log is None else self.log.copy()
        twin.said = self.said.copy()
        twin._awake = self._awake.copy()
        twin._notes = copy.deepcopy(self._notes)
        return twin

    def _ask(self) -> None:
        game, state = self._game, self.state
        while True:
            awaited = game.awaited(state)
            if self._awake:
                if self._ask_next(awaited):
                    return
            elif awaited:
                if self._ask_awaited(awaited[0] if len(awaited) == 1 else min(awaited, key=self._distance)):
                    return
            elif clocks := game.clocks(state):
                clock = min(clocks, key=_due)
                self._at = max(self._at, clock.due)
                self._happened(game.expire(state, clock.name, self._at))
            else:
                self.seat, self.view, self.choices = NOBODY, None, {}
                self.result = game.result(state)
                return

    def _distance(self, seat: int) -> int:
        """How far a seat is from who was asked last."""
        return (seat - self._last - 1) % self._encoding.seats

    def _ask_next(self, awaited: Sequence[int]) -> bool:
        """Ask the next of those who are awaited and those who may interject. False: nobody was to be asked there."""
        seat = min((*awaited, *self._awake), key=self._distance)
        if seat in self._awake:
            self._awake.remove(seat)
        if seat in awaited:
            return self._ask_awaited(seat)
        moves = self._game.moves(self.state, seat)
        if not moves or not self._encoding.tempts(seat, moves, self._notes[seat]):
            return False
        self._offer(seat, moves)
        self.choices[self._encoding.action_count - 1] = None
        return True

    def _ask_awaited(self, seat: int) -> bool:
        """Ask a seat that the game waits for. False: there was nothing to ask, and the only move has been made."""
        game = self._game
        moves = game.every_move(self.state, seat)
        if len(moves) == 1 and type(moves[0]) in game.obvious:
            self._last = seat
            self._happened(game.play(self.state, seat, moves[0], self._at))
            return False
        self._offer(seat, moves)
        return True

    def _offer(self, seat: int, moves: Sequence[Move]) -> None:
        self.seat = seat
        self.view = self._game.view(self.state, seat)
        self.choices = self._encoding.choices(seat, self.view, moves)

    def _happened(self, events: Sequence[Event]) -> None:
        if self.log is not None:
            self.log += events
        interrupts = self._encoding.interrupts
        if interrupts and any(_is_among(type(event), interrupts) for event in events):
            self._awake = list(range(self._encoding.seats))
        if self._encoding.memory == "shared":
            _take_note(self._notes[0], events, None)
        elif self._encoding.memory == "own":
            for seat, notes in enumerate(self._notes):
                _take_note(notes, events, seat)


@cache
def _is_among(kind: type[Event], kinds: tuple[type[Event], ...]) -> bool:
    """What ``isinstance`` says of an event of this kind, which for structs takes it longer than many a move."""
    return issubclass(kind, kinds)


def _notes(encoding: Encoding[Any, Any]) -> list[Notes | None]:
    """By seat, what it has noted, which is nothing yet; the same for all where they take their notes together."""
    if encoding.memory == "own":
        return [encoding.notes() for _ in range(encoding.seats)]
    return [encoding.notes() if encoding.memory == "shared" else None] * encoding.seats


def _take_note(notes: Notes | None, events: Sequence[Event], seat: int | None) -> None:
    if notes is not None:
        notes.observe([seen for event in events if (seen := event.seen_by(seat)) is not None])
