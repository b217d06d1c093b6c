"""The cards of Faraway, as ``cards.json`` has them.

A card goes by its index everywhere: a region's is its value (F3), a sanctuary's is its printed number less one.

>>> describe(REGIONS[20])
'20 green, night, clue, needs stone, 2 per night'
>>> describe(SANCTUARIES[4])
'grey, 1 per blue or yellow'
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Literal

import msgspec

from croupier.kernel import ENGLISH, Words

Edition = Literal["base", "below"]
"""The game itself, or its first expansion, the people from below."""
Wonder = Literal["stone", "chimera", "thistle"]
Biome = Literal["red", "green", "blue", "yellow", "colorless"]
Symbol = Literal[
    "stone", "chimera", "thistle", "clue", "night", "red", "green", "blue", "yellow", "colorless"
]  # fmt: skip
Counted = Literal[Symbol, "wonder_set", "color_set"]
"""What fame may count: a symbol, or how often there is one each of the wonders, or of the four colours."""


class Fame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a card is worth."""

    points: int
    per: tuple[Counted, ...] = ()
    """For each of these; if there are none, the points are simply given."""


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    set: Edition = "base"
    biome: Biome
    night: bool = False
    clue: bool = False
    wonders: tuple[Wonder, ...] = ()
    quest: tuple[Wonder, ...] = ()
    """The wonders that must be in sight for the card to score."""
    fame: Fame | None = None

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """All that the card shows."""
        night: tuple[Symbol, ...] = ("night",) if self.night else ()
        clue: tuple[Symbol, ...] = ("clue",) if self.clue else ()
        return (*self.wonders, *clue, *night, self.biome)


class Region(Card, frozen=True, kw_only=True):
    value: int
    """The hour at which it is explored; every region has its own."""


class Sanctuary(Card, frozen=True, kw_only=True):
    tile: int
    """The printed number."""


class _Box(msgspec.Struct, forbid_unknown_fields=True):
    regions: tuple[Region, ...]
    sanctuaries: tuple[Sanctuary, ...]


_box = msgspec.json.decode(Path(__file__).with_name("cards.json").read_bytes(), type=_Box)

REGIONS = _box.regions
SANCTUARIES = _box.sanctuaries

CardSet = Literal["base", "full"]
REGION_DECKS: dict[CardSet, tuple[int, ...]] = {  # F2
    "base": tuple(region.value for region in REGIONS if region.set == "base"),
    "full": tuple(region.value for region in REGIONS),
}
SANCTUARY_DECKS: dict[CardSet, tuple[int, ...]] = {
    "base": tuple(i for i, sanctuary in enumerate(SANCTUARIES) if sanctuary.set == "base"),
    "full": tuple(range(len(SANCTUARIES))),
}

REGIONS_WITH_CLUE = frozenset(region.value for region in REGIONS if region.clue)
SANCTUARIES_WITH_CLUE = frozenset(i for i, sanctuary in enumerate(SANCTUARIES) if sanctuary.clue)


NAMES: dict[Counted, str] = {
    "stone": "stone",
    "chimera": "chimera",
    "thistle": "thistle",
    "clue": "clue",
    "night": "night",
    "red": "red",
    "green": "green",
    "blue": "blue",
    "yellow": "yellow",
    "colorless": "grey",
    "wonder_set": "set of wonders",
    "color_set": "set of colours",
}
"""What people call what cards show and count."""
SEVERAL: dict[Wonder, str] = {
    "stone": "{count} stones",
    "chimera": "{count} chimeras",
    "thistle": "{count} thistles",
}


def describe(card: Card, words: Words = ENGLISH) -> str:
    """A card in words."""
    parts = [words(NAMES[card.biome])]
    if isinstance(card, Region):
        parts[0] = f"{card.value} {parts[0]}"
    if card.night:
        parts.append(words(NAMES["night"]))
    if card.clue:
        parts.append(words(NAMES["clue"]))
    parts += _amounts(card.wonders, words)
    if card.quest:
        parts.append(words("needs {wonders}", wonders=words(" and ").join(_amounts(card.quest, words))))
    if card.fame:
        parts.append(_worth(card.fame, words))
    return ", ".join(parts)


def _worth(fame: Fame, words: Words) -> str:
    if not fame.per:
        return words("{points} points", points=fame.points)
    return words(
        "{points} per {counted}", points=fame.points, counted=words(" or ").join(words(NAMES[per]) for per in fame.per)
    )


def _amounts(wonders: tuple[Wonder, ...], words: Words) -> list[str]:
    return [
        words(NAMES[wonder]) if count == 1 else words(SEVERAL[wonder], count=count)
        for wonder, count in Counter(wonders).items()
    ]
