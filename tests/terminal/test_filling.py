"""A game whose moves are forms, in a real terminal."""

from __future__ import annotations

import random
import re

import pytest

from croupier.kernel import Form, NumberIn, OneOf, SomeOf
from croupier.terminal.choosing import Unclear
from croupier.terminal.filling import Filling
from tests.terminal.person import at_terminal

PROGRAM = """
from croupier.kernel import RandomBot
from croupier.terminal.console import Console
from croupier.terminal.play import play
from tests.pairs import Pairs
play(Pairs(), "Ann", [RandomBot] * 3, Console(0))
"""


def test_a_match_of_two_games_by_what_is_on_the_screen() -> None:
    dice = random.Random(1)
    with at_terminal(program=PROGRAM) as person:
        seen = person.play_out(dice)
        assert "Your move: lay: cards, 3 more" in seen and "Your move: lay: cards, 1 more" in seen
        assert "is not one of these" not in seen
        person.type("")
        dealers = re.findall(r"^. \w+ +(dealer)?.* totals (\d+)$", person.shown, re.MULTILINE)
        assert [dealer for dealer, _ in dealers] == ["", "dealer", "", ""], "the match goes on"
        assert any(total != "0" for _, total in dealers)
        seen += person.play_out(dice)
        for _ in range(2):  # until everybody was the dealer once
            person.type("")
            seen += person.play_out(dice)
        assert "Your move: give: points, a number from 1 to 20" in seen
        person.type("n")
        assert person.code == 0


TRADE = Form("trade", {"seat": OneOf((0, 2)), "cards": SomeOf(("7♣", "7♣", "Q♠"), 1, 3), "price": NumberIn(-5, 99)})
NAMES = ["Ada", "Ben", "Cleo"]


@pytest.mark.parametrize(
    ("lines", "filled"),
    [
        (["c", "qs", "7c", "that is all", "-3"], {"seat": 2, "cards": ["Q♠", "7♣"], "price": -3}),
        (["ada 7c 7c qs 99"], {"seat": 0, "cards": ["7♣", "7♣", "Q♠"], "price": 99}),
    ],
)
def test_what_is_typed(lines: list[str], filled: dict[str, object]) -> None:
    filling = Filling(TRADE, NAMES)
    for line in lines:
        assert filling.filled is None
        filling = filling.answered(line)
    assert filling.filled == {"move": "trade", **filled}


@pytest.mark.parametrize("line", ["ben", "ada kc", "ada 7c 7c qs 100", "ada 7c 7c qs five", "ada 7c 7c qs 1 2"])
def test_what_makes_no_sense(line: str) -> None:
    with pytest.raises(Unclear):
        Filling(TRADE, NAMES).answered(line)


def test_of_many_things_some_are_found_under_one_word() -> None:
    cards = [f"{rank} of {suit}" for rank in ("king", "queen") for suit in map(str, range(15))]
    filling = Filling(Form("take", {"card": OneOf(cards)}))
    assert [choice.text for choice in filling.choices] == ["king", "queen"]
    assert filling.answered("queen").answered("of 3").filled == {"move": "take", "card": "queen of 3"}
