"""A picture of any game, made of what it shows in a terminal."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
from click import style, unstyle

from croupier import gym
from croupier.gym import pixels, screen, svg

TEXT = "\n".join(
    ["you " + style(" 7♥ ", fg="red", bg="bright_white", bold=True), "  " + style("▒▒", fg="blue") + " <é>"]
)


def test_text_is_taken_apart_and_nothing_gets_lost() -> None:
    lines = [""] * 2
    for run in screen.runs(TEXT):
        assert len(lines[run.line]) == run.column
        lines[run.line] += run.text
    assert "\n".join(lines) == unstyle(TEXT)


def test_a_drawing_has_what_the_text_has() -> None:
    drawn = ElementTree.fromstring(svg.written(TEXT))
    space = "{http://www.w3.org/2000/svg}"
    assert [text.text for text in drawn.iter(f"{space}text")] == ["you ", " 7♥ ", "▒▒", " <é>"]
    (card,) = [text for text in drawn.iter(f"{space}text") if text.text == " 7♥ "]
    assert (card.get("fill"), card.get("font-weight")) == (screen.COLOURS[1], "bold")
    assert [box.get("fill") for box in drawn.iter(f"{space}rect")] == [screen.FELT, screen.BRIGHT[7]]


def colours(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> set[str]:
    return {f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in np.unique(image.reshape(-1, 3), axis=0)}


def test_pixels_show_it_too() -> None:
    image = pixels.painted(TEXT)
    assert image.shape == (screen.LINES * pixels.HIGH, screen.COLUMNS * pixels.WIDE, 3)
    assert {screen.FELT, screen.COLOURS[1], screen.BRIGHT[7], screen.COLOURS[4]} <= colours(image)
    other = pixels.painted(TEXT.replace("♥", "♦"))
    assert (image != other).any()
    assert (pixels.painted("é") == pixels.painted("e")).all()


def test_a_table_with_much_to_see_makes_a_higher_picture() -> None:
    env = gym.env("palace", seats=30, render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape[0] > screen.LINES * pixels.HIGH
