"""What Coup offers to whom. Moves are made once: playouts ask for them in every position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from croupier.games.coup.position import concerned, faces, live, owner
from croupier.games.coup.vocabulary import (
    ACTIONS,
    BLOCKS,
    CHARACTERS,
    CLAIMS,
    FEES,
    MUST_COUP,
    TARGETED,
    Accept,
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
def proposals(seat: int, coins: int, others: tuple[int, ...], rich: tuple[int, ...]) -> tuple[AnyMove, ...]:
    """U12 to U15: what the current player may propose against these others, some of whom have coins."""
    coups = tuple(Propose("coup", other) for other in others if coins >= FEES["coup"])
    if coins >= MUST_COUP:  # U13
        return coups
    untargeted = tuple(Propose(action) for action in ACTIONS if action not in TARGETED)
    assassinations = tuple(Propose("assassinate", other) for other in others if coins >= FEES["assassinate"])
    return (*untargeted, *(Propose("steal", other) for other in rich), *assassinations, *coups)


@cache
def answers(to: WindowKind, accepts: bool, challenges: bool, blocks: tuple[Character, ...]) -> tuple[AnyMove, ...]:
    """What somebody may answer. Who is concerned has a word that settles it; for the others it is just a nod."""
    nod: AnyMove = Accept(to) if accepts else Allow(to)
    return (nod, *((CallBs(to),) if challenges else ()), *map(Block, blocks))


GO_AHEAD: tuple[AnyMove, ...] = (Confirm(),)
GO_AHEAD_OR_NOT: tuple[AnyMove, ...] = (Confirm(), Withdraw())
NEVERMIND: tuple[AnyMove, ...] = (Withdraw(),)


@cache
def losses(cards: tuple[Character, ...]) -> tuple[AnyMove, ...]:
    return tuple(Lose(card) for card in dict.fromkeys(cards))


@cache
def keeps(pool: tuple[Character, ...], count: int) -> tuple[AnyMove, ...]:
    """One for every choice that makes a difference; in which order they are named makes none but for the slots."""
    choices = dict.fromkeys(combinations(sorted(pool, key=CHARACTERS.index), count))
    return tuple(Keep(cards) for cards in choices)


def offered(state: State, seat: int) -> Sequence[AnyMove]:
    if state.paused_at is not None or seat in state.out:
        return ()
    match state.phase:
        case "awaiting_action":
            if seat != state.current:
                return ()
            coins = state.coins
            others = tuple([other for other in state.seats if other != seat and other not in state.out])
            return proposals(seat, coins[seat], others, tuple([other for other in others if coins[other]]))
        case "action_window" | "block_window":
            return _to_window(state, seat)
        case "losing_card":
            return losses(faces(state, live(state, seat))) if seat == state.loser else ()
        case "exchanging":
            if seat != state.current:
                return ()
            hand = live(state, seat)
            return keeps(faces(state, hand + state.drawn), len(hand))
    return ()


def _to_window(state: State, seat: int) -> Sequence[AnyMove]:
    policy = state.options.confirm_policy
    if seat == owner(state):
        nevermind = state.phase == "action_window" and state.options.ruleset == "note"
        if policy == "all" or state.confirmed:
            return NEVERMIND if nevermind else ()
        return GO_AHEAD_OR_NOT if nevermind else GO_AHEAD
    if seat not in state.responders:
        return ()
    assert state.action is not None
    accepts = seat == concerned(state) and policy == "wait"
    if state.phase == "block_window":
        return answers("block", accepts, True, ())
    blocks = BLOCKS.get(state.action, ()) if state.target is None or state.target == seat else ()
    return answers("action", accepts, state.action in CLAIMS and not state.block_only, blocks)
