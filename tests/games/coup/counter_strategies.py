"""Players of Coup who do always the same thing: whoever can be read loses to one of them.

croupier arena coup cardinal tests/games/coup/counter_strategies.py:Doubter --games 200 --nodes 40
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from croupier.games.coup.bot import Believer, Honest, hand_of, living, nod, of_kind, strongest, wish
from croupier.games.coup.characters import Action, Character
from croupier.games.coup.moves import AnyMove, Block, CallBs
from croupier.games.coup.state import View
from croupier.kernel import Dice


class Doubter(Believer):
    """Believes nobody, ever; plays like the believer otherwise."""

    name = "doubter"
    about = "Calls BS on everything."

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        doubts = of_kind(moves, CallBs)
        true = [move for move in of_kind(moves, Block) if move.character in hand_of(view, seat)]
        return doubts[0] if doubts and not true else super().choose(seat, view, moves, dice)


class Lamb(Believer):
    """Believes everybody, always; plays like the believer otherwise."""

    name = "lamb"
    about = "Never calls BS."

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        move = super().choose(seat, view, moves, dice)
        return nod(moves) if isinstance(move, CallBs) else move


class Braggart(Honest):
    """Has the Duke, the Assassin and whatever stops others, whatever it has; and believes everybody."""

    name = "braggart"
    about = "Always taxes, assassinates and blocks, and never calls BS."

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        others = strongest(view, living(view, seat))
        wishes = [wish(moves, action, other) for action in ("coup", "assassinate") for other in others]
        for found in (*wishes, wish(moves, "tax")):
            if found is not None:
                return found
        blocks = of_kind(moves, Block)
        return blocks[0] if blocks else super().choose(seat, view, moves, dice)


class Impostor(Believer):
    """Says the same whenever it may, whatever it has, but for a coup; plays like the believer otherwise."""

    always: ClassVar[Action]

    def _propose(
        self, seat: int, view: View, moves: Sequence[AnyMove], hand: Sequence[Character], dice: Dice
    ) -> AnyMove:
        others = strongest(view, living(view, seat))
        wishes = [wish(moves, action, target) for action in ("coup", self.always) for target in (*others, None)]
        found = next((found for found in wishes if found is not None), None)
        return found or super()._propose(seat, view, moves, hand, dice)


class Usurper(Impostor):
    name = "usurper"
    about = "Is always the Duke."
    always = "tax"


class Cutthroat(Impostor):
    name = "cutthroat"
    about = "Has an Assassin whenever there are three coins to pay for one."
    always = "assassinate"


class Thief(Impostor):
    name = "thief"
    about = "Is always the Captain."
    always = "steal"


class Wall(Believer):
    """Blocks whatever can be blocked, whatever it has; plays like the believer otherwise."""

    name = "wall"
    about = "Blocks everything."

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        move = super().choose(seat, view, moves, dice)
        blocks = of_kind(moves, Block)
        return blocks[0] if blocks and not isinstance(move, Block) else move
