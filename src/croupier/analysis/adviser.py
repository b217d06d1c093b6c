"""Who is asked what to do: the game's own master, or somebody who thinks ahead with what quick bots the game has."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, get_args

from croupier.bots.search import AnyGame, Guide, Master
from croupier.kernel import Bot, Dice, Event, Move, Searcher
from croupier.kernel.bot import Strength

_STRENGTHS = get_args(Strength)


def adviser(game: AnyGame, seats: int) -> Master:
    """A new one, that remembers nothing yet."""
    kinds = list(game.bots.values())
    masters = [kind for kind in kinds if issubclass(kind, Master)]
    if masters:
        master: Master = _strongest(masters)()
        return master
    return Improviser(_strongest([kind for kind in kinds if not issubclass(kind, Searcher)]), seats)


def _strongest(kinds: Sequence[type[Any]]) -> type[Any]:
    """The first of the best."""
    return max(kinds, key=lambda kind: _STRENGTHS.index(kind.strength))


class QuickGuide(Guide):
    """Everybody plays on like a quick bot of the game: the seat with all that it remembers, the others with what they
    see from now on, since nobody can know what they remember."""

    def __init__(self, game: AnyGame, seat: int, bot: Improviser) -> None:
        super().__init__(game, seat, bot)
        self._kind = bot.kind
        self._own = bot.second
        self._seats = bot.seats
        self._observes = bot.kind.observe is not Bot.observe
        self._players: dict[int, Bot] = {}

    def begin(self, state: Any) -> None:
        if self._observes or not self._players:
            self._players = {seat: self._kind() for seat in range(self._seats)}
            self._players[self.seat] = copy.deepcopy(self._own)

    def watch(self, events: Sequence[Event]) -> None:
        if self._observes:
            for seat, player in self._players.items():
                with suppress(Exception):  # as at a table: one that fails is nobody's trouble
                    player.observe(seat, [seen for event in events if (seen := event.seen_by(seat)) is not None])

    def play_on(self, state: Any, seat: int, moves: Sequence[Any], dice: Dice) -> Move:
        with suppress(Exception):
            move = self._players[seat].choose(seat, self.game.view(state, seat), moves, dice)
            if move in moves or self.game.offers(state, seat, move):
                return move
        any_move: Move = dice.choice(moves)
        return any_move


class Improviser(Master):
    """Looks ahead in a game that nobody has written a guide for."""

    name = "improviser"
    about = "Plays on as a quick bot would, and sees what comes of it."
    guide = QuickGuide

    def __init__(self, kind: type[Bot], seats: int) -> None:
        self.kind = kind
        self.seats = seats
        self.second = kind()
