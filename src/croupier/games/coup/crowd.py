"""How to look ahead in Coup while more than two are left: games are played on in imagined worlds until two are.

No strategy is solved here, as in a duel: who is attacked and by whom decides more than who can read whom, and several
who all listen are seldom outwitted at once. What is tried is held against players who listen, doubt and lie as the
believer does, each with what they have heard so far; and who has called BS more often than others is expected to do so
again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import exp
from typing import Any

from croupier.bots.search import AnyGame, Guide
from croupier.games.coup.bot import Believer, of_kind
from croupier.games.coup.duel.hands import number_of
from croupier.games.coup.duel.worth import worth
from croupier.games.coup.moves import AnyMove, CallBs
from croupier.games.coup.position import faces, live, others
from croupier.games.coup.state import State
from croupier.kernel import Dice, Event

PLAYERS = 6
"""U3: at most."""
DEALS = 6
"""Of which one is taken, the likelier the more it fits what was said."""
CREDULITY = 1.5
"""Log odds: how much likelier words can make a card. Who lies once lies again, so a third time says no more."""
PATIENCE = 3
"""Answers without a doubt that everybody is taken to have given before the game."""


class CrowdGuide(Guide):
    """Everybody plays like a believer who has been at the table all along. ``bot`` has the ``minds`` of all."""

    def __init__(self, game: AnyGame, seat: int, bot: Any) -> None:
        super().__init__(game, seat, bot)
        self.own: Believer = bot.second
        self.doubts = [
            self.own.called[player] / (self.own.answered[player] + PATIENCE) * (player != seat)
            for player in range(PLAYERS)
        ]
        """By player: in how many cases they call BS, whatever speaks for a claim."""
        self.players: dict[int, Believer] = {}

    def imagine(self, world: State, dice: Dice) -> State:
        deals: list[State] = [self.game.imagine(world, self.seat, dice) for _ in range(DEALS)]
        reached = list(accumulate([self._likely(deal) for deal in deals]))
        lot = dice.below(1 << 20) / (1 << 20) * reached[-1]
        return next(deal for deal, sum_ in zip(deals, reached, strict=True) if lot < sum_)

    def _likely(self, state: State) -> float:
        """How well what the others hold fits what they have said, and let pass."""
        odds = 0.0
        for player in others(state, self.seat):
            if known := self.own.evidence.get(player):
                odds += sum([min(known[card], CREDULITY) for card in set(faces(state, live(state, player)))])
        return exp(odds)

    def begin(self, state: State) -> None:
        minds: Sequence[Believer] = self.bot.minds
        self.players = {player: minds[player].twin() for player in others(state, self.seat)}
        self.players[self.seat] = self.own.twin()

    def watch(self, events: Sequence[Event]) -> None:
        for player, mind in self.players.items():
            mind.observe(player, events)

    def play_on(self, state: State, seat: int, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        doubt = self.doubts[seat]
        if doubt and (calls := of_kind(moves, CallBs)) and dice.below(1000) < 1000 * doubt:
            return calls[0]
        return self.players[seat].choose(seat, self.game.view(state, seat), moves, dice)

    def is_over(self, state: State, steps: int) -> bool:
        return self.seat in state.out or (state.phase == "awaiting_action" and len(state.seats) - len(state.out) == 2)

    def worth(self, state: State) -> float:
        """Of a duel, what its table says."""
        if self.seat in state.out:
            return 0.0
        first = state.current
        (second,) = others(state, first)
        hands = [faces(state, live(state, player)) for player in (first, second)]
        coins = state.coins[first], state.coins[second]
        table = worth(state.options.ruleset, (len(hands[0]), len(hands[1])), coins)
        chance = table[number_of(hands[0])][number_of(hands[1])]
        return chance if first == self.seat else 1 - chance
