"""The players of Faraway that are made of code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

from croupier.games.faraway.cards import REGION_DECKS
from croupier.games.faraway.moves import AnyMove, Choose, Play, Take
from croupier.games.faraway.scoring import ROUNDS, earned
from croupier.games.faraway.state import View
from croupier.kernel import Bot, Dice


class Rising(Bot):
    """The lowest region that goes on upwards, else the lowest; anything else at random."""

    name = "rising"
    about = "Plays rising numbers, for the sanctuaries, and takes whatever comes."
    worth = 22.4

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        if view.phase != "play":
            return dice.choice(moves)
        row = view.rows[seat]
        latest = row[-1] if row else -1
        return min(moves, key=lambda move: (move.card < latest, move.card))


class Sightseer(Bot):
    """The region that would bring most points if the journey were over now; anything else at random."""

    name = "sightseer"
    about = "Takes the most points it can have at once, and does not think of the way back."
    strength = "easy"
    worth = 17.7

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        if view.phase != "play":
            return dice.choice(moves)
        row, kept = view.rows[seat], view.sanctuaries[seat]
        worth = [sum(earned([*row, move.card], kept)) for move in moves]
        most = max(worth)
        return dice.choice([move for move, points in zip(moves, worth, strict=True) if points == most])


class LookAhead(Bot):
    """Imagines how the journey may go on, a few times, and makes the choice that scores best on average."""

    name = "look-ahead"
    about = "Tries every choice in a number of journeys as they may go on."
    strength = "strong"
    worth = 39.8

    futures = 10
    """So many sequences of regions that are yet to come, the same for every choice."""
    orders = 4
    """With each of them, so many ways to lay the cards. The best one counts, as one will not play at random either."""
    sanctuary = 5
    """What a rising step is worth, for the sanctuary that it brings."""

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        if len(moves) == 1:
            return moves[0]
        row, sanctuaries = view.rows[seat], view.sanctuaries[seat]
        hand = [card for card in view.hands[seat] if card is not None]
        seen = {*hand, *view.shop, *view.discarded, *chain(*view.rows)}
        unseen = [card for card in REGION_DECKS[view.card_set] if card not in seen]
        choices = []
        for move in moves:
            match move:
                case Play(card):
                    choices.append(([*row, card], [other for other in hand if other != card], sanctuaries))
                case Take(card):
                    choices.append(([*row], [*hand, card], sanctuaries))
                case Choose(card):
                    choices.append(([*row], hand, (*sanctuaries, card)))
        # Two cards are left over at the end. All choices leave the same number of regions to come.
        missing = ROUNDS - len(choices[0][0])
        places = list(range(missing + 2))
        worth = [0] * len(moves)
        for _ in range(self.futures):
            dice.shuffle(unseen, "future")
            orders = []
            for _ in range(self.orders if missing else 1):
                dice.shuffle(places, "order")
                orders.append(places[:missing])
            for number, (begun, held, kept) in enumerate(choices):
                cards = held + unseen[: missing + 2 - len(held)]
                worth[number] += max(self.value([*begun, *[cards[place] for place in order]], kept) for order in orders)
        return moves[worth.index(max(worth))]

    def value(self, row: Sequence[int], sanctuaries: Sequence[int]) -> int:
        return sum(earned(row, sanctuaries)) + self.sanctuary * sum(here < there for here, there in pairwise(row))
