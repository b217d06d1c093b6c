"""Actions: proposing one, carrying it out, and going on with it when a card has been lost in between.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them; D1, D2, … are its decisions.
"""

from __future__ import annotations

from typing import Any

from croupier.games.coup.characters import ACTIONS, CHARACTERS, FEES, GAINS, IMMEDIATE, MUST_COUP, TARGETED, Action
from croupier.games.coup.events import CoinsChanged, Events, Executed, Passed, Proposed
from croupier.games.coup.exchange import draw_two
from croupier.games.coup.influence import must_lose, reveal
from croupier.games.coup.moves import Lose, Propose
from croupier.games.coup.position import balance
from croupier.games.coup.refusals import out_of_it, wrong_phase
from croupier.games.coup.state import State
from croupier.games.coup.turns import next_turn
from croupier.games.coup.windows import open_window
from croupier.kernel import Illegal


def propose(state: State, seat: int, move: Propose, at: int) -> Events:
    if state.phase != "awaiting_action":
        raise wrong_phase()
    if seat in state.out:
        raise out_of_it()
    if seat != state.current:
        raise Illegal("it is not your turn", "not_your_turn")
    action, target = move.action, move.target
    if action not in ACTIONS:
        raise Illegal("there is no such action", "bad_action")
    purse = state.coins[seat]
    if purse >= MUST_COUP and action != "coup":
        raise Illegal("10 or more coins: coup is the only move", "must_coup")  # U13
    if (target is not None) if action not in TARGETED else not can_be_target(state, action, target):
        raise Illegal("that is nobody this action can be aimed at", "bad_target")  # U15
    fee = FEES[action]
    if purse < fee:
        raise Illegal("that takes {fee} coins", "not_enough_coins", fee=fee)
    state.coins[seat] = purse - fee  # U14
    state.action, state.target = action, target
    events: Events = []
    if action in IMMEDIATE:  # U16
        events.append(Proposed(seat, action, target, True, False, (), 0, 0))
        return execute(state, "at_once", at, events)
    open_window(state, at, events)  # U17
    if fee:
        events.append(balance(state, seat))
    return events


def can_be_target(state: State, action: Action, target: Any) -> bool:
    return (
        type(target) is int
        and target in state.seats
        and target != state.current
        and target not in state.out
        and (action != "steal" or state.coins[target] > 0)  # D38
    )


def execute(state: State, after: Any, at: int, events: Events) -> Events:
    """U40 to U43: what the action does."""
    seat, action, target = state.current, state.action, state.target
    assert action is not None
    events.append(Executed(seat, action, target, after))
    coins = state.coins
    if action in GAINS:
        coins[seat] += GAINS[action]
        events.append(balance(state, seat))
        return next_turn(state, at, events)
    if action == "exchange":
        return draw_two(state, at, events)
    assert target is not None
    if action == "steal":
        stolen = min(2, coins[target])  # U41
        coins[seat] += stolen
        coins[target] -= stolen
        if stolen:
            events.append(CoinsChanged(((seat, coins[seat]), (target, coins[target]))))
        return next_turn(state, at, events)
    if action == "coup":
        events.append(balance(state, seat))
        lost = must_lose(state, target, "coup", "turn", at, events)
    else:
        lost = must_lose(state, target, "assassinate", "turn", at, events)
    return go_on(state, at, events) if lost else events


def lose(state: State, seat: int, move: Lose, at: int) -> Events:
    if state.phase != "losing_card":
        raise wrong_phase()
    if seat in state.out:
        raise out_of_it()
    if seat != state.loser:
        raise Illegal("somebody else has to lose a card", "not_your_choice")
    if move.card not in CHARACTERS:
        raise Illegal("there is no such card", "bad_card")
    for slot, card in enumerate(state.hands[seat]):
        if slot not in state.lost[seat] and state.faces[card] == move.card:
            return lose_slot(state, seat, slot, at)
    raise Illegal("you do not hold that card", "card_not_held")


def lose_slot(state: State, seat: int, slot: int, at: int) -> Events:
    """The loser turns over the card in this slot, and the turn goes on."""
    events: Events = []
    reveal(state, seat, slot, events)
    return go_on(state, at, events)


def go_on(state: State, at: int, events: Events) -> Events:
    """A card has been lost: the turn is over, or the action that was doubted goes on."""
    if state.phase == "game_over":
        return events
    if state.then == "turn":
        return next_turn(state, at, events)
    if state.current in state.out:  # U63
        events.append(Passed("kicked", state.current, state.current))
        return next_turn(state, at, events)
    if state.target is not None and state.target in state.out:
        events.append(Passed("target_out", state.target, state.current))
        return next_turn(state, at, events)
    may_be_blocked = state.then == "continue" and state.target is not None
    state.loser, state.reason, state.then = None, None, "turn"
    if may_be_blocked:
        state.block_only = True  # U35
        return open_window(state, at, events)
    return execute(state, "challenge", at, events)  # U36
