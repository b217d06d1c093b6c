"""The table of Faraway: the whole of it, and as one player sees it.

The numbers F1, F2, … are the rules as the game's page under ``docs/`` counts them.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from croupier.games.faraway.cards import CardSet
from croupier.games.faraway.events import EndReason
from croupier.games.faraway.options import Options
from croupier.games.faraway.scoring import Score
from croupier.kernel import shown

Phase = Literal["play", "sanctuary", "shop", "end"]


class State(msgspec.Struct):
    """The whole table, secrets included. Lists with one entry per player are by seat."""

    options: Options
    since: int
    """When the choice that is awaited now became due."""
    region_deck: list[int]
    """The top card first, here and in the other deck (F5)."""
    sanctuary_deck: list[int]
    dealt: list[tuple[int, ...]]
    """The three regions everybody began with. They alone are secret: what comes later was seen in the shop."""
    hands: list[list[int]]
    """The newest card last. Who left keeps theirs, which nobody will ever see."""
    rows: list[list[int]]
    """From the first region to the latest. In the play phase the card of this round is there, face down."""
    sanctuaries: list[list[int]]
    offers: list[list[int]]
    """The sanctuaries to choose from; then, until the phase is over, those that were not chosen."""
    seen: list[list[int]]
    """All the sanctuaries that each player was ever offered."""
    shop: list[int]
    players: list[int]
    """The seats that are in the game, ascending."""
    waiting: list[int]
    """The players who still have to do something in this phase: ascending, or in the order of the shop."""
    discarded: list[int] = []
    """What was left in the shops."""
    shop_order: list[int] = []
    """Of the latest shop."""
    phase: Phase = "play"
    turn: int = 0
    left: list[list[int]] = []
    """Who has left the game, those together who left together."""
    reason: EndReason | None = None
    earned: list[list[int]] = []
    """At the end: the nine numbers of everybody's score; none for who left."""


class Standing(msgspec.Struct, frozen=True):
    """A place in the final ranking."""

    seat: int
    rank: int
    total: int
    lowest: int | None
    """The lowest region in the row, which decides between equals (F32)."""


class Private(msgspec.Struct, frozen=True):
    """What one player sees and the others do not, or not yet; the fields are those of a view."""

    hand: tuple[int, ...]
    row: tuple[int, ...]
    """With the card of this round, which lies there face down."""
    offer: tuple[int, ...]


class View(msgspec.Struct, frozen=True):
    """The table as one player sees it. Tuples with one entry per player are by seat; who has left has no cards.

    A card is None where this player may not see it.
    """

    seat: int | None
    """Whose view it is; None for a spectator."""
    card_set: Annotated[CardSet, shown(kind="hidden")]
    phase: Annotated[Phase, shown(kind="hidden")]
    turn: int
    """Rounds completed, 0 to 7."""
    players: Annotated[tuple[int, ...], shown(kind="hidden")]
    """The seats that are in the game."""
    hands: tuple[tuple[int | None, ...], ...]
    """The newest card last."""
    rows: tuple[tuple[int, ...], ...]
    """From the first region to the latest; without a card that this player may not see yet."""
    sanctuaries: tuple[tuple[int, ...], ...]
    offers: tuple[tuple[int | None, ...], ...]
    """The sanctuaries that everybody has to choose from now."""
    done: Annotated[tuple[bool, ...], shown(kind="hidden")]
    """Who has nothing left to do in this phase."""
    choosing: Annotated[tuple[bool, ...], shown(kind="hidden")]
    """Who must choose now, a sanctuary or from the shop."""
    shop: tuple[int, ...]
    shop_order: Annotated[tuple[int, ...], shown(kind="hidden")]
    """Of this shop or the latest; empty before the first."""
    discarded: Annotated[tuple[int, ...], shown(kind="hidden")]
    """What was left in earlier shops, out of the game."""
    regions_left: int
    """How many cards are in the deck."""
    sanctuaries_left: int
    region_deck: Annotated[tuple[int, ...] | None, shown(kind="hidden")]
    """What they are, ascending, where that is no secret."""
    sanctuary_deck: Annotated[tuple[int, ...] | None, shown(kind="hidden")]
    winners: tuple[int, ...]
    """At the end, like all that follows."""
    reason: Annotated[EndReason | None, shown(kind="hidden")]
    scores: Annotated[tuple[Score | None, ...], shown(kind="hidden")]
    """None for who has left."""
    ranking: Annotated[tuple[Standing, ...], shown(kind="hidden")]
    """Best first, with the published tie-break."""
