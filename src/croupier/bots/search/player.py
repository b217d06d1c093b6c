"""The bots that search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from croupier.bots.search.guide import AnyGame, Guide
from croupier.bots.search.race import Race
from croupier.kernel import Advice, Budget, Dice, Move, Searcher, Weighed

MOST_WEIGHED = 3
"""Moves that somebody is told about who asks for advice."""


class Master(Searcher):
    """A bot that searches with its game's guide."""

    guide: ClassVar[type[Guide]]

    def search(self, game: AnyGame, world: Any, seat: int, moves: Sequence[Any], dice: Dice, budget: Budget) -> Move:
        if len(moves) == 1:
            only: Move = moves[0]
            return only
        return self.race(game, world, seat, moves, dice).run(budget)

    def advise(self, game: AnyGame, world: Any, seat: int, moves: Sequence[Any], dice: Dice, budget: Budget) -> Advice:
        if len(moves) == 1:
            return Advice(moves[0])
        race = self.race(game, world, seat, moves, dice)
        move = race.run(budget)
        # The answer comes first even where another move did better by no more than chance would explain.
        best = sorted(race.leading(), key=lambda finding: finding.move != move)
        points = race.guide.points
        weighed = [
            Weighed(each.move, points=each.mean * points) if points else Weighed(each.move, each.mean) for each in best
        ]
        return Advice(move, weighed[:MOST_WEIGHED])

    def race(self, game: AnyGame, world: Any, seat: int, moves: Sequence[Any], dice: Dice) -> Race:
        """The search itself, for those who want to know more than its answer."""
        return Race(self.guide(game, seat, self), world, moves, dice)
