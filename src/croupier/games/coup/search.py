"""How to think in Coup: in a duel not by trying moves in imagined worlds, but by working out how often to lie.

Plain search is the wrong tool there. It looks for the best move against players who do not listen: it neither learns
from what somebody says nor minds what its own words give away, and plays the same each time, so that whoever has found
it out wins. What a turn of Coup needs is a mixed strategy. In a duel, every turn is solved as a game of hidden hands
(``duel/solving.py``), with all hands that both may have, as likely as they are for everybody who has listened, and with
what the turns to come are worth from a table (``duel/worth.py``). What it says comes from there, by lot. While more
than two are left, it does try its moves in imagined worlds (``crowd.py``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import mul
from typing import Any

from croupier.bots.search import Race
from croupier.bots.search.meter import Meter
from croupier.games.coup.bot import Believer, hand_of, live_cards, living, nod
from croupier.games.coup.characters import CHARACTERS, CLAIMS, FEES, Character
from croupier.games.coup.crowd import PLAYERS, CrowdGuide
from croupier.games.coup.duel.habits import Trusting
from croupier.games.coup.duel.hands import COPIES, HANDS, Stock, number_of, ways
from croupier.games.coup.duel.ledger import Ledger
from croupier.games.coup.duel.solving import Position, Solution
from croupier.games.coup.duel.worth import worth
from croupier.games.coup.moves import AnyMove, Block, CallBs, Keep, Lose, Propose
from croupier.games.coup.state import View
from croupier.kernel import Budget, Dice, Event, Searcher

SHARE = 0.85
"""How much of the other side is taken to play as people do, as long as it has not shown otherwise."""
RARE = 0.04
"""What is to be said more seldom than this is not said: the solution is not as exact."""
FIRST = 8
"""Rounds in any case."""


class Cardinal(Searcher):
    """Works out how often a lie pays, and how often a doubt. A node is a round of the solution, or a playout."""

    name = "cardinal"
    about = "Works out how often a lie pays, and how often a doubt; in a duel it is at its best."
    worth = 41.7
    fallback = Believer
    budget = Budget(seconds=0.5, nodes=300)

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger()
        self.minds = [Believer() for _ in range(PLAYERS)]
        """By player: what they remember, if they listen as the believer does."""

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        super().observe(seat, events)
        self.ledger.observe(events)
        for player, mind in enumerate(self.minds):
            mind.observe(player, events)

    def search(self, game: Any, world: Any, seat: int, moves: Sequence[Any], dice: Dice, budget: Budget) -> AnyMove:
        view: View = game.view(world, seat)
        others = living(view, seat)
        if len(moves) == 1:
            only: AnyMove = moves[0]
            return only
        if view.phase in ("action_window", "block_window") and seat not in view.responders:
            return nod(moves)
        if len(others) > 1:
            found: AnyMove = Race(CrowdGuide(game, seat, self), world, moves, dice).run(budget)  # type: ignore[assignment]
            return found
        duel = Duel(view, seat, others[0], self.ledger)
        if view.phase in ("losing_card", "exchanging"):
            return duel.kept(moves)
        return duel.spoken(moves, dice, budget)


class Duel:
    """Two are left, and one of them thinks."""

    def __init__(self, view: View, seat: int, other: int, ledger: Ledger) -> None:
        assert view.current is not None
        self.view = view
        self.seat = seat
        self.other = other
        self.ledger = ledger
        self.players = (seat, other) if view.current == seat else (other, seat)
        self.open = [card for cards in view.revealed for card in cards]

    def stock(self, face_up: Sequence[Character]) -> Stock:
        return tuple(float(COPIES - face_up.count(character)) for character in CHARACTERS)

    def position(self) -> Position:
        """As it was when the turn began."""
        view, ledger = self.view, self.ledger
        losses = [player for player, _ in ledger.lost]
        lives = [live_cards(view, player) + losses.count(player) for player in self.players]
        purses = [view.coins[player] for player in self.players]
        if ledger.said[:1] == ("assassinate",):
            purses[0] += FEES["assassinate"]  # paid already
        before = list((Counter(self.open) - Counter(card for _, card in ledger.lost)).elements())
        beliefs = [ledger.beliefs(player, held) for player, held in zip(self.players, lives, strict=True)]
        return Position(
            view.ruleset, (purses[0], purses[1]), self.stock(before), (lives[0], lives[1]), (beliefs[0], beliefs[1])
        )

    def hand(self) -> int:
        """As it was when the turn began."""
        hand = hand_of(self.view, self.seat)
        hand += [card for player, card in self.ledger.lost if player == self.seat]
        said = self.ledger.said
        if self.seat == self.players[0] and "bs" in said[1:]:
            claim = CLAIMS[said[0]]  # type: ignore[index]
            if claim not in hand:
                hand[0] = claim  # it was proven, and is swapped by now
        return number_of(hand)

    def spoken(self, moves: Sequence[AnyMove], dice: Dice, budget: Budget) -> AnyMove:
        habits = Trusting(SHARE * self.ledger.trust(self.other))
        own = self.players.index(self.seat)
        vain = self.ledger.vain
        barred = (vain[self.seat],) if own == 0 and self.seat in vain and not self.ledger.said else ()
        solution = Solution(self.position(), own, habits, barred)
        meter = Meter(budget)
        while meter.nodes < FIRST or meter.spent() < 1.0:
            solution.improve()
            meter.nodes += 1
        mix = solution.mix(self.ledger.said, self.hand())
        words = [word for word, share in mix.items() if share >= RARE]
        lot = dice.below(1 << 20) / (1 << 20) * sum(mix[word] for word in words)
        for word in words:
            lot -= mix[word]
            if lot < 0:
                break
        return _move(word, moves)

    def kept(self, moves: Sequence[AnyMove]) -> AnyMove:
        """Which cards to keep, for the turn to come."""
        hand = hand_of(self.view, self.seat)
        if self.view.action == "assassinate" and self.view.target == self.seat and "contessa" in hand:
            # There is another one coming: keep what stops it.
            return next(
                move for move in moves if isinstance(move, Lose) and (move.card != "contessa" or len(moves) == 1)
            )
        return max(moves, key=lambda move: self.left_with(_left(move, hand), self.open + _given(move)))

    def left_with(self, kept: Sequence[Character], face_up: Sequence[Character]) -> float:
        """What the next turn is worth with these cards."""
        view, other = self.view, self.other
        stock, held = self.stock(face_up), live_cards(view, other)
        cards = HANDS[len(kept)][number_of(kept)]
        believed = self.ledger.beliefs(other, held)
        likely = [ways(stock, cards, hand) * belief for hand, belief in zip(HANDS[held], believed, strict=True)]
        if view.current == self.seat:
            table = worth(view.ruleset, (held, len(kept)), (view.coins[other], view.coins[self.seat]))
            chances = [1 - row[number_of(kept)] for row in table]
        else:
            table = worth(view.ruleset, (len(kept), held), (view.coins[self.seat], view.coins[other]))
            chances = table[number_of(kept)]
        total: float = sum(map(mul, likely, chances))
        return total / (sum(likely) or 1.0)


def _left(move: AnyMove, hand: Sequence[Character]) -> list[Character]:
    """What one holds after a loss or an exchange."""
    if isinstance(move, Keep):
        return list(move.cards)
    assert isinstance(move, Lose)
    left = list(hand)
    left.remove(move.card)
    return left


def _given(move: AnyMove) -> list[Character]:
    return [move.card] if isinstance(move, Lose) else []


def _move(word: str, moves: Sequence[AnyMove]) -> AnyMove:
    for move in moves:
        match move:
            case Propose(action) if action == word:
                return move
            case Block(character) if character == word:
                return move
            case CallBs() if word == "bs":
                return move
    return nod(moves)
