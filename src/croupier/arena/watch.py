"""Whose bot a worker is asking, and since when: two numbers in memory that the worker and its owner share."""

from __future__ import annotations

import mmap
from time import monotonic

SIZE = 16
"""Bytes of the file that the memory is."""


class Watch:
    def __init__(self, file: int) -> None:
        """The number of an open file of ``SIZE`` bytes, that two processes have in common."""
        self._numbers = memoryview(mmap.mmap(file, SIZE)).cast("d")

    def asking(self, seat: int | None) -> None:
        """Somebody's bot is asked; None: it has answered."""
        if seat is None:
            self._numbers[1] = 0.0
        else:
            self._numbers[0] = seat
            self._numbers[1] = monotonic()

    @property
    def seat(self) -> int | None:
        """Whose bot is being asked."""
        return int(self._numbers[0]) if self._numbers[1] else None

    @property
    def waited(self) -> float:
        """Seconds since it was."""
        since = self._numbers[1]
        return monotonic() - since if since else 0.0
