"""What is played in these tests: our own games, games from elsewhere, and one that has no numbers of its own."""

from __future__ import annotations

from typing import Any

import croupier_crazy_eights
import croupier_hearts
import pytest

from croupier.games import catalogue
from croupier.kernel import Game
from tests.toys import Bids

AnyGame = Game[Any, Any, Any, Any, Any]

GAMES: list[AnyGame] = [*catalogue().games.values(), croupier_crazy_eights.game, croupier_hearts.game, Bids()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def seats_of(game: AnyGame) -> int:
    """Three where three can play: more than two, and few enough to be quick."""
    return 3 if 3 in game.seats else game.seats[0]
