"""Who plays Crazy Eights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from croupier.kernel import Bot, Dice
from croupier.kernel.cards import RANKS, rank, suit
from croupier_crazy_eights.moves import AnyMove, Play
from croupier_crazy_eights.state import View


class Thrifty(Bot):
    """Keeps its eights for when nothing else fits, and stays in the suit of which it has most."""

    name = "thrifty"
    about = "Saves its eights, and gets rid of what counts most."
    strength = "medium"

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        own = Counter(suit(card) for card in view.hand if rank(card) != "8")

        def worth(move: AnyMove) -> tuple[bool, int, int]:
            if not isinstance(move, Play):
                return True, 0, 0
            return move.suit is None, own[move.suit or suit(move.card)], RANKS.index(rank(move.card))

        return max(moves, key=worth)
