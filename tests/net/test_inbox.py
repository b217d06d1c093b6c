"""What a connection sends is taken one after the other: nothing overtakes what is still to be decided."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from croupier.net.inbox import ADDRESS_BURST, ADDRESS_SHARE, Inbox
from croupier.tables.turns import Turns, share_of_the_loop


class Reader(Inbox):
    """Has to wait for the answer to every message."""

    def __init__(self) -> None:
        super().__init__(Turns(), share_of_the_loop(ADDRESS_SHARE, ADDRESS_BURST))
        self.taken: list[str] = []

    def take(self, message: Any, kind: Any) -> None:
        self.taken.append(message)
        self.pause()

    def hold(self, on: bool) -> None:
        pass

    async def turn(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("in_turn", [False, True])
async def test_nothing_is_taken_before_the_message_before_it_is_answered(in_turn: bool) -> None:
    """``in_turn``: the first one has to wait for its turn of the event loop."""
    reader = Reader()
    if in_turn:
        reader.go_on(lambda: False)
    reader.arrived("move", None)
    await reader.turn()
    reader.arrived("ping", None)
    await reader.turn()
    assert reader.taken == ["move"]
    reader.resume()
    await reader.turn()
    assert reader.taken == ["move", "ping"]
    reader.resume()
    await reader.turn()
    reader.arrived("next", None)
    await reader.turn()
    assert reader.taken == ["move", "ping", "next"]
