"""Who is missing stops the game; who is kicked is out of it.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.coup.actions import go_on
from croupier.games.coup.answers import close_window
from croupier.games.coup.deck import put_back
from croupier.games.coup.events import AnyEvent, Events, Kicked, Passed, Paused, Resumed
from croupier.games.coup.influence import go_out, turn_over
from croupier.games.coup.position import missing, slots, window
from croupier.games.coup.state import State
from croupier.games.coup.turns import next_turn


def absent(state: State, seat: int, at: int) -> Sequence[AnyEvent]:
    if seat in state.out or seat in missing(state) or state.phase == "game_over":  # U60
        return ()
    state.away = sorted([*state.away, (seat, at)])
    if state.paused_at is None:
        state.paused_at = at
    return [Paused(seat, missing(state))]


def resume(state: State, seat: int, at: int) -> Events:
    """This one is not missing any more. If nobody is, the game goes on; the time of the pause does not count."""
    state.away = [(other, since) for other, since in state.away if other != seat]
    if state.paused_at is None or state.away:
        return []
    state.since += at - state.paused_at
    state.paused_at = None
    return [Resumed()]


def leave(state: State, seats: Sequence[int], at: int) -> Sequence[AnyEvent]:
    """U62: who is kicked, or goes, shows all cards and is out."""
    events: Events = []
    for seat in seats:
        if seat not in state.out and state.phase != "game_over":
            events += kick(state, seat, at)
    return events


def kick(state: State, seat: int, at: int) -> Events:
    """U62, for one of them."""
    state.kicked.append(seat)
    events: Events = [Kicked(seat)]
    events += [turn_over(state, seat, slot, "kicked") for slot, _ in list(slots(state, seat))]
    if seat == state.current:
        put_back(state)
    go_out(state, seat, events)
    if state.phase == "game_over":
        return events
    events += resume(state, seat, at)
    return settle(state, seat, at, events)


def settle(state: State, seat: int, at: int, events: Events) -> Events:
    """U63: nothing waits for somebody who was kicked."""
    kind = window(state)
    if kind is not None:
        if seat in (state.current, state.target, state.blocker):
            events.append(Passed("kicked", seat, state.current))
            return next_turn(state, at, events)
        if seat in state.responders:
            state.responders.remove(seat)
            if state.options.confirm_policy == "all" and not state.responders:
                return close_window(state, at, events)
    elif state.phase == "losing_card":
        if seat == state.loser:
            return go_on(state, at, events)
    elif seat == state.current:
        return next_turn(state, at, events)
    return events
