"""docs/gym.md: its examples are run, and its tables are those of the encodings."""

from __future__ import annotations

import doctest
import os
import re
from pathlib import Path

from croupier import gym
from croupier.games import catalogue
from tests.gym.games import seats_of
from tests.toys import Bids

PAGE = Path(__file__).parents[2] / "docs" / "gym.md"
MARKS = re.compile(r"(<!-- numbers: .+? -->\n)(.*)(<!-- end of the numbers -->\n)", re.DOTALL)


def test_its_examples() -> None:
    """One after the other, as somebody would type them in."""
    examples = "".join(re.findall(r"^```pycon\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "gym.md", str(PAGE), 0)
    assert len(test.examples) > 15
    assert doctest.DocTestRunner().run(test).failed == 0


def test_its_tables() -> None:
    games = [*catalogue().games.values(), Bids()]
    titles = [game.title if game.encoding else "Any game without numbers of its own" for game in games]
    tables = [f"### {title}\n\n{gym.describe(game, seats_of(game))}" for title, game in zip(titles, games, strict=True)]
    text, numbers = PAGE.read_text(), "\n" + "\n".join(tables) + "\n"
    if os.environ.get("CROUPIER_REWRITE"):
        PAGE.write_text(MARKS.sub(lambda found: found[1] + numbers + found[3], text))
    else:
        (found,) = MARKS.finditer(text)
        assert found[2] == numbers
