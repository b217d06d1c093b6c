"""How to look ahead in Fortress: a few turns, in which both play like the warden, and then a look at the table.

Games are long, and random play says nothing about them. So playouts are cut after a few turns, and what counts is the
health of the castles, what stands before them, and what is still in hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

from croupier.bots.search import AnyGame, Guide, Master
from croupier.games.fortress import moves as mv
from croupier.games.fortress.bot import MAGE, TRICKSTER, Warden
from croupier.games.fortress.position import points
from croupier.games.fortress.state import Side, State
from croupier.games.fortress.view import seen
from croupier.kernel import Dice

TURNS = 4
"""That a playout goes on, this one included."""
HAND = 7
"""What a card in hand is worth, in points of a castle's health."""
SHIELD = 12
"""What it is worth to have any soldier before the castle."""
SPREAD = 40
"""Points that make a position nearly three to one."""
EMPTY = 6
"""With so few cards in the deck, each that is missing counts."""


class FortressGuide(Guide):
    """The warden plays for both, from what each of them can see."""

    def __init__(self, game: AnyGame, seat: int, bot: Any) -> None:
        super().__init__(game, seat, bot)
        self.warden = Warden()
        self.until = 0

    def begin(self, state: State) -> None:
        self.until = state.turn + TURNS

    def play_on(self, state: State, seat: int, moves: Sequence[mv.AnyMove], dice: Dice) -> mv.AnyMove:
        return self.warden.choose(seat, seen(state, seat, None), moves, dice)

    def is_over(self, state: State, steps: int) -> bool:
        return state.turn >= self.until and state.phase == "main" and not state.stack

    def worth(self, state: State) -> float:
        own, enemy = (standing(state, seat) for seat in (self.seat, 1 - self.seat))
        return 1 / (1 + exp((enemy - own) / SPREAD))


def standing(state: State, seat: int) -> float:
    """What a side is worth, in points of its castle's health."""
    side: Side = state.sides[seat]
    total = float(side.health) + HAND * len(side.hand)
    for slot, unit in enumerate(side.field):
        if unit is None:
            continue
        if slot < 4:
            total += points(state, seat, unit) + 5 * unit.level + (MAGE if slot >= 2 else 0)
        else:
            total += TRICKSTER
    if any(side.field[:2]):
        total += SHIELD
    if len(side.deck) < EMPTY:
        total -= 5 * (EMPTY - len(side.deck))
    return total


class Castellan(Master):
    """Looks a few turns ahead, with other cards in the enemy's hand and face down each time."""

    name = "castellan"
    about = "Thinks each attack through, with the answers that you may have face down."
    worth = 59.3
    guide = FortressGuide
    fallback = Warden
