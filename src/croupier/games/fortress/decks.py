"""Decks: what makes one legal (T8 to T11), and three to begin with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from croupier.games.fortress.cards import CARDS, KIND

SIZE = 50
ALLOWED = tuple({"castle": 0, "decree": 1}.get(kind, 2) for kind in KIND)
"""T9: copies of each card. (That there may be five decrees at most never binds: there are four.)"""


def refusal(deck: Sequence[int]) -> str | None:
    """Why this is no deck: 50 cards and then a castle (T11). None when it is one."""
    return _refusal(tuple(deck))


@lru_cache(64)  # most people bring a deck that they, or others, have brought before
def _refusal(deck: tuple[int, ...]) -> str | None:
    strange = [card for card in deck if not 0 <= card < len(CARDS)]
    if strange:
        return f"there is no card {strange[0]}"
    if len(deck) != SIZE + 1:
        return f"a deck is {SIZE} cards and a castle, {SIZE + 1} in all: this one has {len(deck)}"
    *cards, castle = deck
    if KIND[castle] != "castle":
        return f"the last card of a deck is its castle, and {CARDS[castle].name} is none"
    for card, count in Counter(cards).items():
        if count > ALLOWED[card]:
            name, allowed = CARDS[card].name, ALLOWED[card]
            if not allowed:
                return f"{name} is a castle, and a deck has one only, at its end"
            return f"{count} copies of {name}, where {allowed} {'is' if allowed == 1 else 'are'} allowed"
    return None


STARTERS: dict[str, tuple[int, ...]] = {
    "Assault": (
        10, 10, 11, 11, 12, 12, 13, 13, 15, 15, 16, 16, 17, 18, 18, 19, 19, 21, 21, 22, 22, 23, 23, 24, 24, 27, 26, 6,
        8, 28, 29, 29, 30, 33, 33, 36, 36, 38, 40, 41, 42, 42, 49, 49, 44, 45, 46, 50, 58, 43, 3,
    ),
    "Discipline": (
        10, 10, 11, 11, 13, 13, 15, 15, 19, 19, 20, 20, 22, 23, 23, 27, 27, 16, 18, 8, 9, 7, 28, 28, 29, 29, 30, 30, 31,
        32, 33, 33, 35, 35, 41, 34, 42, 42, 44, 44, 45, 45, 50, 50, 58, 58, 55, 54, 43, 49, 5,
    ),
    "All Arms": (
        6, 8, 10, 10, 11, 12, 13, 13, 14, 14, 15, 16, 17, 18, 19, 19, 9, 20, 20, 21, 21, 22, 22, 23, 24, 25, 25, 26, 27,
        34, 45, 53, 44, 45, 53, 57, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 39, 38, 40, 41, 1,
    ),
}  # fmt: skip
"""By name."""
