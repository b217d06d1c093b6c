"""How much of a budget is spent. The only clock in a search is the processor's own."""

from __future__ import annotations

from time import process_time

from croupier.kernel import Budget


class Meter:
    """Counts what a search spends. A node is a playout: each adds one to what is known."""

    __slots__ = ("_begun", "budget", "nodes")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.nodes = 0
        self._begun = process_time() if budget.seconds is not None else 0.0

    def spent(self) -> float:
        """From 0 to 1 and more. Without any limit, nothing may be spent."""
        seconds, nodes = self.budget
        share = 1.0 if seconds is None and nodes is None else 0.0
        if nodes is not None:
            share = self.nodes / nodes if nodes > 0 else 1.0
        if seconds is not None:
            share = max(share, (process_time() - self._begun) / seconds if seconds > 0 else 1.0)
        return share
