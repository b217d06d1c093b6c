"""What there is in a game of Crazy Eights: options, moves, events, the state, and what a seat sees of it."""

from typing import Annotated, Self

import msgspec
from msgspec.structs import replace

from croupier.kernel import Chance, Event, Move, option, shown


class Options(msgspec.Struct, frozen=True):
    target: Annotated[int, option("Points to win", ge=0, le=500, labels={0: "one hand"})] = 100
    turn: Annotated[int, option("Time for a turn", ge=0, le=600, unit="s", zero="no limit")] = 60


class Play(Move, frozen=True):
    card: str
    suit: str | None = None
    """With an eight, and only then: the suit to follow from now on."""


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
    reveals = True
    seat: int


class Reshuffled(Event, frozen=True):
    """The pile has become the stock."""


class HandEnded(Event, frozen=True):
    """Somebody is out of cards, or nobody can go on. Now everybody sees the hands."""

    reveals = True
    hands: tuple[tuple[str, ...], ...]
    points: tuple[int, ...]
    """What each seat scores for this hand."""


class State(msgspec.Struct):
    options: Options
    chance: Chance
    since: int
    """When the turn began."""
    hands: list[list[str]]
    stock: list[str]
    pile: list[str]
    """The top card is the last one."""
    suit: str
    """To be followed: that of the top card, or what an eight has named."""
    active: int
    """Whose turn it is."""
    scores: list[int]
    dealer: int = -1
    drawn: int = 0
    """How many cards, in this turn."""
    passes: int = 0
    """How many players have passed in a row."""


class View(msgspec.Struct, frozen=True):
    hands: Annotated[tuple[int, ...], shown("Cards", "count")]
    scores: Annotated[tuple[int, ...], shown("Points", "score")]
    stock: Annotated[int, shown("Stock", "deck")]
    top: Annotated[str, shown("Pile", "pile")]
    suit: Annotated[str, shown("Suit")]
    active: int
    hand: tuple[str, ...]
    open_hands: Annotated[tuple[tuple[str, ...], ...], shown("Cards", "cards", by_seat=True)] = ()
    """In a replay of a game that is over, everybody's."""
