"""What goes on around a table and is no part of its log: who looks on, what is said, what is heard.

Nobody could miss it after a restart, so it is written down nowhere: it costs no disk, and waits for none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

import msgspec

from croupier.tables import entries
from croupier.tables.purses import Purse

LINES_KEPT = 100
LINES_AT_ONCE = 10
"""Lines that a connection may say before it has to wait for the next."""
TOLD_A_SECOND, TOLD_AT_ONCE = 1500, 3000
"""How often what is said at a table may be told, to one after the other: the more are there, the fewer lines."""
SOUND_EVERY = 3_000
"""Milliseconds between two sounds of the same person."""
SOUNDS_AT_ONCE, SOUNDS_WITHIN = 5, 10_000
"""How many sounds a table hears, in so many milliseconds."""


class Line(msgspec.Struct, frozen=True):
    """Something that was said."""

    seat: int | None
    """Whose, as they are numbered now; null for spectators, and for who has gone."""
    name: str
    """Empty for spectators."""
    text: str
    at: int


class Soft:
    """All of it, around one table."""

    __slots__ = ("_lines", "heard_at", "purse", "sounded", "sounds", "unwatched_at", "watchers")

    def __init__(self) -> None:
        self.watchers = 0
        self.unwatched_at = 0
        """When a spectator last went."""
        self.heard_at = 0
        """When anything of this last happened."""
        self.sounds: deque[int] = deque(maxlen=SOUNDS_AT_ONCE)
        """When the last of them were heard."""
        self.sounded: dict[str, int] = {}
        """When somebody has last made one, by who they are."""
        self.purse = Purse(1000 / TOLD_A_SECOND, TOLD_AT_ONCE)
        self._lines: deque[tuple[str, Line]] = deque(maxlen=LINES_KEPT)
        """With who has said it: seats change their numbers."""

    def happened(self, entry: entries.Soft, at: int, user: str) -> None:
        """``user``: whose doing it was, if they have a seat."""
        self.heard_at = at
        match entry:
            case entries.Watched():
                self.watchers += 1
            case entries.Unwatched():
                self.watchers -= 1
                self.unwatched_at = at
            case entries.Said():
                self._lines.append((user, Line(None, entry.name, entry.text, at)))
            case entries.Sounded():
                self.sounds.append(at)
                self.sounded[user] = at

    def lines(self, numbers: Mapping[str, int]) -> Sequence[Line]:
        """What was said last, by those who are here now and by others. ``numbers``: their seats, by who they are."""
        return [msgspec.structs.replace(line, seat=numbers.get(user)) for user, line in self._lines]
