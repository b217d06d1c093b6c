"""Who plays the games: processes of this machine.

What happens to a worker is the doing of the bot that it was asking. One that crashes it, or does not answer, has lost
that game by name; the worker is started again, and goes on with the next.
"""

from __future__ import annotations

import os
import queue
import select
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol

import msgspec

from croupier.arena.results import Played
from croupier.arena.tournament import Fixture, Tournament
from croupier.arena.watch import SIZE, Watch
from croupier.arena.worker import Answer, forfeited

LOOK = 0.2
"""Seconds between two looks at how long a bot has been asked."""


class CrewFailed(Exception):
    """No game can be played, in a sentence."""


class Crew(Protocol):
    size: int
    """How many games are played at once."""
    ahead: int
    """How many more should be waiting, so that nobody is idle."""

    def submit(self, fixture: Fixture) -> Future[Played]:
        """Have a game played. The answer may be ``CrewFailed``."""

    def close(self) -> None:
        """Whatever is being played is left off."""


class LocalCrew:
    def __init__(self, tournament: Tournament, patience: float, size: int) -> None:
        self.size, self.ahead = size, 16 * size
        self._workers = [Worker(tournament, patience) for _ in range(size)]
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(size)

    def submit(self, fixture: Fixture) -> Future[Played]:
        return self._threads.submit(self._play, fixture)

    def _play(self, fixture: Fixture) -> Played:
        worker = self._idle.get()
        try:
            return worker.play(fixture)
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()
        self._threads.shutdown()


class Worker:
    """A process that plays one game at a time (``worker.py``), as seen by its owner."""

    def __init__(self, tournament: Tournament, patience: float) -> None:
        """``patience``: seconds for an answer, in addition to those that a bot is given to search."""
        self._tournament = tournament
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._changing = threading.Lock()
        with tempfile.TemporaryFile() as file:
            file.truncate(SIZE)
            self._shared = os.dup(file.fileno())
        self._watch = Watch(self._shared)

    def play(self, fixture: Fixture) -> Played:
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.write(msgspec.json.encode(fixture) + b"\n")
            process.stdin.flush()
        while not select.select([process.stdout], [], [], LOOK)[0]:
            if self._watch.waited > self._patience:
                return self._lost(process, fixture, f"it took more than {self._patience:g} s for an answer")
        line = process.stdout.readline()
        if not line:
            return self._lost(process, fixture, None)
        answer = msgspec.json.decode(line, type=Answer)
        if answer.played is None:
            raise CrewFailed(answer.failure)
        return answer.played

    def close(self) -> None:
        """The game that it plays is left off."""
        with self._changing:
            self._closed = True
            if self._process is not None:
                _kill(self._process)

    def _started(self) -> subprocess.Popen[bytes]:
        with self._changing:
            if self._closed:
                raise CrewFailed("the tournament was ended")
            if self._process is None:
                command = [sys.executable, "-m", "croupier.arena.worker", str(self._shared)]
                # The order of a set of texts is another one in every process, unless it is told otherwise: bots would
                # play other moves.
                environment = {**os.environ, "PYTHONHASHSEED": "0"}
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=environment,
                    pass_fds=[self._shared],
                    start_new_session=True,  # Ctrl-C is for us; and programs that it has started end with it
                )
                self._watch.asking(None)
                assert self._process.stdin is not None
                with suppress(BrokenPipeError):
                    self._process.stdin.write(msgspec.json.encode(self._tournament) + b"\n")
            return self._process

    def _lost(self, process: subprocess.Popen[bytes], fixture: Fixture, why: str | None) -> Played:
        """The bot that is being asked has lost: it takes too long, or (None) it has ended the process."""
        seat = self._watch.seat
        with self._changing:
            if why is None and not self._closed:
                why = f"it ended the process with {_ending(process.wait())}"
            _kill(process)
            self._process = None
            if self._closed:
                raise CrewFailed("the tournament was ended")
        if seat is None:
            raise CrewFailed(f"a process that plays games {(why or '').removeprefix('it ')}")
        return forfeited(self._tournament, fixture, self._tournament.lineup(fixture)[seat], why or "")


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with suppress(BrokenPipeError):
        process.stdin.close()  # type: ignore[union-attr]


def _ending(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
