"""What is said at a table of Faraway: options, moves, events, and the table itself, whole and as a player sees it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

import msgspec

from croupier.games.faraway.cards import REGIONS, SANCTUARIES, CardSet
from croupier.games.faraway.scoring import Score
from croupier.kernel import Event, Move, option

Phase = Literal["play", "sanctuary", "shop", "end"]
EndReason = Literal["completed", "forfeit", "abandoned"]


class Options(msgspec.Struct, frozen=True):
    """What the host of a table may choose."""

    card_set: Annotated[
        CardSet, option("Cards", labels={"base": "Base game", "full": "With the expansion People from Below"})
    ] = "base"
    action_timeout: Annotated[
        int,
        option(
            "Time for a choice",
            "Then the lowest region is played for whoever is late, or the first card taken.",
            ge=0,
            le=3600,
            unit="s",
            zero="no limit",
        ),
    ] = 90
    tie_break: Annotated[
        Literal["shared", "published"],
        option("Equal scores", labels={"shared": "Share the place", "published": "The lowest region in a row decides"}),
    ] = "shared"
    open_information: Annotated[bool, option("Open cards", "Everybody sees all hands, offers and choices at once.")] = (
        False
    )
    solo: Annotated[
        bool, option("Playing alone", "One player is enough; and whoever is left by the others plays on to the end.")
    ] = False


class Play(Move, frozen=True):
    """Add this region from your hand to your row."""

    card: int


class Choose(Move, frozen=True):
    """Keep this one of the sanctuaries you are offered."""

    card: int


class Take(Move, frozen=True):
    """Take this region from the shop into your hand."""

    card: int


AnyMove = Play | Choose | Take

# Playouts ask for the moves of every position; there are so few different ones that none is made twice.
PLAYS = tuple(map(Play, range(len(REGIONS))))
CHOICES = tuple(map(Choose, range(len(SANCTUARIES))))
TAKES = tuple(map(Take, range(len(REGIONS))))


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


class View(msgspec.Struct, frozen=True):
    """The table as one player sees it. Tuples with one entry per player are by seat; who has left has no cards.

    A card is None where this player may not see it.
    """

    seat: int | None
    """Whose view it is; None for a spectator."""
    card_set: CardSet
    phase: Phase
    turn: int
    """Rounds completed, 0 to 7."""
    players: tuple[int, ...]
    """The seats that are in the game."""
    hands: tuple[tuple[int | None, ...], ...]
    """The newest card last."""
    rows: tuple[tuple[int, ...], ...]
    """From the first region to the latest; without a card that this player may not see yet."""
    sanctuaries: tuple[tuple[int, ...], ...]
    offers: tuple[tuple[int | None, ...], ...]
    """The sanctuaries that everybody has to choose from now."""
    done: tuple[bool, ...]
    """Who has nothing left to do in this phase."""
    choosing: tuple[bool, ...]
    """Who must choose now, a sanctuary or from the shop."""
    shop: tuple[int, ...]
    shop_order: tuple[int, ...]
    """Of this shop or the latest; empty before the first."""
    discarded: tuple[int, ...]
    """What was left in earlier shops, out of the game."""
    regions_left: int
    """How many cards are in the deck."""
    sanctuaries_left: int
    region_deck: tuple[int, ...] | None
    """What they are, ascending, where that is no secret."""
    sanctuary_deck: tuple[int, ...] | None
    winners: tuple[int, ...]
    """At the end, like all that follows."""
    reason: EndReason | None
    scores: tuple[Score | None, ...]
    """None for who has left."""
    ranking: tuple[Standing, ...]
    """Best first, with the published tie-break."""
