"""Every rule on Coup's page has a test that names it, and the code cites no rule that is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.games import coup

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "games" / "coup.md").read_text()
RULES = re.findall(r"^\| (U\d+) \|", PAGE, re.MULTILINE)
TESTS = "\n".join(file.read_text() for file in sorted(Path(__file__).parent.glob("test_*.py")))
CODE = "\n".join(file.read_text() for file in sorted(Path(coup.__file__).parent.glob("*.py")))


def test_no_rule_is_missing() -> None:
    numbers = [*range(1, 18), *range(20, 39), *range(40, 51), *range(60, 64), 70]
    assert [f"U{number}" for number in numbers] == RULES


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_test(rule: str) -> None:
    assert re.search(rf"^(async )?def test_{rule.lower()}_", TESTS, re.MULTILINE)


def test_the_code_cites_what_the_page_explains() -> None:
    assert set(re.findall(r"\bU\d+\b", CODE)) <= set(RULES)
    decided = set(re.findall(r"\bD\d+\b", PAGE))
    assert set(re.findall(r"\bD\d+\b", CODE)) <= decided


def test_what_is_decided_about_the_rules_has_a_test() -> None:
    decided = set(re.findall(r"\bD\d+\b", PAGE))
    assert decided <= set(re.findall(r"\bD\d+\b", TESTS))
