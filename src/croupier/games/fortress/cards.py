"""All cards by number, and what the rules look up about them all the time, prepared once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from croupier.games.fortress.card_definition import Card, Trigger
from croupier.games.fortress.catalogue import CASTLES, DECREES, MAGES, SOLDIERS, TRICKSTERS
from croupier.games.fortress.effects import Feature, Occasion
from croupier.games.fortress.places import SLOTS, Kind

CARDS: tuple[Card, ...] = (*CASTLES, *DECREES, *SOLDIERS, *TRICKSTERS, *MAGES)
"""By number."""


def mask(ids: Iterable[int]) -> int:
    """A set of cards as one number: bit n stands for card n."""
    return sum(1 << id for id in set(ids))


@cache
def unmask(ids: int) -> frozenset[int]:
    """The cards of such a number."""
    return frozenset(id for id in range(ids.bit_length()) if ids >> id & 1)


KIND: tuple[Kind, ...] = tuple(card.kind for card in CARDS)
OF_KIND: dict[Kind, int] = {kind: mask(card.id for card in CARDS if card.kind == kind) for kind in SLOTS}
ANY_ID = mask(card.id for card in CARDS if card.kind != "castle")
"""Whatever can be in a deck."""
FREE = mask(card.id for card in CARDS if not card.cost)
"""D51: no printed cost."""


def _first(card: Card, trigger: Trigger) -> int:
    return next((number for number, text in enumerate(card.texts) if text.trigger == trigger), -1)


ON_PLAY = tuple(_first(card, "on play") for card in CARDS)
"""The number of that text of each card; -1: it has none."""
IN_PLAY = tuple(_first(card, "in play") for card in CARDS)
ON_LVL = tuple(
    tuple(
        next((n for n, text in enumerate(card.texts) if text.trigger == "on lvl" and text.level == level), -1)
        for level in range(4)
    )
    for card in CARDS
)
"""By card and level."""


def having(feature: Feature) -> frozenset[int]:
    return frozenset(card.id for card in CARDS for text in card.texts if feature in text.features)


TAUNTS, REACHES_CASTLE = having("taunts"), having("reaches castle")
FREES_MAGES, SHIELDS_MAGES = having("frees mages"), having("shields mages")
CAPS_POINTS, STEADFAST_SOLDIERS = having("caps points"), having("steadfast soldiers")
NO_HAND_LIMIT, MAGES_PLUS_5 = having("no hand limit"), having("mages +5")


def on_occasion(occasion: Occasion) -> dict[int, int]:
    """The cards that have something to say to it, and the number of the text."""
    return {card.id: n for card in CARDS for n, text in enumerate(card.texts) if text.occasion == occasion}


SOLDIER_LOST, CASTLE_FALLS = on_occasion("soldier lost"), on_occasion("castle falls")
TURN_DRAW, BATTLE_WON = on_occasion("turn draw"), on_occasion("battle won")
WOULD_BE_DESTROYED = on_occasion("would be destroyed")


def full_name(id: int) -> str:
    """Two cards are called Sacrifice: with its kind, a name is unique."""
    return f"{KIND[id].capitalize()} - {CARDS[id].name}"
