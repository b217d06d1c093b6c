"""Whose turn it is in Coup, and what everybody waits for.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them.
"""

from __future__ import annotations

from croupier.games.coup.events import Events, Turn
from croupier.games.coup.position import next_living
from croupier.games.coup.state import State


def next_turn(state: State, at: int, events: Events) -> Events:
    """U48: the next living player, and nothing is pending."""
    clear(state)
    state.phase = "awaiting_action"
    state.current = current = next_living(state, state.current)
    state.since = at if state.paused_at is None else state.paused_at
    events.append(Turn(current))
    return events


def wait(state: State, at: int, responders: list[int]) -> None:
    """A new wait begins, with nobody's word in it."""
    state.since = at if state.paused_at is None else state.paused_at
    state.allowed.clear()
    state.responders = responders
    if state.confirmed:
        state.confirmed = False


def clear(state: State) -> None:
    """Nothing is open or pending. Most of it is so already, and a look is much quicker than to write into a struct."""
    if state.action is not None:
        state.action = state.target = None
    if state.blocker is not None:
        state.blocker = state.block_as = None
    if state.block_only:
        state.block_only = False
    if state.confirmed:
        state.confirmed = False
    state.allowed.clear()
    state.responders.clear()
    if state.loser is not None:
        state.loser = state.reason = None
        state.then = "turn"
