"""Somebody alone against bots is not hurried; and bots play at the pace of people where people look on."""

from __future__ import annotations

from itertools import pairwise

import pytest

from croupier.games import catalogue
from croupier.games.cambia import Cambia
from croupier.games.coup import Coup
from croupier.games.palace import Palace
from croupier.tables import aftermath, entries, rulings
from croupier.tables.notices import Refused
from croupier.tables.seat import Seat
from croupier.tables.table import LINE_GRACE
from tests.tables.test_timekeeping import Bench, names

GAMES = catalogue().games
DAY = 86_400


def only(bench: Bench) -> Seat:
    (person,) = bench.table.people
    return person


def until_awaited(bench: Bench, person: Seat) -> bool:
    """Let the bots play until it is the person's turn; False when there is none any more."""
    for _ in range(1000):
        if bench.table.phase != "playing" or bench.table.game.done(bench.table.state, person.number):
            return False
        if person.number in bench.table.awaited():
            return True
        bench.pass_time(max(0, bench.due_in))
    raise AssertionError("the bots play on and on")


@pytest.mark.parametrize("name", GAMES)
def test_a_person_alone_with_bots_has_all_the_time_in_the_world(name: str) -> None:
    bench = Bench(GAMES[name], 1, bots=1, unhurried=True)
    bench.start()
    person = only(bench)
    for _ in range(20):
        if not until_awaited(bench, person):
            return
        assert not any(person.number in clock.seats for clock in bench.table.clocks())
        before = bench.table.step
        for _ in range(10):
            bench.pass_time(DAY / 100)  # in which a bot that has something to interject does it
        assert person.number in bench.table.awaited()
        assert bench.table.step - before <= 3
        move = next(iter(bench.table.game.moves(bench.table.state, person.number)), None)
        if move is None:
            bench.happen(rulings.proceeded(bench.table, person))
        else:
            bench.happen([entries.Moved(person.number, move)])


@pytest.mark.parametrize("name", GAMES)
def test_with_two_people_there_are_clocks(name: str) -> None:
    bench = Bench(GAMES[name], 2, unhurried=True)
    bench.start()
    assert bench.table.alone is None
    assert bench.table.clocks() == bench.table.game.clocks(bench.table.state)


def test_only_people_of_protocols_that_say_so_are_not_hurried() -> None:
    bench = Bench(Palace(), 1, bots=3)
    bench.start()
    assert bench.table.alone is None
    assert bench.table.clocks()


def test_somebody_whom_the_others_leave_alone_with_bots_is_hurried_no_more() -> None:
    bench = Bench(Palace(), 2, bots=1, unhurried=True)
    bench.start()
    gone = next(seat for seat in bench.table.seats.values() if seat.human)
    assert bench.table.clocks()
    bench.happen(rulings.left(bench.table, gone, closes=False))
    assert bench.table.alone is not None
    assert bench.table.clocks() == []
    bench.happen(rulings.back(bench.table, gone))
    assert bench.table.alone is None
    assert bench.table.clocks()


@pytest.mark.parametrize("name", GAMES)
def test_who_plays_alone_and_goes_is_waited_for_as_long_as_the_table_has_patience(name: str) -> None:
    bench = Bench(GAMES[name], 1, bots=1, unhurried=True)
    bench.start()
    bench.absent(only(bench), patience=600)
    found = []
    while bench.table.phase == "playing":
        assert bench.due_in <= 600
        found += names(bench.pass_time(max(0, bench.due_in)))
    assert found[-1] == "Closed"
    assert not {"Left", "Gone", "StoodIn"} & set(found)
    assert bench.table.result is None


def test_the_first_look_waits_for_whoever_plays_alone() -> None:
    bench = Bench(Cambia(), 1, bots=2, unhurried=True)
    bench.start()
    bench.pass_time(0)  # everybody is there, and cards are dealt
    person = only(bench)
    assert bench.table.state.phase == "pregame"
    assert bench.table.awaited() == (person.number,)
    assert bench.pass_time(DAY / 10) == []
    with pytest.raises(Refused, match="does not wait"):
        rulings.proceeded(bench.table, None)
    bench.happen(rulings.proceeded(bench.table, person))
    assert bench.table.state.phase == "playing"
    with pytest.raises(Refused, match="does not wait"):
        rulings.proceeded(bench.table, person)


def test_with_two_people_the_first_look_ends_by_itself() -> None:
    bench = Bench(Cambia(), 2, unhurried=True)
    bench.start()
    bench.pass_time(0)
    assert bench.table.awaited() == ()
    with pytest.raises(Refused, match="does not wait"):
        rulings.proceeded(bench.table, bench.table.seats[0])
    assert names(bench.pass_time(10)) == ["Expired"]


def test_those_who_are_asked_together_think_together() -> None:
    """But their answers don't come at once: people want to see one after the other."""
    bench = Bench(Coup(), 1, bots=5, options={"confirm_policy": "all"}, unhurried=True)
    bench.start()
    person = only(bench)
    until_awaited(bench, person)
    bench.happen([entries.Moved(person.number, bench.table.game.moves(bench.table.state, person.number)[1])])
    began, times = bench.now, []
    while any(seat.bot for number, seat in bench.table.seats.items() if number in bench.table.awaited()):
        if not bench.pass_time(bench.due_in):
            continue
        times.append(bench.now - began)
        if bench.table.state.phase != "action_window":
            break
    assert times[0] >= 300
    assert times[-1] <= 1500 + 300 * len(times)
    assert all(later - earlier >= 300 for earlier, later in pairwise(times))


def test_who_is_out_does_not_watch_every_card_for_long() -> None:
    bench = Bench(Coup(), 1, bots=2, unhurried=True)
    bench.start()
    person = only(bench)
    bench.table.state.out.append(person.number)
    bench.table.state.current = (person.number + 1) % 3
    bench.happen([entries.Said(None, "", "hm")])
    assert bench.due_in == 0.3


def test_the_time_that_a_line_takes_is_not_the_players() -> None:
    bench = Bench(Palace(), 2, unhurried=True)
    bench.start()
    late = bench.active
    bench.now += 45_000
    bench.absent(late, patience=600)
    bench.now += 4_000
    bench.happen(rulings.back(bench.table, late))
    assert bench.due_in == LINE_GRACE / 1000
    bench.now += 9_000
    bench.absent(late, patience=600)
    bench.happen(rulings.back(bench.table, late))
    assert bench.due_in == 1  # nobody wins time by coming and going


def test_somebody_who_is_there_stays_for_the_next_game_though_a_bot_stood_in() -> None:
    bench = Bench(Palace(), 2, bots=2, unhurried=True)
    bench.start()
    while bench.table.result is None:
        bench.pass_time(max(0, bench.due_in))
    assert all(seat.stood_in is False for seat in bench.table.seats.values())
    assert aftermath.after_game(bench.table) == []
    bench.start()
    assert len(bench.table.lineup) == 4
    assert not any(seat.stood_in for seat in bench.table.seats.values())


@pytest.mark.parametrize(("bot", "least", "most"), [("magpie", 0.9, 1.0), ("elephant", 0.4, 0.6)])
def test_a_person_who_sees_a_match_wins_most_snaps_or_half_of_them(bot: str, least: float, most: float) -> None:
    """With a reaction of 700 ms, against a medium and against a strong bot that has seen it, too."""
    bench = Bench(Cambia(), 1, unhurried=True, seats=2)
    bench.happen(rulings.bots_added(bench.table, bench.table.host, bot, 1))
    bench.start()
    bench.pass_time(0)
    person = only(bench)
    bench.happen(rulings.proceeded(bench.table, person))
    until_awaited(bench, person)
    first = 0
    for moment in range(1000):
        bench.now += 17 * moment
        # The time of the last discard; asked whether it snaps, the bot would have an answer at the next look.
        bench.table.acted_at = bench.now
        first += bench.due_in > 0.7
    assert least <= first / 1000 <= most
