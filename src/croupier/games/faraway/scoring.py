"""Scoring: the journey back, from the eighth region to the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import get_args

import msgspec

from croupier.games.faraway.cards import REGIONS, SANCTUARIES, Card, Counted, Symbol

ROUNDS = 8

SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)
SETS: dict[Counted, tuple[Symbol, ...]] = {  # F42: grey completes nothing
    "wonder_set": ("stone", "chimera", "thistle"),
    "color_set": ("red", "green", "blue", "yellow"),
}

PLACES: dict[Counted, tuple[int, ...]] = {
    **{symbol: (place,) for place, symbol in enumerate(SYMBOLS)},
    **{name: tuple(map(SYMBOLS.index, symbols)) for name, symbols in SETS.items()},
}
"""Where in ``SYMBOLS`` to find what is counted."""

Shown = int
"""How often each symbol is in sight (F40), as one number: a byte for each, in the order of ``SYMBOLS``. What comes into
sight is added to it."""


class Step(msgspec.Struct, frozen=True):
    """One card of the journey back."""

    card: int
    """A region."""
    quest: bool | None
    """Whether its quest is fulfilled; None if it has none."""
    points: int
    total: int
    """With all points so far."""
    shown: dict[str, int]
    """What is in sight, with this card; what is not is left out."""


class Score(msgspec.Struct, frozen=True):
    """What a row and its sanctuaries have earned, and how."""

    total: int
    rounds: tuple[int, ...]
    """The points of the eighth region, the seventh, … the first; in the ninth place those of all sanctuaries."""
    walk: tuple[Step, ...]
    """The regions in the same order, as far as there are any."""
    sanctuaries: tuple[int, ...]
    """The points of each sanctuary, in the order of their owner's."""


def earned(row: Sequence[int], sanctuaries: Sequence[int]) -> list[int]:
    """The nine numbers of F48: for the regions from the eighth to the first, and for all sanctuaries together.

    >>> earned([51, 46, 21, 32, 3, 9, 1, 2], [])
    [0, 0, 5, 4, 7, 8, 10, 14, 0]
    """
    return walked(row, sanctuaries)[0]


def walked(row: Sequence[int], sanctuaries: Sequence[int]) -> tuple[list[int], Shown]:
    """The same numbers, and what is in sight at the end of the journey back."""
    shown = _in_sight(sanctuaries)  # F43
    points = [0] * (ROUNDS - len(row))  # F49
    for card in reversed(row):  # F44
        symbols, matters, worth = _OF_REGION[card]
        shown += symbols
        points.append(worth[shown & matters])
    total = 0
    for card in sanctuaries:  # F47
        _, matters, worth = _OF_SANCTUARY[card]
        total += worth[shown & matters]
    points.append(total)
    return points, shown


def explained(row: Sequence[int], sanctuaries: Sequence[int]) -> Score:
    """The same points, card by card, for people."""
    rounds = earned(row, sanctuaries)
    shown = _in_sight(sanctuaries)
    total = 0
    steps = []
    for card, points in zip(reversed(row), rounds[ROUNDS - len(row) :], strict=False):
        shown += _OF_REGION[card][0]
        total += points
        counts = in_numbers(shown)
        quest = _fulfilled(REGIONS[card], counts) if REGIONS[card].quest else None
        steps.append(Step(card, quest, points, total, _named(counts)))
    kept = tuple(_worth(SANCTUARIES[card], in_numbers(shown)) for card in sanctuaries)
    return Score(sum(rounds), tuple(rounds), tuple(steps), kept)


def _in_sight(sanctuaries: Sequence[int]) -> Shown:
    """F43: what the sanctuaries show is in sight from the first step on."""
    return sum([_OF_SANCTUARY[card][0] for card in sanctuaries])


def in_numbers(shown: Shown) -> bytes:
    """How often each symbol is in sight, in the order of ``SYMBOLS``."""
    return shown.to_bytes(len(SYMBOLS), "little")


def _named(counts: bytes) -> dict[str, int]:
    return {name: count for name in PLACES if (count := _counted(counts, name))}


def _counted(counts: bytes, name: Counted) -> int:
    """F42: how often a symbol, or a whole set, is in sight."""
    return min([counts[place] for place in PLACES[name]])


def _fulfilled(card: Card, counts: bytes) -> bool:
    """F45: each wonder of the quest is in sight as often as the quest asks; wonders are not used up."""
    return all(_counted(counts, wonder) >= count for wonder, count in Counter(card.quest).items())


def _worth(card: Card, counts: bytes) -> int:
    """F45, F46: the card's fame, if its quest is fulfilled."""
    fame = card.fame
    if fame is None or not _fulfilled(card, counts):
        return 0
    return fame.points * (sum([_counted(counts, name) for name in fame.per]) if fame.per else 1)


# Playouts and bots score by the thousand, and of all that is in sight a card looks at little: so what it is worth is
# worked out when that is first in sight, and looked up from then on.


class Worth(dict[Shown, int]):
    """What a card earns, by how often the symbols that matter to it are in sight."""

    def __init__(self, card: Card) -> None:
        self.card = card

    def __missing__(self, shown: Shown) -> int:
        points = self[shown] = _worth(self.card, in_numbers(shown))
        return points


def _prepared(card: Card) -> tuple[Shown, Shown, Worth]:
    """F41: what it adds to what is in sight; a mask of the symbols that matter to it; and what it is worth."""
    counted: set[Counted] = {*card.quest, *(card.fame.per if card.fame else ())}
    matters = {place for name in counted for place in PLACES[name]}
    adds = bytes([card.symbols.count(symbol) for symbol in SYMBOLS])
    mask = bytes([255 * (place in matters) for place in range(len(SYMBOLS))])
    return int.from_bytes(adds, "little"), int.from_bytes(mask, "little"), Worth(card)


_OF_REGION = tuple(map(_prepared, REGIONS))
_OF_SANCTUARY = tuple(map(_prepared, SANCTUARIES))
