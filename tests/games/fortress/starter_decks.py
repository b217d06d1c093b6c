"""Players of Fortress who always bring the same deck: how strong is the castellan with each of them?

croupier arena fortress tests/games/fortress/starter_decks.py:AssaultCastellan \\
    tests/games/fortress/starter_decks.py:AssaultWarden --games 40 --nodes 60
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.games.fortress.bot import Warden
from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.moves import AnyMove, BringDeck
from croupier.games.fortress.search import Castellan
from croupier.games.fortress.view import View
from croupier.kernel import Bot, Budget, Dice, Move


def with_deck(name: str, searcher: bool) -> type[Bot]:
    """The castellan or the warden with this deck."""
    brought = BringDeck(STARTERS[name])

    class OfCastellan(Castellan):
        def search(self, game: Any, world: Any, seat: int, moves: Sequence[Any], dice: Dice, budget: Budget) -> Move:
            return brought if world.phase == "decks" else super().search(game, world, seat, moves, dice, budget)

    class OfWarden(Warden):
        def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
            return brought if view.phase == "decks" else super().choose(seat, view, moves, dice)

    return OfCastellan if searcher else OfWarden


AssaultCastellan, AssaultWarden = with_deck("Assault", True), with_deck("Assault", False)
DisciplineCastellan, DisciplineWarden = with_deck("Discipline", True), with_deck("Discipline", False)
AllArmsCastellan, AllArmsWarden = with_deck("All Arms", True), with_deck("All Arms", False)
