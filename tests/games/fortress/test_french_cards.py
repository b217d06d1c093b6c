"""The cards in French, as the page shows them: all there, text by text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from croupier.games.fortress import game
from croupier.games.fortress.card_definition import Card
from croupier.games.fortress.cards import CARDS, full_name
from croupier.games.fortress.decks import STARTERS
from croupier.tables import languages

FILE = Path(__file__).parents[3] / "web" / "src" / "games" / "fortress" / "words" / "cards.fr.json"
PRINT = json.loads(FILE.read_text())


@pytest.mark.parametrize("card", CARDS, ids=lambda card: full_name(card.id))
def test_a_card_says_in_french_what_it_does(card: Card) -> None:
    french = PRINT["cards"][str(card.id)]
    assert french["name"]
    assert len(french["texts"]) == len(card.texts)
    for own, text in zip(card.texts, french["texts"], strict=True):
        assert text != own.words
        assert sorted(re.findall(r"\d+", text)) == sorted(re.findall(r"\d+", own.words)), "the same figures"


def test_labels_of_moves_say_the_same() -> None:
    """The server's own words for them; its spaces are narrower."""
    spoken = languages.words("fr", game)
    for card in CARDS:
        french = PRINT["cards"][str(card.id)]
        assert spoken.said(card.name) == french["name"]
        for own, text in zip(card.texts, french["texts"], strict=True):
            assert spoken.said(own.words).replace("\u202f", "\u00a0") == text.replace("\u202f", "\u00a0")
    assert [spoken.said(deck) for deck in STARTERS] == list(PRINT["starters"].values())


def test_what_says_the_same_in_english_does_so_in_french() -> None:
    said: dict[str, str] = {}
    for card in CARDS:
        for own, text in zip(card.texts, PRINT["cards"][str(card.id)]["texts"], strict=True):
            assert said.setdefault(own.words, text) == text


def test_no_card_and_no_deck_is_there_but_those_of_the_rules() -> None:
    assert list(PRINT["cards"]) == [str(card.id) for card in CARDS]
    assert list(PRINT["starters"]) == list(STARTERS)
