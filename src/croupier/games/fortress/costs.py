"""What a card costs, and whether it can be paid (T30 to T36). Sets of slots are numbers: bit n stands for slot n."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.fortress.cards import CARDS, FREE, KIND
from croupier.games.fortress.places import SLOTS
from croupier.games.fortress.position import free_slots
from croupier.games.fortress.printed import Part
from croupier.games.fortress.state import Side, State, Unit

BIT = tuple(1 << slot for slot in range(7))
ANYWHERE = {kind: sum(BIT[slot] for slot in slots) for kind, slots in SLOTS.items()}
"""The slots of a kind, as a set."""

# Flattened once: what `fitting` needs to know of every part.
PARTS: tuple[tuple[tuple[tuple[int, ...], int | None, int], ...], ...] = tuple(
    tuple((part.slots, part.card, part.level) for part in card.cost) for card in CARDS
)


def fitting(field: Sequence[Unit | None], slots: tuple[int, ...], card: int | None, level: int) -> int:
    """The slots whose cards would do for this part of a cost (T32: stunned or face down, but not a used trickster)."""
    found = 0
    for slot in slots:
        unit = field[slot]
        if (
            unit is not None
            and (slot < 4 or unit.face_down)
            and (card is None or unit.card == card)
            and unit.level >= level
        ):
            found |= BIT[slot]
    return found


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


def fits_of(side: Side, card: int, part: int = 0, used: int = 0) -> list[int]:
    """For each part of a cost from this one on, the slots that would do."""
    field = side.field
    return [fitting(field, *needed) & ~used for needed in PARTS[card][part:]]


def payable(state: State, seat: int, card: int, skips: int, must: int) -> bool:
    """T32: whether the whole cost can be paid, so that one of the slots of ``must`` is freed."""
    if FREE >> card & 1:
        return not must
    side = state.sides[seat]
    if CARDS[card].toll and side.health <= CARDS[card].toll:  # D64
        return False
    return coverable(fits_of(side, card), skips, must)


def frees(state: State, seat: int, card: int, slot: int) -> int:
    """T29: what has to be freed for this card to enter that slot; 0 when it is empty.

    Slot -1 stands for any: then nothing has to be freed as long as one is.
    """
    if slot >= 0:
        return 0 if state.sides[seat].field[slot] is None else BIT[slot]
    kind = KIND[card]
    return 0 if free_slots(state, seat, SLOTS[kind]) else ANYWHERE[kind]


def musterable(state: State, seat: int, card: int, skips: int) -> bool:
    """T74: whether an effect could play this card now."""
    return payable(state, seat, card, skips, frees(state, seat, card, -1))


def skips_of(side: Side, card: int, index: int = -1) -> int:
    """T36: how many cost cards may be left out for a card; of one in hand, with what it has been marked with."""
    if not PARTS[card]:
        return 0
    return side.discount + (side.fewer[index] if index >= 0 else 0)


def words(part: Part) -> str:
    """A part of a cost for people."""
    if part.card is not None:
        return f"a {CARDS[part.card].name}"
    level = f" of level {part.level} or more" if part.level else ""
    return f"a {' or '.join(part.kinds)}{level}"
