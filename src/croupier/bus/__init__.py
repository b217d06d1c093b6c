"""The bus: how the nodes of a house tell each other what they have done, at once and without any promise.

What is said on it is a hint, and the journal is the truth: messages may be lost, late, or never said at all, and
whoever hears nothing for a while looks into the journal. It knows nothing of tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Heard = Callable[[bytes], None]
Confirmed = Callable[[], None]
Gap = Callable[[], None]
"""Messages may have been lost: everything that is followed has to be looked up in the journal. Given to a bus when it
is opened, and called on the event loop, as soon as new messages are heard: several times in a row when all nodes have
lost the bus, since each tells the others what they may have missed of it."""


class Counts:
    """Since the start, for the metrics."""

    __slots__ = ("dropped", "gaps", "heard", "published")

    def __init__(self) -> None:
        self.published = 0
        """Messages that were to be told to the others."""
        self.dropped = 0
        """Those of them that were not even sent: nothing was connected, or it could not be sent fast enough."""
        self.heard = 0
        """Messages of others."""
        self.gaps = 0
        """How often messages of others may have been lost."""


class Bus(Protocol):
    counts: Counts

    @property
    def fault(self) -> str | None:
        """Why nothing is heard at the moment, for people; None when it works."""

    @property
    def lag(self) -> float | None:
        """Seconds that the last message to oneself took; None when that is not known."""

    def publish(self, channel: str, message: bytes) -> None:
        """Tell the others, soon. Never waits, never raises; may be lost."""

    def subscribe(self, channel: str, heard: Heard, confirmed: Confirmed | None = None) -> None:
        """Hear what the others publish, in each one's order. It takes a moment until that is so: ``confirmed`` is
        called then, and what was published before may have been missed; and so each time when that was interrupted. Of
        a channel that is subscribed already, only ``heard`` changes."""

    def unsubscribe(self, channel: str) -> None:
        """Nothing more is heard from now on."""

    async def close(self) -> None:
        """Let go. What was published before is sent, if nothing keeps it."""
