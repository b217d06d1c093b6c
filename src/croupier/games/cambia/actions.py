"""What the current player does in a turn: draw a card, throw or place it, or call Cambia."""

from __future__ import annotations

from croupier.games.cambia import debts, ending, specials, stock, turns
from croupier.games.cambia.cards import is_id
from croupier.games.cambia.events import AnyEvent, Called, Drew, Replaced
from croupier.games.cambia.moves import CallCambia, Discard, DrawDiscardpile, DrawStockpile, Replace
from croupier.games.cambia.state import State, no_card
from croupier.kernel import Illegal


def already_drawn() -> Illegal:
    return Illegal("You have drawn a card already.", "already_drawn")  # C15


def must_draw_first() -> Illegal:
    return Illegal("Draw a card first.", "must_draw_first")


def draw(state: State, seat: int, move: DrawStockpile, at: int) -> list[AnyEvent]:
    if state.held is not None:
        raise already_drawn()
    happened: list[AnyEvent] = []
    if not stock.drawn(state, seat, happened):
        ending.finish(state, "deck_exhausted", at, happened)  # C54
    return happened


def draw_open(state: State, seat: int, move: DrawDiscardpile, at: int) -> list[AnyEvent]:
    if state.held is not None:
        raise already_drawn()
    if not state.rules.allow_draw_from_discard_pile:
        raise Illegal("Drawing from the discard pile is not allowed.", "not_allowed")
    if not state.pile:
        raise Illegal("The discard pile is empty.", "pile_empty")
    card = state.held = state.pile.pop()
    state.source = "discardpile"  # C17
    state.step = "holding"
    return [Drew(seat, card, state.faces[card], "discardpile", len(state.stock), len(state.pile))]


def discard(state: State, seat: int, move: Discard, at: int) -> list[AnyEvent]:
    card = move.card
    if state.held is None:
        raise must_draw_first()
    if card != state.held:
        if card not in state.faces and not is_id(card):
            raise no_card()
        raise Illegal("That is not the card you have drawn.", "wrong_card")
    happened: list[AnyEvent] = []
    stock.throw_drawn(state, happened)
    # C23a, C17: a card from the discard pile is only put back
    if state.source == "discardpile" or not specials.opens(state, card, at, happened):
        turns.end(state, at, happened)
    return happened


def replace(state: State, seat: int, move: Replace, at: int) -> list[AnyEvent]:
    held = state.held
    if held is None:
        raise must_draw_first()
    # D14: the drawn card's id says nothing about which one to throw
    named = None if move.card == held and move.idx is not None else move.card
    if named == held:
        raise no_card()
    idx = debts.own_card(state, seat, named, move.idx)
    hand = state.hands[seat]
    card, hand[idx] = hand[idx], held  # C19
    state.held = None
    happened: list[AnyEvent] = [Replaced(seat, held, idx)]
    stock.throw(state, seat, card, idx, happened)
    triggers = state.rules.allow_replace_abilities and state.source == "stockpile"  # C23b
    if not triggers or not specials.opens(state, card, at, happened):
        turns.end(state, at, happened)
    return happened


def call(state: State, seat: int, move: CallCambia, at: int) -> list[AnyEvent]:
    if state.caller is not None:
        raise Illegal("Cambia has been called already.", "cambia_called")
    if state.held is not None:
        raise Illegal("Too late: Cambia is called instead of drawing.", "cambia_after_draw")  # D40
    if too_early(state):
        raise Illegal("It is too early to call Cambia.", "cambia_too_early")
    happened: list[AnyEvent] = []
    debts.settle_all(state, happened, seat)  # C44, D91
    state.caller = seat
    state.locked[seat] = state.rules.lock_caller_hand  # C36, C38
    happened.append(Called(seat))
    turns.end(state, at, happened)  # C35
    return happened


def too_early(state: State) -> bool:
    """C34."""
    rounds = state.rules.cambia_allowed_round
    return rounds > 0 and state.turn // state.players < rounds
