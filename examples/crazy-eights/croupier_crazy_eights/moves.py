"""What players of Crazy Eights may do, and what can happen."""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from croupier.kernel import Event, Move


class Play(Move, frozen=True):
    card: str
    suit: str | None = None
    """Which suit to follow from now on; with an eight, and only then."""


class Draw(Move, frozen=True):
    pass


class Pass(Move, frozen=True):
    pass


class Dealt(Event, frozen=True):
    """A hand begins."""

    reveals = True
    hands: tuple[tuple[str, ...] | None, ...]
    top: str

    def seen_by(self, seat: int | None) -> Self:
        return replace(self, hands=tuple(hand if owner == seat else None for owner, hand in enumerate(self.hands)))


class Played(Event, frozen=True):
    seat: int
    card: str
    suit: str | None


class Drew(Event, frozen=True):
    reveals = True
    seat: int
    card: str | None

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, card=None)


class Passed(Event, frozen=True):
    """Nothing fits; where a card was drawn, nobody could know that before."""

    reveals = True
    seat: int


class Reshuffled(Event, frozen=True):
    """The pile has become the stock."""

    cards: int


class HandEnded(Event, frozen=True):
    """Somebody is out of cards, or nobody can go on. Only now are the hands known to all."""

    reveals = True
    hands: tuple[tuple[str, ...], ...]
    points: tuple[int, ...]
    """What each seat scores for this hand."""


AnyMove = Play | Draw | Pass
AnyEvent = Dealt | Played | Drew | Passed | Reshuffled | HandEnded
