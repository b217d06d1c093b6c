"""A player of Coup who has just learned the rules, and makes the mistakes that people make then."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.coup.bot import hand_of, living, nod, of_kind, wish
from croupier.games.coup.characters import CLAIMS, Action, Character
from croupier.games.coup.moves import AnyMove, Block, Keep
from croupier.games.coup.state import View
from croupier.kernel import Bot, Dice

FORGETS = 60
"""In how many of a hundred cases it forgets that it could have blocked."""
LIKED: tuple[Action, ...] = ("assassinate", "steal", "tax", "exchange")


class Greenhorn(Bot):
    """Says what is true and believes what is said; picks on whoever comes next, and does not mind what was blocked."""

    name = "greenhorn"
    about = "Never lies, believes everybody, and often forgets to defend itself."
    strength = "easy"
    worth = 22.6

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        hand = hand_of(view, seat)
        match view.phase:
            case "awaiting_action":
                return self._propose(seat, view, moves, hand, dice)
            case "losing_card":
                return moves[0]
            case "exchanging":
                # What is new looks better than what one has had all along.
                drawn = (view.pool or ())[len(hand) :]
                return max(of_kind(moves, Keep), key=lambda keep: sum(card in drawn for card in keep.cards))
        true = [move for move in of_kind(moves, Block) if move.character in hand]
        return true[0] if true and dice.below(100) >= FORGETS else nod(moves)

    def _propose(
        self, seat: int, view: View, moves: Sequence[AnyMove], hand: Sequence[Character], dice: Dice
    ) -> AnyMove:
        others = living(view, seat)
        after = [other for other in others if other > seat] + [other for other in others if other < seat]
        wishes = [wish(moves, "coup", other) for other in after]
        for action in LIKED:
            if CLAIMS[action] in hand:
                wishes += [wish(moves, action, target) for target in (None, *after)]
        # Foreign aid brings more than an income, says the card; that it can be blocked is in small print.
        wishes += [wish(moves, "foreign_aid"), wish(moves, "income")]
        return next((found for found in wishes if found is not None), moves[0])
