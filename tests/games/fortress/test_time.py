"""Clocks and what they do by default; people who lose the connection, come back or leave (T109)."""

from __future__ import annotations

from typing import Any

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.games.fortress.decks import STARTERS
from croupier.kernel import Clock
from tests.games.fortress.bench import ANN, BOB, START, Table, at, fortress, new_game

DECKS = tuple(STARTERS.values())[:2]


def clocks(table: Table) -> list[tuple[str, int]]:
    return [(clock.name, (clock.due - START) // 1000) for clock in fortress.clocks(table.state)]


def test_nobody_is_hurried_with_a_deck_and_a_hand_is_accepted_for_who_does_not() -> None:
    table = new_game()
    assert clocks(table) == []
    table.act(BOB, mv.BringDeck(DECKS[1]))
    assert clocks(table) == []
    table.at += 60_000
    table.act(ANN, mv.BringDeck(DECKS[0]))
    assert [type(event) for event in table.events] == [ev.Brought, ev.Dealt, ev.Dealt]
    assert clocks(table) == [("mulligan 0", 120), ("mulligan 1", 120)]
    table.at += 30_000
    table.act(ANN, mv.Mulligan())
    assert clocks(table) == [("mulligan 0", 150), ("mulligan 1", 120)]
    table.pass_time(30)
    assert table.events == [ev.TimedOut(BOB, 1), ev.Accepted(BOB)]
    table.pass_time(30)
    assert table.state.phase == "main"


def test_a_deck_that_was_chosen_by_a_clock_in_an_old_log_still_is() -> None:
    table = new_game()
    table.act(BOB, mv.BringDeck(DECKS[1]))
    assert [type(event) for event in fortress.expire(table.state, "deck 0", table.at)] == [
        ev.Brought,
        ev.Dealt,
        ev.Dealt,
    ]


def test_a_window_is_allowed_and_counts_for_nothing() -> None:
    table = Table(deck=[33] * 9, their_deck=[33] * 9)
    table.put("soldier 1", 24, extra=9)
    for _ in range(4):
        table.attack("soldier 1", "their castle")
        assert fortress.clocks(table.state) == [Clock(table.at + 30_000, (BOB,), "window")]
        table.pass_time(30)
        assert not table.told(ev.TimedOut)
    assert table.health == (140, 120)


def test_a_choice_is_declined_or_the_first() -> None:
    table = Table(hand=[11], deck=[24, 23])
    table.play(1, "soldier 1")
    table.allow()
    assert clocks(table) == [("choice", 60)]
    table.pass_time(60)
    assert table.told(ev.TimedOut) == [ev.TimedOut(ANN, 1)]
    assert table.ann.hand == [24]
    table = Table(hand=[19], deck=[24])
    table.play(1, "soldier 1")
    table.allow()
    table.pass_time(60)
    assert table.card("soldier 2") is None


def test_a_question_and_an_offer_are_answered_no() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("mage 1", 58)
    table.put("their soldier 1", 22)
    table.attack("soldier 1", "their soldier 1")
    table.allow()
    table.pass_time(60)
    assert table.card("soldier 1") is None
    table = Table(hand=[8])
    table.play(1, "decree")
    table.allow()
    table.pass_time(60)
    assert table.ann.hand == []
    table = Table(hand=[49])
    table.put("mage 1", 43)
    table.level("mage 1")
    table.allow()
    table.choose("hand 1")
    table.pass_time(60)
    assert table.unit("mage 2").level == 1


def test_an_idle_turn_draws_and_ends() -> None:
    table = Table(turn=2, deck=[24, 23])
    table.put("decree", 8)
    table.end_turn()
    assert clocks(table) == [("main", 180)]
    table.pass_time(180)
    assert [type(event) for event in table.events] == [ev.TimedOut, ev.DrawDeclared]
    table.allow()
    assert [type(event) for event in table.events] == [ev.Drew, ev.Asked]  # Speed Up still asks
    table.answer(False)
    assert table.events == [ev.Declined(ANN, 1, "draw", None), ev.TurnStarted(BOB, 4, True)]
    assert table.ann.hand == [23]


def test_an_idle_turn_after_the_draw_just_ends() -> None:
    table = Table()
    table.pass_time(180)
    assert table.events == [ev.TimedOut(ANN, 1), ev.TurnStarted(BOB, 4, True)]


def test_refused_moves_do_not_stop_the_clock_and_accepted_ones_do() -> None:
    table = Table(hand=[24])
    table.at += 100_000
    table.refused(ANN, mv.LevelMage(at("mage 1")))
    assert clocks(table) == [("main", 180)]
    table.play(1, "soldier 1")
    table.at += 5_000
    table.allow()
    assert clocks(table) == [("main", 285)]


def test_t109_three_time_outs_in_a_row_lose() -> None:
    table = Table(deck=[33] * 9, their_deck=[33] * 9)
    for strikes in (1, 2):
        table.pass_time(180)  # Ann's turn
        if strikes == 2:
            table.allow()
        assert table.state.strikes[ANN] == strikes
        table.act(BOB, mv.DrawCard())
        table.pass_time(30)  # Ann's window: no strike, and no sign of life
        table.end_turn()
    table.pass_time(180)
    assert table.events == [ev.TimedOut(ANN, 3), ev.Ended(BOB, "timeout")]


def test_t109_a_move_in_between_is_forgiving() -> None:
    table = Table(deck=[33] * 9, their_deck=[33] * 9)
    table.state.strikes = [2, 2]
    table.end_turn()
    assert table.state.strikes == [0, 2]
    table.act(BOB, mv.DrawCard())
    assert table.state.strikes == [0, 0]


def test_without_limits_no_clock_runs() -> None:
    timeouts = ("mulligan_timeout", "response_timeout", "choice_timeout", "turn_timeout")
    options: dict[str, Any] = dict.fromkeys(timeouts, 0)
    table = Table(hand=[11], deck=[24], **options)
    assert clocks(table) == []
    table.play(1, "soldier 1")
    assert clocks(table) == []
    table.allow()
    assert clocks(table) == []
    assert clocks(new_game(**options)) == []


def test_a_lost_connection_may_come_back_in_time() -> None:
    table = Table()
    assert fortress.absent(table.state, BOB, START) == [ev.Missing(BOB, 30)]
    assert fortress.absent(table.state, BOB, START + 5) == ()
    assert clocks(table) == [("away 1", 30), ("main", 180)]  # the others go on
    assert table.view(ANN).sides[BOB].missing
    table.end_turn()  # the game stays as it is, and goes on
    assert fortress.back(table.state, BOB, START + 29_000) == [ev.Rejoined(BOB)]
    assert fortress.back(table.state, BOB, START + 29_000) == ()
    assert ("away 1", 30) not in clocks(table)


def test_t109_who_stays_away_has_lost_and_of_two_the_first() -> None:
    table = Table()
    fortress.absent(table.state, BOB, START)
    fortress.absent(table.state, ANN, START + 1000)
    table.pass_time(31)
    assert table.events == [ev.Ended(ANN, "disconnect")]
    assert fortress.clocks(table.state) == []
    assert fortress.absent(table.state, ANN, table.at) == ()
    assert fortress.back(table.state, ANN, table.at) == ()


def test_without_grace_a_lost_connection_loses_at_once() -> None:
    table = Table(grace=0)
    assert fortress.absent(table.state, ANN, START) == [ev.Missing(ANN, 0), ev.Ended(BOB, "disconnect")]


def test_the_view_says_when_the_wait_ends() -> None:
    table = Table()
    fortress.absent(table.state, BOB, START)
    assert table.view(ANN).closes == START + 180_000
    assert Table(turn_timeout=0).view(ANN).closes is None
