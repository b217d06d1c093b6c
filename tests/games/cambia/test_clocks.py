"""Time and absence in Cambia: T1 to T15."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.games.cambia.events import Discarded, Drew, Ended, Forfeited, Given, Skipped, Turn
from croupier.games.cambia.moves import SKIP, CallCambia, DrawStockpile, Replace, Snap
from croupier.games.cambia.state import Spot, State
from croupier.kernel import Clock
from tests.games.cambia.positions import (
    begun,
    cambia,
    dealt,
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

ANN = "5h Qc 2s 9d"
BEN = "Kd 8c 3h Js"
CLEO = "As 9h 6d"


def absent(state: State, seat: int, at: int = 0) -> None:
    assert cambia.absent(state, seat, at) == ()


def back(state: State, seat: int, at: int = 0) -> None:
    assert cambia.back(state, seat, at) == ()


def clocks(state: State) -> dict[str, int]:
    found = cambia.clocks(state)
    assert [clock.due for clock in found] == sorted(clock.due for clock in found)
    return {clock.name: clock.due for clock in found}


# T1, T2: before the first turn


def test_t1_nobody_is_waited_for_when_all_are_there() -> None:
    state = dealt(3)
    assert clocks(state) == {"gathering": 0}
    view = cambia.view(state, 0)
    assert (view.phase, view.stockpile, view.discard, view.top, view.current) == ("gathering", 54, 0, None, None)
    assert [player.hand for player in view.players] == [(), (), ()]


def test_t1_d81_who_is_missing_is_waited_for() -> None:
    state = dealt(3)
    absent(state, 1)
    absent(state, 2)
    assert clocks(state) == {"gathering": 10_000}
    back(state, 1, 3000)
    assert clocks(state) == {"gathering": 10_000}
    back(state, 2, 4000)
    assert clocks(state) == {"gathering": 0}  # due at once
    expire(state, "gathering", 4000)
    assert clocks(state) == {"pregame": 14_000}


def test_t1_who_is_still_missing_counts_as_disconnected_from_then_on() -> None:
    state = dealt(3)
    absent(state, 1)
    expire(state, "gathering", 10_000)
    assert [player.away for player in cambia.view(state, 0).players] == [False, True, False]
    assert clocks(state) == {"pregame": 20_000, "grace 1": 70_000}


def test_t2_the_first_look_is_not_prolonged_and_can_be_seen_by_who_comes_late() -> None:
    state = dealt(2)
    absent(state, 1)
    expire(state, "gathering", 10_000)
    back(state, 1, 15_000)
    assert clocks(state) == {"pregame": 20_000}
    assert len(cambia.view(state, 1).shown) == 2


def test_t2_a_phase_that_belongs_to_nobody() -> None:
    state = dealt(2)
    expire(state, "gathering", 0)
    assert cambia.clocks(state) == [Clock(10_000, (), "pregame")]


def test_who_leaves_before_the_first_turn() -> None:
    state = dealt(3, first=1)
    assert kinds(leave(state, 1)) == "Forfeited"
    expire(state, "gathering", 0)
    assert list(map(len, state.hands)) == [4, 0, 4]  # not dealt in
    assert kinds(expire(state, "pregame", 0)) == "Began Turn"
    assert state.current == 2
    state = dealt(3, first=1)
    expire(state, "gathering", 0)
    assert kinds(leave(state, 1)) == "Forfeited"
    assert kinds(leave(state, 2)) == "Forfeited Ended"
    state = dealt(2)
    assert kinds(leave(state, 0)) == "Forfeited Ended"
    assert state.outcome is not None and state.outcome.winners == (1,)


# T3 to T8: the turn timer


def test_t3_t14_k30_k78_d38_what_restarts_the_timer() -> None:
    state = table(ANN, BEN, stock="Kc 4d 4c", turn_timer_sec=15)
    assert clocks(state) == {"turn": 15_000}
    play(state, 0, DrawStockpile(), at=6000)  # D38: a draw does not
    assert clocks(state) == {"turn": 15_000}
    play(state, 1, Snap("b0"), at=7000)  # nor a snap
    assert clocks(state) == {"turn": 15_000}
    play(state, 0, cambia.moves(state, 0)[0], at=8000)
    assert clocks(state) == {"turn": 23_000}  # a special choice does
    refused(state, 0, use("peek_self", "a0"))
    assert clocks(state) == {"turn": 23_000}  # a refused action does not
    absent(state, 0, 9000)
    back(state, 0, 9500)
    assert clocks(state) == {"turn": 23_000}  # T14: nor a return
    play(state, 0, use("swap_peek", "a0", "b0"), at=10_000)
    assert clocks(state) == {"turn": 25_000}  # a King's look does
    play(state, 0, SKIP, at=12_000)
    assert clocks(state) == {"turn": 27_000}  # and the next turn


def test_t5_k76_d26_nothing_drawn() -> None:
    state = table(ANN, BEN, stock="7s 4d")
    events = expire(state, "turn", 15_000)
    assert events == [
        Drew(0, "s0", "7♠", "stockpile", 1, 1),
        Discarded(0, "s0", "7♠", None, 2),  # D26: no special
        Turn(1, 1, 30_000),
    ]
    assert seen(events, 1)[0] == Drew(0, "s0", None, "stockpile", 1, 1)


def test_t6_k77_with_a_drawn_card() -> None:
    state = table(ANN, BEN, stock="7s 4d")
    play(state, 0, DrawStockpile(), at=14_000)
    assert expire(state, "turn", 15_000) == [Discarded(0, "s0", "7♠", None, 2), Turn(1, 1, 30_000)]
    state = table(ANN, BEN, pile="3c 7s", allow_draw_from_discard_pile=True)
    play(state, 0, cambia.moves(state, 0)[1])
    assert expire(state, "turn", 15_000) == [Discarded(0, "p1", "7♠", None, 2), Turn(1, 1, 30_000)]


@pytest.mark.parametrize("card", ["7c", "10c", "Qc", "Kc"])
def test_t7_d37_in_a_special_choice(card: str) -> None:
    state = table(ANN, BEN, stock=f"{card} 4d")
    throw(state)
    assert expire(state, "turn", 15_000) == [Skipped(0, ()), Turn(1, 1, 30_000)]


def test_t8_k78_in_the_kings_decision() -> None:
    state = table(ANN, BEN, stock="Kc 4d")
    throw(state)
    play(state, 0, use("swap_peek", "a1", "b0"), at=1000)
    assert expire(state, "turn", 16_000) == [Skipped(0, (Spot("a1", 0, 1), Spot("b0", 1, 0))), Turn(1, 1, 31_000)]
    assert state.hands[0][1] == "a1"
    assert refused(state, 0, use("swap_peek_swap")) == "no_special_pending"


def test_t8_when_a_card_has_gone() -> None:
    state = table("Ks Qc", BEN, stock="Kc 4d")
    throw(state)
    play(state, 0, use("swap_peek", "a0", "b1"))
    play(state, 0, Snap("a0"))
    assert expire(state, "turn", 16_000)[0] == Skipped(0, (Spot("a0", None, None), Spot("b1", 1, 1)))


def test_k79_d39_no_timer() -> None:
    state = begun(2, turn_timer_sec=0)
    assert clocks(state) == {}
    assert cambia.view(state, 0).due is None
    events = throw_anything(state)
    assert all(event.due is None for event in events if isinstance(event, Turn))


def throw_anything(state: State) -> list[Any]:
    play(state, state.current, DrawStockpile())
    return play(state, state.current, Replace(None, 0))


# T10 to T14: absence


def test_t10_k80_a_lost_connection_changes_nothing_at_first() -> None:
    state = table(ANN, BEN, stock="7c 4d")
    throw(state)
    before = cambia.view(state, 0)
    absent(state, 0, 2000)
    assert clocks(state) == {"turn": 15_000, "grace 0": 62_000}
    assert cambia.view(state, 1).players[0].away
    back(state, 0, 9000)
    assert clocks(state) == {"turn": 15_000}
    assert cambia.view(state, 0) == before
    assert state.special == "peek_self"


@pytest.mark.parametrize(("seconds", "due"), [(0, 2000), (10, 12_000), (600, 602_000)])
def test_t10_d66_the_grace_period(seconds: int, due: int) -> None:
    state = table(ANN, BEN, CLEO, disconnect_grace_sec=seconds)
    absent(state, 1, 2000)
    assert clocks(state)["grace 1"] == due
    assert kinds(expire(state, "grace 1", due)) == "Forfeited"
    assert "grace 1" not in clocks(state)


def test_t10_without_forfeits() -> None:
    state = table(ANN, BEN, CLEO, forfeit_on_disconnect=False)
    absent(state, 1, 2000)
    assert clocks(state) == {"turn": 15_000}


def test_t11_d67_the_turn_of_somebody_who_is_away() -> None:
    state = table(ANN, BEN, stock="4d 5d 6d")
    absent(state, 1)
    throw(state)
    assert state.current == 1  # not skipped
    assert kinds(expire(state, "turn", 15_000)) == "Drew Discarded Turn"


def test_t11_where_there_is_no_timer_otherwise() -> None:
    rules: dict[str, Any] = {"turn_timer_sec": 0, "forfeit_on_disconnect": False}
    state = table(ANN, BEN, stock="4d 5d 6d Kc 2c", **rules)
    assert clocks(state) == {}
    absent(state, 0, 1000)
    assert clocks(state) == {"turn": 16_000}  # from the moment of the loss
    back(state, 0, 2000)
    assert clocks(state) == {}  # dropped on return
    absent(state, 1, 3000)
    assert clocks(state) == {}
    throw(state, at=4000)
    assert clocks(state) == {"turn": 19_000}  # from the beginning of the turn
    assert expire(state, "turn", 19_000)[-1] == Turn(0, 2, None)
    assert clocks(state) == {}


def test_t11_g12_k81_the_grace_period_may_end_first() -> None:
    state = table(ANN, BEN, stock="Qh 5d", current=1, turn_timer_sec=0, disconnect_grace_sec=10)
    play(state, 1, DrawStockpile())
    absent(state, 1, 1000)
    assert clocks(state) == {"grace 1": 11_000, "turn": 16_000}
    events = expire(state, "grace 1", 11_000)
    assert kinds(events) == "Discarded Forfeited Ended"  # K81
    ended = events[-1]
    assert isinstance(ended, Ended)
    assert (ended.outcome.reason, ended.outcome.winners, ended.outcome.forfeited) == ("forfeit", (0,), (1,))
    assert ended.outcome.scores == (28, None)
    assert ended.outcome.caller is None


def test_t12_d68_too_many_missed_turns() -> None:
    state = table(
        "2c", "3c", "4c", stock="2d 3d 4d 5d 6d 2h 3h 4h 5h", auto_kick_turn_count=2, disconnect_grace_sec=600
    )
    absent(state, 1)
    for turn in range(2):
        throw(state)
        events = expire(state, "turn", 15_000)
        if turn == 0:
            assert kinds(events) == "Drew Discarded Turn"
            throw(state)
    assert kinds(events) == "Drew Discarded Forfeited Turn"
    assert state.current == 2
    assert refused(state, 1, DrawStockpile()) == "forfeited"


def test_t12_a_return_or_an_action_starts_the_count_anew() -> None:
    def missed_once() -> State:
        state = table("2c", "3c", stock="2d 3d 4d 5d 6d 2h 3h 4h 5h", auto_kick_turn_count=2)
        absent(state, 1)
        throw(state)
        expire(state, "turn", 15_000)
        assert state.missed == [0, 1]
        return state

    state = missed_once()
    back(state, 1)
    assert state.missed == [0, 0]
    absent(state, 1)
    throw(state)
    expire(state, "turn", 15_000)
    assert state.phase == "playing"
    state = missed_once()
    play(state, 1, Snap("b0"))
    assert state.missed == [0, 0]
    state = missed_once()
    refused(state, 1, DrawStockpile())
    assert state.missed == [0, 1]


def test_t12_only_whole_turns_count() -> None:
    state = table("2c", "3c", stock="2d 3d 4d 5d 6d 2h 3h", auto_kick_turn_count=1)
    absent(state, 0, 5000)  # lost in the middle of the turn
    assert kinds(expire(state, "turn", 15_000)) == "Drew Discarded Turn"
    absent(state, 1, 16_000)
    back(state, 1, 17_000)
    expire(state, "turn", 30_000)  # a connected player is never thrown out
    assert state.phase == "playing"
    assert state.whole  # but seat 0 is away from the beginning now
    back(state, 0, 31_000)
    absent(state, 0, 32_000)
    assert kinds(expire(state, "turn", 45_000)) == "Drew Discarded Turn"


def test_t12_can_be_switched_off() -> None:
    state = table("2c", "3c", stock="2d 3d 4d 5d 6d 2h 3h 4h 5h", auto_kick_turn_count=0, forfeit_on_disconnect=False)
    absent(state, 0)
    absent(state, 1)
    for _ in range(30):
        expire(state, "turn", 15_000)
    assert state.phase == "playing"  # T15: it goes on by timeouts


def test_t12_acting_in_time_without_a_connection() -> None:
    """Somebody may act without a connection of their own, by the secret of the seat."""
    state = table("2c", "3c", stock="2d 3d 4d 5d", auto_kick_turn_count=1)
    absent(state, 1)
    throw(state)
    assert state.whole
    throw(state)
    assert state.missed == [0, 0]
    assert state.phase == "playing"


def test_t13_d92_the_order_of_a_forfeit() -> None:
    state = table("9c 9d 2c", "9h 3c", CLEO, pile="9s", stock="7c 5d 6d", current=0)
    play(state, 1, Snap("a0"))  # Ben owes Ann
    play(state, 0, DrawStockpile())
    events = leave(state, 0, at=7)
    assert kinds(events) == "Given Discarded Forfeited Turn"
    assert events[0] == Given(1, 0, "b1", 0, 1)
    assert events[1] == Discarded(0, "s0", "7♣", None, 3)
    assert events[3] == Turn(1, 1, 15_007)
    assert state.locked == [True, False, False]


def test_t13_a_special_is_skipped() -> None:
    state = table(ANN, BEN, CLEO, stock="Kc 5d")
    throw(state)
    play(state, 0, use("swap_peek", "a0", "b0"))
    events = leave(state, 0)
    assert kinds(events) == "Skipped Forfeited Turn"
    assert events[0] == Skipped(0, (Spot("a0", 0, 0), Spot("b0", 1, 0)))


def test_t13_the_table_as_it_was_when_somebody_was_out() -> None:
    """The event holds a view for each seat, taken before the turn passes on; everybody is shown their own."""
    state = table(ANN, BEN, CLEO, stock="7c 5d")
    play(state, 0, DrawStockpile())
    events = leave(state, 0)
    forfeited = events[1]
    assert isinstance(forfeited, Forfeited)
    for seat in (0, 1, 2, None):
        (found,) = seen([forfeited], seat)
        assert isinstance(found, Forfeited)
        (view,) = found.views
        assert view.seat == seat
        assert view.current == 0
        assert view.players[0].forfeited
        assert view.held is None
        assert view.top is not None and view.top.face == "7♣"
    assert state.current == 1


def test_t13_d93_cards_of_somebody_who_is_out() -> None:
    state = table(ANN, BEN, CLEO, stock="Jc 9c 5d 6d", pile="9s", current=1)
    leave(state, 0)
    assert refused(state, 1, Snap("a3")) == "locked"
    throw(state)
    assert refused(state, 1, use("swap_blind", "a0", "b0")) == "locked"
    play(state, 1, SKIP)
    throw(state)
    assert kinds(play(state, 2, use("peek_other", "a0"))) == "Peeked Turn"  # only looked at


def test_t13_k96_who_is_out_may_watch_and_sees_no_more_than_before() -> None:
    state = table(ANN, BEN, CLEO, stock="7c 5d 6d")
    throw(state)
    play(state, 0, use("peek_self", "a2"))
    leave(state, 0)
    absent(state, 0)
    back(state, 0)
    assert cambia.recall(state, 0) == {"a2": "2♠"}
    assert cambia.view(state, 0).shown == ()
    assert cambia.moves(state, 0) == ()
    assert clocks(state) == {"turn": 15_000}


def test_t13_twice_is_once() -> None:
    state = table(ANN, BEN, CLEO)
    leave(state, 2)
    assert leave(state, 2) == []
    assert state.phase == "playing"


def test_t15_when_all_are_away_the_game_ends_by_itself() -> None:
    state = begun(4, disconnect_grace_sec=60)
    for seat in range(4):
        absent(state, seat, 1000 * seat)
    for _ in range(100):
        if state.phase != "playing":
            break
        clock = cambia.clocks(state)[0]
        expire(state, clock.name, clock.due)
    assert state.outcome is not None
    assert state.outcome.reason == "forfeit"


def test_the_debtor_and_the_turn_are_waited_for_at_once() -> None:
    state = table(ANN, "9c 2c", "9h 3c", pile="9s", stock="4d 5d 6d")
    play(state, 1, Snap("c0"), at=1000)
    absent(state, 2, 3000)
    assert cambia.clocks(state) == [
        Clock(11_000, (1,), "give 1"),
        Clock(15_000, (0,), "turn"),
        Clock(63_000, (2,), "grace 2"),
    ]
    assert cambia.awaited(state) == (0, 1)
    play(state, 0, CallCambia(), at=4000)
    assert clocks(state) == {"give 1": 11_000, "turn": 19_000, "grace 2": 63_000}
