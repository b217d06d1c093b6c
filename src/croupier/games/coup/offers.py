"""What Coup offers to whom. Moves are made once: playouts ask for them in every position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from croupier.games.coup.position import both, faces, live, owner
from croupier.games.coup.vocabulary import (
    ACTIONS,
    BLOCKS,
    CHARACTERS,
    CLAIMS,
    FEES,
    MUST_COUP,
    TARGETED,
    Accept,
    Action,
    Allow,
    AnyMove,
    Block,
    CallBs,
    Character,
    Confirm,
    Keep,
    Lose,
    Propose,
    State,
    WindowKind,
    Withdraw,
)


@cache
def proposals(
    seat: int, seats: int, out: tuple[int, ...], coins: int, rich: tuple[bool, ...] | None
) -> tuple[AnyMove, ...]:
    """U12 to U15: what the current player may propose. ``rich`` has those who have any coins; None: all have some."""
    others = [other for other in range(seats) if other != seat and other not in out]
    coups = [Propose("coup", other) for other in others if coins >= FEES["coup"]]
    if coins >= MUST_COUP:  # U13
        return tuple(coups)
    untargeted = [Propose(action) for action in ACTIONS if action not in TARGETED]
    thefts = [Propose("steal", other) for other in others if rich is None or rich[other]]
    assassinations = [Propose("assassinate", other) for other in others if coins >= FEES["assassinate"]]
    return (*untargeted, *thefts, *assassinations, *coups)


@cache
def answers(
    action: Action | None, to: WindowKind, target: bool, concerned: bool, policy: str, block_only: bool
) -> tuple[AnyMove, ...]:
    """What somebody may answer. Who is concerned has a word that settles it; for the others it is just a nod."""
    nod: AnyMove = Accept(to) if concerned and policy == "wait" else Allow(to)
    if to == "block":
        return nod, CallBs(to)
    assert action is not None
    doubt = (CallBs(to),) if action in CLAIMS and not block_only else ()  # U25
    blocks = BLOCKS.get(action, ()) if concerned or not target else ()  # U26
    return (nod, *doubt, *map(Block, blocks))


@cache
def own(confirm: bool, withdraw: bool) -> tuple[AnyMove, ...]:
    """What the owner of a window may do."""
    return (*((Confirm(),) if confirm else ()), *((Withdraw(),) if withdraw else ()))


@cache
def losses(cards: tuple[Character, ...]) -> tuple[AnyMove, ...]:
    return tuple(Lose(card) for card in dict.fromkeys(cards))


@cache
def keeps(pool: tuple[Character, ...], count: int) -> tuple[AnyMove, ...]:
    """One for every choice that makes a difference; in which order they are named makes none but for the slots."""
    choices = dict.fromkeys(combinations(sorted(pool, key=CHARACTERS.index), count))
    return tuple(Keep(cards) for cards in choices)


def offered(state: State, seat: int) -> Sequence[AnyMove]:
    if state.paused_at is not None:
        return ()
    phase = state.phase
    if phase == "awaiting_action":
        if seat != state.current:
            return ()
        coins = state.coins
        rich = tuple(map(bool, coins)) if 0 in coins else None
        return proposals(seat, len(coins), tuple(state.out), coins[seat], rich)
    if phase == "action_window" or phase == "block_window":
        options = state.options
        kind: WindowKind = "action" if phase == "action_window" else "block"
        if seat in state.responders:
            who = state.target if kind == "action" else state.current
            return answers(
                state.action, kind, state.target is not None, seat == who, options.confirm_policy, state.block_only
            )
        if seat != owner(state):
            return ()
        confirm = options.confirm_policy == "wait" and not state.confirmed
        return own(confirm, kind == "action" and options.ruleset == "note")
    if phase == "losing_card" and seat == state.loser:
        return losses(both(state, seat))
    if phase == "exchanging" and seat == state.current:
        hand = live(state, seat)
        return keeps(faces(state, hand + state.drawn), len(hand))
    return ()
