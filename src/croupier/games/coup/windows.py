"""The time in which an action or a block may be answered, and by whom.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them; D1, D2, … are its decisions.
"""

from __future__ import annotations

from croupier.games.coup.events import Events, Proposed
from croupier.games.coup.moves import WindowKind
from croupier.games.coup.position import others, owner, window
from croupier.games.coup.refusals import out_of_it, wrong_phase
from croupier.games.coup.state import State
from croupier.games.coup.turns import wait
from croupier.kernel import Illegal


def open_window(state: State, at: int, events: Events) -> Events:
    """U20: the action may be answered. With ``block_only``, by its target alone (U35)."""
    state.phase = "action_window"
    responders = others(state, state.current)  # U21
    if state.block_only:
        responders = [seat for seat in responders if seat == state.target]
    wait(state, at, responders)
    options = state.options
    assert state.action is not None
    events.append(
        Proposed(
            state.current,
            state.action,
            state.target,
            False,
            state.block_only,
            tuple(responders),
            0 if options.confirm_policy == "all" else options.min_wait_ms,
            options.response_timeout_ms,
        )
    )
    return events


def check_answer(state: State, seat: int, to: WindowKind | None) -> None:
    """Why somebody has no answer, unless it was given already or is another's."""
    kind = window(state)
    if kind is None or to not in (None, kind):
        raise wrong_phase()  # D32
    if seat in state.out:
        raise out_of_it()
    if seat == owner(state):
        raise Illegal("that is your own block" if kind == "block" else "that is your own action", "own_action")
