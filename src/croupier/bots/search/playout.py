"""From a move to what comes of it."""

from __future__ import annotations

from typing import Any

from croupier.bots.search.guide import Guide
from croupier.bots.search.tree import Edge
from croupier.kernel import Dice, Move


def played_on(guide: Guide, state: Any, move: Move, root: Edge, dice: Dice) -> float:
    """Make the move in this state, which it changes, and play on; what it was worth to the seat."""
    guide.begin(state)
    guide.watch(guide.game.play(state, guide.seat, move, 0))
    return goes_on(guide, state, root, dice)


def goes_on(guide: Guide, state: Any, root: Edge, dice: Dice) -> float:
    """Play on from this state, which changes; what it was worth to the seat.

    The seat follows its tree as far as that goes, one situation farther each time.
    """
    game, own = guide.game, guide.seat
    at = 0
    edge = root
    path = [root]
    inside = True
    for steps in range(guide.longest):
        while not (awaited := game.awaited(state)):
            result = game.result(state)
            if result is not None:
                return _learned(path, guide.gain(result, state))
            clocks = game.clocks(state)
            if not clocks:
                return _learned(path, guide.worth(state))
            clock = min(clocks, key=lambda clock: clock.due)
            at = max(at, clock.due)
            guide.watch(game.expire(state, clock.name, at))
        if guide.is_over(state, steps):
            break
        interjection = guide.interject(state, dice)
        if interjection is not None:
            seat, move = interjection
        else:
            seat = awaited[0]
            moves = game.candidates(state, seat, dice, each=1) if game.has_forms else game.moves(state, seat)
            if len(moves) == 1:
                move = moves[0]
            else:
                move = guide.play_on(state, seat, moves, dice)
                if inside and seat == own:
                    node = edge.follow(guide.situation(state, moves))
                    if node is None:
                        inside = False
                    else:
                        move, edge = node.select(guide.worth_a_look(state, moves), move, guide.curiosity, dice)
                        path.append(edge)
        guide.watch(game.play(state, seat, move, at))
    return _learned(path, guide.worth(state))


def _learned(path: list[Edge], gain: float) -> float:
    for edge in path:
        edge.visits += 1
        edge.total += gain
    return gain
