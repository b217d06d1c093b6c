"""Calling BS: somebody shows the claimed card or does not have it.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them; D1, D2, … are its decisions.
"""

from __future__ import annotations

from croupier.games.coup import memory
from croupier.games.coup.actions import go_on
from croupier.games.coup.characters import CLAIMS, FEES, Character
from croupier.games.coup.deck import reshuffle
from croupier.games.coup.events import AnyEvent, Challenged, Events, LossReason, Swapped
from croupier.games.coup.influence import must_lose
from croupier.games.coup.moves import CallBs
from croupier.games.coup.position import balance, faces, live, may_answer, owner, proof
from croupier.games.coup.refusals import already_responded
from croupier.games.coup.state import State, Then
from croupier.games.coup.windows import check_answer
from croupier.kernel import Illegal


def call_bs(state: State, seat: int, move: CallBs, at: int) -> Events:
    heard = may_answer(state, seat, move.to)
    if not heard:
        check_answer(state, seat, move.to)
    on_block = state.phase == "block_window"
    assert state.action is not None
    claim = state.block_as if on_block else CLAIMS.get(state.action)
    if claim is None or state.block_only:  # U25
        raise Illegal("no card is claimed here", "not_challengeable")
    if not heard:
        raise already_responded()
    return challenge(state, seat, claim, on_block, at)


def challenge(state: State, accuser: int, claim: Character, on_block: bool, at: int) -> Events:
    """U31: the server looks, and somebody loses a card."""
    accused = owner(state)
    slot = proof(state, accused, claim)
    correct = slot is None
    loser = accused if correct else accuser
    events: Events = [Challenged(accuser, accused, claim, on_block, correct, loser)]
    official = state.options.ruleset == "official"
    then: Then = "turn"  # U32, U33: in the ruleset note that is all
    if official and on_block and correct:
        then = "execute"  # U36
    elif official and not on_block and not correct:
        then = "continue"  # U35
    elif not on_block and state.action == "assassinate":  # U37
        state.coins[accused] += FEES["assassinate"]
        events.append(balance(state, accused))
    if slot is None:
        memory.caught(state, accused, claim)
    elif official:
        events.append(swap(state, accused, slot))
    else:
        memory.proved(state, accused, claim)  # D2
    reason: LossReason = "bs_caught" if correct else "bs_wrong"
    return go_on(state, at, events) if must_lose(state, loser, reason, then, at, events) else events


def swap(state: State, seat: int, slot: int) -> AnyEvent:
    """U34: back into the deck with it, shuffle, and draw another one."""
    card = state.hands[seat][slot]
    character = state.faces[card]
    state.deck.append(card)
    reshuffle(state)
    memory.shuffled(state, [character])
    state.hands[seat][slot] = state.deck.pop(0)
    return Swapped(seat, faces(state, live(state, seat)))
