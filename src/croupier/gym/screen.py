"""What a game shows in a terminal, taken apart so that it can be drawn elsewhere: a picture of any game there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

COLUMNS, LINES = 80, 24
"""Of a terminal. There may be more lines where more is to be seen."""

FELT, INK, FAINT = "#1f4a36", "#e8efe9", "#9db3a5"
COLOURS = ("#1b1f1d", "#c0392b", "#4caf6e", "#e0c341", "#6f9bea", "#b07cc6", "#4fb3bf", "#d5dae0")
"""Black, red, green, yellow, blue, magenta, cyan and white, as escape sequences number them."""
BRIGHT = ("#616e7c", "#e74c3c", "#7bd389", "#f4d35e", "#9dbcf5", "#d3a4e3", "#7fd6de", "#ffffff")

_ESCAPE = re.compile(r"\x1b\[([\d;]*)m")


class Run(NamedTuple):
    """Characters side by side that look the same."""

    line: int
    column: int
    text: str
    colour: str = INK
    background: str | None = None
    bold: bool = False


def height(text: str) -> int:
    """In lines."""
    return max(LINES, text.count("\n") + 1)


def runs(text: str) -> Iterator[Run]:
    """The text in pieces, with what ``click.style`` has said of each.

    >>> [(run.column, run.text, run.colour, run.bold) for run in runs("a \\x1b[31m\\x1b[1mK♥\\x1b[0m")]
    [(0, 'a ', '#e8efe9', False), (2, 'K♥', '#c0392b', True)]
    """
    for number, line in enumerate(text.split("\n")):
        column, look = 0, Run(number, 0, "")
        for piece, code in _pieces(line):
            if piece:
                yield look._replace(column=column, text=piece)
                column += len(piece)
            look = _changed(look, code)


def _pieces(line: str) -> Iterator[tuple[str, str]]:
    """Each text, and the code after it."""
    texts = _ESCAPE.split(line)
    return zip(texts[::2], [*texts[1::2], "0"], strict=True)


def _changed(look: Run, codes: str) -> Run:
    for code in map(int, codes.split(";")):
        match code // 10, code % 10:
            case 0, 0:
                look = Run(look.line, 0, "")
            case 0, 1:
                look = look._replace(bold=True)
            case 0, 2:
                look = look._replace(colour=FAINT)
            case 3, colour if colour < len(COLOURS):
                look = look._replace(colour=COLOURS[colour])
            case 9, colour if colour < len(BRIGHT):
                look = look._replace(colour=BRIGHT[colour])
            case 4, colour if colour < len(COLOURS):
                look = look._replace(background=COLOURS[colour])
            case 10, colour if colour < len(BRIGHT):
                look = look._replace(background=BRIGHT[colour])
    return look
