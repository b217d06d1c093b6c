"""Who plays Sample when no person does. A bot sees what a person in its seat would see, and nothing else."""

from collections.abc import Sequence

from croupier.kernel import Bot, Dice
from croupier.kernel.cards import ORDER

from croupier_sample.state import Play, View, best


class Thrifty(Bot):
    name = "thrifty"
    about = "Takes tricks as cheaply as it can."

    def choose(self, seat: int, view: View, moves: Sequence[Play], dice: Dice) -> Play:
        cheapest_first = sorted(moves, key=lambda move: ORDER[move.card])
        taking = [move for move in cheapest_first if best([*view.trick, move.card]) == len(view.trick)]
        return (taking or cheapest_first)[0]
