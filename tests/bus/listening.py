"""Somebody at a bus who writes down what is heard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from croupier.bus import Bus


class Listener:
    def __init__(self) -> None:
        self.heard: dict[str, list[bytes]] = {}
        self.confirmed: set[str] = set()
        self.gaps = 0

    def gap(self) -> None:
        self.gaps += 1

    async def follow(self, bus: Bus, *channels: str) -> None:
        """Subscribe, and wait until that is confirmed."""
        for channel in channels:
            self.begin(bus, channel)
        await until(lambda: self.confirmed.issuperset(channels))

    def begin(self, bus: Bus, channel: str) -> None:
        heard = self.heard.setdefault(channel, [])
        bus.subscribe(channel, heard.append, lambda: self.confirmed.add(channel))


async def until(condition: Callable[[], bool]) -> None:
    while True:
        if condition():
            return
        await asyncio.sleep(0.01)
