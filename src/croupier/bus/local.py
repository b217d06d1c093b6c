"""A bus within one process, for several houses in a test; it can be told to behave as badly as a real one may."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from croupier.bus import Confirmed, Counts, Gap, Heard


class Hub:
    """What some local buses share."""

    def __init__(self, seed: int = 0) -> None:
        self.cut: str | None = None
        """Why nobody hears anything, as when Redis is away. ``mend`` ends it."""
        self.lose = 0.0
        """How many of the messages get lost, from 0 to 1, and nobody is told."""
        self.delay = 0.0
        """Seconds that a message takes at most. Each takes its own time, and so they overtake each other."""
        self._random = Random(seed)
        self._buses: set[LocalBus] = set()

    def mend(self) -> None:
        """All hear each other again, and know that they have missed something."""
        self.cut = None
        for bus in self._buses:
            bus.missed()

    def join(self, bus: LocalBus) -> None:
        self._buses.add(bus)

    def leave(self, bus: LocalBus) -> None:
        self._buses.discard(bus)

    def tell(self, sender: LocalBus, channel: str, message: bytes) -> None:
        for bus in self._buses:
            if bus is not sender and self._random.random() >= self.lose:
                self.soon(bus.hear, channel, message)

    def soon(self, call: Callable[..., None], *about: object) -> None:
        loop = asyncio.get_running_loop()
        if self.delay:
            loop.call_later(self._random.random() * self.delay, call, *about)
        else:
            loop.call_soon(call, *about)


class LocalBus:
    def __init__(self, hub: Hub, gap: Gap) -> None:
        self.counts = Counts()
        self._hub = hub
        self._gap = gap
        self._subscribers: dict[str, Heard] = {}
        self._confirmed: dict[str, Confirmed] = {}
        hub.join(self)

    @property
    def fault(self) -> str | None:
        return self._hub.cut

    @property
    def lag(self) -> float | None:
        return None

    def publish(self, channel: str, message: bytes) -> None:
        self.counts.published += 1
        if self._hub.cut is None:
            self._hub.tell(self, channel, message)
        else:
            self.counts.dropped += 1

    def subscribe(self, channel: str, heard: Heard, confirmed: Confirmed | None = None) -> None:
        new = channel not in self._subscribers
        self._subscribers[channel] = heard
        if new and confirmed is not None:
            self._confirmed[channel] = confirmed
            self._hub.soon(self._confirm, channel)

    def unsubscribe(self, channel: str) -> None:
        self._subscribers.pop(channel, None)
        self._confirmed.pop(channel, None)

    async def close(self) -> None:
        self._subscribers.clear()
        self._confirmed.clear()
        self._hub.leave(self)

    def hear(self, channel: str, message: bytes) -> None:
        heard = self._subscribers.get(channel)
        if heard is not None and self._hub.cut is None:
            self.counts.heard += 1
            heard(message)

    def missed(self) -> None:
        self.counts.gaps += 1
        for channel in self._confirmed:
            self._hub.soon(self._confirm, channel)
        self._hub.soon(self._gap)

    def _confirm(self, channel: str) -> None:
        if self._hub.cut is None and channel in self._confirmed:
            self._confirmed[channel]()
