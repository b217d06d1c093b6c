"""Fortress in numbers: what lies on the table goes by its place, the rest by its card."""

from __future__ import annotations

from croupier.games.fortress import Fortress
from croupier.games.fortress import moves as mv
from croupier.games.fortress.encoding import FIELD_SIZE, SLOT_SIZE, UNIT
from tests.games.fortress.bench import ANN, BOB, Table, at
from tests.rows import row, spelled

fortress = Fortress()


def unit(numbers: list[int], slot: int) -> dict[str, int]:
    """What is told of a slot, from the own first one on."""
    part = numbers[slot * SLOT_SIZE : (slot + 1) * SLOT_SIZE]
    told = dict(zip(UNIT, part, strict=False))
    return told | {"card": part.index(1, len(UNIT)) - len(UNIT) if any(part[len(UNIT) :]) else -1}


def test_both_fields_are_seen_and_a_face_down_card_is_its_owners_secret() -> None:
    table = Table()
    table.put("soldier 2", 18)
    table.put("trickster 1", 30, face_down=True)
    own, other = (row(fortress, table.state, seat)["field"] for seat in (ANN, BOB))
    assert unit(own, 1) == {
        "there": 1, "face_down": 0, "points": 25, "level": 0, "stunned": 0, "attacks_left": 1, "used": 0, "card": 18,
    }  # fmt: skip
    assert unit(other, FIELD_SIZE + 1)["card"] == 18
    assert (unit(own, 4)["card"], unit(other, FIELD_SIZE + 4)["card"]) == (30, -1)
    assert unit(other, FIELD_SIZE + 4)["face_down"] == 1


def test_hands_are_secret_and_their_sizes_are_not() -> None:
    table = Table(hand=[10, 10, 33], their_hand=[18])
    seen = row(fortress, table.state, BOB)
    assert {card: count for card, count in enumerate(seen["hand"]) if count} == {18: 1}
    assert (seen["hands"], seen["active"]) == ([1, 3], [0, 1])


def test_moves_go_by_card_and_place() -> None:
    table = Table(hand=[33, 10])
    table.put("soldier 1", 18)
    table.put("their soldier 2", 10)
    found = spelled(fortress, table.state, ANN)
    assert found[mv.PlayCard(at("hand 2"), at("soldier 2"))] == ("play", 2 * 10 + 1)
    assert found[mv.PlayCard(at("hand 1"), at("trickster 1"))] == ("play", 2 * 33)
    assert found[mv.AttackCard(at("soldier 1"), at("their soldier 2"))] == ("attack", 1)
    assert found[mv.EndTurn()] == ("end", 0)


def test_what_is_on_the_stack_can_be_answered() -> None:
    table = Table()
    table.put("soldier 1", 18)
    table.put("their trickster 2", 33, face_down=True)
    table.attack("soldier 1", "their castle")
    seen = row(fortress, table.state, BOB)
    assert sum(seen["stack"]) == 3  # an attack, by which card, at what; and it is not the own
    assert spelled(fortress, table.state, BOB) == {
        mv.AllowAction(): ("allow", 0),
        mv.ActivateTrickster(at("their trickster 2")): ("activate", 3),
    }


def test_what_is_asked_for_goes_by_its_card_where_that_is_known() -> None:
    table = Table(hand=[13], deck=[42, 33, 42, 44])
    table.play(1, "soldier 1")  # which plays a mage from the deck
    while table.state.holder is not None:
        table.allow()
    found = spelled(fortress, table.state, ANN)
    assert set(found.values()) == {("choose_in_deck", 42), ("choose_in_deck", 44), ("decline", 0)}
    assert any(row(fortress, table.state, ANN)["request"])
    assert not any(row(fortress, table.state, BOB)["request"])
