"""What the thrown card lets a player do: look at cards, and swap them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, combinations, starmap
from typing import get_args

from croupier.games.cambia import turns
from croupier.games.cambia.cards import RANK, SPECIAL, Special, is_id
from croupier.games.cambia.events import AnyEvent, CardGone, Peeked, Revealed, SpecialOpened, Swapped
from croupier.games.cambia.moves import SKIP, SWAP, AnyMove, Named, UseSpecial
from croupier.games.cambia.state import Card, Spot, State, no_card, owner, spot
from croupier.kernel import Illegal

KNOWN = (*get_args(Special), "swap_peek_reveal", "swap_peek_swap", "skip")
KING = ("swap_peek", "swap_peek_reveal", "swap_peek_swap")


def opens(state: State, card: str, at: int, happened: list[AnyEvent]) -> bool:
    """C23: the card just thrown may have a special, and the current player a choice then."""
    face = state.faces[card]
    special = SPECIAL.get(face)
    if special is None or not possible(state, special):
        return False
    state.step = "choosing"
    state.special = special
    state.thrown = Card(card, face)
    state.due = turns.deadline(state, at)  # T3
    happened.append(SpecialOpened(state.current, card, RANK[face], special, state.due))
    return True


def possible(state: State, special: Special) -> bool:
    """C24: whether there is anything to use it on."""
    seat, hands = state.current, state.hands
    match special:
        case "peek_self":
            return bool(hands[seat])
        case "peek_other":
            return any(hand for other, hand in enumerate(hands) if other != seat)
        case "swap_blind":
            return sum(len(hand) for other, hand in enumerate(hands) if not state.locked[other]) >= 2
        case "swap_peek":
            return sum(map(len, hands)) >= 2


def offers(state: State) -> list[AnyMove]:
    """All that the current player can do in a special choice."""
    seat, hands = state.current, state.hands
    if state.step == "deciding":
        movable = not gone(state) and not _any_locked(state, state.revealed)
        return [SWAP, SKIP] if movable else [SKIP]
    found: list[AnyMove] = [SKIP]
    match state.special:
        case "peek_self":
            found += [UseSpecial("peek_self", Named(card)) for card in hands[seat]]
        case "peek_other":
            others = chain.from_iterable(hand for other, hand in enumerate(hands) if other != seat)
            found += [UseSpecial("peek_other", Named(card)) for card in others]
        case "swap_blind":
            movable_cards = chain.from_iterable(hand for other, hand in enumerate(hands) if not state.locked[other])
            found += _pairs("swap_blind", movable_cards)
        case "swap_peek":
            found += _pairs("swap_peek", chain.from_iterable(hands))
    return found


def _pairs(special: str, cards: Iterable[str]) -> list[AnyMove]:
    return list(starmap(partial(UseSpecial, special), combinations(map(Named, cards), 2)))


def gone(state: State) -> bool:
    """C32: whether one of the King's cards has left its hand since it was looked at."""
    return any(owner(state, there.id) != there.owner for there in state.revealed)


def _any_locked(state: State, spots: Sequence[Spot]) -> bool:
    return any(there.owner is not None and state.locked[there.owner] for there in spots)


def use(state: State, seat: int, move: UseSpecial, at: int) -> list[AnyEvent]:
    """Use the open special, or skip it. The checks are in the order in which refusals are specified."""
    special = state.special
    if special is None or seat != state.current:
        raise Illegal("You have no special action to make.", "no_special_pending")
    wanted = move.special
    if wanted not in KNOWN:
        raise Illegal("There is no such special action.", "bad_special")
    happened: list[AnyEvent] = []
    if wanted == "skip":  # C25
        turns.skip(state, happened)
        turns.end(state, at, happened)
        return happened
    if wanted != special and not (special == "swap_peek" and wanted in KING):
        raise Illegal("That is not what this card is for.", "wrong_special")
    if special == "swap_peek" and wanted != ("swap_peek_swap" if state.revealed else "swap_peek"):
        raise Illegal("That is not what comes now.", "wrong_step")
    if wanted == "swap_peek_swap":
        return _decide(state, seat, move, at)
    one = _named(state, move.card1)
    if wanted in ("peek_self", "peek_other"):
        card = _found(state, one)
        if (card.owner == seat) != (wanted == "peek_self"):
            raise Illegal("This card is for another hand.", "wrong_owner")
        _peek(state, seat, card, happened)
    else:
        other = _named(state, move.card2)
        card, second = _found(state, one), _found(state, other)
        if card.id == second.id:
            raise Illegal("Those are not two cards.", "same_card")  # D29
        if wanted == "swap_peek":
            return _look(state, seat, card, second, at)
        if _any_locked(state, (card, second)):
            raise Illegal("That hand is locked by Cambia.", "locked")  # C28
        _swap(state, card, second)  # C27
        happened.append(Swapped(seat, "swap_blind", card, second))
    turns.end(state, at, happened)
    return happened


def _named(state: State, named: Named | None) -> Named:
    if named is None or (named.card not in state.faces and not is_id(named.card)):
        raise no_card()
    return named


def _found(state: State, named: Named) -> Spot:
    """D10: a card is found by its id; its owner need not be named, but if so, truthfully."""
    found = spot(state, named.card)
    if found.owner is None or named.owner not in (None, found.owner):
        raise Illegal("That card is not there.", "wrong_card")
    return found


def _peek(state: State, seat: int, card: Spot, happened: list[AnyEvent]) -> None:
    """C26: only who looks learns the face; everybody learns which card it was. C33: it stays where it is."""
    state.seen[card.id] = state.seen.get(card.id, 0) | 1 << seat
    happened.append(Peeked(seat, "peek_self" if card.owner == seat else "peek_other", card, state.faces[card.id]))


def _look(state: State, seat: int, one: Spot, other: Spot, at: int) -> list[AnyEvent]:
    """C29: the King's first step."""
    for card in (one.id, other.id):
        state.seen[card] = state.seen.get(card, 0) | 1 << seat
    faces = (state.faces[one.id], state.faces[other.id])
    happened: list[AnyEvent] = []
    if _any_locked(state, (one, other)):  # C30
        happened.append(Revealed(seat, one, other, faces, False, None))
        turns.end(state, at, happened)
        return happened
    state.step = "deciding"
    state.revealed = (one, other)
    state.due = turns.deadline(state, at)  # T3
    happened.append(Revealed(seat, one, other, faces, True, state.due))
    return happened


def _decide(state: State, seat: int, move: UseSpecial, at: int) -> list[AnyEvent]:
    """C31: the King's second step. D33: the cards may be named in either order, or not at all."""
    happened: list[AnyEvent] = []
    if gone(state):  # C32, D34: refused, and the special is over
        happened.append(CardGone(seat))
        turns.skip(state, happened)
        turns.end(state, at, happened)
        return happened
    named = [card for card in (move.card1, move.card2) if card is not None]
    spots = [_found(state, card) for card in [_named(state, card) for card in named]]
    if len(named) == 2 and spots[0] == spots[1]:
        raise Illegal("Those are not two cards.", "same_card")
    if named and {card.card for card in named} != {there.id for there in state.revealed}:
        raise Illegal("Those are not the cards that you have looked at.", "wrong_card")
    if _any_locked(state, state.revealed):
        raise Illegal("That hand is locked.", "locked")  # D93: its owner has forfeited since
    one, other = (spot(state, there.id) for there in state.revealed)
    _swap(state, one, other)
    happened.append(Swapped(seat, "swap_peek_swap", one, other))
    turns.end(state, at, happened)
    return happened


def _swap(state: State, one: Spot, other: Spot) -> None:
    assert one.owner is not None and one.idx is not None and other.owner is not None and other.idx is not None
    state.hands[one.owner][one.idx] = other.id
    state.hands[other.owner][other.idx] = one.id
