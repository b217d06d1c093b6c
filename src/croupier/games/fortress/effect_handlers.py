"""What each step of a text does: one small function for every effect, under its name at the end of the file.

A handler returns True when the step is done. False: it waits for somebody's word, and will be called again.
Tasks that it puts on the agenda are done before the next step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.games.fortress import effects as fx
from croupier.games.fortress.asking import ask
from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.choosing import amount, chosen, targets, there
from croupier.games.fortress.events import ChangedSides, HealthChanged
from croupier.games.fortress.places import FIELD, SLOT, SOLDIERS, Place
from croupier.games.fortress.position import choosable, free_slots, item_numbered, points, unit_at, updated
from croupier.games.fortress.recruiting import add, discard_cards, draw_cards, look_at_top, muster, offer, offer_copy
from croupier.games.fortress.state import Ascend, Demolish, Hurt, Perform, State, Unit
from croupier.games.fortress.zones import Out


def perform(state: State, task: Perform, out: Out) -> None:
    """Carry out the step that a text has come to."""
    effects = CARDS[task.card].texts[task.text].effects
    effect = effects[task.step]
    agenda = state.agenda
    below = len(agenda)
    if (task.stolen_from is None or type(effect) in DRAWING) and not HANDLERS[type(effect)](state, task, effect, out):
        return
    task.step += 1
    if task.step < len(effects):
        task.done = 0
        task.asked = False
        task.picked = []
        agenda.insert(below, task)


# Destruction


def destroy(state: State, task: Perform, effect: fx.Destroy, out: Out) -> bool:
    count = amount(state, task, effect.count)
    if count == fx.ALL:
        places = choosable(state, task.seat, effect.region, task.serial)
    else:
        if not chosen(state, task, out, effect.region, "destroy", count, effect.look):
            return False
        places = task.picked
    if places:
        victims = targets(state, task.seat, places)
        state.agenda.append(Demolish(victims=victims, in_response=task.in_response))
    return True


def destroy_self(state: State, task: Perform, effect: fx.DestroySelf, out: Out) -> bool:
    if unit_at(state, task.place, task.serial) is not None:
        victims = targets(state, task.seat, [task.place])
        state.agenda.append(Demolish(victims=victims, in_response=task.in_response, final=True))
    return True


def destroy_answered(state: State, task: Perform, effect: Any, out: Out) -> bool:
    item = item_numbered(state, task.item)
    if item is not None and item.place is not None and unit_at(state, item.place, item.serial) is not None:
        victims = targets(state, task.seat, [item.place])
        state.agenda.append(Demolish(victims=victims, in_response=task.in_response))
    return True


def doom(state: State, task: Perform, effect: fx.Doom, out: Out) -> bool:
    decree = unit_at(state, task.place, task.serial)
    if decree is None:
        return True
    if task.memory:
        decree.doomed = task.memory[0]
    if effect.or_perish and not decree.doomed:
        state.agenda.append(Demolish(victims=targets(state, task.seat, [task.place]), final=True))
    return True


def protect_all(state: State, task: Perform, effect: fx.ProtectAll, out: Out) -> bool:
    state.sides[task.seat].protected = True
    return True


# Castles


def damage(state: State, task: Perform, effect: fx.Damage, out: Out) -> bool:
    castle = task.seat if effect.castle == "own" else 1 - task.seat
    state.agenda.append(Hurt(seat=castle, amount=effect.amount, source=task.place))
    return True


def heal(state: State, task: Perform, effect: fx.Heal, out: Out) -> bool:
    side = state.sides[task.seat]
    health = min(CARDS[side.castle].health, side.health + amount(state, task, effect.amount))  # T75
    if health != side.health:
        side.health = health
        out.append(HealthChanged((state.sides[0].health, state.sides[1].health)))
    return True


# Fighters


def stun(state: State, task: Perform, effect: fx.Stun, out: Out) -> bool:
    if effect.count == fx.ALL:
        places = choosable(state, task.seat, effect.region, task.serial, stuns=True)
    elif chosen(state, task, out, effect.region, "stun", effect.count):
        places = task.picked
    else:
        return False
    for place in places:
        unit = there(state, place)
        if not unit.stunned:
            unit.stunned = True
            out.append(updated(state, place.seat, SLOT[place], unit))
    return True


def change_points(state: State, task: Perform, effect: fx.ChangePoints, out: Out) -> bool:
    if effect.region is None:
        places = [task.place] if unit_at(state, task.place, task.serial) is not None else []
    elif chosen(state, task, out, effect.region, "points"):
        places = task.picked
    else:
        return False
    by = amount(state, task, effect.by)
    for place in places:
        change(state, place.seat, SLOT[place], by, out)
    return True


def change(state: State, seat: int, slot: int, by: int, out: Out) -> None:
    """Add to a card's points, or take away."""
    unit = state.sides[seat].field[slot]
    assert unit is not None
    before = points(state, seat, unit)
    unit.change += by
    if points(state, seat, unit) != before:
        out.append(updated(state, seat, slot, unit))


def offer_levels(state: State, task: Perform, effect: fx.OfferLevels, out: Out) -> bool:
    if unit_at(state, task.place, task.serial) is not None:
        state.agenda.append(Ascend(seat=task.seat, slot=SLOT[task.place], serial=task.serial, level=effect.to))
    return True


def extra_attack(state: State, task: Perform, effect: fx.ExtraAttack, out: Out) -> bool:
    if not chosen(state, task, out, effect.region, "extra_attack"):
        return False
    for place in task.picked:
        unit = there(state, place)
        unit.extra += 1
        task.memory.append(unit.serial)
        out.append(updated(state, place.seat, SLOT[place], unit))
    return True


def may_attack(state: State, task: Perform, effect: fx.MayAttack, out: Out) -> bool:
    unit = unit_at(state, task.place, task.serial)
    if unit is not None:
        unit.may_attack = True
    return True


def cheaper_next(state: State, task: Perform, effect: fx.CheaperNext, out: Out) -> bool:
    state.sides[task.seat].discount += 1
    return True


def take_control(state: State, task: Perform, effect: fx.TakeControl, out: Out) -> bool:
    free = free_slots(state, task.seat, SOLDIERS)
    if not free:
        return True
    if not chosen(state, task, out, fx.ENEMY_SOLDIER, "take"):
        return False
    for place in task.picked:
        unit = there(state, place)
        state.sides[place.seat].field[SLOT[place]] = None
        unit.held_by = task.serial
        come_over(state, [(unit, place, FIELD[task.seat][free[0]])], out)
    return True


def swap_soldiers(state: State, task: Perform, effect: fx.SwapSoldiers, out: Out) -> bool:
    seat, other = task.seat, 1 - task.seat
    if task.asked:
        task.asked = False
        assert task.choice is not None
        task.picked.append(task.choice)
    rows = [choosable(state, whose, fx.ALLY_SOLDIER, 0) for whose in (seat, other)]
    if not all(rows):
        return True
    for row, chooser in zip(rows, (seat, other), strict=True):
        if not any(place.seat == chooser for place in task.picked):
            ask(state, task, out, chooser, "target", task.place, task.card, purpose="swap", region=row)
            return False
    one, two = task.picked
    come_over(state, [(there(state, one), one, two), (there(state, two), two, one)], out)
    return True


def come_over(state: State, moves: list[tuple[Unit, Place, Place]], out: Out) -> None:
    """Soldiers change sides, at the same time. With a new controller they have their attack and ability anew."""
    for unit, _, to in moves:
        state.sides[to.seat].field[SLOT[to]] = unit
        unit.attacks = 0
        unit.used = False
        if unit.owner == to.seat:
            unit.held_by = 0
    places = tuple([(start, to) for _, start, to in moves])
    out.append(ChangedSides(places, tuple([unit.card for unit, _, _ in moves])))
    for unit, _, to in moves:
        out.append(updated(state, to.seat, SLOT[to], unit))


# What is answered


def cancel(state: State, task: Perform, effect: fx.Cancel, out: Out) -> bool:
    item = item_numbered(state, task.item)
    if item is not None:
        item.cancelled = True
    return True


def redirect(state: State, task: Perform, effect: fx.Redirect, out: Out) -> bool:
    if not chosen(state, task, out, effect.region, "redirect"):
        return False
    item = item_numbered(state, task.item)
    assert item is not None
    for place in task.picked:
        item.target, item.target_serial = place, there(state, place).serial
    return True


def steal_draws(state: State, task: Perform, effect: fx.StealDraws, out: Out) -> bool:
    item = item_numbered(state, task.item)
    if item is not None and item.text >= 0:
        state.agenda.append(
            Perform(
                seat=task.seat,
                card=item.card,
                text=item.text,
                place=task.place,
                serial=task.serial,
                asker=task.card,
                in_response=task.in_response,
                stolen_from=item.seat,
            )
        )
    return True


Handler = Callable[[State, Perform, Any, Out], bool]

HANDLERS: dict[type[fx.Effect], Handler] = {
    fx.Draw: draw_cards,
    fx.Add: add,
    fx.LookAtTop: look_at_top,
    fx.OfferCopy: offer_copy,
    fx.OfferDraw: offer,
    fx.Discard: discard_cards,
    fx.Muster: muster,
    fx.Destroy: destroy,
    fx.DestroySelf: destroy_self,
    fx.DestroyAttacker: destroy_answered,
    fx.DestroyAbilitySource: destroy_answered,
    fx.Doom: doom,
    fx.ProtectAll: protect_all,
    fx.Damage: damage,
    fx.Heal: heal,
    fx.Stun: stun,
    fx.ChangePoints: change_points,
    fx.OfferLevels: offer_levels,
    fx.ExtraAttack: extra_attack,
    fx.MayAttack: may_attack,
    fx.CheaperNext: cheaper_next,
    fx.TakeControl: take_control,
    fx.SwapSoldiers: swap_soldiers,
    fx.Cancel: cancel,
    fx.Redirect: redirect,
    fx.StealDraws: steal_draws,
}

DRAWING: frozenset[type[fx.Effect]] = frozenset((fx.Draw, fx.Add, fx.LookAtTop))
"""T87, D82: what an ability of the kind ``draw or add`` has among its steps, and what can be stolen of it."""
