"""What a card costs, and whether it can be paid (T30 to T36). Sets of slots are numbers: bit n stands for slot n.

All of it follows from the *means* of a side: what lies on its field, as far as costs care. There are few different
ones, so what they allow is worked out once; playouts ask in every position.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from croupier.games.fortress.cards import CARDS, KIND
from croupier.games.fortress.places import MAGES, SLOTS, SOLDIERS, TRICKSTERS
from croupier.games.fortress.position import reserved_slot
from croupier.games.fortress.printed import Part
from croupier.games.fortress.state import Side, State

BIT = tuple(1 << slot for slot in range(7))
ANYWHERE = {kind: sum(BIT[slot] for slot in slots) for kind, slots in SLOTS.items()}
"""The slots of a kind, as a set."""
COSTS = tuple(bool(card.cost) for card in CARDS)
TOLL = tuple(card.toll for card in CARDS)
NAMED = frozenset(part.card for card in CARDS for part in card.cost if part.card is not None)

Means = tuple[int, ...]
"""By slot: 0 for none; 1 for a card; more if it can pay for more, see `means`."""

NOTHING, SOMETHING, LEVELLED, USED = 0, 1, 2, 3
NAMELY = 10
"""A card that some cost asks for by name counts as this and its number."""


def means(side: Side) -> Means:
    """T32: stunned cards and face-down tricksters can pay, a used trickster can't."""
    one, two, three, four, five, six, decree = side.field
    return (
        NOTHING if one is None else NAMELY + one.card if one.card in NAMED else SOMETHING,
        NOTHING if two is None else NAMELY + two.card if two.card in NAMED else SOMETHING,
        NOTHING if three is None else LEVELLED if three.level > 1 else SOMETHING,
        NOTHING if four is None else LEVELLED if four.level > 1 else SOMETHING,
        NOTHING if five is None else SOMETHING if five.face_down else USED,
        NOTHING if six is None else SOMETHING if six.face_down else USED,
        NOTHING if decree is None else USED,
    )


def _fits(part: Part, slot: int, worth: int) -> bool:
    if worth in (NOTHING, USED) or slot not in part.slots:
        return False
    if part.card is not None:
        return worth == NAMELY + part.card
    return part.level < 2 or worth == LEVELLED


@cache
def fitting(card: int, held: Means) -> tuple[int, ...]:
    """For each part of a cost, the slots whose cards would do."""
    return tuple(
        sum(BIT[slot] for slot in (*SOLDIERS, *MAGES, *TRICKSTERS) if _fits(part, slot, held[slot]))
        for part in CARDS[card].cost
    )


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
def enterable(card: int, held: Means, skips: int) -> tuple[int, ...]:
    """T29: the slots that a card could enter as far as its cost cards go: empty ones, or freed by the cost."""
    fits = fitting(card, held)
    return tuple(
        slot for slot in SLOTS[KIND[card]] if coverable(fits, skips, BIT[slot] if held[slot] != NOTHING else 0)
    )


def affords_toll(side: Side, card: int) -> bool:
    """D64: castle health can be paid as long as some is left."""
    return not TOLL[card] or side.health > TOLL[card]


def entrances(state: State, seat: int, card: int, skips: int, held: Means) -> tuple[int, ...]:
    """T32, T74: the slots that an effect could play this card into now."""
    side = state.sides[seat]
    if not affords_toll(side, card):
        return ()
    slots = enterable(card, held, skips)
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


def words(card: int) -> str:
    """A cost for people."""
    parts = [f"{TOLL[card]} castle health"] if TOLL[card] else []
    for part in CARDS[card].cost:
        if part.card is not None:
            parts.append(f"a {CARDS[part.card].name}")
        else:
            parts.append(f"a {' or '.join(part.kinds)}" + (f" of level {part.level} or more" if part.level else ""))
    return ", ".join(parts)
