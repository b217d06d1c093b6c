"""What is kept in memory because the other side is slow: messages that it does not read, or does not finish."""

from __future__ import annotations

from typing import Protocol

UNCOUNTED = 64 * 1024
"""Bytes that may wait before anybody counts them: they are gone in a moment, but for those who are slow."""


class Slow(Protocol):
    def cut_off(self) -> None:
        """Hang up. They get a fresh view when they come back, not a backlog."""


class Backlog:
    """What is kept for all connections. There is a limit for each, and one for all together: beyond that whoever has
    most of it is cut off."""

    def __init__(self, each: int, together: int) -> None:
        self._each = each
        self._together = together
        self._sizes: dict[Slow, int] = {}
        self.size = 0
        """Bytes, of those who are slow."""

    def update(self, who: Slow, size: int) -> None:
        """So many bytes are kept for them now."""
        self.size += size - self._sizes.get(who, 0)
        self._sizes[who] = size
        if size > self._each:
            self._cut_off(who)
        while self.size > self._together:
            self._cut_off(max(self._sizes, key=self._sizes.__getitem__))

    def _cut_off(self, who: Slow) -> None:
        self.remove(who)
        who.cut_off()

    def remove(self, who: Slow) -> None:
        """Nothing is kept for them any more."""
        self.size -= self._sizes.pop(who, 0)


class Outbox:
    """A connection whose unread bytes are counted while they are more than ``UNCOUNTED``, the limit of its transport's
    write buffer: then that calls ``pause_writing``. Whoever writes calls ``_count`` after it while ``_slow`` is set."""

    def __init__(self, unread: Backlog) -> None:
        self._unread = unread
        self._slow = False
        """Whether so much is unread that it is counted."""

    def unread_size(self) -> int | None:
        """Bytes that the other side has not taken yet; None when the connection is closed."""
        raise NotImplementedError

    def cut_off(self) -> None:
        raise NotImplementedError

    def pause_writing(self) -> None:
        self._slow = True
        self._count()

    def resume_writing(self) -> None:
        self._slow = False
        self._unread.remove(self)

    def _count(self) -> None:
        if (size := self.unread_size()) is not None:
            self._unread.update(self, size)
