"""What a table of Crazy Eights is made of, and what people see of it."""

from __future__ import annotations

from typing import Annotated

import msgspec

from croupier.kernel import Chance, option, shown


class Options(msgspec.Struct, frozen=True):
    target: Annotated[int, option("Points to win", ge=0, le=500, labels={0: "one hand"})] = 100
    turn: Annotated[int, option("Time for a turn", ge=0, le=600, unit="s", zero="no limit")] = 60


class State(msgspec.Struct):
    options: Options
    chance: Chance
    since: int
    """When the turn began."""
    hands: list[list[str]]
    stock: list[str]
    """The next card last, as in the pile."""
    pile: list[str]
    suit: str
    """To be followed: that of the top card, or what an eight has named."""
    active: int
    scores: list[int]
    dealer: int = -1
    drawn: int = 0
    """How many cards, in this turn."""
    passes: int = 0
    """How many have passed in a row."""


class View(msgspec.Struct, frozen=True):
    hands: Annotated[tuple[int, ...], shown("Cards", "count")]
    scores: Annotated[tuple[int, ...], shown("Points", "score")]
    stock: Annotated[int, shown("Stock", "deck")]
    top: Annotated[str, shown("Pile", "pile")]
    suit: Annotated[str, shown("Suit")]
    active: int
    hand: tuple[str, ...]
    open_hands: Annotated[tuple[tuple[str, ...], ...], shown("Cards", "cards", by_seat=True)] = ()
