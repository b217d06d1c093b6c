"""Losing influence: who has to turn over a card, and who has none left.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them.
"""

from __future__ import annotations

from typing import Any

from croupier.games.coup.deck import put_back
from croupier.games.coup.events import AnyEvent, Ended, Events, Losing, LossReason, Revealed, WentOut
from croupier.games.coup.position import balance, both, faces, live
from croupier.games.coup.state import State, Then
from croupier.games.coup.turns import clear, wait


def must_lose(state: State, seat: int, reason: LossReason, then: Then, at: int, events: Events) -> bool:
    """U44: asked with two cards, not asked with one. Whether the card is lost already."""
    state.loser, state.reason, state.then = seat, reason, then
    if state.blocker is not None:
        state.blocker = state.block_as = None
    if then == "turn":
        state.action = state.target = None
    lost = state.lost[seat]
    if lost:
        events.append(Losing(seat, reason, False, None, 0))
        reveal(state, seat, 1 - lost[0], events)
        return True
    state.phase = "losing_card"
    wait(state, at, [])
    events.append(Losing(seat, reason, True, both(state, seat), state.options.choice_timeout_ms))
    return False


def reveal(state: State, seat: int, slot: int, events: Events) -> None:
    """The loser turns over a card."""
    assert state.reason is not None
    events.append(turn_over(state, seat, slot, state.reason))
    if len(state.lost[seat]) == 2:
        go_out(state, seat, events)


def turn_over(state: State, seat: int, slot: int, reason: Any) -> AnyEvent:
    lost, hand = state.lost[seat], state.hands[seat]
    lost.append(slot)  # U45
    card, other = state.faces[hand[slot]], state.faces[hand[1 - slot]]
    if len(lost) == 2:
        return Revealed(seat, card, slot, reason, (other, card), ())
    return Revealed(seat, card, slot, reason, (card,), (other,))


def go_out(state: State, seat: int, events: Events) -> None:
    """U46: no more turns, no more coins."""
    state.out.append(seat)
    events.append(WentOut(seat))
    if state.coins[seat]:
        state.coins[seat] = 0
        events.append(balance(state, seat))
    if len(state.out) == len(state.seats) - 1:  # U47
        (winner,) = (other for other in state.seats if other not in state.out)
        put_back(state)
        clear(state)
        state.phase = "game_over"
        state.paused_at = None
        state.away = []
        events.append(Ended(winner, faces(state, live(state, winner))))
