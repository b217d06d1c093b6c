"""Questions about a position of Fortress."""

from __future__ import annotations

from croupier.games.fortress.cards import (
    CAPS_POINTS,
    CARDS,
    FREES_MAGES,
    KIND,
    MAGES_PLUS_5,
    SHIELDS_MAGES,
    STEADFAST_SOLDIERS,
)
from croupier.games.fortress.effects import Region
from croupier.games.fortress.events import Updated
from croupier.games.fortress.places import FIELD, FIGHTERS, MAGES, SLOT, SOLDIERS, TRICKSTERS, Place
from croupier.games.fortress.state import Item, Side, State, Target, Unit

POINTS = tuple(card.points for card in CARDS)


def points(state: State, seat: int, unit: Unit) -> int:
    """T41: printed points and changes; a castle's bonus for mages; the enemy castle's cap; never below 0."""
    printed = POINTS[unit.card]
    now = printed + unit.change
    if unit.level and state.sides[seat].castle in MAGES_PLUS_5:
        now += 5
    if now > printed and state.sides[1 - seat].castle in CAPS_POINTS:  # D54
        return printed
    return now if now > 0 else 0


def attacks_left(unit: Unit) -> int:
    """T43: this turn, regardless of level and stun."""
    return 1 + unit.extra - unit.attacks


def updated(state: State, seat: int, slot: int, unit: Unit) -> Updated:
    return Updated(
        FIELD[seat][slot], unit.card, points(state, seat, unit), unit.level or None, unit.stunned, attacks_left(unit)
    )


def unit_at(state: State, place: Place | None, serial: int) -> Unit | None:
    """The card that was in this place, if it is still there."""
    slot = SLOT.get(place) if place is not None else None
    if slot is None:
        return None
    assert place is not None
    unit = state.sides[place.seat].field[slot]
    return unit if unit is not None and unit.serial == serial else None


def find(state: State, serial: int) -> Target | None:
    """Where the card of this serial is, on either side."""
    for seat, side in enumerate(state.sides):
        for slot, unit in enumerate(side.field):
            if unit is not None and unit.serial == serial:
                return Target(seat, slot, serial)
    return None


def item_numbered(state: State, number: int) -> Item | None:
    for item in state.stack:
        if item.number == number:
            return item
    return None


def controls(side: Side, soldiers: frozenset[int]) -> bool:
    """Whether a player controls one of these soldiers."""
    one, two = side.field[0], side.field[1]
    return (one is not None and one.card in soldiers) or (two is not None and two.card in soldiers)


def controls_ally(side: Side, card: int) -> bool:
    """Whether a player controls this soldier or mage."""
    return any((unit := side.field[slot]) is not None and unit.card == card for slot in FIGHTERS)


def reserved_slot(state: State, seat: int) -> int:
    """The slot that a card waiting on the stack is going to; -1: none."""
    bottom = state.stack[0]
    if bottom.kind == "play" and bottom.seat == seat and bottom.target is not None:
        return SLOT[bottom.target]
    return -1


def free_slots(state: State, seat: int, slots: tuple[int, ...]) -> list[int]:
    """Empty ones, but for the one that a card waiting on the stack is going to."""
    field = state.sides[seat].field
    reserved = reserved_slot(state, seat) if state.stack else -1
    return [slot for slot in slots if field[slot] is None and slot != reserved]


def choosable(
    state: State, seat: int, region: Region, source: int, attacker: int = 0, by: int = -1, stuns: bool = False
) -> list[Place]:
    """T66: what there is of a region, seen from this seat. ``source`` and ``attacker`` are serials, ``by`` a card."""
    found = []
    for whose, slots in ((seat, region.own), (1 - seat, region.enemy)):
        if not slots:
            continue
        side = state.sides[whose]
        steadfast = stuns and side.castle in STEADFAST_SOLDIERS  # T78
        # T68: tricksters and decrees can choose shielded mages, soldiers and mages can't
        shielded = whose != seat and by >= 0 and KIND[by] in ("soldier", "mage") and controls(side, SHIELDS_MAGES)
        field, places = side.field, FIELD[whose]
        for slot in slots:
            unit = field[slot]
            if unit is None or (slot in TRICKSTERS and not unit.face_down):  # T67
                continue
            if (unit.serial == source and region.spares_source) or (region.spares_attacker and unit.serial == attacker):
                continue
            if (shielded and slot in MAGES) or (steadfast and slot in SOLDIERS):
                continue
            found.append(places[slot])
    return found


def mage_may_attack(side: Side, unit: Unit) -> bool:
    """T43: at level 3, with a Centaur at any level, or when its text says so."""
    return unit.level == 3 or unit.may_attack or controls(side, FREES_MAGES)
