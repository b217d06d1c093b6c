"""How to look ahead in Palace: low cards first, from what everybody can see."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations

from croupier.bots.search import Guide, Master
from croupier.games.palace.bot import READINESS, LowAndSteady
from croupier.games.palace.moves import AnyMove, Choose, Play
from croupier.games.palace.pile import PLAYABLE, effective_top
from croupier.games.palace.state import BY_RANK, State
from croupier.kernel import Dice
from croupier.kernel.cards import RANK

READY = {rank: place for place, rank in enumerate(READINESS)}
FINALISTS = 5
"""Cards, the best of the nine, of which three are laid open at the start."""
PATIENCE = 150
"""Moves for each player until a playout is cut: two that never bluff can go in circles."""


class PalaceGuide(Guide):
    """Everybody plays like low-and-steady, which is quick and hard to improve on where nothing is at stake."""

    def play_on(self, state: State, seat: int, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        if state.phase == "setup":
            return Choose(tuple(state.face_up[seat]))
        playable = PLAYABLE[effective_top(state.pile)]
        best: AnyMove | None = None
        readiness = len(READINESS)
        last: AnyMove = moves[0]
        lowest = len(READINESS)
        for move in moves:
            rank = RANK[move.cards[0]]
            ready = READY[rank]
            if rank in playable:
                if ready <= readiness:
                    best, readiness = move, ready  # of one rank, all: they come last
            elif ready < lowest:
                last, lowest = move, ready
        if best is not None:
            return best
        return dice.choice(moves) if state.hands[seat] else last

    def worth_a_look(self, state: State, moves: Sequence[AnyMove]) -> Sequence[AnyMove]:
        """What fits; where nothing does, it is all the same from the hand. At the start, the best cards go down."""
        seat = self.seat
        if state.phase == "setup":
            nine = sorted(state.hands[seat] + state.face_up[seat], key=lambda card: -READY[RANK[card]])
            best = [tuple(sorted(three, key=BY_RANK)) for three in combinations(nine[:FINALISTS], 3)]
            offered = set(moves)
            return [move for three in best if (move := Choose(three)) in offered] or moves
        if not (state.hands[seat] or state.face_up[seat]):
            return moves
        playable = PLAYABLE[effective_top(state.pile)]
        fitting = [move for move in moves if RANK[move.cards[0]] in playable]
        return fitting or (moves[:1] if state.hands[seat] else moves)

    def situation(self, state: State, moves: Sequence[AnyMove]) -> Hashable:
        return (
            effective_top(state.pile),
            len(state.pile) > 2,
            tuple([RANK[m.cards[0]] for m in moves if type(m) is Play]),
        )

    def is_over(self, state: State, steps: int) -> bool:
        return steps > PATIENCE * len(state.hands)

    def worth(self, state: State) -> float:
        """Whoever has fewer cards left is nearer to the end."""
        left = [
            len(hand) + 1.5 * len(up) + 2 * len(down)
            for hand, up, down in zip(state.hands, state.face_up, state.face_down, strict=True)
        ]
        return 1 - left[self.seat] / (sum(left) or 1)


class Chancellor(Master):
    """Plays many games to their end before it plays a card."""

    name = "chancellor"
    about = "Imagines what you hold, and plays hundreds of games to their end before it plays a card."
    worth = 41.3
    guide = PalaceGuide
    fallback = LowAndSteady
