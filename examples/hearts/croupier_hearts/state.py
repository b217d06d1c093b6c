"""What there is of a game of Hearts: all of it, and what one seat may know."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from croupier.kernel import Chance, option
from croupier.kernel.cards import DECK, RANKS, SUITS

SEATS = 4
QUEEN = "Q♠"
LEADS = "2♣"
MOON = 26
"""All the points of a hand."""

Phase = Literal["pass", "play", "score", "over"]
Direction = Literal["left", "right", "across", "hold"]
DIRECTIONS: tuple[Direction, ...] = ("left", "right", "across", "hold")
STEPS = {"left": 1, "right": 3, "across": 2}

BY_SUIT = {card: i for i, card in enumerate(rank + suit for suit in "♣♦♠♥" for rank in RANKS)}.__getitem__
"""Sorts as a hand is held: black and red suits in turn."""
HEIGHT = {card: i // len(SUITS) for i, card in enumerate(DECK)}
"""By rank, from the two."""


def points(card: str) -> int:
    return 13 if card == QUEEN else 1 if card[-1] == "♥" else 0


def receiver(seat: int, number: int) -> int:
    """Who gets the cards that a seat passes in this hand; itself where none are."""
    return (seat + STEPS.get(DIRECTIONS[number % 4], 0)) % SEATS


def giver(seat: int, number: int) -> int:
    return next(other for other in range(SEATS) if receiver(other, number) == seat)


class Options(msgspec.Struct, frozen=True):
    points: Annotated[
        int,
        option("Play to", "Whoever has so many points ends the game.", ge=1, le=500, labels={1: "one hand"}),
    ] = 100
    turn: Annotated[int, option("Time for a card", ge=0, le=600, unit="s", zero="no limit")] = 30
    pause: Annotated[
        int, option("Between two hands", "To look at the points.", ge=0, le=60, unit="s", zero="no pause")
    ] = 12


class Trick(msgspec.Struct, frozen=True):
    leader: int
    cards: tuple[str, ...]
    winner: int

    @property
    def points(self) -> int:
        return sum(map(points, self.cards))


class State(msgspec.Struct):
    options: Options
    chance: Chance
    since: int
    """When the wait began that is going on."""
    scores: list[int]
    history: list[list[int]]
    """The points of every hand that is over, by seat."""
    hands: list[list[str]]
    given: list[tuple[str, ...]]
    """What everybody passes in this hand; nothing before they have chosen. It stays in their hands until all have."""
    number: int = 0
    """Of the hand, from 0."""
    phase: Phase = "pass"
    leader: int = 0
    trick: list[str] = []
    tricks: list[Trick] = []
    broken: bool = False
    lacks: list[list[str]] = []
    """By seat: the suits and cards that it can't have, as everybody has seen who knows the rules."""

    @property
    def mover(self) -> int:
        return (self.leader + len(self.trick)) % SEATS

    @property
    def direction(self) -> Direction:
        return DIRECTIONS[self.number % 4]

    def taken(self, seat: int) -> list[str]:
        return [card for trick in self.tricks if trick.winner == seat for card in trick.cards]

    def played(self, seat: int) -> list[str]:
        """In this hand."""
        done = [trick.cards[(seat - trick.leader) % SEATS] for trick in self.tricks]
        place = (seat - self.leader) % SEATS
        return done + self.trick[place : place + 1]


class View(msgspec.Struct, frozen=True):
    seat: int | None
    phase: Phase
    number: int
    """Of the hand, from 0."""
    direction: Direction
    """Where cards are passed in this hand."""
    hand: tuple[str, ...]
    given: tuple[str, ...]
    """What you have chosen to pass, or have passed."""
    received: tuple[str, ...]
    chosen: tuple[bool, ...]
    """By seat: whether they have chosen what to pass."""
    held: tuple[int, ...]
    """By seat: how many cards they have in hand."""
    leader: int
    """Of the trick that lies there."""
    trick: tuple[str, ...]
    """From the leader on."""
    last: Trick | None
    """The one before it."""
    tricks: tuple[int, ...]
    """By seat: how many they have taken in this hand."""
    taken: tuple[tuple[str, ...], ...]
    """By seat: the cards with points among them."""
    mover: int | None
    broken: bool
    """Whether hearts may be led."""
    scores: tuple[int, ...]
    history: tuple[tuple[int, ...], ...]
    """The points of the hands that are over, by seat."""
    limit: int
    """Whoever has so many points ends the game."""
    open_hands: tuple[tuple[str, ...], ...] | msgspec.UnsetType = msgspec.UNSET
    """In a replay with all cards open, everybody's."""
