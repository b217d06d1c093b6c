"""Bots in any language: a program that is asked by lines of JSON on its standard input, and answers on its output.

docs/bots.md has the protocol. What a program writes to its standard error is for people, and goes where ours goes.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import msgspec

from croupier.foreign_bots.failing import BotFailed
from croupier.kernel import Bot, Dice, Event

PATIENCE = 2.0
"""Seconds for a program to end when nothing more is asked of it."""


class Program:
    """A program that is running."""

    def __init__(self, process: subprocess.Popen[bytes], interjects: bool) -> None:
        self._process = process
        self.interjects = interjects

    def bot(self) -> Bot:
        return _Voice(self)

    def ask(self, question: dict[str, Any]) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(msgspec.json.encode(question) + b"\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise BotFailed(f"the program ended with exit code {self._process.wait()}, and was to answer")
        try:
            return msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise BotFailed(f"the program answered {_shown(line)}, which is not JSON") from None


class _Voice(Bot):
    """A program as a bot, in one game."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._new = True
        self._events: list[Event] = []

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        self._events += events

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        return self._ask("move", seat, view, moves)

    def interject(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        return self._ask("interject", seat, view, moves) if self._program.interjects else None

    def _ask(self, kind: str, seat: int, view: Any, moves: Sequence[Any]) -> Any:
        asked = {"type": kind, "new": self._new, "seat": seat, "view": view, "moves": moves, "events": self._events}
        self._new, self._events = False, []
        answer = self._program.ask(asked)
        if type(answer) is not int:
            return answer
        if not 0 <= answer < len(moves):
            raise BotFailed(f"the program chose move {answer}, and there are the moves 0 to {len(moves) - 1}")
        return moves[answer]


@contextmanager
def running(command: Sequence[str], interjects: bool) -> Iterator[Program]:
    """Raises ``OSError`` if it can't be started."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield Program(process, interjects)
        finally:
            with suppress(BrokenPipeError):
                process.stdin.close()  # type: ignore[union-attr]
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
