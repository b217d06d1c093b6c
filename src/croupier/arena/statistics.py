"""What results mean. The games of a deal are not independent of each other: all figures go by deals.

>>> tally = Tally()
>>> for share in (1.0, 0.5, 0.5, 1.0, 0.0, 0.5, 1.0, 1.0, 0.5, 0.5):
...     tally.add(share)
>>> tally.share, [round(bound, 3) for bound in tally.interval]
(0.65, [0.412, 0.838])
>>> round(tally.log_likelihood_ratio(0.5, 0.6), 3)
0.704
"""

from __future__ import annotations

from math import log, sqrt
from typing import Literal, NamedTuple

SURE = 1.96
"""Standard deviations to either side, in which 95 % are."""
MISTAKEN = 0.05
"""How often a test may end with the wrong one of its two answers."""


class Tally:
    """The first bot's shares of the wins in the deals of a pairing, each from 0 to 1."""

    def __init__(self) -> None:
        self.deals = 0
        self._sum = 0.0
        self._squares = 0.0

    def add(self, share: float) -> None:
        self.deals += 1
        self._sum += share
        self._squares += share * share

    @property
    def share(self) -> float:
        """Of all deals."""
        return self._sum / self.deals

    @property
    def variance(self) -> float:
        """Of a deal, as if there had been two more: one that was won, and one that was lost. After few deals they may
        all have come out the same, which does not mean that they always do. (Agresti and Coull's idea for shares.)"""
        deals, total, squares = self.deals + 2, self._sum + 1, self._squares + 1
        return (squares - total * total / deals) / (deals - 1)

    @property
    def interval(self) -> tuple[float, float]:
        """Between what the share would be after very many deals, with 95 % certainty."""
        deals = self.deals + 2
        middle, spread = (self._sum + 1) / deals, SURE * sqrt(self.variance / deals)
        return max(0.0, middle - spread), min(1.0, middle + spread)

    def log_likelihood_ratio(self, low: float, high: float) -> float:
        """How much likelier these deals are when the share is high than when it is low, as a logarithm; of the normal
        distribution with the variance that was seen."""
        return self.deals * (high - low) * (2 * self.share - low - high) / (2 * self.variance)


class Sprt(NamedTuple):
    """A sequential probability ratio test (Wald): it goes on until one of two shares has become clearly likelier."""

    low: float
    high: float

    @property
    def bound(self) -> float:
        return log((1 - MISTAKEN) / MISTAKEN)

    def verdict(self, tally: Tally) -> Literal["low", "high"] | None:
        """None: it has to go on."""
        if not tally.deals:
            return None
        ratio = tally.log_likelihood_ratio(self.low, self.high)
        if abs(ratio) < self.bound:
            return None
        return "high" if ratio > 0 else "low"
