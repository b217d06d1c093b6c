"""Snapping in Cambia: C39 to C50."""

from __future__ import annotations

from copy import copy

import pytest

from croupier.games.cambia.events import Given, GiveOwed, Penalised, SnapFailed, Snapped, Turn
from croupier.games.cambia.moves import CallCambia, Discard, DrawDiscardpile, DrawStockpile, Give, Snap
from croupier.games.cambia.state import Debt, Spot, State
from croupier.kernel import Clock
from croupier.kernel.chance import QuickDice
from tests.games.cambia.positions import (
    UNKNOWN,
    cambia,
    expire,
    kinds,
    leave,
    play,
    refused,
    seen,
    table,
    throw,
    use,
)

ANN = "5h 3h 2s 9d"
BEN = "Kd 9c Qc Js"
CLEO = "As 9h 6d 10d"


def offered(state: State, seat: int) -> list[str]:
    """The cards that this player may snap."""
    return [move.card for move in cambia.moves(state, seat) if isinstance(move, Snap)]


def test_c39_k57_k58_at_any_time_and_without_any_effect_on_the_turn() -> None:
    state = table(ANN, BEN, CLEO, pile="9s", stock="7c 4d 4c")
    events = play(state, 1, Snap("b1"), at=14_000)
    assert events == [Snapped(1, "b1", "9♣", 1, 1, 2)]
    assert seen(events, None) == events
    assert (state.current, state.turn, state.step, state.due) == (0, 0, "start", 15_000)
    assert state.hands[1] == ["b0", "b2", "b3"]  # C42
    play(state, 0, DrawStockpile())
    play(state, 0, Snap("a3"))  # holding a drawn card
    assert state.held == "s0"
    play(state, 0, Discard("s0"))
    state.pile.append(state.pile.pop(0))  # a Nine on top again
    play(state, 0, Snap("c1"))  # in a special choice, D45
    assert state.special == "peek_self"


def test_c39_who_has_just_discarded_may_snap() -> None:
    state = table("4c 2c", "3c 5c", stock="4d 6d")
    throw(state)
    assert kinds(play(state, 0, Snap("a0"))) == "Snapped"
    assert state.current == 1


def test_c39_not_before_turn_0_and_not_by_the_forfeited() -> None:
    state = table(ANN, BEN, CLEO, pile="9s")
    leave(state, 1)
    assert refused(state, 1, Snap("b1")) == "forfeited"
    assert refused(state, 0, Snap("b1")) == "locked"
    assert cambia.moves(state, 1) == ()


def test_c40_d89_compared_with_what_is_on_top_now() -> None:
    state = table("9c 4c", "3c 5c", pile="4s 9s", stock="2d 6d", allow_draw_from_discard_pile=True)
    play(state, 0, DrawDiscardpile())
    assert kinds(play(state, 0, Snap("a1"))) == "Snapped"  # the Four was uncovered by the draw
    assert kinds(play(state, 0, Snap("a0"))).startswith("SnapFailed")


def test_c40_k70_ranks_decide() -> None:
    for own, top in (("Kh", "Ks"), ("R", "B"), ("10c", "10d")):
        assert kinds(play(table(f"{own} 2c", "3c", pile=top), 0, Snap("a0"))) == "Snapped"
    for own, top in (("Kh", "Qh"), ("R", "Kd"), ("10c", "Jc")):  # neither suits nor values
        assert kinds(play(table(f"{own} 2c", "3c", pile=top), 0, Snap("a0"))).startswith("SnapFailed")


def test_c41_c43_k66_d46_d47_another_players_card() -> None:
    state = table(ANN, BEN, CLEO, pile="9s")
    events = play(state, 0, Snap("c1"), at=2000)
    assert events == [Snapped(0, "c1", "9♥", 2, 1, 2), GiveOwed(0, 2, 1, 12_000)]
    assert state.hands[2] == ["c0", "c2", "c3"]
    assert cambia.view(state, None).debts == (Debt(0, 2, 1, 12_000),)
    assert cambia.awaited(state) == (0,)
    assert Give("a0") in cambia.moves(state, 0)
    events = play(state, 0, Give("a0"))
    assert events == [Given(0, 2, "a0", 1, 0)]
    assert state.hands == [["a1", "a2", "a3"], ["b0", "b1", "b2", "b3"], ["c0", "a0", "c2", "c3"]]
    for seat in (0, 1, 2, None):
        assert seen(events, seat) == events
        assert cambia.recall(state, seat) == {}


def test_c42_a_hand_may_become_empty() -> None:
    state = table("9c", "3c", pile="9s")
    play(state, 0, Snap("a0"))
    assert state.hands[0] == []
    assert cambia.moves(state, 0) == [DrawStockpile(), CallCambia()]
    assert cambia.moves(state, 1) == [Snap("b0")]


@pytest.mark.parametrize("move", [Give("a1"), Give(None, 1), Give("a1", 1)])
def test_c43_ways_to_name_the_card(move: Give) -> None:
    state = table(ANN, BEN, CLEO, pile="9s", current=1)
    play(state, 0, Snap("c1"))
    assert cambia.awaited(state) == (1, 0)
    assert play(state, 0, move) == [Given(0, 2, "a1", 1, 1)]


def test_c43_at_the_end_of_a_hand_that_became_shorter() -> None:
    state = table(ANN, BEN, "9h 9s 6d", pile="9c")
    play(state, 0, Snap("c1"))
    play(state, 2, Snap("c0"))
    assert state.hands[2] == ["c2"]
    assert play(state, 0, Give("a0")) == [Given(0, 2, "a0", 1, 0)]
    state = table(ANN, BEN, "9h 9s", pile="9c")
    play(state, 0, Snap("c1"))
    play(state, 2, Snap("c0"))
    assert play(state, 0, Give("a0")) == [Given(0, 2, "a0", 0, 0)]


def test_c44_k67_time_gives_the_last_card() -> None:
    state = table(ANN, BEN, CLEO, pile="9s", snap_give_sec=3)
    play(state, 1, Snap("c1"), at=1000)
    assert cambia.clocks(state) == [Clock(4000, (1,), "give 1"), Clock(15_000, (0,), "turn")]
    assert expire(state, "give 1", 4000) == [Given(1, 2, "b3", 1, 3)]
    assert state.hands[2] == ["c0", "b3", "c2", "c3"]


def test_c44_who_owes_snaps_nothing_and_all_else_goes_on() -> None:
    state = table(ANN, BEN, CLEO, pile="9s", stock="4d 2d 3d")
    play(state, 0, Snap("c1"))
    assert refused(state, 0, Snap("a3")) == "give_pending"
    assert refused(state, 0, Snap(UNKNOWN)) == "give_pending"
    assert not [move for move in cambia.moves(state, 0) if isinstance(move, Snap)]
    assert kinds(play(state, 1, Snap("b1"))) == "Snapped"
    throw(state)
    throw(state)
    assert state.debts == [Debt(0, 2, 1, 10_000)]
    assert cambia.awaited(state) == (2, 0)


def test_c44_nothing_is_given_when_nothing_is_left() -> None:
    state = table("9d", BEN, "9h 3c", pile="9s")
    play(state, 0, Snap("c0"))
    play(state, 1, Snap("a0"))  # somebody snaps the last card of the debtor
    assert state.hands[0] == []
    assert [debt.seat for debt in state.debts] == [0, 1]
    assert cambia.awaited(state) == (0, 1)
    assert Give("") not in cambia.moves(state, 0)
    state.current = 2
    assert cambia.awaited(state) == (2, 1)  # nobody waits for who has nothing to give
    assert expire(state, "give 0", 10_000) == [Given(0, 2, None, None, None)]
    assert play(state, 1, Give("b0")) == [Given(1, 0, "b0", 0, 0)]


def test_c44_settled_before_a_forfeit_of_either() -> None:
    for quitter in (0, 2):
        state = table(ANN, BEN, CLEO, pile="9s", current=1)
        play(state, 0, Snap("c1"))
        events = leave(state, quitter)
        assert kinds(events) == "Given Forfeited"
        assert events[0] == Given(0, 2, "a3", 1, 3)


def test_c45_without_a_card_to_give() -> None:
    state = table("", BEN, pile="9s")
    assert refused(state, 0, Snap("b1")) == "no_card_to_give"
    assert refused(state, 0, Snap("b0")) == "no_card_to_give"  # matching or not
    assert not [move for move in cambia.moves(state, 0) if isinstance(move, Snap)]


def test_c46_k61_k62_d51_d52_d96_a_wrong_snap() -> None:
    state = table(ANN, BEN, CLEO, pile="9s", stock="4h Ac 2d 3d")
    events = play(state, 1, Snap("b3"))
    assert events == [
        SnapFailed(1, Spot("b3", 1, 3), "J♠"),
        Penalised(1, "s0", 4, 1, 2, 3),
        Penalised(1, "s1", 5, 2, 2, 2),
    ]
    for seat in (0, 1, 2, None):
        assert seen(events, seat) == events
        assert cambia.recall(state, seat) == {"b3": "J♠"}
    assert "4♥" not in repr(events) and "A♣" not in repr(events)  # K89
    assert state.hands[1] == ["b0", "b1", "b2", "b3", "s0", "s1"]


def test_c46_d70_a_hand_may_grow_without_limit() -> None:
    state = table("2c 3c", "4c 5c", pile="9s", stock=" ".join(["6d"] * 40), penalty_draw_count=10)
    for _ in range(3):
        play(state, 0, Snap("a0"))
    assert len(state.hands[0]) == 32


def test_c46_a_card_of_somebody_else_is_shown_too() -> None:
    state = table(ANN, BEN, CLEO, pile="9s")
    assert play(state, 0, Snap("c0"))[0] == SnapFailed(0, Spot("c0", 2, 0), "A♠")
    assert len(state.hands[0]) == 6
    assert state.debts == []


@pytest.mark.parametrize("count", [0, 1, 5])
def test_c46_k63_d53_the_house_rule_says_how_many(count: int) -> None:
    state = table(ANN, BEN, pile="9s", penalty_draw_count=count)
    events = play(state, 0, Snap("a0"))
    assert len(events) == 1 + count
    assert all(isinstance(event, Penalised) and event.total == count for event in events[1:])


@pytest.mark.parametrize("card", [UNKNOWN, "p0", "s0", "s3"])
def test_c47_k64_d48_a_card_that_is_in_no_hand(card: str) -> None:
    state = table(ANN, BEN, pile="9s")
    assert kinds(play(state, 1, Snap(card))) == "SnapFailed Penalised Penalised"
    state = table(ANN, BEN, pile="9s")
    assert play(state, 1, Snap(card))[0] == SnapFailed(1, None, None)


def test_c47_d90_the_drawn_card() -> None:
    state = table(ANN, BEN, pile="9s", stock="9h 2d 3d 4d")
    play(state, 0, DrawStockpile())
    events = play(state, 0, Snap("s0"))
    assert events[0] == SnapFailed(0, None, None)
    assert state.held == "s0"


def test_c47_k68_where_the_cards_of_others_are_out_of_bounds() -> None:
    state = table(ANN, BEN, pile="9s", allow_opponent_snapping=False)
    assert play(state, 0, Snap("b1"))[0] == SnapFailed(0, None, None)
    assert [move for move in cambia.moves(state, 1) if isinstance(move, Snap)] == [Snap(f"b{idx}") for idx in range(4)]
    assert kinds(play(state, 1, Snap("b1"))) == "Snapped"


def test_c47_d49_an_empty_pile() -> None:
    state = table(ANN, BEN, pile="", allow_draw_from_discard_pile=True)
    assert play(state, 1, Snap("b1"))[0] == SnapFailed(1, None, None)
    state = table(ANN, BEN, pile="9s", allow_draw_from_discard_pile=True)
    play(state, 0, DrawDiscardpile())
    assert play(state, 1, Snap("b1"))[0] == SnapFailed(1, None, None)
    assert cambia.recall(state, 0) == {}


def test_c48_d43_d44_k69_locked_hands() -> None:
    state = table(ANN, BEN, CLEO, pile="9s")
    play(state, 0, CallCambia())
    assert refused(state, 0, Snap("a3")) == "locked"
    assert refused(state, 0, Snap("b1")) == "locked"
    assert refused(state, 0, Snap(UNKNOWN)) == "locked"
    assert refused(state, 1, Snap("a3")) == "locked"
    assert Snap("a3") not in cambia.moves(state, 1)
    assert Snap("c1") in cambia.moves(state, 1)


def test_c49_k59_one_after_the_other() -> None:
    state = table(ANN, BEN, CLEO, pile="9s")
    for seat, card in ((1, "b1"), (0, "a3"), (2, "c1")):
        assert kinds(play(state, seat, Snap(card))) == "Snapped"
    assert state.pile == ["p0", "b1", "a3", "c1"]


def test_c49_k60_d50_a_race() -> None:
    state = table(ANN, BEN, CLEO, pile="9s", snap_race=True, stock="4d 2d 9h 3d 5d 6d 2c")
    assert not cambia.view(state, 2).snapped
    play(state, 1, Snap("b1"))
    assert cambia.view(state, 2).snapped
    events = play(state, 2, Snap("c1"))
    assert events[0] == SnapFailed(2, Spot("c1", 2, 1), None)  # the face is not shown
    assert kinds(events[1:]) == "Penalised Penalised"
    assert play(state, 2, Snap("c0"))[0] == SnapFailed(2, Spot("c0", 2, 0), None)  # wrong or not
    assert play(state, 2, Snap(UNKNOWN))[0] == SnapFailed(2, None, None)
    assert cambia.recall(state, 0) == {}


def test_c49_d50_the_next_discard_begins_a_new_race() -> None:
    for begin in ("a discard", "a timeout", "nothing"):
        state = table("9c 9d", "9h 3c", pile="9s", snap_race=True, stock="4d 9h 2d 6c 6d 6h")
        play(state, 0, Snap("a0"))
        match begin:
            case "a discard":
                throw(state)
            case "a timeout":
                expire(state, "turn", 15_000)
            case _:
                play(state, 1, Snap("b0"))
        assert state.snapped is (begin == "nothing")


def test_c50_k99_who_is_heard_first() -> None:
    """Both snap the same card: the first one has it, the other names a card that is in no hand any more."""
    state = table(ANN, BEN, CLEO, pile="9s")
    assert kinds(play(state, 0, Snap("c1"))) == "Snapped GiveOwed"
    assert kinds(play(state, 1, Snap("c1"))) == "SnapFailed Penalised Penalised"
    state = table(ANN, BEN, CLEO, pile="9s")
    assert kinds(play(state, 2, Snap("c1"))) == "Snapped"
    assert kinds(play(state, 0, Snap("c1"))) == "SnapFailed Penalised Penalised"


def test_offers_do_not_depend_on_faces() -> None:
    """Every card in a hand that is not locked, in the order of seats and places."""
    one, other = table(ANN, BEN, pile="9s"), table("2c 2d 2h 2s", "3c 3d 3h 3s", pile="Kd")
    for seat in (0, 1):
        assert cambia.moves(one, seat) == cambia.moves(other, seat)
        assert offered(one, seat) == [f"{hand}{idx}" for hand in "ab" for idx in range(4)]


def test_offers_follow_the_hands_and_leave_no_trace() -> None:
    """What is remembered of them is no part of the state, and is not shared with what somebody imagines."""
    state = table(ANN, BEN, pile="9s")
    before = cambia.fingerprint(state, b"")
    assert offered(state, 0) == [*state.hands[0], *state.hands[1]]
    assert cambia.fingerprint(state, b"") == before
    imagined = cambia.imagine(state, 0, QuickDice(1))
    for cards in (state.hands[0], imagined.hands[1]):
        cards.reverse()
        cards.pop()
    for one in (state, imagined, copy(state), state):
        assert offered(one, 0) == [*one.hands[0], *one.hands[1]]


def test_g6_a_whole_round_of_snaps() -> None:
    state = table(ANN, BEN, CLEO, stock="9s 4h Ac 2d 3d", turn=9)
    throw(state)
    play(state, 1, Snap("b1"))
    play(state, 0, Snap("a3"))
    play(state, 0, Snap("c1"))
    play(state, 0, Give("a0", 0))
    play(state, 1, Snap("b3"))
    events = play(state, 0, use("peek_other", "s1"))
    assert events[-1] == Turn(1, 10, 15_000)
    assert state.hands == [["a1", "a2"], ["b0", "b2", "b3", "s1", "s2"], ["c0", "a0", "c2", "c3"]]
