"""One game among bots, from the deal to its result, by the kernel alone.

Nobody is in a hurry: time passes only where nobody has anything to say. What would be a race at a table is settled by
lot, since the arena measures how well bots think and not how soon they answer.
"""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import msgspec

from croupier.arena.tournament import AnyGame
from croupier.foreign_bots.failing import BotFailed
from croupier.kernel import Bot, Chance, Event, Move, Result
from croupier.kernel.bot import Budget, Searcher
from croupier.kernel.chance import QuickDice

LONGEST = 20_000
"""Steps after which a game is left off."""
_due = attrgetter("due")


class GameFailed(Exception):
    """The game itself can't go on, in a sentence."""


class Lost(Exception):
    """A bot has failed, and with it lost."""

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(why)
        self.seat = seat
        self.why = why


class Spent(NamedTuple):
    """What a seat has done and used."""

    moves: int = 0
    seconds: float = 0.0
    """Of the processor, in this process."""


class Contest:
    """A game that is being played."""

    def __init__(
        self,
        game: AnyGame,
        options: Any,
        seed: bytes,
        bots: Sequence[Bot],
        budget: Budget | None = None,
        asking: Callable[[int | None], None] = lambda seat: None,
    ) -> None:
        """``asking`` is told whose bot is being asked, and when it has answered (None)."""
        self._game = game
        self._bots = bots
        self._budget = budget
        self._asking = asking
        self._at = 0
        # Each seat has dice of its own: how often one bot throws them makes no difference to another.
        self._dice = [_dice(seed, f"seat {seat}") for seat in range(len(bots))]
        self._lot = _dice(seed, "lot")
        self._observers = [seat for seat, bot in enumerate(bots) if type(bot).observe is not Bot.observe]
        self._interjectors = [seat for seat, bot in enumerate(bots) if type(bot).interject is not Bot.interject]
        self.spent = [Spent() for _ in bots]
        self.state = game.deal(options, len(bots), Chance(seed), self._at)

    def play(self) -> Result | None:
        """To its end; None when it does not come to one. Raises ``Lost`` and ``GameFailed``."""
        game, state = self._game, self.state
        for _ in range(LONGEST):
            awaited = game.awaited(state)
            if not awaited and (result := game.result(state)) is not None:
                return result
            step = self._interjection(awaited)
            if step is None and awaited:
                seat = awaited[0] if len(awaited) == 1 else self._lot.choice(awaited)
                step = seat, self._choice(seat)
            if step is not None:
                events = self._played(*step)
            elif clocks := game.clocks(state):
                clock = min(clocks, key=_due)
                self._at = max(self._at, clock.due)
                events = game.expire(state, clock.name, self._at)
            else:
                raise GameFailed("nobody has a move, no clock runs, and there is no result")
            for seat in self._observers:
                seen = [view for event in events if (view := event.seen_by(seat)) is not None]
                if seen:
                    self._asked(seat, self._bots[seat].observe, seat, seen)
        return None

    def _played(self, seat: int, move: Move) -> Sequence[Event]:
        spent = self.spent[seat]
        self.spent[seat] = spent._replace(moves=spent.moves + 1)
        return self._game.play(self.state, seat, move, self._at)

    def _interjection(self, awaited: Sequence[int]) -> tuple[int, Move] | None:
        """What somebody does whom nobody waits for. All are asked once after everything that happens."""
        seats = [seat for seat in self._interjectors if seat not in awaited]
        if len(seats) > 1:
            self._lot.shuffle(seats, "seats")
        for seat in seats:
            dice = self._dice[seat]
            moves = self._game.candidates(self.state, seat, dice)
            if moves:
                view = self._game.view(self.state, seat)
                move = self._asked(seat, self._bots[seat].interject, seat, view, moves, dice)
                if move is not None:
                    return seat, self._offered(seat, move, moves)
        return None

    def _choice(self, seat: int) -> Move:
        game, bot, dice = self._game, self._bots[seat], self._dice[seat]
        moves = game.candidates(self.state, seat, dice)
        if isinstance(bot, Searcher):
            # Never the state itself: what a seat can't know isn't there to be found out.
            world = game.imagine(self.state, seat, dice)
            move = self._asked(seat, bot.search, game, world, seat, moves, dice, self._budget or bot.budget)
        else:
            move = self._asked(seat, bot.choose, seat, game.view(self.state, seat), moves, dice)
        return self._offered(seat, move, moves)

    def _asked(self, seat: int, question: Callable[..., Any], *arguments: Any) -> Any:
        self._asking(seat)
        begun = process_time()
        try:
            return question(*arguments)
        except BotFailed as failure:
            raise Lost(seat, str(failure)) from None
        except (Exception, SystemExit) as error:
            raise Lost(seat, told(error)) from error
        finally:
            self._asking(None)
            moves, seconds = self.spent[seat]
            self.spent[seat] = Spent(moves, seconds + process_time() - begun)

    def _offered(self, seat: int, move: Any, moves: Sequence[Move]) -> Move:
        if move is None:
            raise Lost(seat, "it chose no move")
        chosen: Any = self._understood(move)
        if not (chosen in moves or (isinstance(chosen, Move) and self._game.offers(self.state, seat, chosen))):
            raise Lost(seat, f"it chose a move that it was not offered: {_line(move)}")
        found: Move = chosen
        return found

    def _understood(self, move: Any) -> Any:
        """Programs may answer with a move as JSON has it."""
        if isinstance(move, dict):
            with suppress(msgspec.ValidationError):
                return self._game.understand(move)
        return move


def told(error: BaseException) -> str:
    """An error in one line, and where it was."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    said = f"{type(error).__name__}: {error}".strip().removesuffix(":")
    return f"{_line(said)} ({Path(where.filename).name}, line {where.lineno})"


def _line(what: object) -> str:
    text = " ".join(str(what).split())
    return text if len(text) <= 200 else f"{text[:200]}…"


def _dice(seed: bytes, whose: str) -> QuickDice:
    return QuickDice(int.from_bytes(hashlib.sha256(seed + whose.encode()).digest()))
