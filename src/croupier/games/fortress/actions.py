"""What a player wants to do in the own turn, checked. The order of the checks decides which code a refusal has.

The codes are those of the game's own protocol in small letters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.games.fortress import moves as mv
from croupier.games.fortress.cards import CARDS, IN_PLAY, KIND, REACHES_CASTLE, SHIELDS_MAGES, TAUNTS
from croupier.games.fortress.choosing import amount
from croupier.games.fortress.costs import (
    BIT,
    COSTS,
    affords_toll,
    fitting,
    means,
    openings,
    price,
)
from croupier.games.fortress.effects import ALL, Destroy, Discard
from croupier.games.fortress.places import DECREE, FIELD, FIGHTERS, MAGES, SLOT, SLOTS, SOLDIERS, Place
from croupier.games.fortress.position import attacks_left, choosable, controls, mage_may_attack
from croupier.games.fortress.stack import declare_ability, declare_attack, declare_draw, declare_level, declare_play
from croupier.games.fortress.state import FinishTurn, Pay, Perform, State, Unit
from croupier.games.fortress.zones import Out
from croupier.kernel import Illegal


def act(state: State, seat: int, move: mv.AnyMove, out: Out) -> None:
    """T22: in the main part of the own turn."""
    action = ACTIONS.get(type(move))
    if action is None:
        raise Illegal(*UNTIMELY[type(move)])
    if seat != state.active:
        raise Illegal("it is not your turn", "not_your_turn")
    if state.must_draw and action is not _draw:
        raise Illegal("draw a card first", "draw_first")  # T21
    action(state, seat, move, out)


UNTIMELY: dict[type[mv.AnyMove], tuple[str, str]] = {
    mv.AllowAction: ("there is nothing to allow", "nothing_to_allow"),
    mv.ChooseCard: ("nothing was asked", "nothing_asked"),
    mv.Answer: ("nothing was asked", "nothing_asked"),
    **dict.fromkeys(
        (mv.BringDeck, mv.Mulligan, mv.AcceptHand, mv.ReturnCard),
        ("that was possible before the first turn only", "not_now"),
    ),
}


def _draw(state: State, seat: int, move: mv.DrawCard, out: Out) -> None:
    if state.turn == 1:
        raise Illegal("nobody draws on the first turn", "no_draw_on_first_turn")
    if not state.must_draw:
        raise Illegal("you have drawn already", "already_drawn")
    declare_draw(state, seat, out)


def _activate(state: State, seat: int, move: mv.ActivateTrickster, out: Out) -> None:
    raise Illegal("tricksters only answer what the enemy does", "wrong_trigger")


def _end_turn(state: State, seat: int, move: mv.EndTurn, out: Out) -> None:
    """T23"""
    state.agenda.append(FinishTurn())


def _unit(state: State, place: Place) -> Unit:
    unit = state.sides[place.seat].field[SLOT[place]]
    assert unit is not None
    return unit


def own_unit(state: State, seat: int, place: Place, slots: tuple[int, ...], missing: str) -> tuple[int, Unit]:
    """The player's own card in this place, which has to be one of these slots."""
    slot = SLOT.get(place, -1)
    unit = state.sides[seat].field[slot] if place.seat == seat and slot in slots else None
    if unit is None:
        raise Illegal(missing, "bad_position")
    return slot, unit


def _play(state: State, seat: int, move: mv.PlayCard, out: Out) -> None:
    side = state.sides[seat]
    start, end = move.start, move.end
    index = start.number - 1
    if start.seat != seat or start.zone != "hand" or not 0 <= index < len(side.hand):
        raise Illegal("there is no card of yours", "bad_position")
    card = side.hand[index]
    if move.card is not None and move.card != card:
        raise Illegal("the card there is {card}", "wrong_card", card=CARDS[card].name)
    kind = KIND[card]
    slot = SLOT.get(end, -1)
    if end.seat != seat or slot not in SLOTS[kind]:
        raise Illegal(f"{CARDS[card].name} needs a {kind} slot of yours", "bad_position")  # T28
    if kind in side.played:
        raise Illegal("one {kind} a turn is all you may play from hand", "already_played", kind=kind)  # T26
    must = 0 if side.field[slot] is None else BIT[slot]  # T33
    if not must and not COSTS[card]:
        declare_play(state, seat, index, slot, out)
        return
    held = means(side)
    if must and not any(fit & must for fit in fitting(card, held)):
        raise Illegal("that slot is taken", "position_occupied")  # T29, T91
    skips = side.discount + side.fewer[index]  # T36
    if slot not in openings(held, skips)[card] or not affords_toll(side, card):
        raise Illegal(f"{CARDS[card].name} costs {price(card)}", "cost_not_payable")  # T32
    side.discount = 0
    state.agenda.append(Pay(seat=seat, card=card, start=start, slot=slot, skips=skips, must=must))


def _attack(state: State, seat: int, move: mv.AttackCard, out: Out) -> None:
    """T42 to T48"""
    slot, unit = own_unit(state, seat, move.attacker, FIGHTERS, "there is no soldier or mage of yours")
    target = move.target
    enemy = state.sides[1 - seat]
    aim = SLOT.get(target, -1)
    castle = target.zone == "castle" and target.number == 1
    defender = enemy.field[aim] if aim in FIGHTERS else None
    if target.seat != 1 - seat or (defender is None and not castle):
        raise Illegal("attack an enemy soldier, mage or castle", "bad_target")
    if state.turn == 1:
        raise Illegal("nobody attacks on the first turn", "no_attack_on_first_turn")
    if unit.stunned:
        raise Illegal("that card is stunned", "stunned")
    if slot in MAGES and not mage_may_attack(state.sides[seat], unit):
        raise Illegal("a mage attacks at level 3", "level_too_low")
    if attacks_left(unit) < 1:
        raise Illegal("that card has attacked already", "already_attacked")
    if controls(enemy, TAUNTS) and (defender is None or defender.card not in TAUNTS):  # D53
        raise Illegal("a Pawn Warrior is in the way", "must_attack_pawn_warrior")
    if castle and unit.card not in REACHES_CASTLE and (enemy.field[0] is not None or enemy.field[1] is not None):
        raise Illegal("soldiers protect the castle", "castle_protected")
    if aim in MAGES and controls(enemy, SHIELDS_MAGES):
        raise Illegal("a Mage's Partner protects the mages", "target_protected")
    declare_attack(state, seat, slot, target, 0 if defender is None else defender.serial, out)


def _level(state: State, seat: int, move: mv.LevelMage, out: Out) -> None:
    """T57"""
    slot, mage = own_unit(state, seat, move.mage, MAGES, "there is no mage of yours")
    if mage.level == 3:
        raise Illegal("there is no higher level than 3", "max_level")
    if mage.entered == state.turn:
        raise Illegal("it has only just come", "summoned_this_turn")
    if mage.levelled:
        raise Illegal("once a turn is enough", "already_levelled")
    if mage.stunned:
        raise Illegal("that mage is stunned", "stunned")  # D66
    declare_level(state, seat, slot, out)


def usable(state: State, seat: int, place: Place) -> tuple[int, int]:
    """T61: the slot and the text of an In play ability, or of the decree of that kind, that may be used now."""
    slot, unit = own_unit(state, seat, place, (*FIGHTERS, DECREE), "there is no soldier, mage or decree of yours")
    text = IN_PLAY[unit.card]
    if text < 0 or (unit.level and unit.level < CARDS[unit.card].texts[text].level):  # T59
        raise Illegal("that card has no ability to use", "no_ability")
    if unit.stunned:
        raise Illegal("that card is stunned", "stunned")
    if unit.used:
        raise Illegal("it has been used this turn", "already_used")
    return slot, text


DISCARDS = tuple(
    sum(
        step.count
        for text in card.texts
        if text.trigger == "in play"
        for step in text.effects
        if isinstance(step, Discard) and step.whose == "own"
    )
    for card in CARDS
)
"""T70: how many own cards the In play ability of each card has to be given."""


def check_discards(state: State, seat: int, card: int) -> None:
    if len(state.sides[seat].hand) < DISCARDS[card]:
        raise Illegal("you have too few cards to discard", "not_enough_cards")


def _use(state: State, seat: int, move: mv.UseAbility, out: Out) -> None:
    slot, text = usable(state, seat, move.place)
    card = _unit(state, move.place).card
    check_discards(state, seat, card)
    if CARDS[card].texts[text].answers is not None:  # T62
        raise Illegal("that only answers a trickster of the enemy", "wrong_trigger")
    declare_ability(state, seat, slot, text, out)


def _destroy(state: State, seat: int, move: mv.DestroyCard, out: Out) -> None:
    """D27"""
    slot, text = destroyer(state, seat, move.target, move.source)
    declare_ability(state, seat, slot, text, out, named=move.target)


def destroyer(state: State, seat: int, target: Place, source: Place | None) -> tuple[int, int]:
    """D27: the first of decree, soldiers and mages whose ability can destroy this enemy card."""
    for slot in (DECREE, *SOLDIERS, *MAGES):
        unit = state.sides[seat].field[slot]
        if unit is None:
            continue
        place = FIELD[seat][slot]
        if source is not None and source != place:
            continue
        try:
            _, text = usable(state, seat, place)
            check_discards(state, seat, unit.card)
        except Illegal:
            continue
        if can_destroy(state, seat, unit, text, place, target):
            return slot, text
    raise Illegal("you have no card that could destroy that one now", "no_source")


def can_destroy(state: State, seat: int, unit: Unit, text: int, place: Place, target: Place) -> bool:
    """Whether one of the steps of a text destroys chosen cards, and this enemy card is one to choose from."""
    if target.seat == seat:
        return False
    for step in CARDS[unit.card].texts[text].effects:
        if not isinstance(step, Destroy):
            continue
        task = Perform(seat=seat, card=unit.card, text=text, place=place, serial=unit.serial)
        if amount(state, task, step.count) != ALL and target in choosable(
            state, seat, step.region, unit.serial, by=unit.card
        ):
            return True
    return False


ACTIONS: dict[type[mv.AnyMove], Callable[[State, int, Any, Out], None]] = {
    mv.DrawCard: _draw,
    mv.PlayCard: _play,
    mv.AttackCard: _attack,
    mv.LevelMage: _level,
    mv.UseAbility: _use,
    mv.DestroyCard: _destroy,
    mv.ActivateTrickster: _activate,
    mv.EndTurn: _end_turn,
}
