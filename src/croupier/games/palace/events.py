"""The events of Palace: what has happened at the table."""

from __future__ import annotations

from typing import Literal

from croupier.kernel import Event


class Chose(Event, frozen=True):
    """A player has laid three cards face up."""

    seat: int
    cards: tuple[str, ...]


class Played(Event, frozen=True):
    """Cards were put on the pile, from the hand or from the face-up cards."""

    seat: int
    zone: Literal["hand", "face_up"]
    cards: tuple[str, ...]


class Flipped(Event, frozen=True):
    """A face-down card was turned over and put on the pile."""

    reveals = True

    seat: int
    card: str


class PickedUp(Event, frozen=True):
    """The play did not fit: the whole pile, ``count`` cards with those just played, has gone into the hand."""

    seat: int
    count: int


class Burned(Event, frozen=True):
    """The pile, ``count`` cards with those just played, is out of the game."""

    seat: int
    count: int


class WentOut(Event, frozen=True):
    """A player has got rid of all cards."""

    seat: int
    place: int


class Turn(Event, frozen=True):
    """Who acts next, in which phase. Ends every action but the last."""

    seat: int
    phase: Literal["setup", "play"]


class Ended(Event, frozen=True):
    """The game is over; the loser comes last."""

    order: tuple[int, ...]


AnyEvent = Chose | Played | Flipped | PickedUp | Burned | WentOut | Turn | Ended
