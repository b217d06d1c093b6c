"""What the bots of a table think about that look ahead: when they are asked, and what becomes of their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import msgspec

from croupier.kernel import Bot, Dice, Searcher
from croupier.tables import error_log, thoughts
from croupier.tables.bots import Bots
from croupier.tables.seat import Seat
from croupier.tables.table import AnyGame, Table
from croupier.tables.thoughts import Answer, Question, Thinkers, Thought

MOST_AT_ONCE = 8
"""Bots of one table that think at the same time. To imagine a world takes a moment, and everybody waits for it."""

_encode = msgspec.msgpack.Encoder().encode


class Thinking:
    """What the bots of one table think about."""

    __slots__ = ("_dice", "_thinkers", "_wake", "bots")

    def __init__(self, bots: Bots, thinkers: Thinkers, dice: Dice, wake: Callable[[], None]) -> None:
        """``wake``: something has come of it."""
        self.bots = bots
        self._thinkers = thinkers
        self._dice = dice
        self._wake = wake

    def go_on(self, seats: Iterable[Seat], now: int, asks: bool, payer: str) -> None:
        """These seats' bots are to think now, and no others. ``asks``: and not those of another node, which comes
        first; then all that there is to do is to wait."""
        table, current = self.bots.table, self.bots.thoughts
        wanted = list(seats)
        for seat, thought in list(current.items()):
            if seat not in wanted or not self._same(seat, thought):
                del current[seat]
                thought.cancel()
        for seat in wanted:
            if seat not in current:
                self._begin(seat, now)
            if asks and (waiting := current.get(seat)) and waiting.question is None and not waiting.answered:
                self._ask(seat, waiting, payer or table.id)

    def _same(self, seat: Seat, thought: Thought) -> bool:
        """Whether the seat still has the same to think about. That others have moved does not matter if it could not
        see it; but who plays it does."""
        table = self.bots.table
        if thought.step != table.step:
            if seen(table, seat) != thought.seen:
                return False
            thought.step = table.step
        return self.bots.bot(seat) is thought.bot

    def _begin(self, seat: Seat, now: int) -> None:
        table, bot = self.bots.table, self.bots.bot(seat)
        if not isinstance(bot, Searcher):
            return
        thought = Thought(bot, self._thinkers, seen(table, seat), table.step, now)
        self.bots.thoughts[seat] = thought
        moves = table.game.moves(table.state, seat.number)
        if len(moves) == 1 and not table.game.forms(table.state, seat.number):
            thought.answered, thought.move = True, moves[0]

    def _ask(self, seat: Seat, thought: Thought, payer: str) -> None:
        table, game, bot = self.bots.table, self.bots.table.game, thought.bot
        asked = sum(other.question is not None for other in self.bots.thoughts.values())
        try:
            problem = thoughts.put(game, table.state, seat.number, bot, self._dice)
        except Exception:
            error_log.report("bot", "bot can't be asked", game=game.name, bot=type(bot).__name__)
            thought.answered = True
            return
        thought.question = Question(table.id, seat.number, payer, bot.budget, problem)
        answered = partial(_answered, self.bots, seat, thought, self._wake)
        if asked >= MOST_AT_ONCE or not self._thinkers.ask(thought.question, answered):
            thought.answered = True


def _answered(bots: Bots, seat: Seat, thought: Thought, wake: Callable[[], None], answer: Answer) -> None:
    game, bot = bots.table.game, thought.bot
    if answer.outcome == "killed":
        _report(game, bot, "bot's process has ended, and it is relieved", answer)
        bots.relieve(seat, bot, bot.second)
    elif answer.outcome == "failed":
        _report(game, bot, "bot failed", answer)
    if thought.answered or bots.thoughts.get(seat) is not thought:
        return  # the game has moved on
    thought.answered = True
    if answer.outcome == "found":
        try:
            thought.move = game.understand(answer.move)
        except (msgspec.ValidationError, TypeError):
            _report(game, bot, "bot's answer is no move", answer)
    wake()


def _report(game: AnyGame, bot: Bot, what: str, answer: Answer) -> None:
    error_log.report("bot", what, game=game.name, bot=type(bot).__name__, trace=answer.what)


def seen(table: Table, seat: Seat) -> bytes:
    """All that a seat sees and may do, to tell whether that has changed."""
    game, state, number = table.game, table.state, seat.number
    return _encode((game.view(state, number), game.moves(state, number)))
