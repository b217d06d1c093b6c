"""Scoring: the journey back, from the eighth region to the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import get_args

import msgspec

from croupier.games.faraway.cards import REGIONS, SANCTUARIES, Card, Fame, Symbol

ROUNDS = 8

SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)
SETS: dict[str, tuple[Symbol, ...]] = {  # F42: grey completes nothing
    "wonder_set": ("stone", "chimera", "thistle"),
    "color_set": ("red", "green", "blue", "yellow"),
}

Shown = list[int]
"""How often each symbol is in sight (F40), in the order of ``SYMBOLS``. The two sets follow from these."""
Worth = Callable[[Shown], int]
"""What a card earns, given what is in sight."""


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
        for symbol in _REGION_SYMBOLS[card]:
            shown[symbol] += 1
        points.append(_REGION_WORTH[card](shown))
    points.append(sum([_SANCTUARY_WORTH[card](shown) for card in sanctuaries]))  # F47
    return points, shown


def explained(row: Sequence[int], sanctuaries: Sequence[int]) -> Score:
    """The same points, card by card, for people."""
    rounds = earned(row, sanctuaries)
    shown = _in_sight(sanctuaries)
    total = 0
    steps = []
    for card, points in zip(reversed(row), rounds[ROUNDS - len(row) :], strict=False):
        for symbol in _REGION_SYMBOLS[card]:
            shown[symbol] += 1
        total += points
        quest = _fulfilled(REGIONS[card], shown) if REGIONS[card].quest else None
        steps.append(Step(card, quest, points, total, _named(shown)))
    return Score(sum(rounds), tuple(rounds), tuple(steps), tuple(_SANCTUARY_WORTH[card](shown) for card in sanctuaries))


def _in_sight(sanctuaries: Sequence[int]) -> Shown:
    """F43: what the sanctuaries show is in sight from the first step on."""
    shown = [0] * len(SYMBOLS)  # F40
    for card in sanctuaries:
        for symbol in _SANCTUARY_SYMBOLS[card]:
            shown[symbol] += 1
    return shown


def _named(shown: Shown) -> dict[str, int]:
    sets = {name: min(shown[SYMBOLS.index(symbol)] for symbol in symbols) for name, symbols in SETS.items()}
    return {name: count for name, count in [*zip(SYMBOLS, shown, strict=True), *sets.items()] if count}


def _fulfilled(card: Card, shown: Shown) -> bool:
    """F45: each wonder of the quest is in sight as often as the quest asks; wonders are not used up."""
    return all(shown[SYMBOLS.index(wonder)] >= count for wonder, count in Counter(card.quest).items())


# Playouts and bots score by the thousand: what a card shows and what it is worth is worked out once for each card.


def _symbols(card: Card) -> tuple[int, ...]:
    """F41: what the card adds to what is in sight."""
    return tuple(map(SYMBOLS.index, card.symbols))


def _worth(card: Card) -> Worth:
    """F45, F46: the card's fame, if its quest is fulfilled."""
    fame = _fame(card.fame)
    if not card.quest:
        return fame
    quest = [(SYMBOLS.index(wonder), count) for wonder, count in Counter(card.quest).items()]
    if len(quest) == 1:
        [(wonder, count)] = quest
        return lambda shown: fame(shown) if shown[wonder] >= count else 0

    def worth(shown: Shown) -> int:
        for wonder, count in quest:
            if shown[wonder] < count:
                return 0
        return fame(shown)

    return worth


def _fame(fame: Fame | None) -> Worth:
    if fame is None:
        return lambda shown: 0
    points = fame.points
    if not fame.per:
        return lambda shown: points
    if fame.per[0] in SETS:
        of = itemgetter(*map(SYMBOLS.index, SETS[fame.per[0]]))
        return lambda shown: points * min(of(shown))
    if len(fame.per) == 1:
        one = SYMBOLS.index(fame.per[0])
        return lambda shown: points * shown[one]
    one, other = map(SYMBOLS.index, fame.per)
    return lambda shown: points * (shown[one] + shown[other])


_REGION_SYMBOLS = tuple(map(_symbols, REGIONS))
_REGION_WORTH = tuple(map(_worth, REGIONS))
_SANCTUARY_SYMBOLS = tuple(map(_symbols, SANCTUARIES))
_SANCTUARY_WORTH = tuple(map(_worth, SANCTUARIES))
