"""What a card costs, and whether it can be paid (T30 to T36). Sets of slots are numbers: bit n stands for slot n.

All of it follows from the *means* of a side: what lies on its field, as far as costs care. There are few different
ones, so what they allow is worked out once; playouts ask in every position.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from croupier.games.fortress.card_definition import Part
from croupier.games.fortress.cards import CARDS, KIND
from croupier.games.fortress.places import SLOTS
from croupier.games.fortress.position import reserved_slot
from croupier.games.fortress.state import Side, State
from croupier.kernel import ENGLISH, Words

BIT = tuple(1 << slot for slot in range(7))
ANYWHERE = {kind: sum(BIT[slot] for slot in slots) for kind, slots in SLOTS.items()}
"""The slots of a kind, as a set."""
COSTS = tuple(bool(card.cost) for card in CARDS)
TOLL = tuple(card.toll for card in CARDS)
NAMED = frozenset(part.card for card in CARDS for part in card.cost if part.card is not None)

NOTHING, USED, SOMETHING, LEVELLED, NAMELY = range(5)
"""What a card on the field is worth when it comes to paying: for ``NAMELY`` and more, it is asked for by name."""
WORTH = tuple(NAMELY + sorted(NAMED).index(card.id) if card.id in NAMED else SOMETHING for card in CARDS)
DIGIT = 4
"""Bits for each slot."""
MATTERS = tuple(
    sum(15 << DIGIT * slot for slot in {*SLOTS[card.kind], *(slot for part in card.cost for slot in part.slots)})
    for card in CARDS
)
"""What of the means has to do with a card: the slots it may enter, and those that may pay for it."""


def means(side: Side) -> int:
    """T32: stunned cards and face-down tricksters can pay, a used trickster and a decree can't."""
    one, two, three, four, five, six, decree = side.field
    held = 0 if decree is None else USED << 24
    if one is not None:
        held |= WORTH[one.card]
    if two is not None:
        held |= WORTH[two.card] << 4
    if three is not None:
        held |= (LEVELLED if three.level > 1 else SOMETHING) << 8
    if four is not None:
        held |= (LEVELLED if four.level > 1 else SOMETHING) << 12
    if five is not None:
        held |= (SOMETHING if five.face_down else USED) << 16
    if six is not None:
        held |= (SOMETHING if six.face_down else USED) << 20
    return held


def _worth(held: int, slot: int) -> int:
    return held >> DIGIT * slot & 15


def _fits(part: Part, worth: int) -> bool:
    if part.card is not None:
        return worth == WORTH[part.card]
    return worth >= (LEVELLED if part.level > 1 else SOMETHING)


@cache
def fitting(card: int, held: int) -> tuple[int, ...]:
    """For each part of a cost, the slots whose cards would do."""
    return tuple(sum(BIT[slot] for slot in part.slots if _fits(part, _worth(held, slot))) for part in CARDS[card].cost)


def coverable(fits: Sequence[int], skips: int, must: int) -> bool:
    """Whether different cards can be found for all parts but ``skips``, one of them in a slot of ``must``."""
    if not fits:
        return not must
    first, rest = fits[0], fits[1:]
    while first:
        bit = first & -first
        first ^= bit
        if coverable([fit & ~bit for fit in rest], skips, 0 if bit & must else must):
            return True
    return skips > 0 and coverable(rest, skips - 1, must)


@cache
def _enterable(card: int, held: int, skips: int) -> tuple[int, ...]:
    fits = fitting(card, held)
    return tuple(slot for slot in SLOTS[KIND[card]] if coverable(fits, skips, BIT[slot] if _worth(held, slot) else 0))


class Openings(dict[int, tuple[int, ...]]):
    """T29: by card, the slots that it could enter as far as its cost cards go: empty ones, or freed by the cost.

    They are found when they are first asked for, since a hand asks for a few cards only.
    """

    def __init__(self, held: int, skips: int) -> None:
        self.held, self.skips = held, skips

    def __missing__(self, card: int) -> tuple[int, ...]:
        slots = self[card] = _enterable(card, self.held & MATTERS[card], self.skips if COSTS[card] else 0)
        return slots


openings = cache(Openings)


@cache
def payments(card: int, held: int, part: int, paid: int, skips: int, must: int) -> tuple[tuple[int, ...], bool]:
    """T33: the slots that can pay this part of a cost, so that the rest can be paid too; and whether it can be left out
    (T36). ``paid`` are the slots that pay the parts before."""
    first, *rest = [fit & ~paid for fit in fitting(card, held)[part:]]
    slots = tuple(
        slot
        for slot, bit in enumerate(BIT)
        if first & bit and coverable([fit & ~bit for fit in rest], skips, 0 if bit & must else must)
    )
    return slots, skips > 0 and coverable(rest, skips - 1, must)


def affords_toll(side: Side, card: int) -> bool:
    """D64: castle health can be paid as long as some is left."""
    return not TOLL[card] or side.health > TOLL[card]


def entrances(state: State, seat: int, card: int, skips: int, held: int) -> tuple[int, ...]:
    """T32, T74: the slots that an effect could play this card into now."""
    side = state.sides[seat]
    if not affords_toll(side, card):
        return ()
    slots = openings(held, skips)[card]
    reserved = reserved_slot(state, seat) if state.stack else -1
    return tuple(slot for slot in slots if slot != reserved) if reserved in slots else slots


def frees(side: Side, slots: Sequence[int]) -> int:
    """T33: what has to be freed for a card to enter one of these slots; 0 while one of them is empty."""
    if any(side.field[slot] is None for slot in slots):
        return 0
    return sum(BIT[slot] for slot in slots)


def skips_of(side: Side, card: int, index: int = -1) -> int:
    """T36: how many cost cards may be left out for a card; of one in hand, with what it has been marked with."""
    if not COSTS[card]:
        return 0
    return side.discount + (side.fewer[index] if index >= 0 else 0)


def price(card: int, words: Words = ENGLISH) -> str:
    """A cost for people."""
    parts = [words("{points} castle health", points=TOLL[card])] if TOLL[card] else []
    for part in CARDS[card].cost:
        kinds = words(" or ").join(map(words.said, part.kinds))
        if part.card is not None:
            parts.append(words("a {card}", card=words.said(CARDS[part.card].name)))
        elif part.level:
            parts.append(words("a {kinds} of level {level} or more", kinds=kinds, level=part.level))
        else:
            parts.append(words("a {kinds}", kinds=kinds))
    return ", ".join(parts)
