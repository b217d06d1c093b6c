"""Who plays Crazy Eights."""

from collections import Counter
from collections.abc import Sequence

from croupier.kernel import Bot, Dice
from croupier.kernel.cards import RANKS, rank, suit
from croupier_crazy_eights.state import Draw, Pass, Play, View


class Thrifty(Bot):
    name = "thrifty"
    about = "Saves its eights, and gets rid of what counts most."
    strength = "medium"

    def choose(self, seat: int, view: View, moves: Sequence[Play | Draw | Pass], dice: Dice) -> Play | Draw | Pass:
        own = Counter(suit(card) for card in view.hand if rank(card) != "8")

        def worth(move: Play | Draw | Pass) -> tuple[bool, int, int]:
            if not isinstance(move, Play):
                return True, 0, 0
            return move.suit is None, own[move.suit or suit(move.card)], RANKS.index(rank(move.card))

        return max(moves, key=worth)
