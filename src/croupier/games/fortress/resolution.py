"""T106: the stack resolves from the top down, and whatever that sets in motion is done before the next item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.games.fortress.cards import BATTLE_WON, CARDS, TURN_DRAW
from croupier.games.fortress.destruction import demolish
from croupier.games.fortress.effect_handlers import perform
from croupier.games.fortress.events import AbilityUsed, Attacked, Blow, Levelled, Result, TricksterUsed
from croupier.games.fortress.places import DECREE, SLOT
from croupier.games.fortress.position import item_numbered, points, unit_at
from croupier.games.fortress.state import (
    Ascend,
    Demolish,
    FinishTurn,
    Hurt,
    Item,
    Pay,
    Perform,
    Retire,
    Spoils,
    State,
    Target,
    Task,
)
from croupier.games.fortress.tasks import (
    ascend,
    enter,
    entered,
    finish_turn,
    hurt,
    level_up,
    offer_of,
    pay,
    retire,
    speak,
    spoils,
)
from croupier.games.fortress.zones import Out, draw, leave_hand

TASKS: dict[type[Task], Callable[[State, Any, Out], None]] = {
    Perform: perform,
    Pay: pay,
    Demolish: demolish,
    Hurt: hurt,
    Ascend: ascend,
    Spoils: spoils,
    Retire: retire,
    FinishTurn: finish_turn,
}


def run(state: State, out: Out) -> None:
    """Go on until somebody's word is needed: a window, a request and the end of the game are phases of their own."""
    agenda, stack = state.agenda, state.stack
    while state.phase == "main":
        if agenda:
            task = agenda.pop()
            TASKS[type(task)](state, task, out)
        elif stack:
            item = stack.pop()
            ITEMS[item.kind](state, item, out)
        elif state.ending and not state.must_draw:
            state.ending = False
            agenda.append(FinishTurn())
        else:
            return


def resolve_draw(state: State, item: Item, out: Out) -> None:
    """T21; then what a decree offers (T96)."""
    draw(state, item.seat, 1, out, item.number)
    decree = state.sides[item.seat].field[DECREE]
    if decree is not None and decree.card in TURN_DRAW:
        offer_of(state, item.seat, DECREE, decree, TURN_DRAW[decree.card])


def resolve_play(state: State, item: Item, out: Out) -> None:
    """T38: the card enters; its On play text follows unless it was cancelled."""
    assert item.place is not None and item.target is not None
    seat, slot = item.seat, SLOT[item.target]
    unit = enter(state, seat, item.card, slot)
    unit.clue = state.sides[seat].clues[item.place.number - 1]
    entered(state, seat, slot, unit, item.place, "ability_cancelled" if item.cancelled else "done", item.number, out)
    leave_hand(state, seat, item.place.number - 1, out)
    speak(state, seat, slot, unit, -1 if item.cancelled else item.text)


def resolve_level(state: State, item: Item, out: Out) -> None:
    unit = unit_at(state, item.place, item.serial)
    assert item.place is not None
    if unit is None:  # T80
        out.append(Levelled(item.seat, item.place, item.level - 1, "fizzled", item.number, item.card))
        return
    result: Result = "ability_cancelled" if item.cancelled else "done"
    level_up(state, item.seat, SLOT[item.place], unit, result, item.number, out)


def resolve_ability(state: State, item: Item, out: Out) -> None:
    assert item.place is not None
    gone = unit_at(state, item.place, item.serial) is None
    result: Result = "cancelled" if item.cancelled else "fizzled" if gone else "done"  # T80
    out.append(AbilityUsed(item.seat, item.place, item.card, item.responds_to or None, result, item.number))
    if result == "done":
        _perform(state, item)


def resolve_trickster(state: State, item: Item, out: Out) -> None:
    """T88; T51: what answers an attack voids it, but for the cards that are made for attacks (T52)."""
    assert item.place is not None
    result: Result = "cancelled" if item.cancelled else "done"
    out.append(TricksterUsed(item.seat, item.place, item.card, item.responds_to, result, item.number))
    state.agenda.append(Retire(seat=item.seat, slot=SLOT[item.place]))
    if item.cancelled:
        return
    answered = item_numbered(state, item.responds_to)
    if answered is not None and CARDS[item.card].texts[0].answers not in ("attack", "soldier attack"):
        answered.void = True
    _perform(state, item, -1 if answered is None else answered.card)


def _perform(state: State, item: Item, about: int = -1) -> None:
    assert item.place is not None
    state.agenda.append(
        Perform(
            seat=item.seat,
            card=item.card,
            text=item.text,
            place=item.place,
            serial=item.serial,
            item=item.responds_to,
            in_response=item.responds_to > 0,
            named=item.named,
            about=about,
        )
    )


def resolve_attack(state: State, item: Item, out: Out) -> None:
    """T49 to T54"""
    place, target, seat = item.place, item.target, item.seat
    assert place is not None and target is not None
    attacker = unit_at(state, place, item.serial)
    defender = unit_at(state, target, item.target_serial)
    castle = target.zone == "castle"
    if item.void:
        out.append(Attacked(seat, place, target, "void", item.number))
        return
    if attacker is None or attacker.stunned or (defender is None and not castle):  # T53
        out.append(Attacked(seat, place, target, "fizzled", item.number))
        return
    attacker.attacks += 1
    strength = points(state, seat, attacker)
    if defender is None:
        out.append(Attacked(seat, place, target, "castle_hit", item.number))
        state.agenda.append(Hurt(seat=target.seat, amount=strength, source=place))
        return
    defence = points(state, target.seat, defender)
    blow: Blow = "both_lose" if strength == defence else "target_loses" if strength > defence else "attacker_loses"
    out.append(Attacked(seat, place, target, blow, item.number))
    victim = Target(target.seat, SLOT[target], defender.serial)
    losers = []
    if blow != "target_loses":
        losers.append(Target(seat, SLOT[place], attacker.serial))
    if blow != "attacker_loses":
        losers.append(victim)
        if attacker.card in BATTLE_WON and target.seat != seat and not attacker.used:
            state.agenda.append(
                Spoils(
                    seat=seat,
                    place=place,
                    card=attacker.card,
                    serial=attacker.serial,
                    victim=victim,
                    about=defender.card,
                )
            )
    if len(losers) > 1:
        losers.sort(key=lambda loser: (loser.seat != seat, loser.slot))  # T81
    state.agenda.append(Demolish(victims=losers))


ITEMS: dict[str, Callable[[State, Item, Out], None]] = {
    "draw": resolve_draw,
    "play": resolve_play,
    "level": resolve_level,
    "ability": resolve_ability,
    "attack": resolve_attack,
    "trickster": resolve_trickster,
}
