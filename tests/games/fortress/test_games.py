"""Random games end, with every text of every card in use, and no card is lost."""

from __future__ import annotations

import pytest

from croupier.games.fortress.cards import CARDS
from tests.games.fortress import coverage


def test_random_games_end_with_a_winner_and_every_card_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    """A tenth of what ``python -m tests.games.fortress.coverage 10000`` plays."""
    used, reasons, longest = coverage.run(1000)
    with capsys.disabled():
        print("", *coverage.table(used), sep="\n")  # noqa: T201
    assert reasons.total() == 1000
    assert reasons["castle"] > reasons["deck_out"] > 0
    assert longest <= 91  # T111
    assert {text for text, count in used.items() if count} == coverage.TEXTS
    assert {card for card, _ in coverage.TEXTS} == {card.id for card in CARDS} - {3}  # Stonehill Keep says nothing
