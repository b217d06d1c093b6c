"""Somebody at a terminal: a real process behind a pseudo-terminal, its screen read and its keys pressed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import random
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 60
COLUMNS = 80
PROMPT = re.compile(r"(› |: |\] )$")
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def _running(pid: int) -> bool:
    """Whether it has anything to do but wait."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("R")


class Person:
    def __init__(self, pid: int, terminal: int) -> None:
        self._pid = pid
        self._terminal = terminal
        self.raw = ""
        """Everything that was ever written."""
        self.shown = ""
        """What was written since the last line that was typed, without colours."""
        self.code: int | None = None
        """How the process has ended."""

    def read(self) -> str:
        """What is on the screen when the program waits for us, or is over."""
        while self.code is None and not (PROMPT.search(self.shown) and self._waits()):
            assert self._hear(PATIENCE), f"nothing happens after: {self.shown[-500:]}"
        return self.shown

    def _waits(self) -> bool:
        """Whether the program has nothing more to say: what looks like a prompt may be the middle of a sentence."""
        while _running(self._pid):
            time.sleep(0.001)
        ready, _, _ = select.select([self._terminal], [], [], 0)
        return not ready

    def _hear(self, patience: float) -> bool:
        """Whether the program has written something meanwhile, or come to its end."""
        ready, _, _ = select.select([self._terminal], [], [], patience)
        if not ready:
            return False
        try:
            data = os.read(self._terminal, 65536)
        except OSError:  # Linux says so when the other side is closed
            data = b""
        if not data:
            self.code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
            return True
        while True:  # to the end of the last character
            with contextlib.suppress(UnicodeDecodeError):
                text = data.decode()
                break
            data += os.read(self._terminal, 1)
        self.raw += text
        self.shown = CONTROL.sub("", self.shown + text).replace("\r", "")
        return True

    def insist(self, key: str) -> None:
        """Press it until the program is over: Python does not hear a Ctrl-C between its prompt and its reading."""
        self.press(key)
        for _ in range(PATIENCE):
            while self.code is None and self._hear(1):
                pass
            if self.code is not None:
                return
            os.write(self._terminal, key.encode())

    def press(self, keys: str) -> None:
        """As they are, without an Enter."""
        self.read()
        self.shown = ""
        os.write(self._terminal, keys.encode())

    def type(self, line: str) -> str:
        """A line, and what is on the screen then."""
        self.press(f"{line}\n")
        return self.read()

    def keys(self) -> list[str]:
        """Those of the choices on the screen."""
        menu = self.read().rpartition("\n\n")[2]
        return [found.strip() for found in re.findall(r"(?:^|  ) *(?:\d+|[a-z])  (?=\s*\S)", menu, re.MULTILINE)]

    def play_out(self, dice: random.Random) -> str:
        """Press anything that is offered, until the game is over; all that was on the screen."""
        screens = [self.read()]
        while not screens[-1].endswith("Play again? [Y/n] "):
            assert self.code is None, screens[-1][-500:]
            screen = screens[-1]
            if screen.endswith("Enter to go on: ") or "Enter to do it:" in screen:
                answer = ""
            else:
                answer = dice.choice(self.keys())
                if "\nEnter to go on, or" in screen and dice.random() < 0.8:
                    answer = ""
            screens.append(self.type(answer))
        return "".join(screens)


@contextlib.contextmanager
def at_terminal(
    *arguments: str, program: str = "", python: str | Path = sys.executable, folder: Path = ROOT, **env: str
) -> Iterator[Person]:
    """``croupier`` with these arguments, or another program of Python, in a terminal of 80 columns. ``python``: whose
    packages."""
    command = [str(python), *(["-c", program] if program else ["-m", "croupier.cli"]), *arguments]
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execve(python, command, {**os.environ, "TERM": "xterm-256color", "PAGER": "cat", **env})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, COLUMNS, 0, 0))
    person = Person(pid, terminal)
    try:
        yield person
    finally:
        if person.code is None:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        os.close(terminal)
