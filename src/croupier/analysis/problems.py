"""What there is to find out about a game, in pieces that can be sent anywhere: each is solved by itself.

A piece holds what its seat could know, and nothing else: its world is imagined (``Game.imagine``), as it is for bots
that think. With the same seed and a budget of nodes alone, the same comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

import msgspec

from croupier.bots.search import AnyGame, Edge, Guide, Master, Meter, Race, goes_on
from croupier.kernel import Budget, Chance, Dice
from croupier.kernel.chance import QuickDice

SEEDS = 1 << 48
DOUBT = 1.0
"""By how many standard errors another move has to be better at first sight, or the one that was made is not doubted."""
LEAST = 4
"""Playouts of a fair comparison, whatever the budget."""


class Judgement(msgspec.Struct, frozen=True):
    """What a search says of a move that was made. Chances are from 0 to 1, and errors are standard errors."""

    best: int
    """What it would have done: a place among the moves."""
    chance: float
    """What that was worth to the seat."""
    error: float
    cost: float
    """How much less the move was worth that was made."""
    cost_error: float
    worlds: int
    """In which the two were compared."""


class Dealt(msgspec.Struct, frozen=True):
    """What a deal was worth."""

    chance: float
    """To the seat, right after it."""
    error: float
    average: float
    """Of any deal, at this seat."""
    average_error: float


class DecisionProblem(NamedTuple):
    """A decision: what could the seat have known, and what could it have done?"""

    game: str
    rules: int
    world: Any
    """That the seat can't tell from the real one, which is not here."""
    seat: int
    moves: Sequence[Any]
    made: int
    """Which of the moves."""
    adviser: Master
    """With all that the seat has seen."""
    seed: int

    def solved(self, games: Mapping[str, AnyGame], budget: Budget) -> Judgement:
        game = games[self.game].by_rules(self.rules)
        guide = self.adviser.guide(game, self.seat, self.adviser)
        made = self.moves[self.made]
        half = _half(budget)
        race = Race(guide, self.world, self.moves, QuickDice(self.seed), held=(made,))
        best = race.run(half)
        if not race.beats(best, made, DOUBT):
            best = made
        first, second = race.compare((best, made), half) if best != made else race.compare((made,), half) * 2
        less = [one - other for one, other in zip(first, second, strict=False)]
        chance, error = _mean(first)
        cost, cost_error = _mean(less)
        return Judgement(self.moves.index(best), chance, error, cost, cost_error, len(less))


class DealProblem(NamedTuple):
    """The deal: what was it worth, next to others?"""

    game: str
    rules: int
    world: Any
    seat: int
    seats: int
    options: Any
    legacy: Any
    """What the game before has passed on to this one."""
    adviser: Master
    seed: int

    def solved(self, games: Mapping[str, AnyGame], budget: Budget) -> Dealt:
        game = games[self.game].by_rules(self.rules)
        guide = self.adviser.guide(game, self.seat, self.adviser)
        dice, half = QuickDice(self.seed), _half(budget)
        own = _on_average(guide, lambda: guide.imagine(self.world, dice), dice, half)
        others = _on_average(guide, lambda: self._another(game, dice), dice, half)
        return Dealt(*own, *others)

    def _another(self, game: AnyGame, dice: Dice) -> Any:
        """Any deal, with the same people at the table."""
        chance = Chance(bytes([dice.below(256) for _ in range(32)]))
        if self.legacy is not None:
            return game.deal_next(self.options, self.seats, chance, 0, self.legacy)
        lobby = game.lobby(self.options, chance, 0)
        if lobby is None:
            return game.deal(self.options, self.seats, chance, 0)
        for seat in range(self.seats):
            game.sit(lobby, seat, 0)
        return game.begin(lobby, self.options, range(self.seats), 0)


Problem = DecisionProblem | DealProblem


def _on_average(guide: Guide, deal: Callable[[], Any], dice: Dice, budget: Budget) -> tuple[float, float]:
    """What comes of deals when everybody plays on as they are expected to."""
    gains: list[float] = []
    meter = Meter(budget)
    while meter.spent() < 1.0 or meter.nodes < LEAST:
        state = deal()
        guide.begin(state)
        gains.append(goes_on(guide, state, Edge(), QuickDice(dice.below(SEEDS))))
        meter.nodes += 1
    return _mean(gains)


def _half(budget: Budget) -> Budget:
    seconds, nodes = budget
    return Budget(seconds and seconds / 2, nodes and nodes // 2)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """And its standard error."""
    count = len(values)
    if count < 2:
        return (values[0], 1.0) if values else (0.0, 1.0)
    mean = sum(values) / count
    variance = sum([(value - mean) ** 2 for value in values]) / (count - 1)
    return mean, sqrt(variance / count)
