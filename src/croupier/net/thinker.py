"""A process beside the server that thinks for bots, or about games that are over: ``python -m croupier.net.thinker``.

It is told on its standard input what to think about, one thing at a time, and answers on its standard output. An empty
message means that nobody waits for the answer any more; and the end of the input, that there is no server any more:
then it ends, whatever it is thinking about.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Mapping
from queue import SimpleQueue
from time import process_time
from types import FrameType

import msgspec

from croupier.kernel import Advice, Budget
from croupier.kernel.chance import QuickDice
from croupier.logs import trace
from croupier.net.pipes import Ended, framed, received
from croupier.tables.table import AnyGame
from croupier.tables.thoughts import Answer, Problem

_NICENESS = 15
"""Thinkers have what the server and its other worker leave of the processors; who thinks about games that are over has
what is left by those (``net.thinking`` says so to them)."""


class Task(msgspec.Struct, frozen=True):
    """What a thinker is told."""

    problem: bytes
    budget: Budget


class _Cancelled(BaseException):
    """Not an ``Exception``: a bot that catches those must not catch this."""


class Desk:
    """Where tasks come in while one is being worked on."""

    def __init__(self) -> None:
        self._messages: SimpleQueue[bytes] = SimpleQueue()
        self._received = self._taken = self._cancelled = 0
        """The numbers of messages: the last that has come, that is worked on, that nobody waits for any more."""
        self._thinking = False
        signal.signal(signal.SIGUSR1, self._interrupt)
        threading.Thread(target=self._receive, daemon=True).start()

    def next(self) -> bytes:
        self._taken += 1
        return self._messages.get()

    def _receive(self) -> None:
        try:
            while True:
                if message := received(0):
                    self._received += 1
                    self._messages.put(message)
                else:
                    self._cancelled = self._received
                    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
        except Ended:
            os._exit(0)  # the main thread may never come to an end by itself

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._thinking and self._cancelled >= self._taken:
            self._thinking = False
            raise _Cancelled

    def think(self, games: Mapping[str, AnyGame], task: Task) -> Answer:
        begun = process_time()
        try:
            answer = self._think(games, task)
        except _Cancelled:
            answer = Answer("given up")
        return msgspec.structs.replace(answer, seconds=process_time() - begun)

    def _think(self, games: Mapping[str, AnyGame], task: Task) -> Answer:
        self._thinking = True
        try:
            if self._cancelled >= self._taken:
                raise _Cancelled
            problem = pickle.loads(task.problem)
            if not isinstance(problem, Problem):
                return Answer("found", solved=msgspec.to_builtins(problem.solved(games, task.budget)))
            return solve(games, problem, task.budget)
        except Exception as error:
            return Answer("failed", what=trace((type(error), error, error.__traceback__)))
        finally:
            self._thinking = False


def solve(games: Mapping[str, AnyGame], problem: Problem, budget: Budget) -> Answer:
    bot, about = problem.bot, (games[problem.game].by_rules(problem.rules), problem.world, problem.seat, problem.moves)
    dice = QuickDice(problem.seed)
    found = bot.advise(*about, dice, budget) if problem.advises else Advice(bot.search(*about, dice, budget))
    return Answer("found", msgspec.to_builtins(found.move), msgspec.to_builtins(found.weighed))


def main() -> None:
    os.nice(_NICENESS)
    if len(sys.argv) > 1:
        os.nice(int(sys.argv[1]))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed is no answer
    desk = Desk()
    kinds: Mapping[str, type[AnyGame]] = pickle.loads(desk.next())
    games = {name: game() for name, game in kinds.items()}
    while True:
        answer = desk.think(games, msgspec.msgpack.decode(desk.next(), type=Task))
        answers.write(framed(msgspec.msgpack.encode(answer)))
        answers.flush()


if __name__ == "__main__":
    main()
