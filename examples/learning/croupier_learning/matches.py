"""Games between bots, played as at a table, and what can be said about who is better."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import fmean, stdev
from typing import Any, NamedTuple

from croupier.gym.rewards import rewards
from croupier.gym.setup import AnyGame, set_up
from croupier.kernel import Bot, Chance, Result
from croupier.kernel.chance import QuickDice

LONGEST = 5000
"""Moves after which nobody has won. Bots that play at random may take long."""


class Mean(NamedTuple):
    value: float
    error: float
    """Half the width of the 95 % confidence interval."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """
        >>> Mean.of([0.0, 1.0] * 50)
        Mean(value=0.5, error=0.09849...)
        """
        return cls(fmean(values), 1.96 * stdev(values) / math.sqrt(len(values)))

    def __str__(self) -> str:
        return f"{self.value:+.3f} ± {self.error:.3f}"


class Score(NamedTuple):
    """Of one player against others that are all of a kind."""

    wins: Mean
    """The share of games that it has won; those that are shared count in part."""
    reward: Mean
    """1 for the first place, -1 for the last one."""


def match(
    game: str | AnyGame, seats: int, player: Callable[[], Bot], opponent: Callable[[], Bot], games: int, seed: int = 1
) -> Score:
    """So many games of one player against others. It sits in each seat in turns."""
    setup, won, earned = set_up(game, seats), list[float](), list[float]()
    for number in range(games):
        seat = number % seats
        bots = [(player if each == seat else opponent)() for each in range(seats)]
        result = play(setup.game, setup.options, bots, f"{seed}/{number}")
        if result is None:
            won.append(0.0)
            earned.append(0.0)
        else:
            first = result.placings[0]
            won.append(1 / len(first) if seat in first else 0.0)
            earned.append(rewards(result)[seat])
    return Score(Mean.of(won), Mean.of(earned))


def play(game: AnyGame, options: Any, bots: Sequence[Bot], seed: str) -> Result | None:
    """One game of these bots; None if it takes too long. Time passes only where nobody has anything to say."""
    at, dice = 0, QuickDice(int.from_bytes(seed.encode()))
    state = game.deal(options, len(bots), Chance(seed.encode().ljust(32)), at)
    for _ in range(LONGEST):
        if awaited := game.awaited(state):
            seat = awaited[0]
            moves = game.candidates(state, seat, dice)
            events = game.play(state, seat, bots[seat].choose(seat, game.view(state, seat), moves, dice), at)
        elif clocks := game.clocks(state):
            clock = min(clocks, key=lambda each: each.due)
            at = max(at, clock.due)
            events = game.expire(state, clock.name, at)
        else:
            return game.result(state)
        for seat, bot in enumerate(bots):
            bot.observe(seat, [seen for event in events if (seen := event.seen_by(seat)) is not None])
    return None
