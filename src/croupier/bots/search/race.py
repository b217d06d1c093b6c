"""Which of some moves is best: all are tried in the same worlds, and the worse half drops out again and again."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2, sqrt
from typing import Any, NamedTuple

from croupier.bots.search.guide import Guide
from croupier.bots.search.meter import Meter
from croupier.bots.search.playout import played_on
from croupier.bots.search.tree import Edge
from croupier.kernel import Budget, Dice, Move
from croupier.kernel.chance import QuickDice

SEEDS = 1 << 30


class Finding(NamedTuple):
    """What a search has found out about a move."""

    move: Move
    mean: float
    """What it was worth on average, from 0 to 1."""
    worlds: int
    """In so many."""


class _Runner:
    """A move in the race."""

    __slots__ = ("edge", "gains", "move")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.edge = Edge()
        self.gains: list[float] = []

    @property
    def mean(self) -> float:
        return sum(self.gains) / len(self.gains) if self.gains else 0.0


class Race:
    """The moves of a position, and what the search finds out about them."""

    def __init__(self, guide: Guide, world: Any, moves: Sequence[Any], dice: Dice, held: Sequence[Any] = ()) -> None:
        """``held``: moves that stay in the race, however they do, since somebody wants to know how they compare."""
        self.guide = guide
        self.world = world
        self.dice = dice
        state = guide.imagine(world, dice)
        guide.begin(state)
        self.usual = guide.usual(state, moves, dice)
        """What the guide would play without a thought."""
        looked_at = guide.worth_a_look(state, moves)
        # The usual move runs in any case: what is found is held against it.
        self._held = {self.usual, *held}
        self.runners = [_Runner(move) for move in dict.fromkeys((self.usual, *held, *looked_at))]
        self._left = self.runners

    def run(self, budget: Budget) -> Move:
        """Spend the budget; the answer. May be asked for again, with another budget."""
        meter = Meter(budget)
        rounds = max(1, ceil(log2(len(self.runners))))
        done = 0
        self._left = self.runners
        while (spent := meter.spent()) < 1.0 and len(self._left) > 1:
            while done < min(rounds - 1, int(spent * rounds)):
                done += 1
                self._halve()
            self._try_all(meter)
        return self.answer()

    def compare(self, moves: Sequence[Any], budget: Budget) -> list[list[float]]:
        """What some of the moves are worth, in other worlds than those of the race: there the winner had some luck."""
        self._left = [self._runner(move) for move in moves]
        done = [len(runner.gains) for runner in self._left]
        meter = Meter(budget)
        while meter.spent() < 1.0:
            self._try_all(meter)
        return [runner.gains[count:] for runner, count in zip(self._left, done, strict=True)]

    def _try_all(self, meter: Meter) -> None:
        """One world, and each move that is left in it; the luck to come is the same for all."""
        guide = self.guide
        world = guide.imagine(self.world, self.dice)
        seed = self.dice.below(SEEDS)
        for runner in self._left:
            if meter.nodes and meter.spent() >= 1.0:
                return
            state = guide.game.clone(world)
            runner.gains.append(played_on(guide, state, runner.move, runner.edge, QuickDice(seed)))
            meter.nodes += 1

    def _halve(self) -> None:
        """The better half goes on; and the usual move, as the measure of the others, and those that are held."""
        ranked = sorted(self._left, key=lambda runner: -runner.mean)
        others = [runner for runner in ranked if runner.move not in self._held]
        places = max(2, ceil(len(ranked) / 2)) - (len(ranked) - len(others))
        gone = others[max(1, places) :]
        self._left = [runner for runner in ranked if runner not in gone]

    def answer(self) -> Move:
        best = max(self._left, key=lambda runner: runner.mean)
        return best.move if best.gains and _better(best, self.runners[0], self.guide.caution) else self.usual

    def beats(self, move: Move, other: Move, errors: float) -> bool:
        """Whether it is better by so many standard errors, in the worlds where both were tried."""
        return _better(self._runner(move), self._runner(other), errors)

    def _runner(self, move: Move) -> _Runner:
        return next(runner for runner in self.runners if runner.move == move)

    def findings(self) -> list[Finding]:
        """Of all moves that were tried, best first."""
        tried = [Finding(runner.move, runner.mean, len(runner.gains)) for runner in self.runners if runner.gains]
        return sorted(tried, key=lambda finding: -finding.mean)

    def leading(self) -> list[Finding]:
        """Of those that were tried to the end, best first: they have been in the same worlds."""
        left = {runner.move for runner in self._left}
        return [finding for finding in self.findings() if finding.move in left]


def _better(one: _Runner, other: _Runner, errors: float) -> bool:
    """Whether a move beats another by more than chance would explain, in the worlds where both were tried."""
    differences = [mine - its for mine, its in zip(one.gains, other.gains, strict=False)]
    count = len(differences)
    if count < 2:
        return False
    mean = sum(differences) / count
    variance = sum((difference - mean) ** 2 for difference in differences) / (count - 1)
    return mean > errors * sqrt(variance / count)
