"""A picture of a table in pixels. Pillow brings a font, which has letters but neither suits nor the backs of cards."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from croupier.gym.screen import COLUMNS, FELT, Run, height, runs

WIDE, HIGH = 8, 16
"""Of a character."""
LIKE = str.maketrans({"★": "*", "☾": "C", "▸": ">", "▹": ">", "›": ">", "×": "x", "—": "-", "–": "-"})
"""What comes closest among the letters."""
SHAPES = {
    "♥": (".##.##.", "#######", "#######", ".#####.", "..###..", "...#..."),
    "♦": ("...#...", "..###..", ".#####.", ".#####.", "..###..", "...#..."),
    "♠": ("...#...", "..###..", ".#####.", "#######", "##.#.##", "..###.."),
    "♣": ("..###..", "..###..", "##.#.##", "#######", "##.#.##", "..###.."),
    "●": (".......", "..###..", ".#####.", ".#####.", "..###..", "......."),
}
BACK = "▒"

_font = ImageFont.load_default(12)


def painted(text: str) -> NDArray[np.uint8]:
    """Of what the game shows in a terminal: height, width, and red, green and blue."""
    image = Image.new("RGB", (COLUMNS * WIDE, height(text) * HIGH), FELT)
    draw = ImageDraw.Draw(image)
    for run in runs(text):
        _paint(draw, run)
    return np.asarray(image).copy()


def _paint(draw: Any, run: Run) -> None:
    x, y = run.column * WIDE, run.line * HIGH
    if run.background is not None:
        draw.rectangle((x, y + 1, x + len(run.text) * WIDE - 1, y + HIGH - 2), fill=run.background)
    for place, letter in enumerate(_plain(run.text)):
        left = x + place * WIDE
        if letter == BACK:
            draw.rectangle((left, y + 2, left + WIDE - 1, y + HIGH - 3), fill=run.colour)
        elif letter in SHAPES:
            points = [
                (left + across, y + 5 + down)
                for down, row in enumerate(SHAPES[letter])
                for across, dot in enumerate(row)
                if dot == "#"
            ]
            draw.point(points, fill=run.colour)
        elif letter != " ":
            draw.text((left + WIDE / 2, y + HIGH - 4), letter, fill=run.colour, font=_font, anchor="ms")


def _plain(text: str) -> str:
    """As the font has it, without accents."""
    return "".join(unicodedata.normalize("NFD", letter)[0] for letter in text.translate(LIKE))
