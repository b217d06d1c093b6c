"""The time to answer an action or a block: letting it pass, blocking it, and what follows when nobody objects.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them; D1, D2, … are its decisions.
"""

from __future__ import annotations

from croupier.games.coup.actions import execute
from croupier.games.coup.characters import BLOCKS, CHARACTERS
from croupier.games.coup.events import Allowed, Blocked, Events, Passed
from croupier.games.coup.moves import Accept, Allow, Block, Confirm, Withdraw
from croupier.games.coup.position import concerned, may_answer, opens, others, owner, window
from croupier.games.coup.refusals import already_responded, out_of_it, wrong_phase
from croupier.games.coup.state import State
from croupier.games.coup.turns import next_turn, wait
from croupier.games.coup.windows import check_answer
from croupier.kernel import Illegal


def allow(state: State, seat: int, move: Allow, at: int) -> Events:
    if not may_answer(state, seat, move.to):
        check_answer(state, seat, move.to)
        if state.block_only and seat != state.target:
            raise Illegal("only the target may answer this", "not_target")
        raise already_responded()
    events = nod(state, seat)
    if state.options.confirm_policy == "all" and not state.responders:  # U24
        return close_window(state, at, events)
    return events


def accept(state: State, seat: int, move: Accept, at: int) -> Events:
    kind = window(state)
    if kind is None or move.to not in (None, kind):
        raise wrong_phase()
    if seat in state.out:
        raise out_of_it()
    if seat != concerned(state):
        raise Illegal("that is not yours to settle", "not_your_action")
    every = state.options.confirm_policy == "all"
    events: Events = []
    if (move.allows or every) and seat not in state.allowed:
        events = nod(state, seat)
    if every:
        return events if state.responders else close_window(state, at, events)
    if at >= opens(state):
        return close_window(state, at, events)
    state.confirmed = True
    return events


def block(state: State, seat: int, move: Block, at: int) -> Events:
    if state.phase != "action_window":
        raise wrong_phase()  # U27: the second block too
    if seat in state.out:
        raise out_of_it()
    if seat == state.current:
        raise Illegal("that is your own action", "own_action")
    assert state.action is not None
    fitting = BLOCKS.get(state.action)
    if fitting is None:
        raise Illegal("this action can't be blocked", "not_blockable")
    if state.target is not None and seat != state.target:
        raise Illegal("only the target may block this", "not_target")  # D29
    character = move.character
    if character not in CHARACTERS:
        raise Illegal("there is no such card", "bad_card")
    if character not in fitting:
        raise Illegal("that card does not block this action", "bad_block_card")
    if seat in state.allowed:
        raise already_responded()
    state.blocker, state.block_as, state.phase = seat, character, "block_window"  # U28
    state.block_only = False
    wait(state, at, others(state, seat))
    options = state.options
    return [
        Blocked(
            seat,
            character,
            state.action,
            state.target,
            state.current,
            tuple(state.responders),
            0 if options.confirm_policy == "all" else options.min_wait_ms,
            options.response_timeout_ms,
        )
    ]


def confirm(state: State, seat: int, move: Confirm, at: int) -> Events:
    kind = window(state)
    if kind is None:
        raise wrong_phase()
    if seat in state.out:
        raise out_of_it()
    if seat != owner(state):
        raise Illegal("that is not your action", "not_your_action")
    action, target = ("block", state.current) if kind == "block" else (state.action, state.target)
    if move.action not in (None, action) or move.target not in (None, target):
        raise Illegal("that is not what is open", "action_mismatch")
    if state.options.confirm_policy == "all":
        raise Illegal("it goes ahead when everybody has allowed it", "too_early")  # U24
    early = opens(state) - at
    if early <= 0:  # U23
        return close_window(state, at, [])
    if not move.patient:
        raise Illegal("wait {retry_ms} ms more", "too_early", retry_ms=early)
    state.confirmed = True
    return []


def withdraw(state: State, seat: int, move: Withdraw, at: int) -> Events:
    if state.phase != "action_window":
        raise wrong_phase()
    if seat in state.out:
        raise out_of_it()
    if seat != state.current:
        raise Illegal("that is not your action", "not_your_action")
    if state.options.ruleset == "official":
        raise Illegal("what is announced is announced", "not_allowed")
    return next_turn(state, at, [Passed("withdrawn", seat, seat)])  # U30


def close_window(state: State, at: int, events: Events) -> Events:
    """Nobody has objected: the action is executed, or the block stands."""
    if state.phase == "block_window":
        assert state.blocker is not None
        events.append(Passed("blocked", state.blocker, state.current))
        return next_turn(state, at, events)  # U29
    return execute(state, "window", at, events)


def nod(state: State, seat: int) -> Events:
    """Somebody lets it pass, and has no other answer any more (U22)."""
    state.allowed.append(seat)
    state.responders.remove(seat)
    return [Allowed(seat, "block" if state.phase == "block_window" else "action", tuple(state.responders))]
