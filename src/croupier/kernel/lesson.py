"""A game that teaches itself: a first game with a fixed deal, and what is said while it is played.

A lesson is a script, from the top of which everything happens in turn. The one who learns has seat 0, and is told
something (``Explain``) or asked for a move (``Try``); bots make the moves that it has for them (``Meanwhile``). It is
played at a real table, by the rules: nobody is kept from other moves, and who makes one has left the lesson. Then, and
when the script is over, it is a game like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from croupier.kernel.chance import Rig
from croupier.kernel.event import Move

LEARNER = 0
"""The seat of the one who learns."""

Points = tuple[str, ...]
"""What a sentence speaks of, by the names that the game's page has for it (``data-point``): what is there is marked."""


class Explain(NamedTuple):
    """Something to read."""

    text: str
    at: Points = ()


class Try(NamedTuple):
    """Something to do, and why."""

    text: str
    """Empty for what nobody has to think about: they do it by themselves, or their page does."""
    move: Move | None
    """None: no move, but to go on after a look at something (``Customs.looks``)."""
    at: Points = ()


class Meanwhile(NamedTuple):
    """What a bot does then."""

    seat: int
    move: Move


class Made(NamedTuple):
    """A move of the script."""

    seat: int
    move: Move | None


class Step(NamedTuple):
    """What the one who learns is told, and when: after so many moves of the script."""

    text: str
    at: Points
    first: int
    last: int | None
    """It is over when more moves than these have been made: their own next one is among them. None: it stays."""
    asks: bool


class Lesson:
    """The script of a lesson, and the table that it is played at."""

    def __init__(
        self,
        script: Sequence[Explain | Try | Meanwhile],
        *,
        seats: int,
        bot: str,
        rig: Rig,
        options: Mapping[str, Any] | None = None,
        seed: bytes = bytes(32),
    ) -> None:
        self.seats = seats
        self.bot = bot
        """Who plays the other seats where the script has nothing for them: one of the game's ``bots``."""
        self.rig = msgspec.structs.replace(rig, loose=True)
        """The deal, and the order of what is shuffled again later. It has to seat people as they have come
        (``"seats"``), where the game draws who sits where."""
        self.options = options or {}
        self.seed = seed
        """What else is left to luck is the same every time, too."""
        self.moves = tuple(_made(part) for part in script if not isinstance(part, Explain))
        self.steps = tuple(self._steps(script))

    def _steps(self, script: Sequence[Explain | Try | Meanwhile]) -> list[Step]:
        own = [number for number, made in enumerate(self.moves) if made.seat == LEARNER]
        found: list[Step] = []
        made = 0
        for part in script:
            if not isinstance(part, Meanwhile):
                last = next((number for number in own if number >= made), None)
                found.append(Step(part.text, part.at, made, last, isinstance(part, Try)))
            if not isinstance(part, Explain):
                made += 1
        return found

    def of(self, seat: int) -> Sequence[Move | None]:
        """The moves that the script has for a seat."""
        return [made.move for made in self.moves if made.seat == seat]


def _made(part: Try | Meanwhile) -> Made:
    return Made(LEARNER, part.move) if isinstance(part, Try) else Made(part.seat, part.move)
