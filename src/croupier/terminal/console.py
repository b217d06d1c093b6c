"""The terminal itself: what is said and asked there."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Sequence

import click
from click import unstyle

try:
    import termios
except ImportError:  # not made for this system
    termios = None  # type: ignore[assignment]

from croupier.kernel.ink import quiet
from croupier.terminal.choosing import Choice

WIDEST = 100
"""Longer lines are hard to read, however wide the terminal is."""


def colours() -> bool | None:
    """False for people who want none (see no-color.org); None: wherever a terminal can show them."""
    return False if os.environ.get("NO_COLOR") else None


class Console:
    def __init__(self, pace: float) -> None:
        self.live = sys.stdin.isatty() and sys.stdout.isatty()
        """Whether somebody looks at a screen; otherwise it is a pipe, and nobody has to be waited for."""
        self.pace = pace if self.live else 0.0
        """Seconds between two things that happen."""
        self._color = colours()

    @property
    def width(self) -> int:
        return min(shutil.get_terminal_size().columns, WIDEST)

    def say(self, text: str = "") -> None:
        click.echo(text, color=self._color)

    def tell(self, text: str, hurry: bool = False) -> None:
        """Something has happened: in its own time, and not over the edge."""
        self.say(textwrap.fill(text, self.width - 1, initial_indent="  ", subsequent_indent="    "))
        if not hurry:
            time.sleep(self.pace)

    def explain(self, text: str) -> None:
        self.say(textwrap.fill(text, self.width - 1))

    def headline(self, text: str) -> None:
        self.say("\n" + click.style(f"── {text} ".ljust(self.width - 1, "─"), fg="cyan"))

    def ask(self, prompt: str, fresh: bool = False) -> str:
        """What is typed; where it has to be ``fresh``, nothing counts that was typed before it was asked."""
        if fresh and self.live and termios is not None:
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
        return input(prompt).strip()

    def agrees(self, question: str, otherwise: bool) -> bool:
        """Yes or no; Enter means ``otherwise``."""
        while True:
            answer = self.ask(f"{question} [{'Y/n' if otherwise else 'y/N'}] ").lower()
            if not answer:
                return otherwise
            if answer in ("y", "yes", "n", "no"):
                return answer[0] == "y"
            self.say("Please answer y for yes or n for no.")

    def clear(self) -> None:
        """Nothing of what was on the screen can be read again, not even by scrolling back."""
        if self.live:
            self.say("\x1b[2J\x1b[3J\x1b[H" if self._color is None else "\n" * shutil.get_terminal_size().lines)

    def page(self, text: str) -> None:
        """A long text, a screen at a time."""
        if self.live and text.count("\n") >= shutil.get_terminal_size().lines - 1:
            click.echo_via_pager(text if self._color is None else unstyle(text), color=self._color)
        else:
            self.say(text)

    def menu(self, choices: Sequence[Choice]) -> None:
        """Side by side as far as they fit; those that explain themselves, one below the other."""
        keys = max(len(choice.key) for choice in choices)
        if any(choice.why for choice in choices):
            for choice in choices:
                self._explained(choice, keys)
            return
        widest = max(len(unstyle(choice.text)) for choice in choices) + keys + 4
        columns = max(1, (self.width - 2) // widest)
        rows = -(-len(choices) // columns)
        for row in range(rows):
            line = choices[row * columns : (row + 1) * columns]
            self.say("  " + "".join(self._option(choice, keys, widest) for choice in line).rstrip())

    def _option(self, choice: Choice, keys: int, width: int) -> str:
        key = click.style(choice.key.rjust(keys), bold=True, fg="green")
        return f"{key}  {choice.text}" + " " * (width - keys - 2 - len(unstyle(choice.text)))

    def _explained(self, choice: Choice, keys: int) -> None:
        head = self._option(choice, keys, 0)
        taken = 2 + len(unstyle(head)) + 3
        if not choice.why or self.width - taken < 20:
            self.say(f"  {head}")
            return
        first, *rest = textwrap.wrap(choice.why, self.width - 1 - taken)
        self.say(f"  {head} {quiet(f'— {first}')}")
        for line in textwrap.wrap(" ".join(rest), self.width - 5 - keys):
            self.say(" " * (keys + 4) + quiet(line))
