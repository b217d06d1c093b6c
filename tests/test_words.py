"""What people read is there in every language, whole, and nothing is translated that is never said."""

from __future__ import annotations

import json
import re
from pathlib import Path
from string import Formatter

import pytest

import croupier
from croupier.games import catalogue
from croupier.kernel import ENGLISH, Words
from croupier.laws.translations import KERNEL, check_translations, literals, refused
from croupier.tables import languages

SOURCE = Path(croupier.__file__).parent
GAMES = catalogue().games
RULES = Path(__file__).parents[1] / "docs" / "games"
OTHERS = [language for language in languages.LANGUAGES if language != "en"]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def texts(language: str, folder: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((folder / f"{language}.json").read_bytes())
    return found


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_everything_a_game_says_is_there_in_every_language(name: str, language: str) -> None:
    assert texts(language, SOURCE / "games" / name)
    assert check_translations(GAMES[name]) > 20


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_names_the_same_things(language: str) -> None:
    for text, translation in texts(language, SOURCE / "tables").items():
        assert fields(translation) == fields(text), text
        assert translation.strip(), text


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_kernel_says_for_games_is_there_in_every_language(language: str) -> None:
    assert texts(language, SOURCE / "tables").keys() >= KERNEL


def test_french_has_its_spaces_and_none_of_them_breaks() -> None:
    for path in SOURCE.rglob("fr.json"):
        for said in texts("fr", path.parent).values():
            read = re.sub(r"\[\w+:", "[", said)  # which is never read: whom it speaks to
            assert not re.search("[^\u202f][;:!?»]|«[^\u202f]", read), said
    for path in RULES.glob("*.fr.md"):
        assert not re.search(" [;:!?»]|« ", path.read_text()), path


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_the_rules_are_there_in_every_language(name: str, language: str) -> None:
    """Up to those by number, which programmers need and pages leave out: every part that people read."""
    ours, theirs = ((RULES / page).read_text() for page in (f"{name}.md", f"{name}.{language}.md"))
    assert f"({name}.{language}.md)" in ours
    assert f"({name}.md)" in theirs
    for page in (ours, theirs):
        assert re.search(r"^## (The rules by number|Les règles par numéro)$", page, re.MULTILINE)


@pytest.mark.parametrize("language", OTHERS)
def test_what_tables_refuse_is_there_in_every_language(language: str) -> None:
    known = texts(language, SOURCE / "tables")
    assert {*refused(SOURCE / "tables"), *refused(SOURCE / "net")} - known.keys() == set()
    assert known.keys() - literals(SOURCE) == set(), "these are never said"


def test_words_count_as_their_language_does() -> None:
    french = Words(
        "fr", {"{count} card": "{count} carte", "{count} cards": "{count} cartes"}, languages.LANGUAGES["fr"]
    )
    assert [ENGLISH.some(n, "{count} card", "{count} cards") for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [french.some(n, "{count} card", "{count} cards") for n in (0, 1, 2)] == ["0 carte", "1 carte", "2 cartes"]


def test_what_a_sentence_names_is_said_too() -> None:
    french = Words("fr", {"the card there is {card}": "il y a là : {card}", "Knight": "Chevalier"}, bool)
    assert french.said("the card there is {card}", {"card": "Knight"}) == "il y a là : Chevalier"
    assert ENGLISH.said("the card there is {card}", {"card": "Knight"}) == "the card there is Knight"
    assert french.said("no {such} option") == "no {such} option", "without data, nothing is filled in"


def test_a_language_we_do_not_speak_is_english() -> None:
    assert languages.words("tlh") is ENGLISH
