"""Fortress's page: its catalogue is that of the cards, every rule on it has a test, and the code cites no other."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.games import fortress
from croupier.games.fortress.card_definition import Card
from croupier.games.fortress.cards import CARDS, full_name

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "games" / "fortress.md").read_text()
PROTOCOL = (ROOT / "docs" / "protocols" / "fortress.md").read_text()
RULES = re.findall(r"^\| (T\d+) \|", PAGE, re.MULTILINE)
DECISIONS = re.findall(r"^\| (D\d+) \|", PAGE, re.MULTILINE)
TESTS = "\n".join(file.read_text() for file in sorted(Path(__file__).parent.glob("test_*.py")))
CODE = "\n".join(file.read_text() for file in sorted(Path(fortress.__file__).parent.rglob("*.py")))


def test_the_catalogue_is_current(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    subprocess.run([sys.executable, "scripts/card_catalogue.py", str(page)], cwd=ROOT, check=True)
    assert page.read_text() == PAGE, "a card has changed: run scripts/card_catalogue.py"


@pytest.mark.parametrize("card", CARDS, ids=lambda card: full_name(card.id))
def test_the_catalogue_says_what_a_card_does(card: Card) -> None:
    (row,) = re.findall(rf"^\| {card.id} \| {re.escape(card.name)} \|.*$", PAGE, re.MULTILINE)
    assert all(text.words in row for text in card.texts)


def test_no_rule_is_missing() -> None:
    assert [f"T{number}" for number in range(1, 112)] == RULES


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_test(rule: str) -> None:
    assert re.search(rf"^def test_{rule.lower()}_", TESTS, re.MULTILINE)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: full_name(card.id))
def test_every_card_has_a_test(card: Card) -> None:
    name = full_name(card.id) if card.name in ("Sacrifice", "Destroy") else card.name
    words = re.sub(r"[^a-z]+", "_", name.lower().replace("'", "").replace("â", "a"))
    assert re.search(rf"^def test_{words}\(", TESTS, re.MULTILINE), words


def test_the_code_cites_what_the_page_explains() -> None:
    assert set(re.findall(r"\bT\d+\b", CODE)) <= set(RULES)
    assert set(re.findall(r"\bD\d+\b", CODE)) <= set(DECISIONS) | set(re.findall(r"\bD\d+\b", PROTOCOL))


@pytest.mark.parametrize("decision", DECISIONS)
def test_what_is_decided_has_a_test(decision: str) -> None:
    cited = set(re.findall(r"\bD\d+\b", TESTS)) | {word.upper() for word in re.findall(r"test_(d\d+)_", TESTS)}
    assert decision in cited
