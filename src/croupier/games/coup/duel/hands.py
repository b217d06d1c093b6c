"""Hands of Coup by number, how likely they are, and what can become of them in a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from croupier.games.coup.characters import CHARACTERS, Character

COPIES = 3
Hand = tuple[Character, ...]

HANDS: tuple[tuple[Hand, ...], ...] = tuple(tuple(combinations_with_replacement(CHARACTERS, held)) for held in range(3))
"""By number of cards: 1, 5 and 15."""
NUMBER: dict[Hand, int] = {hand: number for hands in HANDS for number, hand in enumerate(hands)}

Stock = tuple[float, ...]
"""By character: how many copies are not face up. Fractions where that is not known."""
Spread = list[tuple[int, float]]
"""Hands that one may become, each with its chance."""


class Fate(NamedTuple):
    """What a turn does to somebody's hand, in this order."""

    exchanged: bool = False
    lost: int = 0
    swapped: Character | None = None
    """This card has been proven, and another one drawn for it."""


def number_of(cards: Sequence[Character]) -> int:
    return NUMBER[tuple(sorted(cards, key=CHARACTERS.index))]


@cache
def holders(held: int, character: Character) -> tuple[bool, ...]:
    """Which of the hands have this character."""
    return tuple(character in hand for hand in HANDS[held])


@cache
def ways(stock: Stock, one: Hand, other: Hand) -> float:
    """In how many ways two players are dealt these hands."""
    total = float(len(set(one)) * len(set(other)))
    for character, count in Counter(one + other).items():
        left = stock[CHARACTERS.index(character)]
        for _ in range(count):
            total *= max(0.0, left)
            left -= 1
    return total


@cache
def draws(stock: Stock, hand: Hand, count: int) -> tuple[tuple[Hand, float], ...]:
    """What comes from the deck, going by one's own hand: one card or two, with their chances."""
    held = Counter(hand)
    left = [max(0.0, copies - held[character]) for character, copies in zip(CHARACTERS, stock, strict=True)]
    found: dict[Hand, float] = {}
    for first, chance in zip(CHARACTERS, left, strict=True):
        if count == 1:
            found[first,] = chance
            continue
        for second, copies in zip(CHARACTERS, left, strict=True):
            pair = HANDS[2][number_of((first, second))]
            found[pair] = found.get(pair, 0.0) + chance * max(0.0, copies - (first == second))
    total = sum(found.values())
    return tuple((cards, chance / total) for cards, chance in found.items() if chance)


@cache
def swaps(stock: Stock, held: int, character: Character) -> tuple[Spread, ...]:
    """By hand: what it becomes when this character is swapped; empty without it."""
    found: list[Spread] = []
    for hand in HANDS[held]:
        rest = list(hand)
        spread: Spread = []
        if character in rest:
            rest.remove(character)
            spread = [(number_of([*rest, *cards]), chance) for cards, chance in draws(stock, tuple(rest), 1)]
        found.append(spread)
    return tuple(found)


@cache
def keepable(hand: Hand, count: int) -> tuple[int, ...]:
    """What may be kept of a hand."""
    return tuple(dict.fromkeys(number_of(kept) for kept in combinations(hand, count)))


@cache
def pools(stock: Stock, held: int) -> tuple[tuple[tuple[tuple[int, ...], float], ...], ...]:
    """By hand: what an exchange may leave one to keep, with the chance of each draw."""
    return tuple(
        tuple((keepable(hand + drawn, held), chance) for drawn, chance in draws(stock, hand, 2)) for hand in HANDS[held]
    )


def spreads(fate: Fate, held: int, stock: Stock, worth: Sequence[float]) -> Sequence[Spread] | None:
    """By hand: what it becomes. Whoever may choose what to keep chooses by ``worth``, which is by the hand to come.

    None where nothing changes.
    """
    if fate.lost and fate.swapped:  # what is kept has been proven, and swapped
        return [[(number_of(cards), chance) for cards, chance in draws(stock, (), 1)]] * len(HANDS[held])
    if fate.lost:
        return [[(max(keepable(hand, held - fate.lost), key=worth.__getitem__), 1.0)] for hand in HANDS[held]]
    if fate.exchanged:
        found: list[Spread] = []
        for pool in pools(stock, held):
            spread: dict[int, float] = {}
            for kept, chance in pool:
                best = max(kept, key=worth.__getitem__)
                spread[best] = spread.get(best, 0.0) + chance
            found.append(list(spread.items()))
        return found
    if fate.swapped:
        return swaps(stock, held, fate.swapped)
    return None
