"""The bots that search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from croupier.bots.search.guide import AnyGame, Guide
from croupier.bots.search.race import Race
from croupier.kernel import Budget, Dice, Move, Searcher


class Master(Searcher):
    """A bot that searches with its game's guide."""

    guide: ClassVar[type[Guide]]

    def search(self, game: AnyGame, world: Any, seat: int, moves: Sequence[Any], dice: Dice, budget: Budget) -> Move:
        if len(moves) == 1:
            only: Move = moves[0]
            return only
        return self.race(game, world, seat, moves, dice).run(budget)

    def race(self, game: AnyGame, world: Any, seat: int, moves: Sequence[Any], dice: Dice) -> Race:
        """The search itself, for those who want to know more than its answer."""
        return Race(self.guide(game, seat, self), world, moves, dice)
