"""What is kept in memory because the other side is slow: messages that it does not read, or does not finish."""

from __future__ import annotations

from typing import Protocol

SLOW = 64 * 1024
"""Bytes that may wait before anybody counts them: they are gone in a moment, but for those who are slow."""


class Slow(Protocol):
    def cut_off(self) -> None:
        """Hang up. They get a fresh view when they come back, not a backlog."""


class Backlog:
    """Of everybody. What one may leave has an end, and so has what all leave together: then it is whoever has left most
    that is cut off."""

    def __init__(self, each: int, together: int) -> None:
        self._each = each
        self._together = together
        self._sizes: dict[Slow, int] = {}
        self.size = 0
        """Bytes, of those who are slow."""

    def waits(self, who: Slow, size: int) -> None:
        """So much waits for them."""
        self.size += size - self._sizes.get(who, 0)
        self._sizes[who] = size
        if size > self._each:
            self._cut_off(who)
        while self.size > self._together:
            self._cut_off(max(self._sizes, key=self._sizes.__getitem__))

    def _cut_off(self, who: Slow) -> None:
        self.done(who)
        who.cut_off()

    def done(self, who: Slow) -> None:
        """Nothing waits for them, or they are gone."""
        self.size -= self._sizes.pop(who, 0)
