"""Cambia in numbers: a seat's memory, and where the cards are that it remembers."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.cambia.cards import VALUE
from croupier.games.cambia.encoding import CARD, KINDS, LOWEST, PLACES, Remembered
from croupier.games.cambia.moves import SKIP, DrawStockpile, Give, Named, Replace, Snap, UseSpecial
from croupier.kernel import Event
from tests.games.cambia.positions import begun, cambia, dealt, expire, faces, play, table
from tests.rows import row, spelled


def notes_after(seat: int, *steps: Sequence[Event]) -> Remembered:
    """What a seat has noted of what has happened."""
    notes = Remembered({})
    for events in steps:
        notes.observe([seen for event in events if (seen := event.seen_by(seat)) is not None])
    return notes


def card(numbers: list[int]) -> str | None:
    """A card as it is told: nothing, one that is not known, or a rank and what it counts."""
    there, known, value, *rank = numbers
    return (f"{KINDS[rank.index(1)]} {value + LOWEST}" if known else "?") if there else None


def cards(numbers: list[int]) -> list[str | None]:
    return [card(numbers[at : at + CARD]) for at in range(0, len(numbers), CARD)]


def test_what_was_shown_at_first_is_known_to_its_owner_alone() -> None:
    state = dealt(2, order="Ks 2c Kh 3c")
    first = expire(state, "gathering", 0)
    own, other = (row(cambia, state, seat, notes_after(seat, first))["cards"] for seat in range(2))
    assert cards(own)[:PLACES] == ["K 13", "K -1", "?", "?", None, None, None, None]
    assert cards(own)[PLACES:] == ["?"] * 4 + [None] * 4
    assert cards(other)[:PLACES] == ["2 2", "3 3", "?", "?", None, None, None, None]


def test_a_card_is_known_wherever_it_goes() -> None:
    state = table("Ks 2c", "5d 9c", stock="Jh 3c")
    steps = [play(state, 0, DrawStockpile()), play(state, 0, Replace("a0"))]
    assert cards(row(cambia, state, 0, notes_after(0, *steps))["cards"])[:2] == ["J 11", "?"]
    assert cards(row(cambia, state, 1, notes_after(1, *steps))["cards"])[PLACES : PLACES + 2] == ["?", "?"]
    assert card(row(cambia, state, 1, notes_after(1, *steps))["top"]) == "K 13"


def test_the_drawn_card_is_seen_by_whoever_has_drawn_it() -> None:
    state = table("Ks 2c", "5d 9c", stock="Jh 3c")
    steps = [play(state, 0, DrawStockpile())]
    assert card(row(cambia, state, 0, notes_after(0, *steps))["held"]) == "J 11"
    assert card(row(cambia, state, 1, notes_after(1, *steps))["held"]) == "?"


def test_cards_go_by_their_places_from_the_own_hand_on() -> None:
    state = table("Ks 2c", "5d 9c", current=1)
    assert spelled(cambia, state, 1) | {DrawStockpile(): ("draw", 0)} == spelled(cambia, state, 1)
    assert spelled(cambia, state, 0) == {
        Snap("a0"): (("snap", 0), ("card", 0)),
        Snap("a1"): (("snap", 0), ("card", 1)),
        Snap("b0"): (("snap", 0), ("card", PLACES)),
        Snap("b1"): (("snap", 0), ("card", PLACES + 1)),
    }


def test_two_cards_are_named_in_two_steps() -> None:
    state = table("Ks", "5d", stock="Jh 3c")
    play(state, 0, DrawStockpile())
    drawn = spelled(cambia, state, 0)
    assert drawn[Replace("a0")] == ("replace", 0)
    play(state, 0, next(move for move in drawn if drawn[move] == ("discard", 0)))
    offered = spelled(cambia, state, 0)
    assert offered[SKIP] == ("skip", 0)
    both = UseSpecial("swap_blind", Named("a0"), Named("b0"))
    assert offered[both] == (("card", 0), ("card", PLACES))


def test_cards_beyond_the_last_place_share_its_number() -> None:
    state = table("2c 3c 4c 5c 6c 7c 8c 9c 10c Jc", "5d")
    assert spelled(cambia, state, 0)[Snap("a7")] == spelled(cambia, state, 0)[Snap("a9")]


def test_debts_are_seen() -> None:
    state = table("10s 2c", "10c 5d", pile="10h")
    play(state, 0, Snap("b0"))
    seen = row(cambia, state, 1, notes_after(1))
    assert (seen["owes"], seen["owed"]) == ([0, 1], [1, 0])
    assert spelled(cambia, state, 0)[Give("a1")] == ("give", 1)


def test_house_rules_and_turns_are_seen() -> None:
    state = begun(3, snap_race=True)
    seen = row(cambia, state, 0, notes_after(0))
    assert seen["rules"] == [0, 0, 1, 1, 1]
    assert sum(seen["current"]) == 1
    assert seen["hands"] == [4, 4, 4]
    assert VALUE[faces("Kh")[0]] == LOWEST
