"""What goes on around a table and is no part of its log: who looks on, what is said, what is heard.

Nobody could miss it after a restart, so it is written down nowhere: it costs no disk, and waits for none.
"""

from __future__ import annotations

from croupier.tables import entries
from croupier.tables.chat import Chat

SOUND_EVERY = 3_000
"""Milliseconds between two sounds of the same person."""
SOUNDS_AT_ONCE, SOUNDS_WITHIN = 5, 10_000
"""How many sounds a table hears, in so many milliseconds."""


class Soft:
    """All of it, around one table."""

    __slots__ = ("chat", "heard_at", "sounded", "sounds", "unwatched_at", "watchers")

    def __init__(self) -> None:
        self.watchers = 0
        self.unwatched_at = 0
        """When a spectator last went."""
        self.heard_at = 0
        """When anything of this last happened."""
        self.sounds: tuple[int, ...] = ()
        """When the last of them were heard."""
        self.sounded: dict[str, int] = {}
        """When somebody has last made one, by who they are."""
        self.chat = Chat()

    def happened(self, entry: entries.Soft, at: int, user: str, person: str = "") -> None:
        """``user``: whose doing it was, if they have a seat. ``person``: who that is beyond the table."""
        self.heard_at = at
        match entry:
            case entries.Watched():
                self.watchers += 1
            case entries.Unwatched():
                self.watchers -= 1
                self.unwatched_at = at
            case entries.Said():
                self.chat.add(user, entry.person or person, entry.name, entry.text, at)
            case entries.Sounded():
                self.sounds = (*self.sounds, at)[-SOUNDS_AT_ONCE:]
                self.sounded[user] = at
