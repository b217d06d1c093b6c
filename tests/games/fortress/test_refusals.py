"""Whatever is refused has the code that the game's protocol asks for, and the first check that fails decides."""

from __future__ import annotations

import pytest

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.places import Place
from tests.games.fortress.bench import ANN, BOB, Table, at, new_game

ASSAULT, DISCIPLINE, _ = STARTERS.values()

TURN_MOVES: list[mv.AnyMove] = [
    mv.DrawCard(),
    mv.PlayCard(at("hand 1"), at("soldier 1")),
    mv.AttackCard(at("soldier 1"), at("their castle")),
    mv.LevelMage(at("mage 1")),
    mv.UseAbility(at("soldier 1")),
    mv.DestroyCard(at("their soldier 1")),
    mv.EndTurn(),
]
ANSWERS: list[mv.AnyMove] = [
    mv.AllowAction(), mv.ActivateTrickster(at("trickster 1")), mv.ChooseCard(None), mv.Answer(True),
]  # fmt: skip
FIRST_MOVES: list[mv.AnyMove] = [mv.Mulligan(), mv.AcceptHand(), mv.ReturnCard(at("hand 1"))]


@pytest.mark.parametrize("move", [*TURN_MOVES, *ANSWERS], ids=lambda move: type(move).__name__)
def test_before_both_have_accepted_it_has_not_started(move: mv.AnyMove) -> None:
    table = new_game(decks=(ASSAULT, DISCIPLINE))
    assert table.refused(ANN, move) == "not_started"


@pytest.mark.parametrize("move", [*FIRST_MOVES, mv.BringDeck(ASSAULT)], ids=lambda move: type(move).__name__)
def test_afterwards_first_moves_come_too_late(move: mv.AnyMove) -> None:
    for seat in (ANN, BOB):
        assert Table(hand=[24]).refused(seat, move) == "not_now"


def test_nothing_to_allow_and_nothing_asked() -> None:
    table = Table()
    for seat in (ANN, BOB):
        assert table.refused(seat, mv.AllowAction()) == "nothing_to_allow"
        assert table.refused(seat, mv.ChooseCard(None)) == "nothing_asked"
        assert table.refused(seat, mv.Answer(True)) == "nothing_asked"


@pytest.mark.parametrize("move", TURN_MOVES, ids=lambda move: type(move).__name__)
def test_not_your_turn(move: mv.AnyMove) -> None:
    assert Table(turn=4).refused(ANN, move) == "not_your_turn"


@pytest.mark.parametrize("move", TURN_MOVES[1:], ids=lambda move: type(move).__name__)
def test_draw_first(move: mv.AnyMove) -> None:
    table = Table(turn=2)
    table.end_turn()
    assert table.refused(ANN, move) == "draw_first"
    assert table.refused(ANN, mv.ActivateTrickster(at("trickster 1"))) == "draw_first"


# While a request is open


def asked() -> Table:
    table = Table(hand=[11], deck=[24, 33])
    table.play(1, "soldier 1")
    table.allow()
    return table


def test_somebody_else_is_asked() -> None:
    table = asked()
    for move in [*TURN_MOVES, *ANSWERS, *FIRST_MOVES]:
        assert table.refused(BOB, move) == "not_your_move"


def test_the_answer_comes_first() -> None:
    table = asked()
    for move in [*TURN_MOVES, *FIRST_MOVES, mv.AllowAction(), mv.ActivateTrickster(at("trickster 1")), mv.Answer(True)]:
        assert table.refused(ANN, move) == "answer_first"


def test_a_wrong_choice() -> None:
    table = asked()
    number = table.told(ev.Asked)[0].number
    assert table.refused(ANN, mv.ChooseCard(at("deck 1"), request=number + 1)) == "stale_request"
    assert table.refused(ANN, mv.ChooseCard(at("deck 2"))) == "bad_target"
    assert table.refused(ANN, mv.ChooseCard(at("their deck 1"))) == "bad_target"
    assert table.refused(ANN, mv.ChooseCard(None)) == "target_required"
    table.choose("deck 1", request=number)


def test_a_question_wants_an_answer_of_its_kind() -> None:
    table = Table(hand=[8])
    table.play(1, "decree")
    table.allow()
    assert table.refused(ANN, mv.ChooseCard(None)) == "answer_first"
    assert table.refused(ANN, mv.Answer(True, "question")) == "answer_first"
    assert table.refused(ANN, mv.Answer(True, "level")) == "answer_first"
    assert table.refused(ANN, mv.Answer(True, request=99)) == "stale_request"
    table.act(ANN, mv.Answer(True, "draw"))
    assert len(table.ann.hand) == 1


def test_where_a_card_is_to_be_played() -> None:
    table = Table(hand=[19], deck=[24])
    table.play(1, "soldier 1")
    table.allow()
    assert table.refused(ANN, mv.ChooseCard(at("hand 1"), at("soldier 2"), 24)) == "bad_target"
    assert table.refused(ANN, mv.ChooseCard(at("deck 1"), at("soldier 2"), 23)) == "wrong_card"
    assert table.refused(ANN, mv.ChooseCard(at("deck 1"), at("soldier 1"), 24)) == "bad_position"
    table.choose("deck 1", to=at("soldier 2"), card=24)
    assert table.card("soldier 2") == 24


# While a window is open


def window() -> Table:
    table = Table()
    table.put("soldier 1", 24)
    table.put("their trickster 1", 33)
    table.put("their soldier 1", 18)
    table.attack("soldier 1", "their soldier 1")
    return table


def test_the_window_is_somebody_elses() -> None:
    table = window()
    for move in [*TURN_MOVES, *ANSWERS, *FIRST_MOVES]:
        assert table.refused(ANN, move) == "not_your_move"


@pytest.mark.parametrize(
    "move", [*TURN_MOVES[:4], mv.EndTurn(), mv.ChooseCard(None), mv.Answer(True), *FIRST_MOVES],
    ids=lambda move: type(move).__name__,
)  # fmt: skip
def test_respond_or_allow(move: mv.AnyMove) -> None:
    assert window().refused(BOB, move) == "respond_or_allow"


@pytest.mark.parametrize(
    "place", ["trickster 1", "their trickster 2", "their soldier 1", "their hand 1", "their castle"]
)
def test_only_an_own_face_down_trickster_is_activated(place: str) -> None:
    table = window()
    assert table.refused(BOB, mv.ActivateTrickster(at(place))) == "bad_position"
    table.unit("their trickster 1").face_down = False
    assert table.refused(BOB, mv.ActivateTrickster(at("their trickster 1"))) == "bad_position"


def test_what_a_response_answers_is_checked_first() -> None:
    table = window()
    for number in (0, 2, -1):
        assert table.refused(BOB, mv.ActivateTrickster(at("trickster 1"), number)) == "bad_responds_to"
        assert table.refused(BOB, mv.UseAbility(at("trickster 1"), number)) == "bad_responds_to"
        assert table.refused(BOB, mv.DestroyCard(at("soldier 1"), responds_to=number)) == "bad_responds_to"


def test_abilities_as_responses() -> None:
    table = window()
    table.put("their soldier 2", 15)
    assert table.refused(BOB, mv.UseAbility(at("soldier 1"))) == "bad_position"
    assert table.refused(BOB, mv.UseAbility(at("their mage 1"))) == "bad_position"
    assert table.refused(BOB, mv.UseAbility(at("their soldier 1"))) == "wrong_trigger"
    assert table.refused(BOB, mv.UseAbility(at("their soldier 2"))) == "wrong_trigger"
    table.unit("their soldier 2").used = True
    assert table.refused(BOB, mv.UseAbility(at("their soldier 2"))) == "already_used"
    table.unit("their soldier 2").stunned = True
    assert table.refused(BOB, mv.UseAbility(at("their soldier 2"))) == "stunned"
    table.put("their soldier 2", 24)
    assert table.refused(BOB, mv.UseAbility(at("their soldier 2"))) == "no_ability"
    table.put("their mage 1", 48, level=3)
    assert table.refused(BOB, mv.UseAbility(at("their mage 1"))) == "wrong_trigger"


def test_no_source() -> None:
    table = window()
    assert table.refused(BOB, mv.DestroyCard(at("soldier 1"))) == "no_source"
    assert Table().refused(ANN, mv.DestroyCard(at("their soldier 1"))) == "no_source"


# In the main part


@pytest.mark.parametrize("start", ["hand 2", "hand 0", "their hand 1", "deck 1", "soldier 1"])
def test_play_from_where_there_is_no_card(start: str) -> None:
    assert Table(hand=[24], their_hand=[24]).refused(ANN, mv.PlayCard(at(start), at("soldier 1"))) == "bad_position"


def test_play_checks_in_their_order() -> None:
    table = Table(hand=[18])
    assert table.refused(ANN, mv.PlayCard(at("hand 1"), at("mage 1"), 24)) == "wrong_card"
    table.ann.played = ["soldier"]
    assert table.refused(ANN, mv.PlayCard(at("hand 1"), at("mage 1"), 18)) == "bad_position"
    table.put("soldier 1", 24)
    assert table.refused(ANN, mv.PlayCard(at("hand 1"), at("soldier 1"))) == "already_played"
    table = Table(hand=[16])
    table.put("soldier 1", 24)
    assert table.refused(ANN, mv.PlayCard(at("hand 1"), at("soldier 1"))) == "position_occupied"
    assert table.refused(ANN, mv.PlayCard(at("hand 1"), at("soldier 2"))) == "cost_not_payable"


def test_a_refusal_says_what_a_card_costs() -> None:
    table = Table(hand=[48, 12, 47])
    for hand, slot, price in (
        (1, "mage 1", "Wizard costs a trickster, a soldier, a mage of level 2 or more"),
        (2, "soldier 1", "Rampant Giant costs 15 castle health, a soldier"),
        (3, "mage 1", "Soldiers Partner costs a mage or trickster"),
    ):
        with pytest.raises(Exception, match=price):
            table.play(hand, slot)


def test_attack_checks_in_their_order() -> None:
    table = Table(turn=1)
    for place in ("soldier 1", "their soldier 1", "trickster 1", "castle", "hand 1"):
        assert table.refused(ANN, mv.AttackCard(at(place), at("castle"))) == "bad_position"
    mage = table.put("mage 1", 50, stunned=True, attacks=1)
    assert table.refused(ANN, mv.AttackCard(at("mage 1"), at("castle"))) == "bad_target"
    attack = mv.AttackCard(at("mage 1"), at("their castle"))
    table.put("their soldier 1", 10)
    for code, fix in (
        ("no_attack_on_first_turn", lambda: setattr(table.state, "turn", 3)),
        ("stunned", lambda: setattr(mage, "stunned", False)),
        ("level_too_low", lambda: setattr(mage, "level", 3)),
        ("already_attacked", lambda: setattr(mage, "attacks", 0)),
        ("must_attack_pawn_warrior", lambda: table.put("their soldier 1", 27)),
        ("castle_protected", lambda: table.put("their mage 1", 50)),
    ):
        assert table.refused(ANN, attack) == code
        fix()
    assert table.refused(ANN, mv.AttackCard(at("mage 1"), at("their mage 1"))) == "target_protected"


def test_level_checks_in_their_order() -> None:
    table = Table()
    assert table.refused(ANN, mv.LevelMage(at("soldier 1"))) == "bad_position"
    mage = table.put("mage 1", 50, level=3, entered=3, levelled=True, stunned=True)
    for code, field, value in (
        ("max_level", "level", 1), ("summoned_this_turn", "entered", 1), ("already_levelled", "levelled", False),
        ("stunned", "stunned", False),
    ):  # fmt: skip
        assert table.refused(ANN, mv.LevelMage(at("mage 1"))) == code
        setattr(mage, field, value)
    table.level("mage 1")


def test_ability_checks_in_their_order() -> None:
    table = Table(hand=[33])
    table.put("trickster 1", 33)
    for place in ("soldier 1", "trickster 1", "their soldier 1", "castle"):
        assert table.refused(ANN, mv.UseAbility(at(place))) == "bad_position"
    mage = table.put("mage 1", 48, level=2, stunned=True, used=True)
    for code, field, value in (
        ("no_ability", "level", 3), ("stunned", "stunned", False), ("already_used", "used", False),
    ):  # fmt: skip
        assert table.refused(ANN, mv.UseAbility(at("mage 1"))) == code
        setattr(mage, field, value)
    assert table.refused(ANN, mv.UseAbility(at("mage 1"))) == "not_enough_cards"
    table.put("soldier 1", 15)
    assert table.refused(ANN, mv.UseAbility(at("soldier 1"))) == "wrong_trigger"


@pytest.mark.parametrize("number", [0, -3, 8, 51, 10**9])
def test_places_that_do_not_exist_are_refused_like_empty_ones(number: int) -> None:
    table = Table(hand=[24])
    place = at(f"soldier {number}")
    for move in (
        mv.PlayCard(at(f"hand {number}"), at("soldier 1")),
        mv.PlayCard(at("hand 1"), place),
        mv.AttackCard(place, at("their castle")),
        mv.LevelMage(at(f"mage {number}")),
        mv.UseAbility(place),
    ):
        assert table.refused(ANN, move) == "bad_position"
    table.put("soldier 1", 24)
    assert table.refused(ANN, mv.AttackCard(at("soldier 1"), at(f"their castle {number}"))) == "bad_target"
    assert table.refused(ANN, mv.AttackCard(at("soldier 1"), at(f"their soldier {number}"))) == "bad_target"


@pytest.mark.parametrize("seat", [-1, 2, 10**9])
def test_there_is_nobody_in_other_seats(seat: int) -> None:
    table = Table(hand=[24])
    table.put("soldier 1", 24)
    assert table.refused(ANN, mv.AttackCard(at("soldier 1"), Place(seat, "castle"))) == "bad_target"
    assert table.refused(ANN, mv.AttackCard(Place(seat, "soldier"), at("their castle"))) == "bad_position"
    assert table.refused(ANN, mv.PlayCard(Place(seat, "hand"), at("soldier 2"))) == "bad_position"
    assert table.refused(ANN, mv.PlayCard(at("hand 1"), Place(seat, "soldier", 2))) == "bad_position"
    assert table.refused(ANN, mv.UseAbility(Place(seat, "soldier"))) == "bad_position"
    assert table.refused(ANN, mv.DestroyCard(Place(seat, "soldier"))) == "no_source"
