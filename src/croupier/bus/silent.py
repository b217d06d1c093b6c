"""No bus at all: the nodes hear of each other by what is in the journal, and somewhat later."""

from __future__ import annotations

from croupier.bus import Confirmed, Counts, Heard


class SilentBus:
    fault: str | None = "there is no bus"
    lag: float | None = None

    def __init__(self) -> None:
        self.counts = Counts()

    def publish(self, channel: str, message: bytes) -> None:
        self.counts.published += 1
        self.counts.dropped += 1

    def subscribe(self, channel: str, heard: Heard, confirmed: Confirmed | None = None) -> None:
        pass

    def unsubscribe(self, channel: str) -> None:
        pass

    async def close(self) -> None:
        pass
