"""How long appends take to be safe, for the metrics: by the group, so that a move costs nothing more."""

from __future__ import annotations

from bisect import bisect_left

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds."""


class Latency:
    __slots__ = ("counts", "seconds")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        """Appends that took no longer than each bound and longer than the one before it; at last, longer than all."""
        self.seconds = 0.0
        """All of them together."""

    def note(self, seconds: float, appends: int) -> None:
        """A group is settled: seconds since the first of it was handed over."""
        self.counts[bisect_left(BOUNDS, seconds)] += appends
        self.seconds += seconds * appends
