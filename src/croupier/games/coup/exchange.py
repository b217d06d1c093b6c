"""The exchange: two cards are drawn, and as many as before are kept.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them; D1, D2, … are its decisions.
"""

from __future__ import annotations

from croupier.games.coup import memory
from croupier.games.coup.deck import reshuffle
from croupier.games.coup.events import Drew, Events, Exchanged
from croupier.games.coup.moves import Keep
from croupier.games.coup.position import faces, live, pick
from croupier.games.coup.refusals import out_of_it, wrong_phase
from croupier.games.coup.state import State
from croupier.games.coup.turns import next_turn, wait
from croupier.kernel import Illegal


def draw_two(state: State, at: int, events: Events) -> Events:
    """U42: two cards from the deck, to choose from."""
    state.drawn = [state.deck.pop(0), state.deck.pop(0)]
    state.phase = "exchanging"
    wait(state, at, [])
    hand = live(state, state.current)
    pool = faces(state, hand + state.drawn)
    events.append(Drew(state.current, pool, len(hand), state.options.choice_timeout_ms))
    return events


def keep(state: State, seat: int, move: Keep, at: int) -> Events:
    if state.phase != "exchanging":
        raise wrong_phase()
    if seat in state.out:
        raise out_of_it()
    if seat != state.current:
        raise Illegal("somebody else is exchanging", "not_your_choice")
    hand = live(state, seat)
    picked = pick(state, hand + state.drawn, move.cards) if len(move.cards) == len(hand) else None
    if picked is None:
        raise Illegal("keep {count} of the offered cards", "bad_keep", count=len(hand))
    return finish(state, *picked, at)


def finish(state: State, kept: list[int], returned: list[int], at: int) -> Events:
    """What is kept fills the live slots in this order; the rest goes to the bottom of the deck."""
    seat = state.current
    hand, lost = state.hands[seat], state.lost[seat]
    if lost:
        hand[1 - lost[0]] = kept[0]
    else:
        hand[:] = kept
    state.deck.extend(returned)
    state.drawn = []
    memory.exchanged(state, seat, kept, returned)
    if state.options.ruleset == "official":  # D40
        reshuffle(state)
        memory.shuffled(state)
    return next_turn(state, at, [Exchanged(seat, faces(state, kept))])
