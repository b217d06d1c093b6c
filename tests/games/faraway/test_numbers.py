"""Every number has a test that names it: rules, decisions, bad input, what clients rely on, the checklist, the boards.

The pages under ``docs/`` explain each number, and the code cites none that they don't.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.games import faraway
from tests.games.faraway.test_scoring import BOARDS

NUMBERS = {
    "F": [*range(1, 33), *range(40, 51), *range(60, 63)],
    "D": range(1, 51),
    "B": range(1, 45),
    "R": range(1, 25),
    "K": range(1, 13),
    "c": range(1, 68),
}
"""Rules of the game; decisions; bad input; coming and going; what existing clients rely on; the checklist."""
ALL = [f"{kind}{number}" for kind, numbers in NUMBERS.items() for number in numbers]

DOCS = Path(__file__).parents[3] / "docs"
GAME, GAME_IN_FRENCH = ((DOCS / "games" / name).read_text() for name in ("faraway.md", "faraway.fr.md"))
PROTOCOL = (DOCS / "protocols" / "faraway.md").read_text()
CODE = "\n".join(file.read_text() for file in Path(faraway.__file__).parent.rglob("*.py"))
TESTS = re.findall(
    r"^(?:async )?def test_(\w+)",
    "\n".join(file.read_text() for file in Path(__file__).parent.glob("test_*.py")),
    re.MULTILINE,
)


def explained(page: str) -> set[str]:
    """The numbers at the beginning of a table's rows: one, several, or from one to another."""
    found: set[str] = set()
    for row in re.findall(r"^\| ([A-Zc]\d[^|]*) \|", page, re.MULTILINE):
        for kind, low, high in re.findall(r"([A-Zc])(\d+)(?: – [A-Zc](\d+))?", row):
            found.update(f"{kind}{number}" for number in range(int(low), int(high or low) + 1))
    return found


@pytest.mark.parametrize("number", ALL)
def test_every_number_has_a_test(number: str) -> None:
    named = re.compile(rf"(?<![a-z0-9]){number.lower()}_")
    assert any(named.search(name) for name in TESTS)


def test_every_worked_score_is_there() -> None:
    assert list(BOARDS) == ["X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8", "X9a", "X9b", "X10"]


def test_the_pages_explain_every_number_and_no_other() -> None:
    assert explained(GAME) | explained(PROTOCOL) == set(ALL)
    assert explained(GAME) == explained(GAME_IN_FRENCH)
    assert {number for number in explained(GAME) if number.startswith("F")} == {f"F{n}" for n in NUMBERS["F"]}
    # The decisions about the rules have their reasons on the game's page.
    of_the_rules = {f"D{number}" for number in (*range(1, 21), 48, 50)}
    assert of_the_rules <= set(re.findall(r"\bD\d+\b", GAME)) == set(re.findall(r"\bD\d+\b", GAME_IN_FRENCH))


def test_the_code_cites_what_the_pages_explain() -> None:
    cited = set(re.findall(r"\b[FDBRK]\d+\b", CODE))
    assert cited <= set(ALL)
    assert len(cited) > 80
