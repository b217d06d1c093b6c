"""What can be done in Hearts, and what happens."""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from croupier.kernel import Event, Move
from croupier_hearts.state import Direction


class Pass(Move, frozen=True):
    """Three cards for somebody else."""

    cards: tuple[str, ...]


class Play(Move, frozen=True):
    card: str


class Dealt(Event, frozen=True):
    """A new hand."""

    reveals = True
    number: int
    direction: Direction
    hands: tuple[tuple[str, ...], ...]
    """By seat; others' are empty."""

    def seen_by(self, seat: int | None) -> Self:
        return replace(self, hands=tuple(hand if i == seat else () for i, hand in enumerate(self.hands)))


class Passed(Event, frozen=True):
    """Somebody has chosen what to pass."""

    seat: int
    cards: tuple[str, ...]

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, cards=())


class Received(Event, frozen=True):
    reveals = True
    seat: int
    giver: int
    cards: tuple[str, ...]

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, cards=())


class Begun(Event, frozen=True):
    """The cards are passed: who has the two of clubs leads it."""

    reveals = True
    seat: int


class Played(Event, frozen=True):
    reveals = True  # it was in a hand; and where somebody is late, nobody has even chosen it
    seat: int
    card: str
    breaks: bool = False
    """It is the first heart."""


class TookTrick(Event, frozen=True):
    seat: int
    cards: tuple[str, ...]
    points: int


class Scored(Event, frozen=True):
    """A hand is over."""

    points: tuple[int, ...]
    scores: tuple[int, ...]
    shooter: int | None = None
    """Who has shot the moon."""


AnyMove = Pass | Play
AnyEvent = Dealt | Passed | Received | Begun | Played | TookTrick | Scored
