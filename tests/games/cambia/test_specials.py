"""The specials of Cambia: C22 to C33."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.games.cambia.events import (
    CardGone,
    Discarded,
    Given,
    Peeked,
    Revealed,
    Skipped,
    SpecialOpened,
    Swapped,
    Turn,
)
from croupier.games.cambia.moves import (
    SKIP,
    SWAP,
    CallCambia,
    Discard,
    DrawDiscardpile,
    DrawStockpile,
    Give,
    Replace,
    Snap,
)
from croupier.games.cambia.state import Choice, Spot, State
from tests.games.cambia.positions import cambia, expire, kinds, leave, play, refused, seen, table, throw, use

ANN = "5h Qc 2s 9d"
BEN = "Kd 8c 3h Js"


def opened(*hands: str, card: str, **rules: Any) -> State:
    """Seat 0 has thrown this card and may use its special."""
    state = table(*hands or (ANN, BEN), stock=f"{card} 4d 4c 4h", **rules)
    throw(state)
    return state


@pytest.mark.parametrize(
    ("ranks", "special"),
    [("7 8", "peek_self"), ("9 10", "peek_other"), ("J Q", "swap_blind"), ("K", "swap_peek")],
)
def test_c22_c23a_k29_k30_what_the_ranks_do(ranks: str, special: str) -> None:
    for rank in ranks.split():
        for suit, sign in zip("cdhs", "♣♦♥♠", strict=True):
            state = table("5h", "3h", stock=f"{rank}{suit} 4d")
            play(state, 0, DrawStockpile(), at=3000)
            assert play(state, 0, Discard("s0"), at=9000) == [
                Discarded(0, "s0", rank + sign, None, 2),
                SpecialOpened(0, "s0", rank, special, 24_000),  # type: ignore[arg-type]
            ]
            choice = cambia.view(state, 1).choice
            assert choice == Choice(0, special, "s0", rank, "choose", (), ())  # type: ignore[arg-type]


def test_c23b_k23_k24_d24_on_a_replace_only_by_house_rule() -> None:
    state = table(ANN, BEN, stock="Ac 4d")
    play(state, 0, DrawStockpile())
    assert kinds(play(state, 0, Replace("a3"))) == "Replaced Discarded Turn"
    state = table(ANN, BEN, stock="Ac 4d", allow_replace_abilities=True)
    play(state, 0, DrawStockpile())
    events = play(state, 0, Replace("a3"))
    assert kinds(events) == "Replaced Discarded SpecialOpened"
    assert events[-1] == SpecialOpened(0, "a3", "9", "peek_other", 15_000)


def test_c23_it_is_the_thrown_card_that_counts() -> None:
    state = table(ANN, BEN, stock="Kc 4d", allow_replace_abilities=True)
    play(state, 0, DrawStockpile())
    assert kinds(play(state, 0, Replace("a0"))) == "Replaced Discarded Turn"  # a King kept, a Five thrown


def test_c23_d25_never_after_a_draw_from_the_discard_pile() -> None:
    state = table(ANN, BEN, pile="7h", allow_replace_abilities=True, allow_draw_from_discard_pile=True)
    play(state, 0, DrawDiscardpile())
    assert kinds(play(state, 0, Replace("a3"))) == "Replaced Discarded Turn"


def test_c23_k71_d26_never_by_a_snap_or_a_timeout() -> None:
    state = table("10c 2c", "3h", pile="10h")
    assert kinds(play(state, 0, Snap("a0"))) == "Snapped"
    assert state.special is None
    state = table("5h", "3h", stock="7s 4d")
    assert kinds(expire(state, "turn", 15_000)) == "Drew Discarded Turn"  # D26


@pytest.mark.parametrize(
    ("card", "hands", "opens"),
    [
        ("7c", ("", "5h"), False),
        ("7c", ("5h", ""), True),
        ("9c", ("5h", "", ""), False),
        ("9c", ("", "", "5h"), True),
        ("Qc", ("5h", ""), False),
        ("Qc", ("5h", "3h"), True),
        ("Qc", ("5h 6h", ""), True),
        ("Kc", ("5h", ""), False),
        ("Kc", ("", "5h 3h"), True),
    ],
)
def test_c24_d27_without_a_target_there_is_no_special(card: str, hands: tuple[str, ...], opens: bool) -> None:
    state = table(*hands, stock=f"{card} 4d")
    assert kinds(throw(state)) == ("Discarded SpecialOpened" if opens else "Discarded Turn")


def test_c24_locked_cards_can_be_looked_at_and_not_swapped() -> None:
    for card, opens in (("Qc", False), ("Kc", True), ("9c", True)):
        state = table("5h 6h", "3h", stock=f"{card} 4d")
        play(state, 0, CallCambia())
        assert kinds(throw(state)).startswith("Discarded SpecialOpened" if opens else "Discarded Ended")


@pytest.mark.parametrize("card", ["7c", "9c", "Jc", "Kc"])
def test_c25_k42_k46_k47_used_once_or_skipped(card: str) -> None:
    state = opened(card=card)
    for move in (DrawStockpile(), DrawDiscardpile(), Discard("s0"), Discard(""), Replace(), CallCambia()):
        assert refused(state, 0, move) == "special_pending"
    assert SKIP in cambia.moves(state, 0)
    events = play(state, 0, SKIP)
    assert events == [Skipped(0, ()), Turn(1, 1, 15_000)]
    assert seen(events, None) == events
    assert refused(state, 0, SKIP) == "no_special_pending"  # K47


def test_c26_k31_a_look_at_an_own_card() -> None:
    state = opened(card="7s")
    assert cambia.moves(state, 0)[:5] == [SKIP, *(use("peek_self", f"a{idx}") for idx in range(4))]
    events = play(state, 0, use("peek_self", "a2"))
    assert events == [Peeked(0, "peek_self", Spot("a2", 0, 2), "2♠"), Turn(1, 1, 15_000)]
    assert seen(events, 0) == events
    for other in (1, None):
        assert seen(events, other) == [Peeked(0, "peek_self", Spot("a2", 0, 2), None), events[1]]
    assert cambia.recall(state, 0) == {"a2": "2♠"}
    assert cambia.recall(state, 1) == cambia.recall(state, None) == {}
    assert "2♠" not in repr(cambia.view(state, 0))  # it lies face down again


def test_c26_k32_k33_a_look_at_a_card_of_somebody_else() -> None:
    state = opened(card="10c")
    assert refused(state, 0, use("peek_other", "a2")) == "wrong_owner"
    events = play(state, 0, use("peek_other", "b1"))
    assert events[0] == Peeked(0, "peek_other", Spot("b1", 1, 1), "8♣")
    assert seen(events, 1)[0] == Peeked(0, "peek_other", Spot("b1", 1, 1), None)
    assert refused(opened(card="7c"), 0, use("peek_self", "b1")) == "wrong_owner"
    state = table(ANN, BEN, "2c", stock="9c 9h 3c")
    play(state, 0, CallCambia())
    throw(state)
    assert play(state, 1, use("peek_other", "a0"))[0] == Peeked(1, "peek_other", Spot("a0", 0, 0), "5♥")


@pytest.mark.parametrize(
    ("cards", "after"),
    [
        (("a1", "b2"), ["a0 b2 a2 a3", "b0 b1 a1 b3", "c0 c1"]),
        (("b2", "a1"), ["a0 b2 a2 a3", "b0 b1 a1 b3", "c0 c1"]),
        (("a0", "a3"), ["a3 a1 a2 a0", "b0 b1 b2 b3", "c0 c1"]),  # K35: two own ones
        (("b0", "c1"), ["a0 a1 a2 a3", "c1 b1 b2 b3", "c0 b0"]),  # K35: of two others
    ],
)
def test_c27_k34_k35_k36_d28_d35_a_blind_swap(cards: tuple[str, str], after: list[str]) -> None:
    state = opened(ANN, BEN, "Ac 6d", card="Jd")
    where = {card: Spot(card, "abc".index(card[0]), int(card[1])) for card in cards}
    events = play(state, 0, use("swap_blind", *cards))
    assert events == [Swapped(0, "swap_blind", where[cards[0]], where[cards[1]]), Turn(1, 1, 15_000)]  # D35
    assert [" ".join(hand) for hand in state.hands] == after
    for seat in (0, 1, 2, None):
        assert seen(events, seat) == events
        assert cambia.recall(state, seat) == {}


def test_c27_k92_what_was_known_of_a_card_goes_with_it() -> None:
    state = opened(card="7s")
    play(state, 0, use("peek_self", "a2"))
    state.stock.append("x0")
    state.faces["x0"] = "Q♦"
    throw(state)
    play(state, 1, use("swap_blind", "a2", "b0"))
    assert cambia.recall(state, 0) == {"a2": "2♠"}  # Ben has it now, and Ann still knows what it is
    assert cambia.recall(state, 1) == {}
    assert state.hands[1][0] == "a2"


def test_c28_k37_d30_a_locked_hand_is_refused_and_the_choice_stays() -> None:
    state = table(ANN, BEN, "Ac 6d", stock="Qd 4d 4c")
    play(state, 0, CallCambia())
    throw(state, at=1000)
    due = state.due
    assert refused(state, 1, use("swap_blind", "b2", "a0")) == "locked"
    assert state.due == due
    assert kinds(play(state, 1, use("swap_blind", "b2", "c0"))) == "Swapped Turn"


def test_c29_k38_the_kings_look() -> None:
    state = opened(card="Kc")
    events = play(state, 0, use("swap_peek", "a3@0", "b1@1"), at=5000)
    look = Revealed(0, Spot("a3", 0, 3), Spot("b1", 1, 1), ("9♦", "8♣"), True, 20_000)  # T3
    assert events == [look]
    assert seen(events, 0) == [look]
    hidden = Revealed(0, Spot("a3", 0, 3), Spot("b1", 1, 1), (), True, 20_000)
    assert seen(events, 1) == seen(events, None) == [hidden]
    choice = cambia.view(state, 0).choice
    assert choice == Choice(0, "swap_peek", "s0", "K", "decide", (Spot("a3", 0, 3), Spot("b1", 1, 1)), ("9♦", "8♣"))
    other = cambia.view(state, 1).choice
    assert other is not None and other.faces == ()
    assert cambia.recall(state, 0) == {"a3": "9♦", "b1": "8♣"}
    assert cambia.moves(state, 0)[:2] == [SWAP, SKIP]


def test_c29_also_at_two_own_cards() -> None:
    state = opened(card="Kc")
    assert kinds(play(state, 0, use("swap_peek", "a0", "a2"))) == "Revealed"
    state = opened(card="Kc")
    assert kinds(play(state, 0, use("swap_peek", "b0", "b2"))) == "Revealed"


def test_c30_k40_d32_a_locked_card_ends_it() -> None:
    state = table(ANN, BEN, "Ac 6d", stock="Kd 4d 4c")
    play(state, 0, CallCambia())
    throw(state)
    events = play(state, 1, use("swap_peek", "b2", "a0"))
    assert events == [Revealed(1, Spot("b2", 1, 2), Spot("a0", 0, 0), ("3♥", "5♥"), False, None), Turn(2, 2, 15_000)]
    assert cambia.recall(state, 1) == {"b2": "3♥", "a0": "5♥"}
    assert refused(state, 1, SWAP) == "no_special_pending"


@pytest.mark.parametrize(
    "move", [SWAP, use("swap_peek_swap", "a3", "b1"), use("swap_peek_swap", "b1@1", "a3@0")], ids=repr
)
def test_c31_k39_d33_the_swap(move: object) -> None:
    state = opened(card="Kc")
    play(state, 0, use("swap_peek", "a3", "b1"))
    events = play(state, 0, move)  # type: ignore[arg-type]
    assert events == [Swapped(0, "swap_peek_swap", Spot("a3", 0, 3), Spot("b1", 1, 1)), Turn(1, 1, 15_000)]
    assert state.hands == [["a0", "a1", "a2", "b1"], ["b0", "a3", "b2", "b3"]]
    assert cambia.view(state, 0).choice is None


def test_c31_k39_d36_or_no_swap() -> None:
    state = opened(card="Kc")
    play(state, 0, use("swap_peek", "a3", "b1"))
    events = play(state, 0, SKIP)
    assert events == [Skipped(0, (Spot("a3", 0, 3), Spot("b1", 1, 1))), Turn(1, 1, 15_000)]
    assert state.hands == [["a0", "a1", "a2", "a3"], ["b0", "b1", "b2", "b3"]]


def test_c31_k41_one_after_the_other() -> None:
    state = opened(card="Kc")
    assert refused(state, 0, SWAP) == "wrong_step"
    assert refused(state, 0, use("swap_peek_reveal", "a0", "b0")) == "wrong_step"
    play(state, 0, use("swap_peek", "a3", "b1"))
    assert refused(state, 0, use("swap_peek", "a3", "b1")) == "wrong_step"
    assert refused(state, 0, use("swap_peek_reveal")) == "wrong_step"
    assert refused(state, 0, use("swap_peek_swap", "a3", "b0")) == "wrong_card"
    assert refused(state, 0, use("swap_peek_swap", "a3")) == "wrong_card"


def test_c32_d34_a_card_that_was_snapped_meanwhile() -> None:
    state = opened("5h Qc 2s Kd", BEN, "6c", card="Kc")
    play(state, 0, use("swap_peek", "a3", "b1"))
    play(state, 2, Snap("a3"))
    assert cambia.moves(state, 0)[:1] == [SKIP]
    assert SWAP not in cambia.moves(state, 0)
    events = play(state, 0, use("swap_peek_swap", "a3", "b1"))
    assert events == [
        CardGone(0),
        Skipped(0, (Spot("a3", None, None), Spot("b1", 1, 1))),
        Turn(1, 1, 15_000),
    ]
    assert seen(events, 1) == events[1:]  # only who tried hears that it was tried


def test_c32_a_card_that_was_given_away_meanwhile() -> None:
    state = opened(ANN, "8c Ks 3h Js", "6c", card="Kc")
    play(state, 0, use("swap_peek", "a0", "b0"))
    play(state, 0, Snap("b1"))
    play(state, 0, Give("a0"))
    assert state.hands[1][1] == "a0"
    events = play(state, 0, SWAP)
    assert kinds(events) == "CardGone Skipped Turn"
    assert events[1] == Skipped(0, (Spot("a0", 1, 1), Spot("b0", 1, 0)))


def test_c32_a_card_that_only_moved_up_is_followed() -> None:
    state = opened("Kd Qc 2s 9d", BEN, card="Kc")
    play(state, 0, use("swap_peek", "a3", "b1"))
    play(state, 0, Snap("a0"))
    assert play(state, 0, SWAP)[0] == Swapped(0, "swap_peek_swap", Spot("a3", 0, 2), Spot("b1", 1, 1))
    assert state.hands[0] == ["a1", "a2", "b1"]


def test_c32_d93_a_card_whose_owner_has_forfeited_meanwhile() -> None:
    state = opened(ANN, BEN, "6c", card="Kc")
    play(state, 0, use("swap_peek", "a3", "b1"))
    leave(state, 1)
    assert cambia.moves(state, 0)[:1] == [SKIP]
    assert SWAP not in cambia.moves(state, 0)
    assert refused(state, 0, SWAP) == "locked"
    assert kinds(play(state, 0, SKIP)) == "Skipped Turn"


def test_c33_a_look_changes_nothing() -> None:
    for card, move in (
        ("7c", use("peek_self", "a0")),
        ("9c", use("peek_other", "b0")),
        ("Kc", use("swap_peek", "a0", "b0")),
    ):
        state = opened(card=card)
        hands = [hand.copy() for hand in state.hands]
        play(state, 0, move)
        assert state.hands == hands
        assert Given not in map(type, state.debts)


def test_d45_a_special_waits_for_snaps() -> None:
    """A special stays open whatever is snapped; also when its last target has gone."""
    state = opened("7h", "2c 3c", card="7c")
    play(state, 0, Snap("a0"))
    assert state.special == "peek_self"
    assert cambia.moves(state, 0) == [SKIP]
    assert kinds(play(state, 0, SKIP)) == "Skipped Turn"


def test_offers_for_swaps_are_all_pairs() -> None:
    state = opened("5h Qc", "Kd", card="Jc")
    pairs = [("a0", "a1"), ("a0", "b0"), ("a1", "b0")]
    assert cambia.moves(state, 0)[:4] == [SKIP, *(use("swap_blind", *pair) for pair in pairs)]
    state = table("5h Qc", "Kd 2c", "3c", stock="Kh 4d")
    play(state, 0, CallCambia())
    throw(state)
    assert len([move for move in cambia.moves(state, 1) if not isinstance(move, Snap)]) == 1 + 10
