"""What happens at a table by itself, without waiting for it: time is a number that the test sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from croupier.games.palace import Palace
from croupier.kernel import Bot, Customs
from croupier.kernel.chance import QuickDice
from croupier.tables import aftermath, entries, rulings
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry
from croupier.tables.rulings import Newcomer
from croupier.tables.seat import Seat
from croupier.tables.settings import Settings
from croupier.tables.table import Table
from croupier.tables.timekeeping import fall_due, next_due
from tests.happening import happen
from tests.toys import AnyEvent, Bid, Bidden, Bids, Looking, State

SETTINGS = Settings()
START = 1_000_000_000_000
LUCK = (bytes(32), None)


class Bench:
    """A table with a clock on the wall that the test sets."""

    def __init__(
        self,
        game: object,
        people: int,
        bots: int = 0,
        options: object = None,
        unhurried: bool = False,
        seats: int | None = None,
    ) -> None:
        self.table = Table("t", game)  # type: ignore[arg-type]
        self.bots = Bots(self.table)
        self.now = START
        self.dice = QuickDice(1)
        host = Newcomer("P0", "secret 0", unhurried=unhurried)
        found = rulings.opened(self.table.game, "", seats or people + bots, options or {}, "", host, LUCK)  # type: ignore[arg-type]
        self.happen(found)
        for number in range(1, people):
            newcomer = Newcomer(f"P{number}", f"secret {number}", unhurried=unhurried)
            self.happen(rulings.joined(self.table, newcomer, ""))
        if bots:
            self.happen(rulings.bots_added(self.table, self.table.host, None, bots))

    def happen(self, found: Iterable[AnyEntry]) -> list[AnyEntry]:
        return [entry for entry, _ in happen(self.table, found, self.now, self.bots, self.dice)]

    def start(self) -> None:
        self.happen(rulings.started(self.table, self.table.host, LUCK))

    def pass_time(self, seconds: float) -> list[AnyEntry]:
        """Let time pass, and what falls due at its end happen once."""
        self.now += round(seconds * 1000)
        return self.happen(fall_due(self.table, self.bots, SETTINGS, self.now, self.dice))

    @property
    def due_in(self) -> float:
        return (next_due(self.table, self.bots, SETTINGS) - self.now) / 1000

    @property
    def active(self) -> Seat:
        return self.table.seats[self.table.game.awaited(self.table.state)[0]]

    def absent(self, seat: Seat, patience: float) -> None:
        self.happen([entries.Absent(seat.number, self.now + round(patience * 1000))])


def names(found: Iterable[AnyEntry]) -> list[str]:
    return [type(entry).__name__ for entry in found]


def test_a_late_player_is_stood_in_for_and_moves_in_the_same_step() -> None:
    bench = Bench(Palace(), 2)
    bench.start()
    late = bench.active
    assert bench.due_in == 50
    assert bench.pass_time(49.999) == []
    assert names(bench.pass_time(0.001)) == ["StoodIn", "Moved"]
    assert late.stood_in
    assert bench.active is not late
    assert bench.due_in == 50  # the other one has a full clock


def test_a_stood_in_seat_moves_after_a_moment_until_its_owner_is_back() -> None:
    bench = Bench(Palace(), 2)
    bench.start()
    late = bench.active
    bench.pass_time(50)
    bench.pass_time(50)  # the second one is late too: both are played by bots now
    assert bench.due_in == 0.1
    assert names(bench.pass_time(0.1)) == ["Moved"]
    bench.happen([entries.Back(late.number)])
    assert not late.automatic


def test_a_bot_that_takes_longer_than_its_clock_is_waited_for_and_not_looked_at_all_the_time() -> None:
    bench = Bench(Palace(), 2)
    bench.start()
    bench.pass_time(50)
    bench.pass_time(50)  # both are played by bots now
    patient = Settings(bot_delay=60)
    bench.now += 55_000
    assert not fall_due(bench.table, bench.bots, patient, bench.now, bench.dice)
    assert next_due(bench.table, bench.bots, patient) == bench.now + 5_000


def test_a_look_ends_by_the_rules_where_a_bot_stands_in_for_who_is_late() -> None:
    bench = Bench(Looking(), 2)
    bench.start()
    assert bench.due_in == 5
    assert bench.pass_time(5) == [entries.Expired("look")]
    assert names(bench.pass_time(10))[:2] == ["StoodIn", "Moved"]


def test_bots_move_after_their_delay() -> None:
    bench = Bench(Palace(), 1, bots=3)
    bench.start()
    while bench.active.bot is None:
        bench.happen(
            [entries.Moved(bench.active.number, bench.table.game.moves(bench.table.state, bench.active.number)[0])]
        )
    assert bench.due_in == 0.1
    assert bench.pass_time(0.099) == []
    (moved,) = bench.pass_time(0.001)
    assert isinstance(moved, entries.Moved)
    assert moved.bot


def test_without_a_limit_only_who_is_away_is_given_up() -> None:
    bench = Bench(Palace(), 2, options={"turn_timer": 0})
    bench.start()
    assert bench.pass_time(3600) == []
    bench.absent(bench.active, patience=10_000)
    assert bench.pass_time(49.999) == []
    assert names(bench.pass_time(0.001)) == ["StoodIn", "Moved"]


def test_an_empty_table_is_closed_when_patience_ends() -> None:
    bench = Bench(Palace(), 2, options={"turn_timer": 0})
    bench.start()
    first, second = bench.table.seats.values()
    bench.absent(first, patience=30)
    bench.now += 10_000
    bench.absent(second, patience=30)
    assert bench.due_in == 30
    assert bench.pass_time(29.999) == []
    assert bench.pass_time(0.001) == [entries.Closed("abandoned")]


def test_a_spectator_keeps_a_table_open_and_a_bot_does_not() -> None:
    bench = Bench(Palace(), 1, bots=2, options={"turn_timer": 0})
    bench.start()
    person = next(seat for seat in bench.table.seats.values() if seat.bot is None)
    bench.table.mention(entries.Watched(), bench.now)
    bench.absent(person, patience=1)
    for _ in range(100):
        assert "Closed" not in names(bench.pass_time(1))
    bench.table.mention(entries.Unwatched(), bench.now)
    assert bench.pass_time(1) == [entries.Closed("abandoned")]


def test_a_seat_before_the_game_is_kept_for_a_while() -> None:
    bench = Bench(Palace(), 2)
    bench.absent(bench.table.seats[1], patience=60)
    assert bench.due_in == 60
    assert bench.pass_time(59) == []
    assert bench.pass_time(1) == [entries.Left(1)]


def test_a_host_who_stays_away_before_the_game_is_succeeded() -> None:
    bench = Bench(Palace(), 2)
    bench.absent(bench.table.seats[0], patience=60)
    assert bench.pass_time(60) == [entries.Left(0), entries.HandedOver(1)]
    assert bench.table.host is bench.table.seats[1]


def test_an_idle_table_is_closed_in_the_end() -> None:
    bench = Bench(Palace(), 2)
    assert bench.pass_time(86399) == []
    assert bench.pass_time(1) == [entries.Closed("idle")]


def test_after_a_restart_nobody_is_late_before_the_grace_is_over() -> None:
    bench = Bench(Palace(), 2)
    bench.start()
    late = bench.active
    bench.now += 300_000  # the server was down for five minutes
    bench.happen([entries.Resumed(bench.now + 15_000, bench.now + 120_000)])
    assert not late.present
    assert bench.table.clocks()[0].due == bench.now + 15_000
    assert bench.pass_time(14.999) == []
    assert names(bench.pass_time(0.001)) == ["StoodIn", "Moved"]


def test_after_a_restart_a_clock_that_has_not_run_out_is_the_same() -> None:
    bench = Bench(Palace(), 2)
    bench.start()
    before = list(bench.table.clocks())
    bench.now += 5_000
    bench.happen([entries.Resumed(bench.now + 15_000, bench.now + 120_000)])
    assert list(bench.table.clocks()) == before


def bots_turn(people: int = 1, game: object = None) -> Bench:
    """A game in which nothing is due but a bot's move."""
    bench = Bench(game or Palace(), people, bots=2, options={"turn_timer": 0} if game is None else {})
    bench.start()
    while not bench.active.automatic:
        move = bench.table.game.moves(bench.table.state, bench.active.number)[0]
        bench.happen([entries.Moved(bench.active.number, move)])
    return bench


def test_after_a_restart_bots_wait_until_somebody_is_back() -> None:
    bench = bots_turn()
    bench.happen([entries.Resumed(bench.now + 15_000, bench.now + 120_000)])
    assert bench.due_in == 120
    assert bench.pass_time(119) == []
    assert bench.table.host is not None
    bench.happen(rulings.back(bench.table, bench.table.host))
    assert names(bench.pass_time(0.1)) == ["Moved"]


def test_bots_rest_where_nobody_is() -> None:
    bench = bots_turn(people=2)
    ann, bob = (seat for seat in bench.table.seats.values() if seat.bot is None)
    bench.absent(ann, patience=600)
    assert bench.due_in == 0.1, "somebody is there"
    bench.absent(bob, patience=600)
    assert bench.due_in == 600
    assert bench.pass_time(300) == []
    bench.table.mention(entries.Watched(), bench.now)
    assert names(bench.pass_time(0)) == ["Moved"], "somebody looks on"
    bench.table.mention(entries.Unwatched(), bench.now)
    while not bench.active.automatic:
        bench.pass_time(50)
    assert bench.pass_time(100) == []
    bench.happen(rulings.back(bench.table, bob))
    assert names(bench.pass_time(0)) == ["Moved"]


def test_a_table_at_which_bots_rest_is_closed_in_the_end() -> None:
    bench = bots_turn()
    assert bench.table.host is not None
    bench.absent(bench.table.host, patience=600)
    assert bench.pass_time(599.999) == []
    assert bench.pass_time(0.001) == [entries.Closed("abandoned")]


def test_a_table_that_is_kept_for_a_moment_plays_on_meanwhile() -> None:
    bench = bots_turn()
    assert bench.table.host is not None
    bench.absent(bench.table.host, patience=30)  # as clients of a game's own protocol expect it
    assert names(bench.pass_time(0.1)) == ["Moved"]


def test_the_clocks_of_people_run_out_while_bots_rest() -> None:
    bench = Bench(Bids(), 2, bots=1)
    bench.start()
    for seat in bench.table.seats.values():
        if seat.bot is None:
            bench.absent(seat, patience=600)
    assert bench.pass_time(10) == [entries.Expired("bid")]
    for number in bench.table.awaited():
        if bench.table.seats[number].bot is None:
            bench.happen([entries.Moved(number, bench.table.game.moves(bench.table.state, number)[0])])
    assert [bench.table.seats[number].automatic for number in bench.table.awaited()] == [True]
    assert bench.pass_time(500) == [], "a clock of the bot's own does not"


def test_the_rules_decide_where_that_is_the_custom() -> None:
    bench = Bench(Bids(), 3)
    bench.start()
    assert bench.due_in == 10
    assert bench.pass_time(10) == [entries.Expired("bid")]


def test_a_bot_that_fails_makes_a_random_move(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Bot):
        name = "broken"

        def choose(self, *_: object) -> object:  # type: ignore[override]
            raise RuntimeError("no idea")

    game = Palace()
    monkeypatch.setattr(type(game), "bots", {"broken": Broken})
    bench = Bench(game, 1, bots=3)
    bench.start()
    moved = [entry for _ in range(4) for entry in bench.pass_time(50)]
    assert "Moved" in names(moved)


def test_an_absent_host_at_the_end_closes_a_palace_table() -> None:
    bench = Bench(Palace(), 2, bots=1, options={"turn_timer": 1})
    bench.start()
    assert bench.table.host is not None
    bench.absent(bench.table.host, patience=1_000_000)
    last: list[AnyEntry] = []
    while bench.table.games == 0:
        last = bench.pass_time(1)
    assert last[-1] == entries.Closed("host left")


def test_who_is_not_there_at_the_end_loses_the_seat() -> None:
    bench = Bench(Palace(), 3, options={"turn_timer": 1})
    bench.start()
    host = bench.table.host
    assert host is not None
    away = [seat for seat in bench.table.seats.values() if seat is not host]
    for seat in away:
        bench.absent(seat, patience=1_000_000)
    left: set[AnyEntry] = {entries.Left(seat.number, "gone") for seat in away}
    happened: list[AnyEntry] = []
    while bench.table.games == 0:
        happened = bench.pass_time(1)
        if host.stood_in:
            happened += bench.happen([entries.Back(host.number)])
    assert left == {entry for entry in happened if isinstance(entry, entries.Left)}


def test_a_summary_shows_everybody_as_they_are_whoever_came_last() -> None:
    bench = Bench(Palace(), 3, bots=2, seats=6)
    table = bench.table
    steps: list[list[AnyEntry]] = [
        [entries.Left(1)],
        [entries.Joined(1, "Q", "q" * 64)],  # in the middle
        [entries.Absent(0, bench.now)],
        [entries.Joined(5, "R", "r" * 64)],
        [entries.Left(5), entries.Joined(5, "S", "s" * 64)],
    ]
    for step in steps:
        for entry in step:
            assert table.summary
            bench.happen([entry])
            assert table.summary.players == tuple(seat.player() for seat in table.seats.values())
    assert [player.name for player in table.summary.players if player.bot is None] == ["P0", "Q", "P2", "S"]


# Customs that other games have


class Graced(Bids):
    """Who is away has a minute; the result is shown for ten; and nobody is waited for longer than an hour."""

    customs = Customs(seating="arrival", grace=60, linger=600, idle=3600)


def graced(people: int = 3, bots: int = 0) -> Bench:
    """A game without an end, unless people leave it."""
    bench = Bench(Graced(), people, bots, options={"seconds": 60})
    bench.start()
    return bench


def test_who_is_away_too_long_has_given_up_waited_for_or_not() -> None:
    bench = graced()
    first, second, _ = bench.table.seats.values()
    bench.now += 1_000
    bench.absent(first, patience=10_000)
    bench.now += 30_000
    bench.absent(second, patience=10_000)
    bench.happen([entries.Back(second.number)])
    assert bench.pass_time(29) == [entries.Expired("bid")]
    assert bench.due_in == 1
    assert bench.pass_time(1) == [entries.Gone((0,)), entries.HandedOver(1)]
    assert first.kicked
    assert [seat.number for seat in bench.table.cast] == [1, 2]
    assert bench.table.phase == "playing"


def test_whose_time_is_over_at_the_same_moment_go_together() -> None:
    bench = graced()
    bench.happen([entries.Resumed(bench.now + 15_000, bench.now + 120_000)])
    assert bench.pass_time(59.999) == []
    gone, *_, last = bench.pass_time(0.001)
    assert gone == entries.Gone((0, 1, 2))
    assert last == entries.Closed("host left")


def test_whose_time_is_over_one_after_the_other_leave_a_last_one_who_wins() -> None:
    bench = graced(2)
    for seat in list(bench.table.seats.values()):
        bench.absent(seat, patience=10_000)
        bench.now += 1
    gone, *_, last = bench.pass_time(60)
    assert (gone, last) == (entries.Gone((0,)), entries.HandedOver(1))  # though both are due by now
    assert bench.table.result is not None
    assert bench.table.result.placings[0] == (1,)


def test_a_table_lingers_after_a_game_and_then_closes() -> None:
    bench = graced(2)
    bench.happen(rulings.left(bench.table, bench.table.seats[0], closes=False))
    assert bench.table.result is not None
    bench.absent(bench.table.seats[1], patience=1)
    bench.happen([entries.Resumed(bench.now + 15_000, bench.now + 120_000)])
    assert bench.due_in == 600
    assert bench.pass_time(599.999) == []
    assert bench.pass_time(0.001) == [entries.Closed("over")]


def test_a_table_without_a_game_is_closed_sooner_where_that_is_the_custom() -> None:
    bench = Bench(Graced(), 2)
    assert bench.pass_time(3599) == []
    assert bench.pass_time(1) == [entries.Closed("idle")]


def test_people_play_in_the_order_of_their_arrival_where_that_is_the_custom() -> None:
    bench = Bench(Graced(), 3)
    bench.happen(rulings.left(bench.table, bench.table.seats[0], closes=False))
    bench.happen(rulings.joined(bench.table, Newcomer("P3", "secret 3"), ""))
    assert [player.name for player in bench.table.summary.players] == ["P1", "P2", "P3"]
    bench.start()
    assert [(player.seat, player.name) for player in bench.table.summary.players] == [(0, "P1"), (1, "P2"), (2, "P3")]


def test_steps_are_counted_from_the_first_game_on() -> None:
    bench = Bench(Graced(), 2, bots=1)
    bench.absent(bench.table.seats[1], patience=60)
    bench.happen([entries.Back(1)])
    assert bench.table.step == 0
    bench.start()
    assert bench.table.step == 1
    bench.happen([entries.Said(0, "P0", "hello"), entries.Watched()])
    assert bench.table.step == 1
    bench.absent(bench.table.seats[1], patience=60)
    bench.happen([entries.Back(1, "another")])
    assert bench.table.step == 3
    assert [player.handle for player in bench.table.summary.players][1] == "another"
    bench.happen([entries.Expired("bid")])
    assert bench.table.step == 4


def test_everybody_has_a_handle_and_it_tells_nothing() -> None:
    bench, other = Bench(Graced(), 2, bots=2), Bench(Graced(), 2, bots=2)
    handles = [player.handle for player in bench.table.summary.players]
    assert len(set(handles)) == 4
    assert all(len(handle) == 20 and handle.isalnum() for handle in handles)
    assert handles == [player.handle for player in other.table.summary.players]  # the same after a replay
    other.table.id = "another table"
    other.happen([entries.Left(3)])
    other.happen(rulings.bots_added(other.table, other.table.host, None, 1))
    assert other.table.summary.players[3].handle not in handles


def test_who_left_after_the_end_is_still_in_the_cast() -> None:
    bench = graced(3)
    bench.happen(rulings.left(bench.table, bench.table.seats[0], closes=False))
    bench.happen(rulings.left(bench.table, bench.table.seats[1], closes=False))
    assert bench.table.result is not None
    bench.happen(aftermath.after_game(bench.table))
    bench.happen([entries.Joined(0, "P3", "hash 3")])
    bench.happen([entries.HandedOver(0), entries.Left(2)])
    summary = bench.table.summary
    assert [player.name for player in summary.players] == ["P3"]
    assert [(player.name, player.away) for player in summary.cast] == [("P2", True)]


class Jumpy(Bot):
    """Bids the lowest card at once, awaited or not; every other time it lets it be."""

    name = "jumpy"
    about = "Can't wait."

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, seat: int, view: object, moves: Sequence[Any], dice: object) -> Any:
        return moves[-1]

    def interject(self, seat: int, view: object, moves: Sequence[Any], dice: object) -> Any:
        self.asked += 1
        return None if self.asked % 2 else moves[0]


class Slow(Bids):
    """Only the first seat that has not bid is awaited; the others may bid all the same."""

    name = "slow"
    customs = Customs(pace=(20, 20))
    bots: Mapping[str, type[Bot]] = {"jumpy": Jumpy}

    def awaited(self, state: State) -> Sequence[int]:
        return super().awaited(state)[:1]

    def moves(self, state: State, seat: int) -> Sequence[Bid]:
        return [Bid(card) for card in state.hands[seat]] if seat in super().awaited(state) else []

    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        state.hands[seat].remove(move.card)
        state.bids[seat] = move.card
        return [Bidden(seat, move.card)]


def test_a_bot_is_asked_once_whether_it_interjects() -> None:
    bench = Bench(Slow(), 1, bots=1)
    bench.start()
    bot = bench.bots.bot(bench.table.seats[1])
    assert isinstance(bot, Jumpy)
    assert 0.3 <= bench.due_in <= 1.5
    assert bench.pass_time(bench.due_in - 0.001) == []
    assert bot.asked == 0
    assert bench.pass_time(0.001) == []  # it lets it be
    assert bot.asked == 1
    assert bench.due_in > 5  # and is not asked again before something happens
    bench.happen([entries.Said(0, "P0", "well?")])
    assert bench.pass_time(1.5) == []
    assert bot.asked == 1
    bench.happen([entries.Moved(0, bench.table.game.moves(bench.table.state, 0)[0])])
    assert bot.asked == 1  # it is awaited now, and thinks longer than elsewhere
    assert bench.due_in == 2


def test_a_bot_interjects() -> None:
    bench = Bench(Slow(), 1, bots=2)
    bench.start()
    for seat in (1, 2):
        bot = bench.bots.bot(bench.table.seats[seat])
        assert isinstance(bot, Jumpy)
        bot.asked = 1
    moved = bench.pass_time(1.5)
    assert names(moved) == ["Moved"]
    (entry,) = moved
    assert isinstance(entry, entries.Moved)
    assert entry.bot
    assert entry.seat in (1, 2)
    assert bench.table.game.awaited(bench.table.state) == [0]


def test_a_bot_that_fails_to_interject_lets_it_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("no idea")

    monkeypatch.setattr(Jumpy, "interject", broken)
    bench = Bench(Slow(), 1, bots=1)
    bench.start()
    assert bench.pass_time(1.5) == []
    assert bench.due_in > 5


def test_bots_are_not_asked_where_none_ever_interjects() -> None:
    bench = Bench(Palace(), 1, bots=3)
    bench.start()
    assert bench.bots.to_be_asked() == []


class Deserted(Bids):
    """Notes who is away."""

    gone: ClassVar[list[int]] = []

    def absent(self, state: State, seat: int, at: int) -> list[AnyEvent]:
        self.gone.append(seat)
        return []


def test_after_a_restart_the_rules_know_that_everybody_is_away() -> None:
    bench = Bench(Deserted(), 3, bots=1)
    bench.start()
    bench.absent(bench.table.seats[1], patience=60)
    assert Deserted.gone == [1]
    bench.happen([entries.Resumed(bench.now + 15_000, bench.now + 120_000)])
    assert Deserted.gone == [1, 0, 2]  # each once; a bot is always there
