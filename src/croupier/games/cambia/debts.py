"""Giving a card for one that was snapped from another hand."""

from __future__ import annotations

from croupier.games.cambia.cards import is_id
from croupier.games.cambia.events import AnyEvent, Given
from croupier.games.cambia.moves import Give
from croupier.games.cambia.state import Debt, State, no_card, no_index
from croupier.kernel import Illegal


def owed_by(state: State, seat: int) -> Debt | None:
    """C44: what a player owes, which is one card at most."""
    for debt in state.debts:
        if debt.seat == seat:
            return debt
    return None


def give(state: State, seat: int, move: Give, at: int) -> list[AnyEvent]:
    """C43: the snapper has chosen."""
    debt = owed_by(state, seat)
    if debt is None:
        raise Illegal("You owe nobody a card.", "no_give_pending")
    found = own_card(state, seat, move.card, move.idx)
    happened: list[AnyEvent] = []
    settle(state, debt, happened, found)
    return happened


def own_card(state: State, seat: int, card: str | None, idx: int | None) -> int:
    """The position of one of the own cards that is named by id, position, or both; refused in the order of the spec."""
    hand = state.hands[seat]
    if idx is None and card in hand:
        return hand.index(card)
    if (card is None and idx is None) or (card is not None and card not in state.faces and not is_id(card)):
        raise no_card()
    if idx is not None and not 0 <= idx < len(hand):
        raise no_index()
    if card is None:
        assert idx is not None
        return idx
    if card not in hand:
        raise Illegal("That card is not in your hand.", "wrong_card")
    found = hand.index(card)
    if idx is not None and idx != found:
        raise Illegal("Card and index do not agree.", "bad_index")
    return found


def settle(state: State, debt: Debt, happened: list[AnyEvent], choice: int | None = None) -> None:
    """Give the chosen card; C44: without a choice, the one with the highest position."""
    state.debts.remove(debt)
    hand, theirs = state.hands[debt.seat], state.hands[debt.target]
    if not hand:
        happened.append(Given(debt.seat, debt.target, None, None, None))
        return
    from_idx = len(hand) - 1 if choice is None else choice
    card = hand.pop(from_idx)
    idx = min(debt.idx, len(theirs))
    theirs.insert(idx, card)
    happened.append(Given(debt.seat, debt.target, card, idx, from_idx))


def run_out(state: State, seat: int, happened: list[AnyEvent]) -> None:
    """C44: the time to choose is up."""
    debt = owed_by(state, seat)
    assert debt is not None
    settle(state, debt, happened)


def settle_all(state: State, happened: list[AnyEvent], seat: int | None = None) -> None:
    """C44, D91: settle the debts by and to this player, or all, before something that can't wait for them."""
    for debt in state.debts[:]:
        if seat in (None, debt.seat, debt.target):
            settle(state, debt, happened)
