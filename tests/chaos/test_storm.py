"""Tables of every game, people of several protocols, and a server that dies at any moment: nothing is lost."""

from __future__ import annotations

from pathlib import Path

from croupier.games import catalogue
from tests.chaos.storm import storm


async def test_nothing_that_was_acknowledged_is_lost_or_doubled_and_nobody_is_stuck(tmp_path: Path) -> None:
    games = len(catalogue().games)
    outcome = await storm(tmp_path, kills=4, parties=2 * games, seed=8, pause=0.03)
    assert outcome.tables >= 2 * games
    assert outcome.compared.moves > 100
    assert outcome.compared.facts > outcome.compared.moves
    assert outcome.compared.syncs > 20
    assert len(outcome.made) == 2 * games  # the native protocol and its own, for each
