"""Faraway's own protocol, over real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.games.faraway.positions import GOLDEN
from tests.games.faraway.wire import Hall, golden, hall


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def test_c33_the_golden_game(here: Hall) -> None:
    players = await here.playing(2, seed=1)
    for who, event, card in golden(GOLDEN):
        await players[who].acts(event, card, players[1 - who])
    print(players[0].state)
