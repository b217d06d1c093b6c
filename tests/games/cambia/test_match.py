"""Matches of several rounds: C62 to C68."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.games.cambia import scoring
from croupier.games.cambia.events import Ended, MatchEnded, RoundEnded, RoundStarted
from croupier.games.cambia.moves import CallCambia, DrawStockpile
from croupier.games.cambia.options import Options, in_force
from croupier.games.cambia.state import Match, State
from croupier.kernel import Clock, Result
from tests.games.cambia.positions import begun, cambia, dealt, expire, kinds, leave, play, refused, table, throw


def match(*hands: str, caller: int = 0, **rules: Any) -> State:
    """A round of a match, in which somebody has just called Cambia."""
    state = table(*hands, stock="4d 6d 2d 5d 3d Ad 6h", current=caller, circuit=True, **rules)
    play(state, caller, CallCambia())
    return state


def finish(state: State) -> list[Any]:
    while state.phase == "playing":
        events = throw(state)
    return events


def test_c62_several_rounds_with_the_same_players() -> None:
    state = begun(3, first=1, circuit=True, rounds=2)
    ids = set(state.faces)
    play(state, 1, CallCambia())
    finish_by_timeouts(state)
    assert state.phase == "pause"
    assert cambia.result(state) is None
    assert refused(state, 0, DrawStockpile()) == "game_over"
    events = expire(state, "pause", 50_000)
    assert events == [RoundStarted(2, 2, 1)]
    assert state.first == 2  # C11: one seat on
    assert cambia.view(state, None).phase == "gathering"
    assert not ids & set(state.faces)  # K95: new ids
    assert cambia.recall(state, 0) == {}
    assert kinds(expire(state, "gathering", 50_000)) == "Dealt FirstLook FirstLook FirstLook"
    expire(state, "pregame", 60_000)
    assert (state.current, state.turn, state.caller) == (2, 0, None)
    play(state, 2, CallCambia())
    finish_by_timeouts(state)
    assert cambia.result(state) is not None


def finish_by_timeouts(state: State) -> None:
    while state.phase == "playing":
        expire(state, "turn", 15_000)


def test_c62_t1_every_round_waits_for_its_players() -> None:
    state = match("5h", "3h")
    finish(state)
    expire(state, "pause", 0)
    assert cambia.clocks(state) == (Clock(0, name="gathering"),)
    cambia.absent(state, 1, 0)
    assert cambia.clocks(state) == (Clock(10_000, name="gathering"),)


def test_c63_house_rules_of_a_match() -> None:
    chosen = Options(circuit=True, lock_caller_hand=True, snap_race=True)
    rules = in_force(chosen)
    assert rules.allow_draw_from_discard_pile
    assert rules.allow_replace_abilities
    assert not rules.lock_caller_hand
    assert not rules.forfeit_on_disconnect
    assert rules.snap_race  # the rest is free
    assert in_force(Options()) == Options()
    assert cambia.view(dealt(2, circuit=True), 0).rules == in_force(Options(circuit=True))


@pytest.mark.parametrize(
    ("scores", "caller", "expected"),
    [
        ([2, 23], 0, [-3, 0]),
        ([23, 2], 0, [0, -3]),
        ([5, 5], None, [-3, -3]),
        ([5, 5], 1, [0, -3]),
        ([1, 2, 3], None, [-5, -2, 0]),
        ([1, 2, 3, 4], None, [-5, -2, 0, 0]),
        ([1, 2, 3, 4, 5], None, [-5, -2, -1, 0, 0]),
        ([8, 7, 6, 5, 4, 3, 2, 1], None, [0, 0, 0, 0, 0, -1, -2, -5]),
        ([4, 4, 4], 1, [-2, -5, -2]),  # the caller first, the others together in the next place
        ([4, 4, 4], None, [-5, -5, -5]),
        ([4, 4, 7], None, [-5, -5, 0]),
        ([1, 4, 4, 4, 9], 3, [-5, -1, -1, -2, 0]),
        ([1, 4, 4, 9], 0, [-5, -2, -2, 0]),  # the caller is not among the tied
    ],
)
def test_c64_d80_subsidies(scores: list[int], caller: int | None, expected: list[int]) -> None:
    found = scoring.subsidies(dict(enumerate(scores)), caller, len(scores))
    assert list(found.values()) == expected


def test_c64_a_round_counts() -> None:
    state = match("2h", "Qc Js", rounds=2)
    events = finish(state)
    assert kinds(events) == "Discarded Ended RoundEnded"
    assert events[-1] == RoundEnded(1, 2, (2, 23), (-3, 0), (-1, 23), last=False)
    assert state.match is not None
    assert state.match.history == ((2, 23),)
    assert cambia.clocks(state) == (Clock(10_000, name="pause"),)  # C68


def test_c64_after_the_last_round_the_match_is_over() -> None:
    state = match("2h", "Qc Js", rounds=1)
    events = finish(state)
    assert kinds(events) == "Discarded Ended RoundEnded MatchEnded"
    assert events[-2].last
    assert events[-1] == MatchEnded((-1, 23), ((2, 23),), ((0,), (1,)))
    assert cambia.result(state) == Result(((0,), (1,)), (-1, 23))
    assert cambia.clocks(state) == ()


@pytest.mark.parametrize(
    ("totals", "history", "callers", "order"),
    [
        ((5, 3), [(8, 6)], [None], [1, 0]),
        ((5, 5), [(8, 5)], [None], [1, 0]),  # the lower sum without subsidies
        ((9, 9, 9), [(1, 5, 3), (5, 1, 3), (3, 3, 3)], [None, None, 2], [2, 0, 1]),  # more duels won
        ((5, 5), [(1, 4), (6, 3), (2, 2)], [None] * 3, [0, 1]),  # the better single round
        ((5, 5), [(2, 3), (3, 2)], [None, None], [0, 1]),  # the lower seat
        ((5, 5), [(3, 3)], [1], [1, 0]),  # the caller wins a tie
    ],
)
def test_c65_the_champion(
    totals: tuple[int, ...], history: list[tuple[int, ...]], callers: list[int | None], order: list[int]
) -> None:
    found = scoring.standings(Match(totals=totals, history=tuple(history), callers=tuple(callers)))
    assert [seat for (seat,) in found] == order


def test_c66_elimination() -> None:
    state = match("9h", "2c", "Kc", circuit_mode="elimination", target_score=20, caller=0)
    events = finish(state)
    ended, counted = events[-2:]
    assert isinstance(ended, Ended)
    assert ended.outcome.raw == (9, 2, 13)
    assert ended.outcome.scores == (10, 1, 13)  # a false call, a bonus for the winner
    assert ended.outcome.penalty_applied and ended.outcome.win_bonus_applied
    assert counted == RoundEnded(1, None, (9, 2, 13), (1, -1, 0), (10, 1, 13), last=False)
    assert state.phase == "pause"


def test_c66_who_has_too_much_is_out() -> None:
    state = match("2h", "9c", "Kc", circuit_mode="elimination", target_score=13)
    finish(state)
    assert state.match is not None
    assert state.match.out == ((2,),)
    expire(state, "pause", 0)
    expire(state, "gathering", 0)
    assert [len(hand) for hand in state.hands] == [4, 4, 0]
    assert cambia.view(state, 2).players[2].forfeited
    assert state.players == 2


def test_c66_the_last_one_left_wins() -> None:
    state = match("2h", "9c", "Kc", circuit_mode="elimination", target_score=9)
    events = finish(state)
    assert events[-1] == MatchEnded((1, 9, 13), ((2, 9, 13),), ((0,), (1,), (2,)))


def test_c66_when_all_go_out_together_the_lowest_wins() -> None:
    state = match("8h", "9c", "9d", circuit_mode="elimination", target_score=5, win_bonus=0)
    assert finish(state)[-1].standings == ((0,), (1, 2))  # ties are shared
    state = match("8h", "8c", "9d", circuit_mode="elimination", target_score=5, win_bonus=0, false_cambia_penalty=0)
    state.caller = 2
    assert finish(state)[-1].standings == ((0, 1), (2,))


def test_c66_earlier_rounds_place_behind_later_ones() -> None:
    found = scoring.survivors(Match(totals=(120, 101, 90, 100), out=((1, 3), (0,))))
    assert found == ((2,), (0,), (3,), (1,))


def test_c67_who_is_away_at_the_deal_or_forfeits_gets_41() -> None:
    state = dealt(3, circuit=True, rounds=3, first=0)
    cambia.absent(state, 1, 0)
    expire(state, "gathering", 10_000)
    assert state.missing == [False, True, False]
    expire(state, "pregame", 20_000)
    cambia.back(state, 1, 21_000)  # too late for this round, though the seat is played
    leave(state, 2)
    play(state, 0, CallCambia())
    finish_by_timeouts(state)
    assert state.match is not None
    assert state.match.history[0][1:] == (41, 41)
    assert state.match.subsidies[0] == -5
    assert state.match.subsidies[1:] == (0, 0)
    assert state.match.missed == (0, 1, 1)
    assert state.match.abandoned == (2,)  # who leaves is not waited for
    assert state.outcome is not None and 1 not in state.outcome.winners


def test_c67_two_missed_rounds_in_a_row() -> None:
    state = dealt(3, circuit=True, rounds=4, first=0, auto_kick_turn_count=0)
    cambia.absent(state, 1, 0)
    for number in (1, 2):
        expire(state, "gathering", 10_000)
        expire(state, "pregame", 20_000)
        play(state, state.current, CallCambia())
        finish_by_timeouts(state)
        assert state.match is not None
        assert state.match.abandoned == (() if number == 1 else (1,))
        expire(state, "pause", 30_000)
    assert cambia.clocks(state) == (Clock(30_000, name="gathering"),)  # nobody waits for them any more
    expire(state, "gathering", 30_000)
    assert [len(hand) for hand in state.hands] == [4, 0, 4]


def test_c67_a_round_played_in_between_is_a_new_start() -> None:
    state = dealt(3, circuit=True, rounds=4, first=0)
    for number in range(3):
        if number == 1:
            cambia.back(state, 1, 0)
        else:
            cambia.absent(state, 1, 0)
        expire(state, "gathering", 10_000)
        expire(state, "pregame", 20_000)
        play(state, state.current, CallCambia())
        finish_by_timeouts(state)
        expire(state, "pause", 30_000)
    assert state.match is not None
    assert state.match.abandoned == ()
    assert [scores[1] == 41 for scores in state.match.history] == [True, False, True]


def test_c67_without_a_freeze_one_missed_round_is_enough() -> None:
    state = dealt(3, circuit=True, rounds=4, first=0, freeze_user_on_disconnect=False)
    cambia.absent(state, 1, 0)
    expire(state, "gathering", 10_000)
    expire(state, "pregame", 20_000)
    play(state, state.current, CallCambia())
    finish_by_timeouts(state)
    assert state.match is not None
    assert state.match.abandoned == (1,)


def test_c67_a_match_with_nobody_left_to_play_against_is_over() -> None:
    state = match("2h", "9c", rounds=5)
    events = leave(state, 1)
    assert kinds(events) == "Forfeited Ended RoundEnded MatchEnded"
    assert events[-1] == MatchEnded((-1, 5 * 41), ((2, 41),), ((0,), (1,)))


def test_c67_leaving_in_the_pause() -> None:
    state = match("2h", "9c", "3c", rounds=3)
    finish(state)
    assert leave(state, 1) == []
    assert state.phase == "pause"
    assert kinds(leave(state, 2)) == "MatchEnded"
    assert cambia.result(state) == Result(((0,), (2,), (1,)), (-3, 9 + 82, 1 + 82))


def test_c67_leaving_a_match_by_elimination() -> None:
    state = match("2h", "9c", "3c", circuit_mode="elimination")
    leave(state, 0)
    finish(state)
    assert state.match is not None
    assert state.match.out == ((0,),)
    leave(state, 1)
    assert cambia.result(state) == Result(((2,), (1,), (0,)), (41, 9, 2))


def test_c68_t9_the_pause() -> None:
    for seconds in (0, 7):
        state = match("2h", "9c", round_pause_sec=seconds)
        while state.phase == "playing":
            throw(state, at=1000)
        assert cambia.clocks(state) == (Clock(1000 + 1000 * seconds, name="pause"),)
        view = cambia.view(state, 1)
        assert view.outcome is not None and view.match is not None
        assert cambia.moves(state, 0) == ()
