"""The protocol's page: every decision and every line of the checklist on it has a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.games.fortress.dialect.commands import COMMANDS
from croupier.games.fortress.dialect.messages import REJECTED
from croupier.games.fortress.dialect.reference import KNOWN

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "protocols" / "fortress.md").read_text()
FILES = [
    *sorted(Path(__file__).parent.glob("test_wire_*.py")),
    ROOT / "tests" / "conformance" / "test_fortress_transcripts.py",
]
TESTS = "\n".join(file.read_text() for file in FILES if file != Path(__file__))
NAMED = set(re.findall(r"(?<![a-z0-9])[cds]\d+(?![a-z0-9])", TESTS.replace("_", " ")))


def rows(title: str) -> list[str]:
    part = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| ([^|]*) \|", part, re.MULTILINE)


def numbers(title: str) -> list[str]:
    """What the first column names, ranges included."""
    found: list[int] = []
    for row in rows(title):
        for first, last in re.findall(r"[cD](\d+)(?: – [cD](\d+))?", row):
            found += range(int(first), int(last or first) + 1)
    return [str(number) for number in found]


@pytest.mark.parametrize("number", numbers("Decisions"))
def test_every_decision_has_a_test(number: str) -> None:
    assert f"d{number}" in NAMED


@pytest.mark.parametrize("number", numbers("What is tested"))
def test_every_line_of_the_checklist_has_a_test(number: str) -> None:
    assert f"c{number}" in NAMED


@pytest.mark.parametrize("number", range(1, 10))
def test_every_point_about_connections_has_a_test(number: int) -> None:
    assert f"s{number}" in NAMED


def test_the_page_names_every_command_and_no_code_is_made_up() -> None:
    for command in (*COMMANDS, *KNOWN, *(f"{command}_RESP" for command in REJECTED)):
        assert f"`{command}`" in PAGE or f'"{command}"' in PAGE, command
    code = "\n".join(file.read_text() for file in (ROOT / "src/croupier/games/fortress").rglob("*.py"))
    listed = PAGE.partition("\n## Bad input\n")[2].partition("\n## ")[0]
    codes = {code for row in re.findall(r"^\| (`[A-Z_`, ()a-z]*) \|", listed, re.MULTILINE) for code in _codes(row)}
    assert len(codes) > 40
    for one in codes:
        assert f'"{one}"' in code or f'"{one.lower()}"' in code, one


def _codes(row: str) -> list[str]:
    return re.findall(r"`([A-Z_]+)`", row)
