"""What each step of a text does: one small function for every effect, under its name at the end of the file.

A working returns True when the step is done. False: it waits for somebody's word, and will be called again.
Tasks that it puts on the agenda are done before the next step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.games.fortress import effects as fx
from croupier.games.fortress.asking import ask, in_deck, offer_draw
from croupier.games.fortress.cards import ANY_ID, CARDS, FREE, KIND, OF_KIND, mask
from croupier.games.fortress.costs import COSTS, entrances, frees, means, skips_of
from croupier.games.fortress.events import ChangedSides, HealthChanged, Purpose
from croupier.games.fortress.places import DECK, FIELD, HAND, MAGES, SLOT, SLOTS, SOLDIERS, Kind, Place
from croupier.games.fortress.position import (
    choosable,
    controls_ally,
    free_slots,
    item_numbered,
    points,
    unit_at,
    updated,
)
from croupier.games.fortress.state import Ascend, Demolish, Hurt, Pay, Perform, Side, State, Target, Unit
from croupier.games.fortress.zones import Out, discard, draw, shuffle, take


def perform(state: State, task: Perform, out: Out) -> None:
    """Carry out the step that a text has come to."""
    effects = CARDS[task.card].texts[task.text].effects
    effect = effects[task.step]
    agenda = state.agenda
    below = len(agenda)
    if (task.stolen_from is None or type(effect) in DRAWING) and not WORKINGS[type(effect)](state, task, effect, out):
        return
    task.step += 1
    task.done = 0
    task.asked = False
    task.picked = []
    if task.step < len(effects):
        agenda.insert(below, task)


# How much, and what


def amount(state: State, task: Perform, value: fx.Amount) -> int:
    if isinstance(value, int):
        return value
    seat = task.seat if task.stolen_from is None else task.stolen_from  # D82
    if isinstance(value, fx.IfAlly):
        return value.then if controls_ally(state.sides[seat], value.card) else value.otherwise
    enemy = state.sides[1 - seat].field
    mages = [unit.level for slot in MAGES if (unit := enemy[slot]) is not None]
    return sum(mages) if isinstance(value, fx.Levels) else value.amount * len(mages)


def chosen(
    state: State,
    task: Perform,
    out: Out,
    region: fx.Region,
    purpose: Purpose,
    count: int = 1,
    look: bool = False,
) -> bool:
    """T63, T69: have the controller choose so many cards, one after the other; fewer if there are no more (T64)."""
    if task.asked:
        task.asked = False
        assert task.choice is not None
        task.picked.append(task.choice)
    if len(task.picked) >= count:
        return True
    attack = item_numbered(state, task.item)
    left = [
        place
        for place in choosable(
            state, task.seat, region, task.serial, attack.serial if attack else 0, task.card, purpose == "stun"
        )
        if place not in task.picked
    ]
    if not left:
        return True
    if task.named in left:  # D27
        task.picked.append(task.named)
        task.named = None
        return chosen(state, task, out, region, purpose, count, look)
    ask(state, task, out, task.seat, "target", task.place, task.card, purpose=purpose, region=left, look=look)
    return False


def there(state: State, place: Place) -> Unit:
    unit = state.sides[place.seat].field[SLOT[place]]
    assert unit is not None
    return unit


def targets(state: State, acting: int, places: list[Place]) -> list[Target]:
    """T81: in the order in which destroyed cards are listed."""
    found = [Target(place.seat, SLOT[place], there(state, place).serial) for place in places]
    found.sort(key=lambda target: (target.seat != acting, target.slot))
    return found


# Cards to hand


def draw_cards(state: State, task: Perform, effect: fx.Draw, out: Out) -> bool:
    count = amount(state, task, effect.count)
    if count:
        draw(state, task.seat, count, out)
    return True


def add(state: State, task: Perform, effect: fx.Add, out: Out) -> bool:
    seat = task.seat
    side = state.sides[seat]
    wanted = searched(effect, task.about)
    if task.asked:
        task.asked = False
        if task.choice is None:
            shuffle(state, seat, out)
            return True
        take(state, seat, task.choice.number - 1, out, wanted, effect.fewer)
        task.done += 1
    if task.done < effect.count:
        found = in_deck(side.deck, seat, wanted)
        if found:
            ask(
                state, task, out, seat, "target", task.place, task.card,
                purpose="add", region=found, optional=effect.optional,
            )  # fmt: skip
            return False
        side.lacks |= wanted
    if task.done:  # T71: where nothing was found nothing is shuffled
        shuffle(state, seat, out)
    return True


def searched(effect: fx.Add, about: int) -> int:
    """The cards that a search may find, as a set."""
    if effect.card is not None:
        return 1 << effect.card
    if effect.kind is None:
        return ANY_ID
    kind: Kind = KIND[about] if effect.kind in ("attacker's", "victim's") else effect.kind  # type: ignore[assignment]
    return OF_KIND[kind]


def look_at_top(state: State, task: Perform, effect: fx.LookAtTop, out: Out) -> bool:
    seat = task.seat
    if task.asked:
        task.asked = False
        assert task.choice is not None
        task.memory.append(take(state, seat, task.choice.number - 1, out, ANY_ID))
        task.done += 1
    size = len(state.sides[seat].deck)
    seen = DECK[seat][max(0, size - effect.count + task.done) : size]
    if task.done < effect.take and seen:
        ask(state, task, out, seat, "target", task.place, task.card, purpose="add", region=seen[::-1])
        return False
    if task.done:
        shuffle(state, seat, out)
    return True


def offer_copy(state: State, task: Perform, effect: fx.OfferCopy, out: Out) -> bool:
    other = 1 - task.seat
    side = state.sides[other]
    wanted = mask(task.memory)
    if task.asked:
        task.asked = False
        if task.choice is not None:
            take(state, other, task.choice.number - 1, out, wanted)
        shuffle(state, other, out)
        return True
    found = in_deck(side.deck, other, wanted)
    # The opponent learns something of the cards that were taken: either of these, or none of the own deck.
    seen = mask(side.deck[place.number - 1] for place in found)
    own = state.sides[task.seat]
    for index in range(len(own.hand) - len(task.memory), len(own.hand)):
        own.clues[index] &= seen | ~mask(side.deck)
    if not found:
        return True
    ask(state, task, out, other, "target", task.place, task.card, purpose="add", region=found, optional=True)
    return False


def offer(state: State, task: Perform, effect: fx.OfferDraw, out: Out) -> bool:
    if task.asked:
        task.asked = False
        if task.yes:
            draw(state, task.seat, 1, out)
        return True
    if not state.sides[task.seat].deck:  # T107
        return True
    offer_draw(state, task, out, task.seat, task.place, task.card)
    return False


def discard_cards(state: State, task: Perform, effect: fx.Discard, out: Out) -> bool:
    whose = task.seat if effect.whose == "own" else 1 - task.seat
    hand = state.sides[whose].hand
    if task.asked:
        task.asked = False
        assert task.choice is not None
        discard(state, whose, task.choice.number - 1, out)
        task.done += 1
    if effect.at_random:
        for _ in range(min(effect.count, len(hand))):
            discard(state, whose, state.chance.below(len(hand)), out)
        return True
    if task.done >= effect.count or not hand:
        return True
    ask(
        state, task, out, task.seat, "target", task.place, task.card,
        purpose="discard", region=HAND[whose][: len(hand)], look=whose != task.seat,
    )  # fmt: skip
    return False


# Cards to the field


def muster(state: State, task: Perform, effect: fx.Muster, out: Out) -> bool:
    seat = task.seat
    side = state.sides[seat]
    if task.asked:
        task.asked = False
        searched_deck = task.done == 1
        if task.choice is None:
            if searched_deck:
                shuffle(state, seat, out)
            return True
        _pay_for(state, side, task, effect, searched_deck)
        return True
    region: list[Place] = []
    if "hand" in effect.zones:
        region += hand_recruits(state, seat, effect)
    if "deck" in effect.zones:
        wanted = recruits(state, seat, effect)
        found = in_deck(side.deck, seat, wanted)
        if found:
            task.done = 1
            region += found
        else:
            side.lacks |= wanted
    if not region:
        return True
    ask(state, task, out, seat, "target", task.place, task.card, purpose="play", region=region, optional=True)  # T65
    return False


def recruits(state: State, seat: int, effect: fx.Muster) -> int:
    """T74: the cards that could be played from the deck, as a set."""
    side = state.sides[seat]
    held = means(side)
    found = 0
    for kind in effect.kinds:
        if free_slots(state, seat, SLOTS[kind]):
            found |= OF_KIND[kind] & FREE
        if effect.free:
            continue
        for card in COSTLY[kind]:
            if entrances(state, seat, card, side.discount, held):
                found |= 1 << card
    return found


COSTLY: dict[Kind, tuple[int, ...]] = {
    kind: tuple(card.id for card in CARDS if card.kind == kind and card.cost) for kind in SLOTS
}


def hand_recruits(state: State, seat: int, effect: fx.Muster) -> list[Place]:
    """T74: where the cards in hand are that could be played."""
    side = state.sides[seat]
    held = means(side)
    return [
        HAND[seat][index]
        for index, card in enumerate(side.hand)
        if KIND[card] in effect.kinds
        and not (effect.free and COSTS[card])
        and entrances(state, seat, card, skips_of(side, card, index), held)
    ]


def _pay_for(state: State, side: Side, task: Perform, effect: fx.Muster, searched_deck: bool) -> None:
    start = task.choice
    assert start is not None
    index = start.number - 1
    if start.zone == "hand":
        card = side.hand[index]
        skips = skips_of(side, card, index)
    else:
        card = side.deck.pop(index)
        skips = skips_of(side, card)
    slots = [SLOT[task.to]] if task.to is not None else entrances(state, task.seat, card, skips, means(side))
    if COSTS[card]:
        side.discount = 0  # T36
    # T74: the lowest free slot; where none is free, whichever the cost frees.
    free = [slot for slot in slots if side.field[slot] is None]
    texts = CARDS[task.card].texts[task.text].effects
    dooms = any(isinstance(step, fx.Doom) for step in texts)
    state.agenda.append(
        Pay(
            seat=task.seat,
            card=card,
            start=start,
            slot=free[0] if free else slots[0] if len(slots) == 1 else -1,
            skips=skips,
            must=frees(side, slots),
            mustered=True,
            silent=effect.silent,
            bonus=effect.bonus,
            level_to=effect.level_to,
            shuffles=searched_deck,
            dooms=task.serial if dooms else 0,
        )
    )


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
    out.append(ChangedSides(tuple([(start, to) for _, start, to in moves])))
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
                in_response=task.in_response,
                stolen_from=item.seat,
            )
        )
    return True


Working = Callable[[State, Perform, Any, Out], bool]

WORKINGS: dict[type[fx.Effect], Working] = {
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
