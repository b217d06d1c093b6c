"""Processes beside the server in which bots look ahead (``net.thinker``).

They are started when there is something to think about, and go when there has been nothing for a while. Questions wait
in turn: first the addresses whose tables they come from, and then the tables of one address. Where more is asked than
there are processors for, everybody has less time, and a little later there is no answer at all: then bots move without
one, since a game must not wait.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping

import msgspec

from croupier.kernel import Budget
from croupier.net import thinker
from croupier.net.pipes import HEAD, framed
from croupier.net.thinker import Task
from croupier.tables import error_log
from croupier.tables.table import AnyGame
from croupier.tables.thoughts import Answer, Question

PER_ADDRESS = 64
"""Questions of one address that may wait."""
IN_ALL = 256
LEAST = 0.1
"""Of its time, that every thought has, however many wait."""
LONGEST = 30.0
"""Seconds on the clock after which nobody can be waiting for an answer."""
STUBBORN = 5.0
"""Seconds that a thinker has to stop when it is told to."""
BEHIND = "4"
"""How much nicer those are to all others whom no game waits for."""
ANALYSTS = 2
"""Processes that think about games that are over, at most: nobody needs to know that so soon."""
IDLE = 60.0
"""Seconds without a question after which the processes may go."""


def processors() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pool_size(wanted: int | None, nodes: int) -> int:
    """How many processes think for a node, of so many on this machine: the processors that are left over."""
    return max(1, processors() // nodes - 1) if wanted is None else wanted


def analysts_size(nodes: int) -> int:
    """How many think about games that are over: they have only what others leave of the processors."""
    return max(1, min(ANALYSTS, processors() // nodes))


class _Asked:
    """A question that waits for its turn, or is being thought about."""

    def __init__(self, question: Question, answered: Callable[[Answer], None]) -> None:
        self.question = question
        self.answered = answered
        self.thinker: _Thinker | None = None


class _Thinker:
    """One process, started when it is needed, and again whenever it has gone."""

    def __init__(self, games: bytes, patient: bool) -> None:
        self._games = games
        self._patient = patient
        self._process: Process | None = None
        self._patience: asyncio.TimerHandle | None = None
        """How long it is waited for, when nobody waits for its answer."""
        self.last: tuple[str, int] | None = None
        """The table and seat it thought for: what it has not forgotten may be of use there."""

    @property
    def started(self) -> bool:
        return self._process is not None

    async def think(self, task: Task) -> Answer:
        too_long = asyncio.get_running_loop().call_later(LONGEST, self.interrupt)
        try:
            if self._process is None:
                await self._start()
            assert self._process is not None and self._process.stdout is not None
            if self._patience is not None:
                return Answer("given up")
            self._send(msgspec.msgpack.encode(task))
            head = await self._process.stdout.readexactly(HEAD)
            answer = await self._process.stdout.readexactly(int.from_bytes(head, "big"))
            return msgspec.msgpack.decode(answer, type=Answer)
        except BaseException:
            await self.end()
            raise
        finally:
            too_long.cancel()
            if self._patience is not None:
                self._patience.cancel()
                self._patience = None

    async def _start(self) -> None:
        # In a session of its own: Ctrl-C is for the server, which ends its processes itself. Should the server be
        # killed, they see the end of their input.
        command = [sys.executable, "-m", thinker.__name__, *([BEHIND] if self._patient else [])]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=env, start_new_session=True
        )
        self._send(self._games)

    def _send(self, message: bytes) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(framed(message))

    def interrupt(self) -> None:
        """Nobody waits for what it is thinking about. Should it not listen, it is killed."""
        if self._patience is None:
            if self._process is not None:
                self._send(b"")
            self._patience = asyncio.get_running_loop().call_later(STUBBORN, self._kill)

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
        if process is not None:
            await process.wait()


class ThinkingPool:
    def __init__(self, games: Mapping[str, type[AnyGame]], size: int, patient: bool = False) -> None:
        """``games``: by their names. (The rules are code, and code does not travel: only what it is called.)
        ``patient``: nobody's game waits for these, and so they come after all others."""
        self._patient = patient
        self._games = games
        self.size = size
        self._thinkers: list[_Thinker] = []
        self._free: list[_Thinker] = []
        self._asked: dict[Question, _Asked] = {}
        self._queues: OrderedDict[str, OrderedDict[str, deque[_Asked]]] = OrderedDict()
        """By address and table; whose turn it is comes first."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._endings: set[asyncio.Task[None]] = set()
        """Of processes that are not needed any more."""
        self._idle_timer: asyncio.TimerHandle | None = None
        self._closed = False
        self.questions = 0
        """Since the start, as all that follows."""
        self.fallbacks = 0
        self.killed = 0
        """Processes that have ended while they were thinking."""
        self.seconds = 0.0
        """Of processors, for what has been answered or given up."""

    @property
    def thinking(self) -> int:
        return len(self._asked) - self.waiting

    @property
    def waiting(self) -> int:
        return sum(len(queue) for tables in self._queues.values() for queue in tables.values())

    @property
    def processes(self) -> int:
        return sum(each.started for each in self._thinkers)

    def ask(self, question: Question, answered: Callable[[Answer], None]) -> bool:
        waiting = sum(map(len, self._queues.get(question.payer, OrderedDict()).values()))
        if self._closed or waiting >= PER_ADDRESS or len(self._asked) >= IN_ALL:
            return False
        asked = self._asked[question] = _Asked(question, answered)
        self.questions += 1
        queues = self._queues.setdefault(question.payer, OrderedDict())
        queues.setdefault(question.table, deque()).append(asked)
        self._go_on()
        return True

    def cancel(self, question: Question) -> None:
        asked = self._asked.get(question)
        if asked is None:
            return
        if asked.thinker is not None:
            asked.thinker.interrupt()
        else:
            del self._asked[question]
            tables = self._queues[question.payer]
            tables[question.table].remove(asked)
            self._tidy(question.payer, question.table)

    def _next(self) -> _Asked:
        payer, tables = next(iter(self._queues.items()))
        table, queue = next(iter(tables.items()))
        asked = queue.popleft()
        self._queues.move_to_end(payer)  # and it is the others' turn
        tables.move_to_end(table)
        self._tidy(payer, table)
        return asked

    def _tidy(self, payer: str, table: str) -> None:
        tables = self._queues[payer]
        if not tables[table]:
            del tables[table]
        if not tables:
            del self._queues[payer]

    def _go_on(self) -> None:
        """Have thought about what can be."""
        while self._queues and (self._free or len(self._thinkers) < self.size):
            budget_share = max(LEAST, min(1.0, self.size / len(self._asked)))
            asked = self._next()
            asked.thinker = self._thinker_for(asked.question)
            task = asyncio.ensure_future(self._think(asked, asked.thinker, budget_share))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None
        if not self._asked and not self._closed:
            self._idle_timer = asyncio.get_running_loop().call_later(IDLE, self._rest)

    def _thinker_for(self, question: Question) -> _Thinker:
        subject = (question.table, question.seat)
        if not self._free:
            self._thinkers.append(_Thinker(pickle.dumps(self._games), self._patient))
            self._free.append(self._thinkers[-1])
        chosen = next((each for each in self._free if each.last == subject), self._free[-1])
        self._free.remove(chosen)
        chosen.last = subject
        return chosen

    async def _think(self, asked: _Asked, chosen: _Thinker, share: float) -> None:
        question = asked.question
        seconds, nodes = question.budget
        try:
            task = Task(question.problem, Budget(seconds and seconds * share, nodes))
            answer = await chosen.think(task)
        except EOFError:
            self.killed += 1
            answer = Answer("killed")
        except Exception as error:
            answer = Answer("failed", what=str(error))
        self._free.append(chosen)
        del self._asked[question]
        self.seconds += answer.seconds
        if self._closed:
            return
        try:
            asked.answered(answer)
        except Exception:
            error_log.report("server", "a bot's answer could not be heard", table=question.table)
        self._go_on()

    def _rest(self) -> None:
        """Nobody has asked anything for a while."""
        self._idle_timer = None
        for each in self._free:
            task = asyncio.ensure_future(each.end())
            self._endings.add(task)
            task.add_done_callback(self._endings.discard)
        self._thinkers, self._free = [], []

    async def close(self) -> None:
        self._closed = True
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        for task in self._tasks:
            task.cancel()
        endings = [*self._endings, *(each.end() for each in self._thinkers)]
        await asyncio.gather(*self._tasks, *endings, return_exceptions=True)
