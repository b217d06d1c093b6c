"""What bots that look ahead are asked, and what comes of it.

They think in processes beside the server, of which a table knows no more than how to ask, and how to say that nobody
waits any more. What they are asked is made of a world that their seat imagines: the real one never leaves the table.
Their answer is what a person's would be, a move that is made if the game still waits for it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from croupier.kernel import Budget, Dice, Searcher
from croupier.tables.table import AnyGame
from croupier.tables.wall_clock import ms

LATE = 2_000
"""Milliseconds after which nobody waits any longer for a thought that should have come to an end: there may be more to
think about than there are processors."""
USUALLY = 1.0
"""Seconds that a bot takes whose budget says nothing of time."""


class Problem(NamedTuple):
    """What there is to think about, as it is sent: all that a bot is told."""

    game: str
    rules: int
    world: Any
    seat: int
    moves: list[Any]
    bot: Searcher
    seed: int
    """Of the dice it may use."""
    advises: bool = False
    """A person has asked what it would do."""


class Question(msgspec.Struct, frozen=True, eq=False):
    table: str
    seat: int
    payer: str
    """On whose behalf: the address that the table was opened from, or else the table itself."""
    budget: Budget
    problem: bytes


class Answer(msgspec.Struct, frozen=True):
    outcome: Literal["found", "given up", "failed", "killed"]
    """Killed: its process has come to an end, or had to be brought to one."""
    move: Any = None
    """As JSON would say it."""
    weighed: Sequence[tuple[Any, float | None, float | None]] = ()
    """What it makes of the best moves, where a person has asked."""
    solved: Any = None
    """What came of a problem of another kind, which says itself how it is solved."""
    what: str = ""
    """What went wrong, for the log."""
    seconds: float = 0.0
    """Of a processor."""


class Thinkers(Protocol):
    """Who thinks."""

    fallbacks: int
    """How often somebody else had to move, since there was no answer."""

    def ask(self, question: Question, answered: Callable[[Answer], None]) -> bool:
        """Think about this, and tell when it is done. False: there is too much to think about already."""

    def cancel(self, question: Question) -> None:
        """Nobody waits for the answer."""


def put(game: AnyGame, state: Any, seat: int, bot: Searcher, dice: Dice, advises: bool = False) -> bytes:
    """The question as it is sent. Of the real state it holds nothing but what the seat can know: the world is one that
    it could not tell from the real one, and the moves are those that it has there."""
    world = game.imagine(state, seat, dice)
    moves = list(game.candidates(world, seat, dice))
    return pickle.dumps(Problem(game.name, game.rules, world, seat, moves, bot, dice.below(1 << 48), advises))


class Thought:
    """What a bot thinks about while its move is awaited."""

    __slots__ = ("answered", "asked_at", "bot", "move", "question", "seen", "step", "takes", "thinkers")

    def __init__(self, bot: Searcher, thinkers: Thinkers, seen: bytes, step: int, asked_at: int) -> None:
        self.bot = bot
        self.thinkers = thinkers
        self.seen = seen
        """What its seat saw when it was asked."""
        self.step = step
        """When that was last compared."""
        self.asked_at = asked_at
        seconds = bot.budget.seconds
        self.takes = ms(USUALLY if seconds is None else seconds)
        self.question: Question | None = None
        """None: another node is asking, or there was nothing to ask."""
        self.answered = False
        self.move: Any = None

    def moves_at(self, usual: int, latest: float) -> int:
        """When the bot moves. However soon it has found something it takes the same time, or it would show that there
        was little to find."""
        due = self.asked_at + self.takes + (0 if self.answered else LATE)
        return max(usual, int(min(due, latest)))

    def cancel(self) -> None:
        if self.question is not None and not self.answered:
            self.thinkers.cancel(self.question)
