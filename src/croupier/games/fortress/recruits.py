"""Players of Fortress who still have something to learn: what to keep, what to attack, and when to answer."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.fortress import moves as mv
from croupier.games.fortress.bot import Sight, Warden, choice
from croupier.games.fortress.view import View
from croupier.kernel import Bot, Dice

HASTE = 50
"""In how many of a hundred cases an attack comes before what could be built first."""


class Recruit(Bot):
    """Attacks as soon as anything can attack, the castle if it may, whatever stands before it; and never answers."""

    name = "recruit"
    about = "Charges at the castle too early, and never thinks of a trick in time."
    strength = "easy"
    worth = 23.1

    def choose(self, seat: int, view: View, moves: Sequence[mv.AnyMove], dice: Dice) -> mv.AnyMove:
        if len(moves) == 1:
            return moves[0]
        match view.phase:
            case "decks":
                return dice.choice(moves)
            case "mulligan":
                return mv.AcceptHand()
            case "window":
                return mv.AllowAction()
            case "choice":
                return choice(Sight(seat, view), moves)
        attacks = [move for move in moves if isinstance(move, mv.AttackCard)]
        attacks.sort(key=lambda move: move.target.zone != "castle")
        others = [move for move in moves if isinstance(move, mv.DrawCard | mv.LevelMage | mv.PlayCard)]
        if attacks and (not others or dice.below(100) < HASTE):
            return attacks[0]
        return others[0] if others else mv.EndTurn()


class Sergeant(Bot):
    """Builds and attacks like the warden, but never answers what the enemy does."""

    name = "sergeant"
    about = "Knows what to build and what to attack, but lets you have your way when it is your turn."
    strength = "medium"
    worth = 31.4

    def __init__(self) -> None:
        self.warden = Warden()

    def choose(self, seat: int, view: View, moves: Sequence[mv.AnyMove], dice: Dice) -> mv.AnyMove:
        if view.phase == "window":
            return mv.AllowAction()
        return self.warden.choose(seat, view, moves, dice)
