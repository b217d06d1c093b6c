"""The two piles: drawing from the stockpile, throwing on the discard pile, and the reshuffle.

C6: no card is lost or doubled on the way.
"""

from __future__ import annotations

from croupier.games.cambia.events import AnyEvent, Discarded, Drew, Reshuffled
from croupier.games.cambia.state import EVERYBODY, State


def draw(state: State, happened: list[AnyEvent]) -> str | None:
    """Take a card from the stockpile; None when there is none left anywhere (C54)."""
    if len(state.stock) <= 1 and len(state.pile) >= 2:  # C51
        reshuffle(state, happened)
    return state.stock.pop() if state.stock else None


def left(state: State) -> int:
    """How many cards can be drawn, reshuffles included."""
    return len(state.stock) + max(0, len(state.pile) - 1)


def reshuffle(state: State, happened: list[AnyEvent]) -> None:
    """C52: all of the discard pile but its top, and what is left of the stockpile, become the new stockpile."""
    *old, top = state.pile
    rest = state.stock
    cards = [state.faces.pop(card) for card in old + rest]
    left_over = cards[-1] if rest else None
    state.chance.shuffle(cards, "reshuffle")
    for card in old + rest:
        state.seen.pop(card, None)
        state.epochs.pop(card, None)
    # C53: new ids for all; and since they go to places and not to faces, nothing links them to the old ones.
    ids = state.ids.take(len(cards))
    state.faces.update(zip(ids, cards, strict=True))
    state.leftovers.append(None if left_over is None else ids[cards.index(left_over)])
    state.epochs.update(dict.fromkeys(ids, len(state.leftovers)))
    state.stock = ids[::-1]
    state.pile = [top]
    happened.append(Reshuffled(len(ids)))


def drawn(state: State, seat: int, happened: list[AnyEvent]) -> bool:
    """C16: the turn's draw from the stockpile. False when there is nothing to draw."""
    cards = state.stock
    card = cards.pop() if len(cards) > 1 else draw(state, happened)  # C51: only the last cards take a closer look
    if card is None:
        return False
    state.held = card
    state.source = "stockpile"
    state.step = "holding"
    state.seen[card] = 1 << seat
    happened.append(Drew(seat, card, state.faces[card], "stockpile", len(state.stock), len(state.pile)))
    return True


def throw_drawn(state: State, happened: list[AnyEvent]) -> str:
    """C18: the drawn card goes to the discard pile."""
    card = state.held
    assert card is not None
    state.held = None
    throw(state, state.current, card, None, happened)
    return card


def throw(state: State, seat: int, card: str, idx: int | None, happened: list[AnyEvent]) -> None:
    """C18: put a card on the discard pile, for everybody to see."""
    pile = state.pile
    pile.append(card)
    state.seen[card] = EVERYBODY
    state.snapped = False  # C49
    happened.append(Discarded(seat, card, state.faces[card], idx, len(pile)))
