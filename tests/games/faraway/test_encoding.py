"""Faraway in numbers: everybody's journey, and what is known to be in hands."""

from __future__ import annotations

from croupier.games.faraway.encoding import REGION_COUNT
from croupier.games.faraway.events import AnyEvent
from croupier.games.faraway.moves import Play, Take
from croupier.games.faraway.rules import Faraway
from croupier.games.faraway.scoring import SYMBOLS
from croupier.kernel import Notes
from tests.games.faraway.positions import GOLDEN, OPEN, act, golden, rigged
from tests.rows import encoding_of, row, spelled

faraway = Faraway()


def notes_of(events: list[AnyEvent]) -> Notes:
    notes = encoding_of(faraway, rigged(2), 0).notes()
    assert notes is not None
    notes.observe(events)
    return notes


def where(flags: list[int]) -> dict[int, int]:
    return {card: number for card, number in enumerate(flags) if number}


def test_what_was_taken_is_known_to_be_in_a_hand_until_it_is_played() -> None:
    state = rigged(2)
    notes = notes_of(act(state, *GOLDEN[:4]))
    assert where(row(faraway, state, 0, notes)["hands"]) == {43: 1}
    assert where(row(faraway, state, 1, notes)["hands"]) == {3: 1}
    notes.observe(act(state, *GOLDEN[4:6]))  # B plays the 43
    assert where(row(faraway, state, 0, notes)["hands"]) == {}


def test_where_cards_lie_open_they_are_seen() -> None:
    state = rigged(2, options=OPEN)
    assert set(where(row(faraway, state, 0, notes_of([]))["hands"])) == set(state.hands[1])


def test_a_card_that_lies_face_down_is_seen_by_its_owner_alone() -> None:
    state = rigged(2)
    act(state, "A:P19")
    assert where(row(faraway, state, 0, notes_of([]))["rows"]) == {19: 1}
    assert where(row(faraway, state, 1, notes_of([]))["rows"]) == {}
    assert row(faraway, state, 1, notes_of([]))["done"] == [0, 1]


def test_rows_symbols_and_points() -> None:
    state = golden(len(GOLDEN))
    seen = row(faraway, state, 0, notes_of([]))
    rows = where(seen["rows"][:REGION_COUNT])
    assert [card for card, _ in sorted(rows.items(), key=lambda pair: pair[1])] == state.rows[0]
    assert seen["symbols"][SYMBOLS.index("night")] > 0
    assert len(seen["points"]) == 2


def test_moves_go_by_their_card() -> None:
    state = rigged(2)
    assert spelled(faraway, state, 0)[Play(19)] == ("play", 19)
    act(state, "A:P19", "B:P60")
    assert spelled(faraway, state, 0)[Take(3)] == ("take", 3)
    assert row(faraway, state, 1, notes_of([]))["shop_order"] == [2, 1]
