"""Whatever people do at a table, in whatever order, nothing goes wrong on the server, everybody is told everything in
its order, and no sentence names somebody who was never there."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.games import catalogue
from croupier.tables import error_log
from tests.live import LiveHere, server
from tests.people import PEOPLE, Somebody, walk

GAMES = catalogue().games
STEPS = 250


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0, lobby_grace=5, test_clock_speed=100) as running:
        yield running


@pytest.mark.parametrize("name", GAMES)
async def test_whatever_people_do_at_a_table_nothing_goes_wrong(live: LiveHere, name: str) -> None:
    before = error_log.seen.copy()
    game, done = GAMES[name], set[str]()
    for seed in range(4):
        people = [Somebody(person) for person in PEOPLE]
        for person in people:
            person.live = live
        bots, _ = await walk(
            people, random.Random(f"{name} {seed}"), STEPS, done, game=name, seats=min(4, game.seats[-1])
        )
        for person in people:
            await person.drop()
            for sentence in person.stories:
                assert "BOT " not in sentence or any(bot in sentence for bot in bots), sentence
                assert not sentence.startswith((" ", "'")), sentence  # a name is missing
                assert "  " not in sentence, sentence
    assert error_log.seen == before
    assert {"join", "start", "play", "leave", "kick", "drop"} <= done
