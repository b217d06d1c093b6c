"""What Coup offers to whom. Moves are made once: playouts ask for them in every position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from croupier.games.coup.characters import (
    ACTIONS,
    BLOCKS,
    CHARACTERS,
    CLAIMS,
    FEES,
    MUST_COUP,
    TARGETED,
    Action,
    Character,
)
from croupier.games.coup.moves import Accept, Allow, AnyMove, Block, CallBs, Confirm, Keep, Lose, Propose, Withdraw
from croupier.games.coup.position import both, faces, live
from croupier.games.coup.state import State


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
def to_action(action: Action, aimed: bool, target: bool, policy: str, block_only: bool) -> tuple[AnyMove, ...]:
    """What somebody may answer to an action. Its target has a word that settles it; for others it is just a nod."""
    nod: AnyMove = Accept("action") if target and policy == "wait" else Allow("action")
    doubt = (CallBs("action"),) if action in CLAIMS and not block_only else ()  # U25
    blocks = BLOCKS.get(action, ()) if target or not aimed else ()  # U26
    return (nod, *doubt, *map(Block, blocks))


@cache
def to_block(blocked: bool, policy: str) -> tuple[AnyMove, ...]:
    """What somebody may answer to a block; here the word of who is blocked settles it."""
    return Accept("block") if blocked and policy == "wait" else Allow("block"), CallBs("block")


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
    if phase == "action_window":
        options, action, target = state.options, state.action, state.target
        if seat in state.responders:
            assert action is not None
            return to_action(action, target is not None, seat == target, options.confirm_policy, state.block_only)
        if seat != state.current:
            return ()
        return own(options.confirm_policy == "wait" and not state.confirmed, options.ruleset == "note")
    if phase == "block_window":
        policy = state.options.confirm_policy
        if seat in state.responders:
            return to_block(seat == state.current, policy)
        if seat != state.blocker:
            return ()
        return own(policy == "wait" and not state.confirmed, False)
    if phase == "losing_card" and seat == state.loser:
        return losses(both(state, seat))
    if phase == "exchanging" and seat == state.current:
        hand = live(state, seat)
        return keeps(faces(state, hand + state.drawn), len(hand))
    return ()
