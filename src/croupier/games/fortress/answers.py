"""What a player answers: to an action of the enemy (in a window), and to a request. Checked like actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.games.fortress import moves as mv
from croupier.games.fortress.actions import can_destroy, own_unit, usable
from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.costs import entrances, means, skips_of
from croupier.games.fortress.events import Declined, WindowPassed
from croupier.games.fortress.places import FIELD, SLOT, TRICKSTERS, Place
from croupier.games.fortress.position import item_numbered
from croupier.games.fortress.stack import answerable, declare_ability, declare_trickster, topmost_enemy
from croupier.games.fortress.state import Item, Request, State, Unit
from croupier.games.fortress.zones import Out
from croupier.kernel import Illegal

QUESTIONS = {"protect": "question", "last_stand": "question", "draw": "draw", "level": "level"}


def respond(state: State, seat: int, move: mv.AnyMove, out: Out) -> None:
    """T105: the holder of the window allows, or answers."""
    if seat != state.holder:
        raise Illegal("somebody else has to answer first", "not_your_move")
    response = RESPONSES.get(type(move))
    if response is None:
        raise Illegal("answer what the enemy does, or allow it", "respond_or_allow")
    response(state, seat, move, out)


def _allow(state: State, seat: int, move: mv.AllowAction, out: Out) -> None:
    """T106"""
    if state.kept:
        state.kept = False
        state.holder = 1 - seat
        out.append(WindowPassed(1 - seat))
    else:
        state.holder = None
        state.phase = "main"


def _activate(state: State, seat: int, move: mv.ActivateTrickster, out: Out) -> None:
    answered = _answered(state, seat, move.responds_to)
    slot, unit = own_unit(state, seat, move.place, TRICKSTERS, "there is no trickster of yours")
    _check_trickster(state, seat, unit, answered)
    declare_trickster(state, seat, slot, answered.number, move.more, None, out)


def _use(state: State, seat: int, move: mv.UseAbility, out: Out) -> None:
    answered = _answered(state, seat, move.responds_to)
    slot, text = usable(state, seat, move.place)
    _check_ability(state, seat, slot, text, answered)
    state.kept = False
    declare_ability(state, seat, slot, text, out, answered.number)


def _destroy(state: State, seat: int, move: mv.DestroyCard, out: Out) -> None:
    answered = _answered(state, seat, move.responds_to)
    slot = _avenger(state, seat, move.target, move.source, answered)
    declare_trickster(state, seat, slot, answered.number, False, move.target, out)


RESPONSES: dict[type[mv.AnyMove], Callable[[State, int, Any, Out], None]] = {
    mv.AllowAction: _allow,
    mv.ActivateTrickster: _activate,
    mv.UseAbility: _use,
    mv.DestroyCard: _destroy,
}


def _answered(state: State, seat: int, number: int | None) -> Item:
    item = topmost_enemy(state, seat) if number is None else item_numbered(state, number)
    if item is None or item.seat == seat:
        raise Illegal("that is nothing of the enemy that waits to be answered", "bad_responds_to")
    return item


def _check_trickster(state: State, seat: int, unit: Unit, answered: Item) -> None:
    text = CARDS[unit.card].texts[0]
    if not unit.face_down:
        raise Illegal("that trickster is used already", "bad_position")  # T67
    if not text.special and (state.active == seat or unit.entered == state.turn):  # T86, T90
        raise Illegal("that trickster only works in the enemy's turn", "not_special")
    assert text.answers is not None
    if not answerable(answered, text.answers):
        raise Illegal("that is not what this trickster answers", "wrong_trigger")  # T87


def _check_ability(state: State, seat: int, slot: int, text: int, answered: Item) -> None:
    unit = state.sides[seat].field[slot]
    assert unit is not None
    condition = CARDS[unit.card].texts[text].answers
    if condition is None or state.active != seat or not answerable(answered, condition):  # T62
        raise Illegal("that ability does not answer this", "wrong_trigger")


def _avenger(state: State, seat: int, target: Place, source: Place | None, answered: Item) -> int:
    """D27: the first trickster that may be activated now and can destroy this card."""
    for slot in TRICKSTERS:
        unit = state.sides[seat].field[slot]
        place = FIELD[seat][slot]
        if unit is None or (source is not None and source != place):
            continue
        try:
            _check_trickster(state, seat, unit, answered)
        except Illegal:
            continue
        if can_destroy(state, seat, unit, 0, place, target):
            return slot
    raise Illegal("you have no trickster that could destroy that card now", "no_source")


def reply(state: State, seat: int, move: mv.AnyMove, out: Out) -> None:
    """An answer to the open request; it is written into the task that asked."""
    request = state.request
    assert request is not None
    if seat != request.seat:
        raise Illegal("somebody else has to choose first", "not_your_move")
    task = state.agenda[-1]
    if (type(move) is mv.ChooseCard or type(move) is mv.Answer) and move.request not in (None, request.number):
        raise Illegal("that is not what is asked now", "stale_request")
    if type(move) is mv.ChooseCard and request.kind == "target":
        _check_choice(state, request, move)
        task.choice, task.to = move.place, move.to
        declined = move.place is None
    elif type(move) is mv.Answer and request.kind != "target" and move.kind in (None, QUESTIONS[request.kind]):
        task.yes = move.yes
        declined = not move.yes
    else:
        raise Illegal("answer what you are asked first", "answer_first")
    if declined:
        out.append(Declined(seat, request.number, request.kind, request.purpose))
    task.asked = True
    state.request = None
    state.phase = "main"


def _check_choice(state: State, request: Request, move: mv.ChooseCard) -> None:
    place = move.place
    if place is None:
        if not request.optional:
            raise Illegal("you have to choose a card", "target_required")
        return
    if place not in request.region:
        raise Illegal("that is none of those you may choose from", "bad_target")
    if request.purpose != "play":
        return
    side = state.sides[request.seat]
    index = place.number - 1
    card = side.hand[index] if place.zone == "hand" else side.deck[index]
    if move.card is not None and move.card != card:
        raise Illegal("the card there is {card}", "wrong_card", card=CARDS[card].name)
    if move.to is None:
        return
    slot = SLOT.get(move.to, -1)
    skips = skips_of(side, card, index if place.zone == "hand" else -1)
    if move.to.seat != request.seat or slot not in entrances(state, request.seat, card, skips, means(side)):
        raise Illegal("that card can't go there", "bad_position")
