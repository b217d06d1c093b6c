"""What there is in a game of Sample: options, moves, events, the state, and what a seat sees of it.

They are structs: what a client sends is checked against them, and what the journal keeps is made of them.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from croupier.kernel import Event, Move, option
from croupier.kernel.cards import ORDER, suit


class Options(msgspec.Struct, frozen=True):
    """What the host of a table may choose."""

    cards: Annotated[int, option("Cards in each hand", ge=1, le=8)] = 5
    turn: Annotated[int, option("Time for a turn", ge=5, le=600, unit="s")] = 60


class Play(Move, frozen=True):
    card: str


class Played(Event, frozen=True):
    """Everybody sees all of it. An event with something to hide has an answer to ``seen_by``."""

    seat: int
    card: str


class Took(Event, frozen=True):
    seat: int


class State(msgspec.Struct):
    """Everything. It never leaves the server."""

    hands: list[list[str]]
    stock: list[str]
    """Nobody has been dealt these, and nobody knows which they are."""
    trick: list[str]
    """The cards on the table, the leader's first."""
    last: list[str]
    """The trick before, which people can still look at."""
    leader: int
    taken: list[int]
    """Tricks, by seat."""
    turn: int
    """Seconds."""
    since: int
    """When the turn began."""


class View(msgspec.Struct, frozen=True):
    """What one seat may know: enough to draw the table from nothing."""

    hand: tuple[str, ...]
    """Yours; a spectator has none."""
    hands: tuple[int, ...]
    """How many cards everybody has."""
    trick: tuple[str, ...]
    last: tuple[str, ...]
    leader: int
    taken: tuple[int, ...]


def best(trick: Sequence[str]) -> int:
    """Which card of a trick takes it: the highest of the suit that was led."""
    led = suit(trick[0])
    return max(range(len(trick)), key=lambda place: (suit(trick[place]) == led, ORDER[trick[place]]))
