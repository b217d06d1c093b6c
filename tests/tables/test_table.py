"""A table as the fold of its log: what each entry does to it, with no connection and no journal anywhere."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from croupier.kernel import Clock, Customs, Illegal
from croupier.tables import aftermath, entries, rulings
from croupier.tables.lobby_options import Lobby
from croupier.tables.rulings import Newcomer
from croupier.tables.summary import BenchState
from croupier.tables.table import KEYS_KEPT, LINE_GRACE, Table
from tests.tables.test_rulings import LUCK, NOW, TableOf
from tests.toys import Bid, Bids
from tests.toys import Left as Gone


class Queued(Bids):
    customs = Customs(seating="queued")


class ByArrival(Bids):
    customs = Customs(seating="arrival")


def lowest(table: Table, seat: int) -> Bid:
    return Bid(table.state.hands[seat][0])


def playing(people: int, game: Bids | None = None) -> TableOf:
    at = TableOf(people, game)
    at.start()
    return at


# Entries are numbered and timed


def test_entries_are_counted_and_the_last_one_s_time_is_the_table_s() -> None:
    table = Table("t", Bids())
    for number, entry in enumerate(rulings.opened(Bids(), "", 3, {}, "", Newcomer("Ann", "a"), LUCK), start=1):
        table.apply(entry, NOW + number)
        assert (table.seq, table.at) == (number, NOW + number)
    assert (table.opened_at, table.acted_at, table.emptied_at) == (NOW + 1,) * 3
    assert (table.state, table.fingerprint()) == (None, ""), "nothing is dealt yet"


def test_a_move_that_is_refused_is_no_entry() -> None:
    at = playing(2)
    before = (at.table.seq, at.table.step, at.table.fingerprint())
    with pytest.raises(Illegal):
        at.table.apply(entries.Moved(0, Bid(99)), NOW)
    assert (at.table.seq, at.table.step, at.table.fingerprint()) == before


def test_a_move_is_the_same_from_a_client_and_from_the_journal() -> None:
    one, other = playing(2), playing(2)
    move = lowest(one.table, 0)
    one.table.apply(entries.Moved(0, move), NOW)
    other.table.apply(entries.Moved(0, {"move": "bid", "card": move.card}), NOW)
    assert one.table.fingerprint() == other.table.fingerprint()


def test_the_last_moves_are_known_by_their_keys() -> None:
    at = TableOf(2)
    at.start()
    seat = at.seat("Ann")
    seat.move_keys = tuple(f"k{number}" for number in range(KEYS_KEPT))
    at.table.apply(entries.Moved(0, lowest(at.table, 0), key="new"), NOW)
    assert seat.move_keys == (*(f"k{number}" for number in range(1, KEYS_KEPT)), "new")
    assert at.seat("Ben").move_keys == ()


# Who sits where


def test_who_comes_sits_after_everybody_else_where_people_queue() -> None:
    at = TableOf(2, Queued())
    at.happen(rulings.left(at.table, at.seat("Ann"), closes=False))
    assert rulings.free_seats(at.table) == [2, 3]
    assert rulings.free_seats(TableOf(2).table) == [2]
    empty = Table("t", Queued())
    empty.apply(rulings.opened(Queued(), "", 3, {}, "", None, LUCK, code="AB")[0], NOW)
    assert rulings.free_seats(empty) == [0, 1, 2]
    assert empty.name == "Table AB"


def test_seats_are_in_order_but_where_people_play_as_they_came() -> None:
    for game, order in ((Bids(), ["Dan", "Ben", "Cleo"]), (ByArrival(), ["Ben", "Cleo", "Dan"])):
        at = TableOf(3, game)
        at.happen(rulings.left(at.table, at.seat("Ann"), closes=False))
        at.happen(rulings.joined(at.table, Newcomer("Dan", "d"), ""))
        assert [seat.name for seat in at.table.seats.values()] == order
        assert at.table.names == ["Dan", "Ben", "Cleo"]
        assert [player.name for player in at.table.summary.players] == order


def test_seats_are_numbered_anew_when_a_game_begins() -> None:
    at = TableOf(3)
    at.happen(rulings.left(at.table, at.seat("Ann"), closes=False))
    assert not any(seat.dealt_in for seat in at.table.seats.values())
    at.start()
    assert all(seat.dealt_in for seat in at.table.seats.values())
    assert [(number, seat.number, seat.name) for number, seat in at.table.seats.items()] == [
        (0, 0, "Ben"),
        (1, 1, "Cleo"),
    ]
    assert at.table.names == ["Ben", "Cleo"]
    assert [seat.name for seat in at.table.cast] == ["Ben", "Cleo"]
    assert {seat.automatic_since for seat in at.table.cast} == {at.table.seq}


def test_who_leaves_is_still_talked_about_but_has_no_seat() -> None:
    at = TableOf(2)
    at.table.apply(entries.Left(0), NOW + 5)
    assert (list(at.table.seats), at.table.host, at.table.emptied_at) == ([1], None, NOW + 5)
    assert at.table.names == ["Ann", "Ben"]
    assert len(at.table.by_token) == 1


def test_what_a_table_is_like_may_change_before_the_game() -> None:
    at = TableOf(1, password="plum", lobby=Lobby(countdown=3))
    assert at.table.summary.locked
    assert not TableOf(1).table.summary.locked
    at.happen(rulings.configured(at.table, at.table.host, {"seconds": 20}))
    assert (at.table.options.seconds, at.table.lobby) == (20, Lobby(countdown=3))
    at.happen(rulings.configured(at.table, at.table.host, {}, countdown=4))
    assert (at.table.options.seconds, at.table.lobby) == (20, Lobby(countdown=4))


def test_a_summary_is_how_things_are_after_every_entry() -> None:
    at = TableOf(2)
    assert [player.name for player in at.table.summary.players] == ["Ann", "Ben"]
    at.happen(rulings.joined(at.table, Newcomer("Cleo", "c"), ""))
    assert [player.name for player in at.table.summary.players] == ["Ann", "Ben", "Cleo"]
    at.happen(rulings.silenced(at.table, at.table.host, 1, True))
    assert [player.silent for player in at.table.summary.players] == [False, True, False]
    at.happen(rulings.handed_over(at.table, at.table.host, 2))
    handed_over = at.table.summary
    assert handed_over.host == 2
    at.table.mention(entries.Watched(), NOW)
    assert (at.table.summary.watchers, at.table.summary.bench) == (1, UNSET)
    at.happen(rulings.benched(at.table, at.table.host, False))
    assert at.table.summary.bench == BenchState(closed=True)
    at.happen([entries.Left(2), entries.Left(0)])
    after = at.table.summary
    assert (after.host, [player.seat for player in after.players]) == (None, [1])


# A game, and what it takes from the table


def test_a_game_that_is_over_leaves_the_table_waiting_for_another() -> None:
    at = playing(2)
    at.happen(rulings.absent(at.table, at.seat("Ben"), NOW + 60_000))
    at.happen([entries.StoodIn(0), entries.StoodIn(1)])
    while at.table.phase == "playing":
        at.table.apply(entries.Expired("bid"), NOW + 7)
    table = at.table
    assert (table.phase, table.games, table.over_at, table.ended_by) == ("waiting", 1, NOW + 7, table.seq)
    assert table.result is not None
    assert entries.Back(0) in aftermath.after_game(table), "who is there plays the next one again"
    assert entries.Back(1) not in aftermath.after_game(table)
    assert (table.clocks(), table.awaited()) == ((), ())
    assert [seat.name for seat in table.lineup] == ["Ann", "Ben"]
    assert table.summary.over_at == NOW + 7


def test_a_game_that_begins_has_no_result_and_no_countdown() -> None:
    at = playing(2)
    at.happen([entries.Gone((1,)), entries.CountdownBegun(10, NOW + 10_000)])
    assert at.table.result is not None
    at.happen(rulings.joined(at.table, Newcomer("Cleo", "c"), ""))
    at.start()
    again = at.table
    assert (again.phase, again.result, again.starts_at) == ("playing", None, None)


def test_who_marks_that_they_are_ready_does_so_again_for_the_next_game() -> None:
    at = TableOf(1)
    at.happen(rulings.joined(at.table, Newcomer("Ben", "b", user="ben-1"), ""))
    ann, ben = at.table.seats.values()
    assert (ann.ready, ben.ready, ben.user) == (True, False, "ben-1")
    at.happen(rulings.readied(at.table, ben, True))
    at.start()
    while at.table.phase == "playing":
        at.happen([entries.Expired("bid")])
    assert (ann.ready, ben.ready) == (True, False)
    assert ann.user != ""


def test_who_gives_up_is_out_of_the_cast_and_keeps_the_number() -> None:
    at = playing(3)
    before = at.table.step
    at.happen([entries.Gone((1,))])
    assert [seat.name for seat in at.table.cast] == ["Ann", "Cleo"]
    assert (list(at.table.seats), at.seat("Ben").kicked, at.table.step) == ([0, 1, 2], True, before + 1)
    assert at.table.awaited() == [0, 2]


def test_who_was_thrown_out_looks_on_where_that_is_the_custom_and_may_go() -> None:
    class Onlookers(Bids):
        customs = Customs(kicked="onlooker")

    at = playing(3, Onlookers())
    at.happen([entries.Left(1, "kicked")])
    assert (at.seat("Ben").kicked, [seat.name for seat in at.table.cast]) == (False, ["Ann", "Cleo"])
    at.happen([entries.Left(1)])
    assert (at.seat("Ben").kicked, [seat.name for seat in at.table.cast]) == (True, ["Ann", "Cleo"])


# Bots that stand in, and people who come back


def test_a_bot_stands_in_until_somebody_is_back() -> None:
    at = playing(2)
    ann = at.seat("Ann")
    assert at.table.calm
    at.happen([entries.StoodIn(0, "late")])
    assert (ann.stood_in, ann.automatic_since, at.table.late) == (True, at.table.seq, (0,))
    assert ann.present
    assert not at.table.calm
    at.happen([entries.Back(0)])
    assert (ann.stood_in, ann.present) == (False, True)
    at.happen([entries.StoodIn(0, "left")])
    assert (ann.away_since, ann.keeps_until, at.table.late) == (NOW, NOW, ())
    assert [seat.name for seat in at.table.people] == ["Ben"]


def test_a_table_is_calm_while_a_game_is_played_by_people_who_are_there() -> None:
    assert not TableOf(2).table.calm
    at = playing(2)
    at.happen(rulings.absent(at.table, at.seat("Ben"), NOW + 60_000))
    assert not at.table.calm
    at.happen(rulings.back(at.table, at.seat("Ben")))
    assert at.table.calm
    bots = TableOf(1)
    bots.happen(rulings.bots_added(bots.table, bots.table.host, None, 1))
    bots.start()
    assert not bots.table.calm


def test_who_comes_back_may_have_another_connection_and_another_picture() -> None:
    at = TableOf(1)
    at.happen(rulings.joined(at.table, Newcomer("Ben", "b", handle="conn-3"), ""))
    assert (at.seat("Ben").handle, at.seat("Ben").bound) == ("conn-3", True)
    ann = at.seat("Ann")
    made_up = ann.handle
    at.happen([entries.Back(0)])
    assert (ann.handle, ann.bound, ann.avatar) == (made_up, False, "")
    at.happen([entries.Back(0, "conn-7", "owl")])
    assert (ann.handle, ann.bound, ann.avatar) == ("conn-7", True, "owl")


def test_the_rules_hear_of_comings_and_goings_in_a_running_game_alone() -> None:
    class Hears(Bids):
        def absent(self, state: Any, seat: int, at: int) -> Any:
            return [Gone(seat)]

        def back(self, state: Any, seat: int, at: int) -> Any:
            return [Gone(seat)]

    at = TableOf(2, Hears())
    absent, back = entries.Absent(1, NOW + 60_000), entries.Back(1)
    assert [at.table.apply(entry, NOW) for entry in (absent, back)] == [(), ()]
    assert at.table.step == 0
    at.start()
    assert [at.table.apply(entry, NOW) for entry in (absent, back)] == [[Gone(1)], [Gone(1)]]
    assert at.table.step == 3, "the deal, and each of them"
    at.happen([absent])
    assert at.table.apply(entries.Resumed(0, NOW + 60_000), NOW) == [Gone(0)], "Ben was away already"


def test_after_a_restart_everybody_is_away_and_nobody_is_late() -> None:
    at = TableOf(2)
    at.happen([entries.CountdownBegun(10, NOW + 10_000)])
    at.start()
    at.happen(rulings.absent(at.table, at.seat("Ben"), NOW + 1))
    at.table.apply(entries.Resumed(NOW + 90_000, NOW + 500_000), NOW + 60_000)
    assert [(seat.away_since, seat.keeps_until) for seat in at.table.seats.values()] == [
        (NOW + 60_000, NOW + 500_000)
    ] * 2
    assert [clock.due for clock in at.table.clocks()] == [NOW + 90_000]
    assert at.table.starts_at is None
    bots = TableOf(1)
    bots.happen(rulings.bots_added(bots.table, bots.table.host, None, 1))
    bots.happen([entries.Resumed(0, NOW + 500_000)])
    assert [seat.present for seat in bots.table.seats.values()] == [False, True]


# Clocks


def test_who_was_late_is_said_once_for_a_clock() -> None:
    """The rules may act for one after the other at the same clock."""

    class OneByOne(Bids):
        def expire(self, state: Any, clock: str, at: int) -> Any:
            seat = self.awaited(state)[0]
            return self.play(state, seat, self.moves(state, seat)[0], at)

    at = playing(3, OneByOne())
    late = []
    for _ in range(4):
        at.table.apply(entries.Expired("bid"), NOW + 10_000)
        late.append(at.table.late)
    assert late == [(0, 1, 2), (), (), (0, 1, 2)]


def test_nobody_is_late_when_somebody_has_seen_enough_or_there_is_no_such_clock() -> None:
    for expired in (entries.Expired("bid", by=0), entries.Expired("another")):
        at = playing(2)
        at.happen([expired])
        assert at.table.late == ()


def test_the_time_of_a_lost_line_is_given_back_once_for_each_clock() -> None:
    at = TableOf(1)
    at.happen(rulings.joined(at.table, Newcomer("Ben", "b", unhurried=True), ""))
    at.start()
    due = NOW + 10_000
    ben = at.seat("Ben")
    assert at.table.excusable(at.seat("Ann")) is None
    assert at.table.excusable(ben) == due
    at.table.apply(entries.Absent(1, NOW + 60_000), NOW + 5_000)
    at.table.apply(entries.Back(1), NOW + 9_000)
    assert [clock.due for clock in at.table.clocks()] == [NOW + 9_000 + LINE_GRACE]
    assert at.table.excusable(ben) is None
    at.table.apply(entries.Back(1), NOW + 15_000)
    assert [clock.due for clock in at.table.clocks()] == [NOW + 9_000 + LINE_GRACE]


def test_after_a_restart_no_clock_runs_out_before_the_grace_is_over() -> None:
    class TwoClocks(Bids):
        def clocks(self, state: Any) -> Any:
            return [*super().clocks(state), Clock(NOW + 500_000, (), "later")]

    at = playing(2, TwoClocks())
    at.table.apply(entries.Resumed(NOW + 90_000, NOW + 500_000), NOW + 1)
    at.table.apply(entries.Back(0), NOW + 91_000)
    assert [clock.due for clock in at.table.clocks()] == [NOW + 90_000, NOW + 500_000]


def test_the_grace_is_over_when_another_game_begins() -> None:
    at = TableOf(2)
    at.happen([entries.Resumed(NOW + 90_000, NOW + 500_000)])
    at.start()
    assert [clock.due for clock in at.table.clocks()] == [NOW + 10_000]


@pytest.mark.parametrize(("back", "due"), [((0, 1), NOW + 10_000), ((0,), NOW + 90_000)])
def test_in_old_logs_it_was_so_only_with_everybody_there(back: tuple[int, ...], due: int) -> None:
    at = TableOf(2)
    at.table.edition = 2
    at.happen([entries.Resumed(NOW + 90_000, NOW + 500_000), *map(entries.Back, back)])
    at.start()
    assert [clock.due for clock in at.table.clocks()] == [due]


def test_bots_need_no_clock() -> None:
    at = TableOf(1)
    at.seat("Ann").unhurried = True
    at.happen(rulings.bots_added(at.table, at.table.host, None, 2))
    at.start()
    assert at.table.alone is at.seat("Ann")
    assert list(at.table.clocks()) == []
    assert at.table.look() is None
