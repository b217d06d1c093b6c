"""The events of Faraway: what has happened at the table, and what of it everybody else is told."""

from __future__ import annotations

from typing import Literal, Self

import msgspec

from croupier.kernel import Event

EndReason = Literal["completed", "forfeit", "abandoned"]


class Played(Event, frozen=True):
    """A player has chosen a region to play. Which one, the others learn when all have chosen (F13)."""

    seat: int
    card: int | None
    """None: face down."""
    open: bool = False
    """Whether everybody may see it at once."""

    def seen_by(self, seat: int | None) -> Self | None:
        return self if self.open or seat == self.seat else msgspec.structs.replace(self, card=None)


class Revealed(Event, frozen=True):
    """All have chosen: the cards of the round are turned over."""

    reveals = True

    cards: tuple[int | None, ...]
    """By seat; None for who is not in the game any more."""


class Offered(Event, frozen=True):
    """A player may keep one of these sanctuaries."""

    reveals = True

    seat: int
    count: int
    cards: tuple[int, ...]
    """Empty for those who may not see them."""
    open: bool = False
    """Whether everybody may see them."""

    def seen_by(self, seat: int | None) -> Self | None:
        return self if self.open or seat == self.seat else msgspec.structs.replace(self, cards=())


class Chose(Event, frozen=True):
    """A player has kept a sanctuary."""

    reveals = True

    seat: int
    card: int


class ShopOpened(Event, frozen=True):
    """The players take a region from the shop, in this order."""

    order: tuple[int, ...]


class Took(Event, frozen=True):
    """A player has taken a region from the shop."""

    seat: int
    card: int


class RoundBegan(Event, frozen=True):
    """What was left in the shop is out of the game; here is what can be had in this round."""

    reveals = True

    turn: int
    shop: tuple[int, ...]


class Forfeited(Event, frozen=True):
    """A player has left the game, with all cards."""

    seat: int


class Ended(Event, frozen=True):
    """The game is over, and nothing is hidden any more."""

    reveals = True

    reason: EndReason
    winners: tuple[int, ...]
    totals: tuple[int | None, ...]
    """By seat; None for who is not in the game any more."""
    hands: tuple[tuple[int, ...], ...]
    region_deck: tuple[int, ...]
    """Ascending, like the sanctuaries."""
    sanctuary_deck: tuple[int, ...]


AnyEvent = Played | Revealed | Offered | Chose | ShopOpened | Took | RoundBegan | Forfeited | Ended
