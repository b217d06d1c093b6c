"""Bots that use the client, all games, and a server that dies while they play: ``client_bots``, in short."""

from __future__ import annotations

import asyncio
from pathlib import Path

from croupier.games import catalogue
from tests.chaos.client_bots import Run


async def test_every_game_ends_and_no_move_is_lost_or_made_twice(tmp_path: Path) -> None:
    async with asyncio.timeout(300):
        outcome = await Run(tmp_path, games=30, kills=2, parties=5, seed=1, told=lambda line: None).play()
    assert set(outcome.games) == set(catalogue().games)
    assert sum(outcome.games.values()) >= 30
    assert outcome.moves > 500
