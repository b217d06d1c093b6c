"""What the beginning of a turn is worth, by coins and hands of both: a table (``scripts/train_coup.py``)."""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

from croupier.games.coup.duel.hands import HANDS
from croupier.games.coup.duel.tree import Purses, Ruleset

PLACE = Path(__file__).with_name("worth.bin")
PURSE = 11
"""Numbers of coins that are told apart; ten and more are the same: there will be a coup."""
LEVELS = ((1, 1), (1, 2), (2, 1), (2, 2))
"""Cards of who is to move, and of the other one."""
CHANCES = tuple(byte / 255 for byte in range(256))


@cache
def _tables() -> dict[tuple[Ruleset, int, int], memoryview]:
    packed = memoryview(zlib.decompress(PLACE.read_bytes()))
    found: dict[tuple[Ruleset, int, int], memoryview] = {}
    rulesets: tuple[Ruleset, ...] = ("note", "official")
    for ruleset in rulesets:
        for own, other in LEVELS:
            size = PURSE * PURSE * len(HANDS[own]) * len(HANDS[other])
            found[ruleset, own, other], packed = packed[:size], packed[size:]
    return found


def worth(ruleset: Ruleset, lives: tuple[int, int], purses: Purses) -> list[list[float]]:
    """The chance to win of who is to move, by own hand and the other's."""
    own, other = (len(HANDS[held]) for held in lives)
    one, another = (max(0, min(PURSE - 1, coins)) for coins in purses)
    begin = (one * PURSE + another) * own * other
    table = _tables()[ruleset, *lives][begin : begin + own * other]
    chances = [CHANCES[byte] for byte in table]
    return [chances[row : row + other] for row in range(0, own * other, other)]
