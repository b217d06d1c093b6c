"""How the tasks of an agenda are done: paying, entering the field, destruction, damage, levels, the end of a turn."""

from __future__ import annotations

from croupier.games.fortress.asking import ask
from croupier.games.fortress.cards import (
    BATTLE_WON,
    CARDS,
    CASTLE_FALLS,
    KIND,
    NO_HAND_LIMIT,
    ON_LVL,
    ON_PLAY,
    TURN_DRAW,
)
from croupier.games.fortress.costs import BIT, MATTERS, means, payments
from croupier.games.fortress.effect_handlers import change
from croupier.games.fortress.events import (
    CastleHit,
    HealthChanged,
    Laid,
    Levelled,
    Played,
    Result,
    Retired,
    TurnStarted,
)
from croupier.games.fortress.places import CASTLE, DECREE, FIELD, FIGHTERS, HAND, SLOT, SLOTS, Place
from croupier.games.fortress.position import find, free_slots, points, unit_at, updated
from croupier.games.fortress.stack import declare_play
from croupier.games.fortress.state import (
    Ascend,
    Demolish,
    FinishTurn,
    Hurt,
    Pay,
    Perform,
    Retire,
    Side,
    Spoils,
    State,
    Target,
    Unit,
)
from croupier.games.fortress.zones import Out, bury, discard, end, leave_hand, shuffle

HAND_LIMIT = 10
"""T24, D47"""


def reported_health(state: State) -> HealthChanged:
    return HealthChanged((state.sides[0].health, state.sides[1].health))


# Paying, and entering the field


def pay(state: State, task: Pay, out: Out) -> None:
    """T33, T34: choose what pays, part after part; then pay, and go on with the card."""
    side = state.sides[task.seat]
    if not task.paid:
        if not _paid_for(state, task, side, out):
            return
        task.paid = True
        toll = CARDS[task.card].toll
        if toll:
            side.health -= toll
            out.append(reported_health(state))
        if task.slots:
            state.agenda.append(task)
            victims = [Target(task.seat, slot, _serial(side, slot)) for slot in sorted(task.slots)]
            state.agenda.append(Demolish(victims=victims, final=True))
            return
    if task.mustered:
        _muster(state, task, side, out)
    else:
        declare_play(state, task.seat, task.start.number - 1, task.slot, out)


def _serial(side: Side, slot: int) -> int:
    unit = side.field[slot]
    assert unit is not None
    return unit.serial


def _paid_for(state: State, task: Pay, side: Side, out: Out) -> bool:
    """Whether a card has been chosen for every part of the cost that is not left out."""
    if task.asked:
        task.asked = False
        task.part += 1
        if task.choice is None:
            task.skips -= 1
        else:
            slot = SLOT[task.choice]
            task.slots.append(slot)
            if BIT[slot] & task.must:
                task.must = 0
    parts = len(CARDS[task.card].cost)
    while task.part < parts:
        held = means(side) & MATTERS[task.card]
        paid = sum([BIT[slot] for slot in task.slots])
        slots, optional = payments(task.card, held, task.part, paid, task.skips, task.must)
        if slots:
            region = [FIELD[task.seat][slot] for slot in slots]
            ask(
                state, task, out, task.seat, "target", task.start, task.card,
                purpose="cost", region=region, optional=optional,
            )  # fmt: skip
            return False
        task.part += 1  # T36: nothing there to pay with, so this is the part that is left out
        task.skips -= 1
    return True


def _muster(state: State, task: Pay, side: Side, out: Out) -> None:
    """T74: a card that an effect plays enters the field."""
    seat, card = task.seat, task.card
    slot = task.slot if task.slot >= 0 else free_slots(state, seat, SLOTS[KIND[card]])[0]
    text = -1 if task.silent else ON_PLAY[card]
    unit = enter(state, seat, card, slot)
    if task.dooms:
        decree = find(state, task.dooms)
        if decree is not None:
            state.sides[decree.seat].field[decree.slot].doomed = unit.serial  # type: ignore[union-attr]
    entered(state, seat, slot, unit, task.start, "done", None, out)
    if task.start.zone == "hand":
        leave_hand(state, seat, task.start.number - 1, out)
    if task.shuffles:
        shuffle(state, seat, out)
    if task.bonus:
        change(state, seat, slot, task.bonus, out)
    if task.level_to:
        state.agenda.append(Ascend(seat=seat, slot=slot, serial=unit.serial, level=task.level_to))
    speak(state, seat, slot, unit, text)


def enter(state: State, seat: int, card: int, slot: int) -> Unit:
    """T37: tricksters face down, everything else face up."""
    state.serials += 1
    kind = KIND[card]
    unit = Unit(card, seat, state.serials, state.turn, 1 if kind == "mage" else 0, kind == "trickster")
    state.sides[seat].field[slot] = unit
    return unit


def entered(
    state: State, seat: int, slot: int, unit: Unit, start: Place, result: Result, number: int | None, out: Out
) -> None:
    place = FIELD[seat][slot]
    if unit.face_down:
        out.append(Laid(seat, start, place, unit.card, number))
        return
    strength = points(state, seat, unit) if slot < 4 else None
    out.append(Played(seat, start, place, unit.card, strength, unit.level or None, result, number))


def speak(state: State, seat: int, slot: int, unit: Unit, text: int) -> None:
    """T38: the On play text follows at once; so does what a decree offers when it is played (T96)."""
    if unit.card in TURN_DRAW:
        offer_of(state, seat, slot, unit, TURN_DRAW[unit.card])
    if text >= 0:
        state.agenda.append(Perform(seat=seat, card=unit.card, text=text, place=FIELD[seat][slot], serial=unit.serial))


def offer_of(state: State, seat: int, slot: int, unit: Unit, text: int) -> None:
    """T96: once in each turn."""
    if not unit.used:
        unit.used = True
        state.agenda.append(Perform(seat=seat, card=unit.card, text=text, place=FIELD[seat][slot], serial=unit.serial))


# Castles


def hurt(state: State, task: Hurt, out: Out) -> None:
    """T50, T102, T107"""
    seat = task.seat
    side = state.sides[seat]
    health = side.health - task.amount
    stands = False
    if task.asked:
        stands = task.yes
    elif health <= 0 and side.castle in CASTLE_FALLS and not side.saved:
        ask(state, task, out, seat, "last_stand", CASTLE[seat], side.castle, place=CASTLE[seat])
        return
    side.health = 1 if stands else max(0, health)  # T108
    out.append(CastleHit(task.source, seat, side.health))
    out.append(reported_health(state))
    if stands:
        side.saved = True
        text = CASTLE_FALLS[side.castle]
        state.agenda.append(Perform(seat=seat, card=side.castle, text=text, place=CASTLE[seat], serial=0))
    elif side.health == 0:
        end(state, 1 - seat, "castle", out)


# Mages


def ascend(state: State, task: Ascend, out: Out) -> None:
    """T60: offered; then level after level, each with its On Lvl text."""
    place = FIELD[task.seat][task.slot]
    unit = unit_at(state, place, task.serial)
    if task.asked:
        task.asked = False
        task.agreed = task.yes
        if not task.yes:
            return
    if unit is None or unit.stunned or unit.level >= task.level:
        return
    if not task.agreed:
        ask(state, task, out, task.seat, "level", place, unit.card, place=place, level=task.level)
        return
    state.agenda.append(task)
    level_up(state, task.seat, task.slot, unit, "done", None, out)


def level_up(state: State, seat: int, slot: int, unit: Unit, result: Result, number: int | None, out: Out) -> None:
    """T58: one level up; the On Lvl text is used at once, unless it is cancelled."""
    unit.level += 1
    unit.levelled = True
    place = FIELD[seat][slot]
    out.append(Levelled(seat, place, unit.level, result, number, unit.card))
    out.append(updated(state, seat, slot, unit))
    text = ON_LVL[unit.card][unit.level]
    if text >= 0 and result == "done":
        state.agenda.append(Perform(seat=seat, card=unit.card, text=text, place=place, serial=unit.serial))


# Afterwards


def spoils(state: State, task: Spoils, out: Out) -> None:
    """T55: once in each turn, if the victim is gone."""
    victim = task.victim
    if unit_at(state, FIELD[victim.seat][victim.slot], victim.serial) is not None:
        return
    unit = unit_at(state, task.place, task.serial)
    if unit is not None:
        unit.used = True
    text = BATTLE_WON[task.card]
    state.agenda.append(
        Perform(seat=task.seat, card=task.card, text=text, place=task.place, serial=task.serial, about=task.about)
    )


def retire(state: State, task: Retire, out: Out) -> None:
    """T88: after it has resolved or been cancelled."""
    field = state.sides[task.seat].field
    unit = field[task.slot]
    assert unit is not None
    field[task.slot] = None
    grave = bury(state, unit.owner, unit.card)
    out.append(Retired(FIELD[task.seat][task.slot], unit.card, grave))


# The turn


def finish_turn(state: State, task: FinishTurn, out: Out) -> None:
    """T24: (a) the decree, (b) stun, (c) what holds for this turn, (d) the hand limit, (e) the next turn."""
    seat = state.active
    side = state.sides[seat]
    if task.stage == 0:
        task.stage = 1
        if side.field[DECREE] is not None:
            state.agenda.append(task)
            _count_down(state, seat, side)
            return
    if task.stage == 1:
        task.stage = 2
        for slot in FIGHTERS:
            unit = side.field[slot]
            if unit is not None and unit.stunned:
                unit.stunned = False
                out.append(updated(state, seat, slot, unit))
        for each in state.sides:
            each.protected = False
            each.discount = 0
            for unit in each.field[: len(FIGHTERS)]:
                if unit is not None and (unit.extra or unit.may_attack):
                    unit.extra = 0
                    unit.may_attack = False
    if task.asked:
        task.asked = False
        assert task.choice is not None
        discard(state, seat, task.choice.number - 1, out)
    if len(side.hand) > HAND_LIMIT and side.castle not in NO_HAND_LIMIT:
        ask(
            state, task, out, seat, "target", CASTLE[seat], side.castle,
            purpose="hand_limit", region=HAND[seat][: len(side.hand)],
        )  # fmt: skip
        return
    start_turn(state, 1 - seat, out)


def _count_down(state: State, seat: int, side: Side) -> None:
    """T93, T94, T95: the decree's timer; what it has doomed goes first."""
    decree = side.field[DECREE]
    assert decree is not None
    decree.turns += 1
    if decree.turns < CARDS[decree.card].lasts:
        return
    state.agenda.append(Demolish(victims=[Target(seat, DECREE, decree.serial)], final=True))
    doomed = find(state, decree.doomed) if decree.doomed else None
    if doomed is not None:
        state.agenda.append(Demolish(victims=[doomed], final=True))


def start_turn(state: State, seat: int, out: Out) -> None:
    """T19, T21, T25"""
    state.turn += 1
    state.active = seat
    state.must_draw = state.turn > 1
    state.ending = False
    side = state.sides[seat]
    side.played = []
    side.offered = False
    for unit in side.field:
        if unit is not None:
            unit.attacks = 0
            unit.levelled = False
            unit.used = False
    out.append(TurnStarted(seat, state.turn, state.must_draw))
