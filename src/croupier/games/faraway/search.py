"""How to look ahead in Faraway: what counts is the own journey, and what it earns is known at its end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from croupier.bots.search import Guide, Master
from croupier.games.faraway.bot import LookAhead
from croupier.games.faraway.moves import AnyMove, Choose, Play, Take
from croupier.games.faraway.scoring import ROUNDS, earned
from croupier.games.faraway.state import State
from croupier.kernel import Dice, Result

FUTURES = 2
"""So many sequences of regions that are yet to come, for each choice in a playout …"""
ORDERS = 3
"""… and so many ways to lay them, of which the best counts."""
GREAT = 150
"""Points with which hardly anybody loses."""


class FarawayGuide(Guide):
    """The own journey goes on as look-ahead would go on with a hasty look; the others hardly matter to it, and rise.

    A playout is worth what the own journey earns: what others do with the cards one leaves them changes little, and a
    score tells two moves apart in far fewer playouts than who has won.
    """

    caution = 0.0
    points = GREAT

    def play_on(self, state: State, seat: int, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        if seat == self.seat:
            return self._look_ahead(state, moves, dice)
        if state.phase != "play":
            return dice.choice(moves)
        row = state.rows[seat]
        latest = row[-1] if row else -1
        return min(moves, key=lambda move: (move.card < latest, move.card))

    def _look_ahead(self, state: State, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        choices = [_after(state, self.seat, move) for move in moves]
        begun, held, _ = choices[0]
        missing = ROUNDS - len(begun)
        lacking = missing + 2 - len(held)
        unseen = state.region_deck  # any of it, not the next ones: they are a secret
        places = list(range(missing + 2))
        worth = [0] * len(moves)
        for _ in range(FUTURES if missing else 1):
            coming = [dice.choice(unseen) for _ in range(lacking)]
            orders = []
            for _ in range(ORDERS if missing else 1):
                dice.shuffle(places, "order")
                orders.append(places[:missing])
            for number, (begun, held, kept) in enumerate(choices):
                cards = held + coming
                worth[number] += max([_value(begun + [cards[place] for place in order], kept) for order in orders])
        return moves[worth.index(max(worth))]

    def gain(self, result: Result, state: State) -> float:
        assert result.scores is not None
        return min(1.0, (result.scores[self.seat] or 0) / GREAT)


def _after(state: State, seat: int, move: AnyMove) -> tuple[list[int], list[int], Sequence[int]]:
    """The row, the hand and the sanctuaries after this move."""
    row, hand, kept = state.rows[seat], state.hands[seat], state.sanctuaries[seat]
    match move:
        case Play(card):
            return [*row, card], [other for other in hand if other != card], kept
        case Take(card):
            return row, [*hand, card], kept
        case Choose(card):
            return row, hand, [*kept, card]


def _value(row: Sequence[int], sanctuaries: Sequence[int]) -> int:
    rising = sum([here < there for here, there in pairwise(row)])
    return sum(earned(row, sanctuaries)) + LookAhead.sanctuary * rising


class Cartographer(Master):
    """Chooses what scores best on average over many journeys, each walked to its end."""

    name = "cartographer"
    about = "Walks hundreds of journeys to their end and back before it takes a step."
    worth = 42.2
    guide = FarawayGuide
    fallback = LookAhead
