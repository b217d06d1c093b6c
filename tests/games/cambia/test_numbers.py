"""Every number has a test that names it: C rules, T time, D decisions, K checks, and G conversations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.games import cambia

HERE = Path(__file__).parent
CONVERSATIONS = HERE.parents[1] / "conformance" / "cambia"
TESTS = "\n".join(file.read_text() for file in sorted(HERE.glob("test_*.py")))
CODE = "\n".join(file.read_text() for file in sorted(Path(cambia.__file__).parent.rglob("*.py")))

LAST = {"C": 68, "T": 16, "D": 98, "K": 100}
NUMBERS = [f"{kind}{number}" for kind, last in LAST.items() for number in range(1, last + 1)]

REFUSALS = [
    *("bad_json", "bad_message", "unknown_type", "rate_limited"),  # on any socket
    *("game_in_progress", "bad_chat", "not_host", "bad_rules", "not_enough_players", "not_ready", "bad_invite"),
    *("not_started", "game_over", "forfeited"),  # in a game, whatever is asked for
    *("not_your_turn", "special_pending", "already_drawn", "not_allowed", "pile_empty", "must_draw_first"),
    *("bad_card", "wrong_card", "bad_index"),
    *("cambia_called", "cambia_after_draw", "cambia_too_early"),
    *("locked", "give_pending", "no_card_to_give", "no_give_pending"),  # about snaps
    *("no_special_pending", "bad_special", "wrong_special", "wrong_step", "card_gone", "wrong_owner", "same_card"),
]


def named() -> set[str]:
    """The numbers in the names of tests."""
    names = re.findall(r"^(?:async )?def test_(\w+)", TESTS, re.MULTILINE)
    return {part.upper() for name in names for part in name.split("_") if re.fullmatch(r"[a-z]\d+", part)}


@pytest.mark.parametrize("number", NUMBERS)
def test_every_number_is_named_by_a_test(number: str) -> None:
    assert number in named()


def test_no_test_and_no_comment_names_what_there_is_not() -> None:
    assert {number for number in named() if number[0] in LAST} <= set(NUMBERS)
    cited = re.findall(r"\b[CTDK]\d+\b", CODE)
    assert set(cited) <= set(NUMBERS)


def test_every_conversation_is_replayed() -> None:
    numbers: set[int] = set()
    for file in CONVERSATIONS.glob("g*.txt"):
        first, *rest = map(int, re.findall(r"\d+", file.stem))
        numbers |= {*range(first, (rest or [first])[0] + 1)}
    assert numbers == {*range(15)}


@pytest.mark.parametrize("code", REFUSALS)
def test_every_refusal_is_expected_by_a_test(code: str) -> None:
    assert f'"{code}"' in TESTS


def test_the_rules_refuse_with_these_codes_only() -> None:
    given = set(re.findall(r'Illegal\([^()]*?"(\w+)"\)', CODE)) | set(re.findall(r'Misunderstood\("(\w+)"', CODE))
    assert len(given) > 25 and given <= set(REFUSALS)
