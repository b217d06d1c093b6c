"""Bad input in Cambia: which move is refused with which code, and which reason comes first."""

from __future__ import annotations

from copy import deepcopy

import pytest

from croupier.games.cambia.moves import (
    SKIP,
    SWAP,
    AnyMove,
    CallCambia,
    Discard,
    DrawDiscardpile,
    DrawStockpile,
    Give,
    Replace,
    Snap,
    UseSpecial,
)
from croupier.games.cambia.state import State
from croupier.kernel import Illegal
from croupier.kernel.chance import QuickDice
from tests.games.cambia.positions import UNKNOWN, begun, cambia, dealt, expire, leave, play, refused, table, throw, use

ANN = "5h Qc 2s 9d"
BEN = "Kd 8c 3h Js"
CLEO = "As 9h 6d"


def at_start() -> State:
    return table(ANN, BEN, CLEO, stock="4d 6c 5c 3c", pile="3s 9s")


def holding() -> State:
    state = at_start()
    play(state, 0, DrawStockpile())
    return state


def choosing(card: str) -> State:
    state = table(ANN, BEN, CLEO, stock=f"{card} 6c 5c 3c", pile="3s 9s")
    throw(state)
    return state


def deciding() -> State:
    state = choosing("Kc")
    play(state, 0, use("swap_peek", "a0", "b0"))
    return state


def owing() -> State:
    state = at_start()
    play(state, 0, Snap("c1"))
    return state


def called() -> State:
    state = table(ANN, BEN, CLEO, stock="Jc 6c 5c 3c", pile="3s 9s", current=2)
    play(state, 2, CallCambia())
    throw(state)
    return state


BAD_IDS = ["", "x", "5h", "c1 ", UNKNOWN[:-1], UNKNOWN + "0", UNKNOWN.replace("-", ""), "g" + UNKNOWN[1:]]


# 5.3: every action


EVERYTHING: list[AnyMove] = [
    DrawStockpile(), DrawDiscardpile(), Discard(""), Discard(UNKNOWN), Replace(), Replace("", -1), CallCambia(),
    Snap(""), Snap(UNKNOWN), Give(), Give("", -1), UseSpecial(""), UseSpecial("peek_self"), SKIP, SWAP,
]  # fmt: skip


@pytest.mark.parametrize("move", EVERYTHING, ids=repr)
def test_53_the_phase_comes_first(move: AnyMove) -> None:
    """Whatever is wrong with a move besides, it is refused for the phase of the game."""
    state = dealt(3)
    for seat in range(3):
        assert refused(state, seat, move) == "not_started"
    expire(state, "gathering", 0)
    for seat in range(3):
        assert refused(state, seat, move) == "not_started"
    expire(state, "pregame", 0)
    leave(state, 0)
    assert refused(state, 0, move) == "forfeited"
    leave(state, 1)
    for seat in range(3):
        assert refused(state, seat, move) == "game_over"


# 5.4, row by row


@pytest.mark.parametrize(
    "move", [DrawStockpile(), DrawDiscardpile(), Discard(""), Discard("s0"), Replace(), Replace("", -1), CallCambia()]
)
def test_54_turn_then_special_before_all_else(move: AnyMove) -> None:
    for state in (at_start(), holding(), choosing("7c"), deciding()):
        assert refused(state, 1, move) == "not_your_turn"
    for state in (choosing("7c"), choosing("9c"), choosing("Jc"), choosing("Kc"), deciding()):
        assert refused(state, 0, move) == "special_pending"


def test_54_drawing() -> None:
    assert refused(holding(), 0, DrawStockpile()) == "already_drawn"
    assert refused(holding(), 0, DrawDiscardpile()) == "already_drawn"
    assert refused(at_start(), 0, DrawDiscardpile()) == "not_allowed"
    state = table(ANN, BEN, pile="", allow_draw_from_discard_pile=True)
    assert refused(state, 0, DrawDiscardpile()) == "pile_empty"
    assert refused(table(ANN, BEN, pile=""), 0, DrawDiscardpile()) == "not_allowed"


@pytest.mark.parametrize("card", BAD_IDS)
def test_54_k65_what_is_no_id(card: str) -> None:
    assert refused(at_start(), 0, Discard(card)) == "must_draw_first"
    assert refused(holding(), 0, Discard(card)) == "bad_card"
    assert refused(at_start(), 0, Replace(card)) == "must_draw_first"
    assert refused(holding(), 0, Replace(card)) == "bad_card"
    assert refused(holding(), 0, Replace(card, 99)) == "bad_card"
    assert refused(at_start(), 0, Snap(card)) == "bad_card"
    assert refused(called(), 2, Snap(card)) == "bad_card"  # also for whose hand is locked
    assert refused(owing(), 0, Snap(card)) == "bad_card"
    assert refused(at_start(), 0, Give(card)) == "no_give_pending"
    assert refused(owing(), 0, Give(card)) == "bad_card"
    assert refused(choosing("7c"), 0, use("peek_self", card)) == "bad_card"
    assert refused(choosing("Jc"), 0, use("swap_blind", "a0", card)) == "bad_card"
    assert refused(choosing("Jc"), 0, use("swap_blind", card, UNKNOWN)) == "bad_card"
    assert refused(choosing("Jc"), 0, use("swap_blind", UNKNOWN, card)) == "bad_card"
    assert refused(deciding(), 0, use("swap_peek_swap", card)) == "bad_card"
    assert refused(deciding(), 0, use("swap_peek_swap", UNKNOWN, card)) == "bad_card"


def test_54_k19_discarding() -> None:
    assert refused(at_start(), 0, Discard("a0")) == "must_draw_first"
    state = holding()
    for card in ("a0", "p0", "s1", UNKNOWN):
        assert refused(state, 0, Discard(card)) == "wrong_card"
    play(state, 0, Discard("s0"))


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Replace(), "bad_card"),  # neither id nor position
        (Replace("", 1), "bad_card"),
        (Replace(None, -1), "bad_index"),
        (Replace(None, 4), "bad_index"),
        (Replace("a1", -1), "bad_index"),
        (Replace("a1", 4), "bad_index"),
        (Replace(UNKNOWN, 4), "bad_index"),
        (Replace(UNKNOWN), "wrong_card"),
        (Replace("b0"), "wrong_card"),
        (Replace("b0", 1), "wrong_card"),
        (Replace("p0"), "wrong_card"),
        (Replace("s0"), "bad_card"),  # the drawn card, and no position
        (Replace("s0", 4), "bad_index"),
        (Replace("a1", 2), "bad_index"),  # they disagree
    ],
    ids=repr,
)
def test_54_replacing(move: Replace, code: str) -> None:
    assert refused(at_start(), 0, move) == "must_draw_first"
    assert refused(holding(), 0, move) == code


def test_54_replacing_with_an_empty_hand() -> None:
    state = table("", BEN)
    play(state, 0, DrawStockpile())
    assert refused(state, 0, Replace(None, 0)) == "bad_index"
    assert refused(state, 0, Replace("b0")) == "wrong_card"
    assert refused(state, 0, Replace("s0")) == "bad_card"
    assert refused(state, 0, Replace("s0", 0)) == "bad_index"


def test_54_calling_cambia() -> None:
    assert refused(holding(), 0, CallCambia()) == "cambia_after_draw"
    state = table(ANN, BEN, CLEO, stock="4c 6c 5c 3c", cambia_allowed_round=5)
    assert refused(state, 0, CallCambia()) == "cambia_too_early"
    play(state, 0, DrawStockpile())
    assert refused(state, 0, CallCambia()) == "cambia_after_draw"
    state.caller = 2
    assert refused(state, 0, CallCambia()) == "cambia_called"


def test_54_snapping() -> None:
    assert refused(called(), 2, Snap("a0")) == "locked"
    assert refused(called(), 0, Snap("c1")) == "locked"
    assert refused(owing(), 0, Snap("a3")) == "give_pending"
    assert refused(owing(), 0, Snap(UNKNOWN)) == "give_pending"
    state = owing()
    leave(state, 1)
    assert refused(state, 0, Snap("b0")) == "locked"  # before what is owed
    state = table("", BEN, CLEO)
    for card in ("b0", "c1"):
        assert refused(state, 0, Snap(card)) == "no_card_to_give"
    state = table("", BEN, CLEO, allow_opponent_snapping=False)
    assert refused(state, 0, Snap("b0")) == "no_card_to_give"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Give(), "bad_card"),
        (Give("", 1), "bad_card"),
        (Give(None, -1), "bad_index"),
        (Give(None, 4), "bad_index"),
        (Give("a1", 4), "bad_index"),
        (Give(UNKNOWN), "wrong_card"),
        (Give("b0"), "wrong_card"),
        (Give("c1"), "wrong_card"),
        (Give("a1", 2), "bad_index"),
    ],
    ids=repr,
)
def test_54_giving(move: Give, code: str) -> None:
    assert refused(at_start(), 0, move) == "no_give_pending"
    assert refused(owing(), 1, move) == "no_give_pending"
    assert refused(owing(), 0, move) == code


@pytest.mark.parametrize("special", ["", "x", "cambia", "Peek_self", "blind_swap", "peek_swap", "swap_look"])
def test_54_what_is_no_special(special: str) -> None:
    """Synonyms are the dialects' affair."""
    assert refused(at_start(), 0, UseSpecial(special)) == "no_special_pending"
    assert refused(holding(), 0, UseSpecial(special)) == "no_special_pending"
    assert refused(choosing("7c"), 1, UseSpecial(special)) == "no_special_pending"
    assert refused(choosing("7c"), 0, UseSpecial(special)) == "bad_special"
    assert refused(deciding(), 0, UseSpecial(special)) == "bad_special"


@pytest.mark.parametrize("card", ["7c", "9c", "Jc", "Kc"])
def test_54_k44_the_wrong_special(card: str) -> None:
    own = {"7c": "peek_self", "9c": "peek_other", "Jc": "swap_blind", "Kc": "swap_peek"}[card]
    for special in ("peek_self", "peek_other", "swap_blind", "swap_peek", "swap_peek_reveal", "swap_peek_swap"):
        if special != own:
            wrong = "wrong_step" if card == "Kc" and special.startswith("swap_peek") else "wrong_special"
            assert refused(choosing(card), 0, use(special, "a0", "b0")) == wrong
            assert refused(choosing(card), 0, UseSpecial(special)) == wrong  # before the shape of the cards


def test_54_steps_of_the_king() -> None:
    assert refused(deciding(), 0, use("swap_peek", "a0", "b0")) == "wrong_step"
    assert refused(deciding(), 0, use("peek_self", "a0")) == "wrong_special"
    assert refused(deciding(), 0, use("swap_blind", "a0", "b0")) == "wrong_special"
    assert refused(choosing("Kc"), 0, SWAP) == "wrong_step"


@pytest.mark.parametrize(
    ("card", "move", "code"),
    [
        ("7c", use("peek_self"), "bad_card"),
        ("7c", use("peek_self", UNKNOWN), "wrong_card"),
        ("7c", use("peek_self", "p0"), "wrong_card"),
        ("7c", use("peek_self", "s0"), "wrong_card"),
        ("7c", use("peek_self", "a0@1"), "wrong_card"),
        ("7c", use("peek_self", "a0@-1"), "wrong_card"),
        ("7c", use("peek_self", "b0"), "wrong_owner"),
        ("7c", use("peek_self", "b0@1"), "wrong_owner"),
        ("9c", use("peek_other"), "bad_card"),
        ("9c", use("peek_other", UNKNOWN), "wrong_card"),
        ("9c", use("peek_other", "b0@2"), "wrong_card"),
        ("9c", use("peek_other", "a0"), "wrong_owner"),
        ("Jc", use("swap_blind"), "bad_card"),
        ("Jc", use("swap_blind", "a0"), "bad_card"),
        ("Jc", use("swap_blind", UNKNOWN), "bad_card"),
        ("Jc", use("swap_blind", "a0", UNKNOWN), "wrong_card"),
        ("Jc", use("swap_blind", "p0", "a0"), "wrong_card"),
        ("Jc", use("swap_blind", "a0", "b0@2"), "wrong_card"),
        ("Jc", use("swap_blind", "a0", "a0"), "same_card"),  # K45
        ("Kc", use("swap_peek", "a0"), "bad_card"),
        ("Kc", use("swap_peek", "a0", "s1"), "wrong_card"),
        ("Kc", use("swap_peek", "b0", "b0"), "same_card"),
    ],
    ids=repr,
)
def test_54_k45_d10_d29_d31_specials(card: str, move: UseSpecial, code: str) -> None:
    state = choosing(card)
    assert refused(state, 0, move) == code
    assert refused(state, 1, move) == "no_special_pending"
    due = state.due
    play(state, 0, SKIP)  # D31: the choice was still open
    assert due == 15_000


def test_54_specials_and_locks() -> None:
    assert refused(called(), 0, use("swap_blind", "a0", "c0")) == "locked"
    assert refused(called(), 0, use("swap_blind", "c1", "c0")) == "locked"
    assert refused(called(), 0, use("swap_blind", "c0", "c0")) == "same_card"
    assert refused(called(), 0, use("swap_blind", "c0@0", "a0")) == "wrong_card"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (use("swap_peek_swap", "a0"), "wrong_card"),
        (use("swap_peek_swap", "a0", "b1"), "wrong_card"),
        (use("swap_peek_swap", "a0", UNKNOWN), "wrong_card"),
        (use("swap_peek_swap", "a0@1", "b0"), "wrong_card"),
        (use("swap_peek_swap", "a0", "a0"), "same_card"),
        (use("swap_peek_swap", "c0", "c0"), "same_card"),
    ],
    ids=repr,
)
def test_54_d33_the_kings_second_step(move: UseSpecial, code: str) -> None:
    state = deciding()
    assert refused(state, 0, move) == code
    play(state, 0, SWAP)


def test_54_d9_what_is_ignored() -> None:
    state = choosing("7c")
    play(state, 0, UseSpecial("peek_self", use("x", "a0").card1, use("x", "").card1))  # card2 of a look
    state = choosing("7c")
    play(state, 0, use("skip", "", UNKNOWN))  # any cards of a skip


def test_k93_refusals_hold_no_face() -> None:
    state = begun(3, 1)
    sentences = set()
    for move in EVERYTHING:
        for seat in range(3):
            try:
                cambia.play(deepcopy(state), seat, move, 0)
            except Illegal as illegal:
                sentences.add(str(illegal))
    assert sentences
    assert not any(sign in sentence for sentence in sentences for sign in "♣♦♥♠★")


def test_k98_k99_any_number_of_mad_moves() -> None:
    """Random moves, most of them nonsense, from everybody, in every phase: refused or legal, and no card is lost."""
    for seed in range(8):
        dice = QuickDice(seed)
        state = begun(3, seed, allow_draw_from_discard_pile=bool(seed % 2), allow_replace_abilities=True)
        legal = 0
        for _ in range(1000):
            cards = [*state.hands[dice.below(3)], *state.stock[-2:], *state.pile[-2:], state.held or "", "", UNKNOWN]
            one, other = dice.choice(cards), dice.choice(cards)
            idx = dice.choice([None, -1, 0, 1, 5])
            specials = ["peek_self", "peek_other", "swap_blind", "swap_peek", "swap_peek_swap", "skip", ""]
            moves: list[AnyMove] = [
                DrawStockpile(), DrawDiscardpile(), Discard(one), Replace(dice.choice([one, None]), idx), Snap(one),
                Give(dice.choice([one, None]), idx), use(dice.choice(specials), one, other),
            ]  # fmt: skip
            try:
                play(state, dice.below(3), dice.choice(moves))
                legal += 1
            except Illegal:
                pass
        assert legal > 20
