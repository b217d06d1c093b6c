"""How far a lesson has come: the moves that were made at its table, held against its script."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from croupier.kernel import Move
from croupier.kernel.lesson import LEARNER, Lesson


class Course:
    """A lesson under way. Where several may move at once, the order in which they do makes no difference."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._made: Counter[int] = Counter()
        """How many moves everybody has made."""
        self.position: int | None = 0
        """How many moves of the script have been made, all before the next one; None when the game has left it."""

    def follow(self, seat: int, move: Move | None) -> None:
        """Somebody has made a move. None: they have gone on after a look at something."""
        if self.position is None or self.position == len(self._lesson.moves):
            return
        script, made = self._lesson.of(seat), self._made[seat]
        if made < len(script) and alike(move, script[made]):
            self._made[seat] += 1
            self.position = self._reached()
        else:
            self.position = None

    def _reached(self) -> int:
        left = self._made.copy()
        for number, made in enumerate(self._lesson.moves):
            if not left[made.seat]:
                return number
            left[made.seat] -= 1
        return len(self._lesson.moves)

    def next(self, seat: int) -> Move | None:
        """What the script has a bot do whose move is awaited; None where it leaves that to the bot."""
        if self.position is None or seat == LEARNER:
            return None
        script, made = self._lesson.of(seat), self._made[seat]
        return script[made] if made < len(script) else None

    def interjection(self, seat: int) -> Move | None:
        """What the script has a bot do whose move nobody waits for, if its moment has come."""
        if self.position is None or self.position == len(self._lesson.moves):
            return None
        made = self._lesson.moves[self.position]
        return made.move if made.seat == seat != LEARNER else None

    @property
    def on(self) -> bool:
        """Whether the script has more to say about what is done."""
        return self.position is not None and self.position < len(self._lesson.moves)


def alike(one: Move | None, other: Move | None) -> bool:
    """Whether two moves are the same to people, who name the cards of a move in any order, and not all that could be
    said of them."""
    return one == other or _alike(msgspec.to_builtins(one), msgspec.to_builtins(other))


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return all(_open(one.get(name), other.get(name)) for name in one | other)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return sorted(one, key=repr) == sorted(other, key=repr)
    return bool(one == other)


def _open(one: Any, other: Any) -> bool:
    """Whether they are the same in this, unless one of them leaves it open."""
    return one is None or other is None or _alike(one, other)
