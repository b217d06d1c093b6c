"""Games in a real terminal, played to their ends by somebody who reads the screen."""

from __future__ import annotations

import random
import re

import pytest

from croupier.games import catalogue
from tests.terminal.person import COLUMNS, Person, at_terminal

COLOURED = re.compile(r"\x1b\[[0-9;]*m")


def fast(game: str, *more: str) -> list[str]:
    return ["play", game, "--name", "Ann", "--pace", "0", *more]


def ends_well(person: Person) -> None:
    assert person.read().endswith("Goodbye.\n")
    assert person.code == 0


@pytest.mark.parametrize("game", catalogue().games)
def test_a_whole_game_by_what_is_on_the_screen(game: str) -> None:
    with at_terminal(*fast(game)) as person:
        seen = person.play_out(random.Random(1))
        assert [line for line in seen.splitlines() if len(line) >= COLUMNS] == []
        assert "is not one of these" not in seen, "every key on the screen works"
        assert not re.search(r'[{}"]|\b(?=[a-f]*\d)[0-9a-f]{6,}\b|_', seen), "nothing of what programs say"
        assert "── The end ──" in seen
        assert re.search(r"^  1\. .*\n  2\. ", seen, re.MULTILINE)
        assert person.type("n") == "n\n"
        assert person.code == 0


def test_another_game() -> None:
    with at_terminal(*fast("palace", "--bots", "1")) as person:
        person.play_out(random.Random(1))
        assert "three to lay face up" in person.type("")
        person.play_out(random.Random(2))
        person.type("maybe")
        assert "Please answer y for yes or n for no." in person.shown
        person.type("n")
        assert person.code == 0


def test_three_cards_are_chosen_one_by_one() -> None:
    with at_terminal(*fast("palace")) as person:
        assert person.read().count("\n") < 30
        assert person.keys() == list("123456789")
        person.type("3")
        assert person.keys() == list("12456789"), "the others keep their keys"
        assert "three to lay face up › " in person.shown
        person.type("")
        assert person.keys() == list("123456789"), "Enter begins again"
        shown = person.type("1 5 9")
        assert "Ann lays " in shown or "You lay " in shown


def test_what_makes_no_sense_is_answered_in_a_sentence() -> None:
    with at_terminal(*fast("coup", "--bots", "1")) as person:
        person.read()
        while "income" not in person.shown:
            person.type(person.keys()[0])
        assert "“dance” is not one of these: type a key from the list, or ? for help.\n› " in person.type("dance")
        assert "Nothing can be made of “please” at the end.\n› " in person.type("income please")
        assert "“a” could be “" not in person.type("zzz"), "nothing is guessed"
        assert "takes income" in person.type("inc") or "You take income" in person.shown


def test_help_and_rules() -> None:
    with at_terminal(*fast("fortress")) as person:
        person.read()
        assert "Type the key in front of what you want" in person.type("?")
        assert "Your move: choose a deck" in person.shown, "the question is asked again"
        rules = person.type("r")
        assert "A game for two, also known as Castle Wars." in rules
        assert "Squire – points: 15" in rules
        assert "The rules by number" not in rules
        assert "T1 " not in rules
        about = person.type("r squire")
        assert "· Squire – 15; On play: Add a soldier from your deck to your hand." in " ".join(about.split())
        assert "Windshire" not in about
        assert "The rules say nothing about “dragons”." in person.type("r dragons")


def test_quitting_is_a_question() -> None:
    with at_terminal(*fast("faraway")) as person:
        person.read()
        assert person.type("q").endswith("Quit this game? [y/N] ")
        assert "Your move: play" in person.type("")
        person.type("q")
        person.type("y")
        ends_well(person)


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_without_a_word(key: str) -> None:
    with at_terminal(*fast("palace")) as person:
        person.insist(key)
        ends_well(person)


def test_colours_are_for_those_who_want_them() -> None:
    with at_terminal(*fast("palace")) as person:
        person.read()
        assert COLOURED.search(person.raw)
    with at_terminal(*fast("palace"), NO_COLOR="1") as person:
        person.read()
        assert not COLOURED.search(person.raw)
        assert "three to lay face up" in person.shown


def test_what_has_to_be_remembered_is_not_left_on_the_screen() -> None:
    with at_terminal(*fast("cambia")) as person:
        assert "Remember these" in person.read()
        person.type("")
        screen = re.split(r"\x1b\[2J\x1b\[3J", person.raw)
        assert "Remember these" in screen[-3] + screen[-2]
        assert "Remember these" not in screen[-1]


def test_a_game_that_says_nothing_of_terminals() -> None:
    """Its table is drawn by what the fields of a view are, and its moves have the words that all moves have."""
    program = """if True:
        from croupier.kernel import RandomBot
        from croupier.terminal.console import Console
        from croupier.terminal.play import play
        from tests.toys import Bids
        play(Bids(), "Ann", [RandomBot] * 2, Console(0))
    """
    with at_terminal(program=program) as person:
        assert re.search(r"^  your hand  ( +\d){4}", person.read(), re.MULTILINE)
        assert "Your move: bid" in person.shown
        seen = person.play_out(random.Random(3))
        assert re.search(r"^  Ann +points \d$", seen, re.MULTILINE)
        assert "Ann has bidden." in seen
        assert not re.search(r"[{}\"]", seen)
