"""Cards on their way between deck, hand and discard pile."""

from __future__ import annotations

from croupier.games.fortress.cards import ANY_ID
from croupier.games.fortress.events import AnyEvent, Discarded, Drew, Ended, GapClosed, Reason, Shuffled
from croupier.games.fortress.places import DISCARD, Place
from croupier.games.fortress.state import Side, State

Out = list[AnyEvent]
"""Where events are put as they happen."""


def into_hand(side: Side, card: int, clue: int = ANY_ID, fewer: int = 0) -> None:
    """T5: a new card takes the next place."""
    side.hand.append(card)
    side.clues.append(clue)
    side.fewer.append(fewer)


def out_of_hand(side: Side, index: int) -> int:
    """T5: the cards above move down."""
    del side.clues[index], side.fewer[index]
    return side.hand.pop(index)


def leave_hand(state: State, seat: int, index: int, out: Out) -> int:
    side = state.sides[seat]
    card = out_of_hand(side, index)
    left = len(side.hand)
    if index < left:
        out.append(GapClosed(seat, index + 1, left))
    return card


def bury(state: State, owner: int, card: int) -> Place:
    """T6: onto the discard pile of its owner."""
    pile = state.sides[owner].discard
    pile.append(card)
    return DISCARD[owner][len(pile) - 1]


def discard(state: State, seat: int, index: int, out: Out) -> None:
    """T76"""
    side = state.sides[seat]
    card = out_of_hand(side, index)
    bury(state, seat, card)
    out.append(Discarded(seat, index + 1, card, len(side.discard), len(side.hand)))


def from_deck(side: Side, count: int) -> list[int]:
    """T73: cards from the top of the deck into the hand, one after the other, as many as there are."""
    deck = side.deck
    cards = deck[: -count - 1 : -1]
    del deck[len(deck) - len(cards) :]
    side.hand.extend(cards)
    side.clues.extend([ANY_ID] * len(cards))
    side.fewer.extend([0] * len(cards))
    return cards


def draw(state: State, seat: int, count: int, out: Out, number: int | None = None) -> None:
    """Who can't has lost (T107)."""
    side = state.sides[seat]
    top, first = len(side.deck), len(side.hand) + 1
    cards = from_deck(side, count)
    if cards:
        out.append(Drew(seat, tuple(range(top, len(side.deck), -1)), first, tuple(cards), number))
    if len(cards) < count:
        end(state, 1 - seat, "deck_out", out)


def take(state: State, seat: int, index: int, out: Out, clue: int, fewer: int = 0) -> int:
    """T71: a card that was searched for goes from the deck to the hand."""
    side = state.sides[seat]
    card = side.deck.pop(index)
    into_hand(side, card, clue, fewer)
    out.append(Drew(seat, (index + 1,), len(side.hand), (card,), None))
    return card


def shuffle(state: State, seat: int, out: Out) -> None:
    """T72"""
    deck = state.sides[seat].deck
    state.chance.shuffle(deck, f"deck {seat}")
    out.append(Shuffled(seat, len(deck)))


def end(state: State, winner: int, reason: Reason, out: Out) -> None:
    """T107 to T110: nothing else happens any more."""
    if state.winner is not None:
        return
    state.winner, state.reason, state.phase = winner, reason, "over"
    state.request = state.holder = None
    out.append(Ended(winner, reason))
