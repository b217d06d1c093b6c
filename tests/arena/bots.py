"""Bots that are up to no good, for the arena to name: ``tests.arena.bots:Raises``."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

from croupier.kernel import Bot, Dice, Move, RandomBot
from croupier.kernel.bot import Budget, Searcher


class Raises(Bot):
    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Move:
        raise KeyError("no idea")


class Dies(Bot):
    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Move:
        os._exit(3)


class Sleeps(Bot):
    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Move:
        while True:
            time.sleep(3600)


class Cheats(Bot):
    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        return "all your cards"


class Looks(Searcher):
    """Counts its nodes, and plays one of the moves by what it saw in other worlds. Never in the real one."""

    budget = Budget(nodes=3)
    fallback = RandomBot

    def search(self, game: Any, world: Any, seat: int, moves: Sequence[Any], dice: Dice, budget: Budget) -> Move:
        assert budget.nodes is not None
        seen = sum(hash(str(game.imagine(world, seat, dice))) for _ in range(budget.nodes))
        chosen: Move = moves[seen % len(moves)]
        return chosen
