"""Requests into entries, with no connection anywhere: what is refused first, what is done, and who is the next host."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from croupier.kernel import Customs
from croupier.kernel.chance import QuickDice
from croupier.tables import aftermath, entries, hosts, keys, rulings
from croupier.tables.entries import (
    AnyEntry,
    Closed,
    CountdownBegun,
    CountdownStopped,
    HandedOver,
    Joined,
    Kicked,
    Left,
    Started,
    StoodIn,
)
from croupier.tables.lobby_options import Lobby
from croupier.tables.notices import Refused
from croupier.tables.rulings import Newcomer
from croupier.tables.seat import Seat
from croupier.tables.table import Table
from tests.happening import happen
from tests.toys import Bids

NOW = 1_000_000
LUCK = (bytes(32), None)


class StoodInFor(Bids):
    customs = Customs(absent="stand_in", names="unique")


class TableOf:
    """A table of three seats and so many people: Ann, who is the host, Ben and Cleo."""

    def __init__(self, people: int, game: Bids | None = None, password: str = "", **opening: Any) -> None:
        self.table = Table("t", game or Bids())
        self.happen(rulings.opened(self.table.game, "", 3, {}, password, Newcomer("Ann", "a"), LUCK, **opening))
        for name in ("Ben", "Cleo")[: people - 1]:
            self.happen(rulings.joined(self.table, Newcomer(name, name[0].lower()), password))

    def happen(self, found: Iterable[AnyEntry]) -> list[AnyEntry]:
        return [entry for entry, _ in happen(self.table, found, NOW)]

    def seat(self, name: str) -> Seat:
        return next(seat for seat in self.table.seats.values() if seat.name == name)

    def start(self) -> None:
        self.happen(rulings.started(self.table, self.table.host, LUCK))


def refused(decide: Callable[..., Any], *about: Any) -> str:
    with pytest.raises(Refused) as refusal:
        decide(*about)
    return refusal.value.code


def test_the_first_to_sit_down_is_the_host() -> None:
    at = TableOf(2)
    assert at.table.host is at.seat("Ann")
    assert at.table.name == "Ann's table"


@pytest.mark.parametrize(("seats", "code"), [(1, "bad_seats"), (7, "bad_seats"), (2, ""), (6, "")])
def test_a_table_has_as_many_seats_as_can_play(seats: int, code: str) -> None:
    def decide() -> object:
        return rulings.opened(Bids(), "", seats, {}, "", Newcomer("Ann", "a"), LUCK)

    assert refused(decide) == code if code else decide()


def test_a_table_has_four_seats_unless_somebody_says_otherwise() -> None:
    class ForThree(Bids):
        seats = range(2, 4)

    for game, seats in ((Bids(), 4), (ForThree(), 3)):
        (opened,) = rulings.opened(game, "Cellar", None, {}, "", None, LUCK)
        assert isinstance(opened, entries.Opened)
        assert (opened.seats, opened.name, opened.password) == (seats, "Cellar", None)


def test_whoever_sits_down_is_known_as_their_protocol_knows_them() -> None:
    known = {
        "by_name": True,
        "user": "u",
        "until": 5,
        "avatar": "owl",
        "unhurried": True,
        "client": "c",
        "can_host": False,
    }
    joined = Newcomer("Ann", "a", handle="h", **known).at(3)  # type: ignore[arg-type]
    assert (joined.seat, joined.name, joined.handle, joined.token) == (3, "Ann", "h", keys.digest("a"))
    assert {field: getattr(joined, field) for field in known} == known


def test_options_that_the_game_does_not_know_are_refused() -> None:
    for options in ({"speed": 1}, {"seconds": "ten"}, {"seconds": 10_000}):
        assert refused(rulings.checked, Bids(), options) == "bad_options"
    changed = rulings.checked(Bids(), {"seconds": 20})
    assert rulings.checked(Bids(), {}, changed) == changed


def test_joining_is_refused_for_the_first_of_several_reasons() -> None:
    at = TableOf(3, StoodInFor(), password="plum")
    again = Newcomer("ANN", "a")
    at.start()
    assert refused(lambda: rulings.joined(at.table, again, "pear")) == "started"
    at = TableOf(3, StoodInFor(), password="plum")
    assert refused(lambda: rulings.joined(at.table, again, "pear")) == "bad_password"
    assert refused(lambda: rulings.joined(at.table, again, "plum")) == "name_taken"
    assert refused(lambda: rulings.joined(at.table, Newcomer("Dan", "a"), "plum")) == "seated"
    assert refused(lambda: rulings.joined(at.table, Newcomer("Dan", "d"), "plum")) == "full"


def test_two_may_have_the_same_name_unless_the_game_minds() -> None:
    at = TableOf(1)
    at.happen(rulings.joined(at.table, Newcomer("Ann", "another"), ""))
    assert [seat.name for seat in at.table.seats.values()] == ["Ann", "Ann"]


def test_who_joins_takes_the_lowest_free_seat() -> None:
    at = TableOf(3)
    at.happen(rulings.left(at.table, at.seat("Ben"), closes=False))
    (joined,) = at.happen(rulings.joined(at.table, Newcomer("Dan", "d"), ""))
    assert isinstance(joined, Joined)
    assert joined.seat == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda table, seat: rulings.started(table, seat, LUCK),
        lambda table, seat: rulings.bots_added(table, seat, None, 1),
        lambda table, seat: rulings.configured(table, seat, {}),
        lambda table, seat: rulings.kicked(table, seat, 0),
        lambda table, seat: rulings.handed_over(table, seat, 1),
        lambda table, seat: rulings.silenced(table, seat, 1, True),
        lambda table, seat: rulings.benched(table, seat, False),
    ],
)
def test_what_only_the_host_may_do(ask: Callable[[Table, Seat | None], object]) -> None:
    at = TableOf(2)
    for somebody in (at.seat("Ben"), None):
        assert refused(ask, at.table, somebody) == "not_host"


def test_in_some_protocols_anybody_at_the_table_begins() -> None:
    at = TableOf(2)
    assert isinstance(rulings.started(at.table, at.seat("Ben"), LUCK, anybody=True)[-1], Started)
    assert refused(lambda: rulings.started(at.table, None, LUCK, anybody=True)) == "not_host"


def test_a_game_takes_enough_players() -> None:
    at = TableOf(1)
    assert refused(lambda: rulings.started(at.table, at.table.host, LUCK)) == "too_few"
    at.happen(rulings.bots_added(at.table, at.table.host, None, 1))
    (started,) = rulings.started(at.table, at.table.host, LUCK)
    assert isinstance(started, Started)
    assert started.order == (0, 1)


def test_bots_have_names_that_nobody_has() -> None:
    at = TableOf(1)
    assert refused(lambda: rulings.bots_added(at.table, at.table.host, None, 3)) == "full"
    assert refused(lambda: rulings.bots_added(at.table, at.table.host, "hal", 1)) == "no_such_bot"
    at.happen(rulings.bots_added(at.table, at.table.host, None, 2))
    assert len({seat.name for seat in at.table.seats.values()}) == 3


def test_throwing_out() -> None:
    at = TableOf(3)
    host = at.table.host
    assert refused(lambda: rulings.kicked(at.table, host, 5)) == "no_such_seat"
    assert refused(lambda: rulings.kicked(at.table, host, 0)) == "host"
    assert rulings.kicked(at.table, host, 1) == [Left(1, "kicked")]
    at.start()
    assert rulings.kicked(at.table, host, 1) == [Left(1, "kicked")]
    at = TableOf(3, StoodInFor())
    at.start()
    assert at.happen(rulings.kicked(at.table, at.table.host, 1)) == [Kicked(1)]
    assert rulings.kicked(at.table, at.table.host, 1) == [], "once is enough"


def test_the_next_host_is_somebody_who_is_there() -> None:
    at = TableOf(3)
    at.happen(rulings.absent(at.table, at.seat("Ben"), NOW + 60_000))
    assert at.happen(rulings.left(at.table, at.seat("Ann"), closes=False)) == [Left(0), HandedOver(2)]
    assert at.happen(rulings.left(at.table, at.seat("Cleo"), closes=False)) == [Left(2), HandedOver(1)]
    assert at.happen(rulings.left(at.table, at.seat("Ben"), closes=False)) == [Closed("host left")]


def test_a_table_ends_with_its_host_where_their_protocol_says_so() -> None:
    at = TableOf(2)
    assert list(rulings.left(at.table, at.seat("Ann"), closes=True)) == [Closed("host left")]
    kept = TableOf(1, keeps=60_000)
    assert list(rulings.left(kept.table, kept.seat("Ann"), closes=False)) == [Left(0)], "and stays where it is kept"


def test_who_leaves_a_running_game_gives_up_or_is_stood_in_for() -> None:
    at = TableOf(3)
    at.start()
    assert at.happen(rulings.left(at.table, at.seat("Ann"), closes=True)) == [Left(0), HandedOver(1)]
    at = TableOf(3)
    at.start()
    at.happen(rulings.absent(at.table, at.seat("Ann"), NOW + 60_000))
    assert at.happen(rulings.left(at.table, at.seat("Ben"), closes=True)) == [Left(1)], "Ann is still the host"
    at = TableOf(3, StoodInFor())
    at.start()
    assert at.happen(rulings.left(at.table, at.seat("Ann"), closes=True)) == [StoodIn(0, "left"), HandedOver(1)]
    assert list(rulings.left(at.table, at.seat("Ann"), closes=True)) == []


def test_the_silenced_are_not_heard() -> None:
    at = TableOf(2)
    ben = at.seat("Ben")
    assert rulings.said(at.table, ben, " hi \n") == entries.Said(1, "Ben", "hi")
    assert rulings.said(at.table, ben, " \n") is None
    at.happen(rulings.silenced(at.table, at.table.host, 1, True))
    assert refused(lambda: rulings.said(at.table, ben, "hi")) == "silenced"
    assert rulings.said(at.table, None, "hi") == entries.Said(None, "", "hi")
    at.happen(rulings.silenced(at.table, at.table.host, None, True))
    assert refused(lambda: rulings.said(at.table, None, "hi")) == "silenced"
    assert refused(lambda: rulings.silenced(at.table, at.table.host, 0, True)) == "host"


def test_a_bench_that_is_closed_lets_nobody_look_on() -> None:
    at = TableOf(1)
    assert rulings.watched(at.table, "") == entries.Watched()
    at.happen(rulings.benched(at.table, at.table.host, False))
    assert refused(lambda: rulings.watched(at.table, "")) == "bench_closed"
    assert rulings.benched(at.table, at.table.host, False) == []


# Before the game


class OfThosePresent(Bids):
    customs = Customs(players="present")


def started(at: TableOf) -> list[AnyEntry]:
    return rulings.started(at.table, at.table.host, LUCK)


def test_who_is_away_when_a_game_begins_plays_all_the_same_or_not() -> None:
    at = TableOf(3)
    at.happen(rulings.absent(at.table, at.seat("Cleo"), NOW + 60_000))
    assert started(at) == [Started((0, 1, 2), *LUCK)]
    at = TableOf(3, OfThosePresent())
    at.happen(rulings.absent(at.table, at.seat("Ann"), NOW + 60_000))
    assert started(at) == [Left(0, "gone"), HandedOver(1), Started((1, 2), *LUCK)]
    at.happen(rulings.absent(at.table, at.seat("Cleo"), NOW + 60_000))
    assert refused(started, at) == "too_few"


def test_what_is_possible_only_before_the_game() -> None:
    at = TableOf(2)
    at.start()
    ann = at.seat("Ann")
    assert refused(started, at) == "started"
    assert refused(rulings.bots_added, at.table, ann, None, 1) == "started"
    assert refused(rulings.configured, at.table, ann, {}) == "started"
    assert refused(rulings.readied, at.table, ann, True) == "started"


def test_options_may_not_make_the_table_too_small() -> None:
    class Grows(Bids):
        def seats_for(self, options: Any) -> range:
            return range(2, 4) if options.seconds < 30 else range(2, 3)

    at = TableOf(1, Grows())
    assert refused(rulings.configured, at.table, at.table.host, {"seconds": 40}) == "bad_options"
    (configured,) = rulings.configured(at.table, at.table.host, {"seconds": 20})
    assert isinstance(configured, entries.Configured)
    assert configured.options.seconds == 20


def test_bots_sit_down_by_the_names_that_are_left() -> None:
    at = TableOf(1)
    host = at.seat("Ann")
    host.name = "bot ADA"
    (joined,) = rulings.bots_added(at.table, host, None, 1)
    assert joined == Joined(1, "BOT Bo", bot="random")
    (company,) = at.happen([rulings.kept_company(at.table, QuickDice(1))])
    assert isinstance(company, Joined)
    assert (company.seat, company.bot, company.house) == (1, "random", True)
    assert company.name in rulings.BOT_NAMES


def test_there_are_names_for_however_many_bots() -> None:
    class Crowd(Bids):
        seats = range(2, 81)

    table = Table("t", Crowd())
    for entry in rulings.opened(table.game, "", 80, {}, "", Newcomer("Ann", "a"), LUCK):
        table.apply(entry, NOW)
    found = rulings.bots_added(table, table.host, None, 79)
    names = [entry.name for entry in found if isinstance(entry, Joined)]
    assert len(set(names)) == 79
    assert names[25:28] == ["BOT Zoe", "BOT Ada 2", "BOT Bo 2"]


def ready(at: TableOf, seat: Seat, ready: bool) -> list[AnyEntry]:
    return rulings.readied(at.table, seat, ready)


def counting(at: TableOf, *happened: AnyEntry) -> list[AnyEntry]:
    """What follows for the countdown when these have happened."""
    return [entry for entry in at.happen(happened) if isinstance(entry, CountdownBegun | CountdownStopped)]


def test_a_countdown_begins_when_all_are_ready_and_ends_when_somebody_is_not() -> None:
    at = TableOf(1, lobby=Lobby(auto_start=True, countdown=7))
    ann = at.seat("Ann")
    ann.marks_ready = "always"
    assert counting(at, *ready(at, ann, False)) == []
    assert counting(at, *ready(at, ann, True)) == [], "it takes two to play"
    at.happen(rulings.joined(at.table, Newcomer("Ben", "b"), ""))
    ben = at.seat("Ben")
    at.happen(rulings.joined(at.table, Newcomer("Cleo", "c", until=NOW + 60_000), ""))
    assert counting(at, *ready(at, at.seat("Cleo"), False)) == []  # who has a seat, and is not there, is not asked
    assert counting(at, *ready(at, ben, False)) == []
    assert counting(at, *ready(at, ben, True)) == [CountdownBegun(7, NOW + 7_000)]
    assert rulings.readied(at.table, ben, True) == [], "once is enough"
    assert refused(rulings.readied, at.table, None, True) == "not_seated"
    assert counting(at, *ready(at, ann, False)) == [CountdownStopped()]
    assert counting(at, *ready(at, ann, True)) == [CountdownBegun(7, NOW + 7_000)]
    assert counting(at, *rulings.left(at.table, at.seat("Cleo"), closes=False)) == [], "she has not begun it"
    assert counting(at, *rulings.joined(at.table, Newcomer("Dan", "d"), "")) == [CountdownStopped()]


def test_a_countdown_waits_for_those_who_are_expected() -> None:
    """As after a restart: nobody says again that they are ready."""
    at = TableOf(3)
    at.table.lobby, at.seat("Ann").marks_ready = Lobby(auto_start=True), "always"
    ben, cleo = at.seat("Ben"), at.seat("Cleo")
    assert counting(at, *rulings.absent(at.table, ben, NOW + 60_000)) == []
    assert counting(at, *rulings.absent(at.table, cleo, NOW + 60_000)) == []
    assert counting(at, *rulings.back(at.table, ben)) == [], "Cleo is not there yet"
    assert counting(at, *rulings.left(at.table, cleo, closes=False)) == [CountdownBegun(10, NOW + 10_000)]
    assert counting(at, *rulings.absent(at.table, ben, NOW + 60_000)) == [CountdownStopped()]
    assert counting(at, Left(1, "gone")) == [], "who is given up when a game begins has no say in it"
    calm = TableOf(2)
    calm.happen(rulings.absent(calm.table, calm.seat("Ben"), NOW + 60_000))
    assert counting(calm, *rulings.back(calm.table, calm.seat("Ben"))) == [], "not where nobody asked for one"
    playing = TableOf(2, lobby=Lobby(auto_start=True))
    playing.start()
    playing.happen(rulings.absent(playing.table, playing.seat("Ben"), NOW + 60_000))
    assert counting(playing, *rulings.back(playing.table, playing.seat("Ben"))) == [], "nor in a game"


def test_a_countdown_ends_with_a_game_or_for_nothing() -> None:
    at = TableOf(2)
    assert rulings.counted_down(at.table, LUCK) == [Started((0, 1), *LUCK)]
    at.happen(rulings.left(at.table, at.seat("Ben"), closes=False))
    assert rulings.counted_down(at.table, LUCK) == [CountdownStopped()]


# Hosts


class HostIsThere(Bids):
    customs = Customs(host="present")


class Lingers(Bids):
    customs = Customs(linger=60.0)


def test_a_host_who_is_away_is_succeeded_where_that_is_the_custom() -> None:
    at = TableOf(3)
    assert at.happen(rulings.absent(at.table, at.seat("Ann"), NOW + 60_000)) == [entries.Absent(0, NOW + 60_000)]
    at = TableOf(2, HostIsThere())
    for name in ("Ben", "Ann"):
        (absent,) = at.happen(rulings.absent(at.table, at.seat(name), NOW + 60_000))
        assert isinstance(absent, entries.Absent), "there is nobody else"
    assert at.table.host is at.seat("Ann")
    assert at.happen(rulings.joined(at.table, Newcomer("Cleo", "c"), ""))[1:] == [HandedOver(2)]
    assert at.happen(rulings.back(at.table, at.seat("Ben")))[1:] == [], "there is a host"
    assert at.happen(rulings.absent(at.table, at.seat("Cleo"), NOW + 60_000))[1:] == [HandedOver(1)]
    at.happen(rulings.absent(at.table, at.seat("Ben"), NOW + 60_000))
    assert at.happen(rulings.back(at.table, at.seat("Ann")))[1:] == [HandedOver(0)]
    at = TableOf(1, HostIsThere())
    at.happen(rulings.joined(at.table, Newcomer("Ben", "b", handle="7"), ""))
    assert at.happen(rulings.absent(at.table, at.seat("Ann"), NOW + 60_000))[1:] == [HandedOver(1)]


def test_the_next_host_is_somebody_who_can_know_it() -> None:
    at = TableOf(1)
    at.happen(rulings.joined(at.table, Newcomer("Ben", "b", can_host=False), ""))
    at.happen(rulings.joined(at.table, Newcomer("Cleo", "c"), ""))
    assert hosts.heir(at.table, at.seat("Ann")) is at.seat("Cleo")
    assert hosts.heir(at.table, at.seat("Ann"), at.seat("Cleo")) is at.seat("Ben")
    at.happen(rulings.absent(at.table, at.seat("Cleo"), NOW + 60_000))
    assert hosts.heir(at.table, at.seat("Ann")) is at.seat("Ben"), "being there counts for more"


def test_no_bot_is_the_next_host() -> None:
    at = TableOf(1)
    at.happen(rulings.bots_added(at.table, at.table.host, None, 1))
    assert hosts.heir(at.table, at.seat("Ann")) is None
    assert refused(rulings.handed_over, at.table, at.table.host, 1) == "no_such_seat"
    assert refused(rulings.handed_over, at.table, at.table.host, 2) == "no_such_seat"
    for seat in (1, 2):
        assert refused(rulings.silenced, at.table, at.table.host, seat, True) == "no_such_seat"


def test_no_bot_takes_the_place_of_a_host_who_is_away() -> None:
    at = TableOf(1, HostIsThere())
    at.happen(rulings.bots_added(at.table, at.table.host, None, 1))
    at.happen(rulings.joined(at.table, Newcomer("Ben", "b"), ""))
    assert at.happen(rulings.absent(at.table, at.seat("Ann"), NOW + 60_000))[1:] == [HandedOver(2)]


def test_several_who_give_up_go_together() -> None:
    at = TableOf(3)
    at.start()
    gone = [at.seat("Ann"), at.seat("Ben")]
    given_up, *after = at.happen(rulings.gave_up(at.table, gone))
    assert given_up == entries.Gone((0, 1))
    assert HandedOver(2) in after


# After the game


def over(at: TableOf) -> None:
    """A game that everybody but Ann has given up."""
    at.start()
    at.table.apply(entries.Gone(tuple(range(1, len(at.table.seats)))), NOW)
    assert at.table.result is not None


def finished(at: TableOf) -> None:
    at.start()
    while at.table.phase == "playing":
        at.table.apply(entries.Expired("bid"), NOW)


class KeepsNobody(Bids):
    customs = Customs(keep_absent=False)


class Hostless(Bids):
    customs = Customs(absent_host="close", keep_absent=False)


def test_who_stays_for_another_game() -> None:
    at = TableOf(3)
    at.happen(rulings.absent(at.table, at.seat("Ann"), NOW + 60_000))
    finished(at)
    assert aftermath.after_game(at.table) == []
    at = TableOf(3)
    over(at)
    assert aftermath.after_game(at.table) == [Left(1, "gone"), Left(2, "gone")], "they have given up"
    for name, found in (
        ("Ben", [Left(1, "gone")]),
        ("Ann", [Left(0, "gone"), HandedOver(1)]),
    ):
        at = TableOf(3, KeepsNobody())
        at.happen(rulings.absent(at.table, at.seat(name), NOW + 60_000))
        finished(at)
        assert aftermath.after_game(at.table) == found
    alone = TableOf(1, KeepsNobody())
    alone.happen(rulings.bots_added(alone.table, alone.table.host, None, 1))
    alone.happen(rulings.absent(alone.table, alone.seat("Ann"), NOW + 60_000))
    finished(alone)
    assert aftermath.after_game(alone.table) == [Left(0, "gone"), Closed("host left")]


def test_a_table_whose_host_is_away_at_the_end_closes_where_that_is_the_custom() -> None:
    for name, found in (("Ann", [Closed("host left")]), ("Ben", [Left(1, "gone")])):
        at = TableOf(3, Hostless())
        at.happen(rulings.absent(at.table, at.seat(name), NOW + 60_000))
        finished(at)
        assert aftermath.after_game(at.table) == found


def test_where_a_table_lingers_somebody_who_is_there_can_begin_another_game() -> None:
    at = TableOf(3, Lingers())
    at.happen(rulings.absent(at.table, at.seat("Ann"), NOW + 60_000))
    assert at.table.host is at.seat("Ann")
    finished(at)
    assert aftermath.after_game(at.table) == [HandedOver(1)]
    bound = TableOf(1, Lingers())
    bound.happen(rulings.joined(bound.table, Newcomer("Ben", "b", handle="7"), ""))
    bound.happen(rulings.joined(bound.table, Newcomer("Cleo", "c"), ""))
    bound.happen(rulings.absent(bound.table, bound.seat("Ann"), NOW + 60_000))
    finished(bound)
    assert aftermath.after_game(bound.table) == [HandedOver(2)], "Ben's protocol has no word for it"
    for name in ("Ben", "Cleo"):
        bound.happen([entries.Absent(bound.seat(name).number, NOW + 60_000)])
    assert bound.happen(rulings.back(bound.table, bound.seat("Ben")))[1:] == []
    assert bound.happen(rulings.back(bound.table, bound.seat("Cleo")))[1:] == [HandedOver(2)]
    there = TableOf(2, Lingers())
    finished(there)
    assert aftermath.after_game(there.table) == []


def test_where_a_table_lingers_the_host_is_somebody_with_a_word_for_another_game() -> None:
    """Who goes by the name of a connection has none."""
    at = TableOf(1, Lingers())
    at.happen(rulings.joined(at.table, Newcomer("Ben", "b", handle="7"), ""))
    at.happen(rulings.joined(at.table, Newcomer("Cleo", "c"), ""))
    assert hosts.heir(at.table, at.seat("Ann")) is at.seat("Ben"), "before the first game it makes no difference"
    at.happen(rulings.handed_over(at.table, at.table.host, 1))
    finished(at)
    assert aftermath.after_game(at.table) == [HandedOver(0)], "Ben is there, and can't"
    assert hosts.heir(at.table, at.seat("Ann")) is at.seat("Cleo")


# Being heard


class Silent(Bids):
    def sounds(self, options: Any) -> tuple[str, ...]:
        return ()


class Loud(Bids):
    def sounds(self, options: Any) -> tuple[str, ...]:
        return ("gong",)


def test_sounds_are_made_by_those_who_sit_and_are_not_silenced() -> None:
    at = TableOf(2, Silent())
    ben = at.seat("Ben")
    assert refused(rulings.sounded, at.table, ben, "gong", NOW) == "no_sounds"
    at = TableOf(2, Loud())
    ben = at.seat("Ben")
    assert refused(rulings.sounded, at.table, None, "gong", NOW) == "not_seated"
    assert refused(rulings.sounded, at.table, ben, "moo", NOW) == "no_such_sound"
    assert rulings.sounded(at.table, ben, "gong", NOW) == entries.Sounded(1, "gong")
    at.happen(rulings.silenced(at.table, at.table.host, 1, True))
    assert refused(rulings.sounded, at.table, ben, "gong", NOW) == "silenced"


def test_sounds_come_one_after_the_other() -> None:
    at = TableOf(3, Loud())

    def sound(name: str, now: int) -> int:
        """How long it would have to wait, in milliseconds."""
        try:
            at.table.mention(rulings.sounded(at.table, at.seat(name), "gong", now), now)
        except Refused as refusal:
            assert refusal.code == "too_fast"
            return int(refusal.data["retry_ms"])
        return 0

    assert sound("Ann", NOW) == 0
    assert sound("Ann", NOW + 2_999) == 1
    assert sound("Ann", NOW + 3_000) == 0
    assert sound("Ben", NOW + 3_000) == 0, "another one may"
    assert sound("Ben", NOW + 6_000) == sound("Ann", NOW + 6_000) == 0
    assert sound("Cleo", NOW + 9_999) == 1, "but only so many in ten seconds"
    assert sound("Cleo", NOW + 10_000) == 0


def test_a_table_has_room_for_so_many_spectators() -> None:
    at = TableOf(1)
    at.table.soft.watchers = rulings.MOST_WATCHERS - 1
    at.table.mention(rulings.watched(at.table, ""), NOW)
    assert refused(rulings.watched, at.table, "") == "bench_full"


def test_looking_on_takes_the_password_where_the_table_is_private() -> None:
    at = TableOf(1, password="plum", lobby=Lobby(private=True))
    assert refused(rulings.watched, at.table, "pear") == "bad_password"
    assert rulings.watched(at.table, "plum") == entries.Watched()
    assert rulings.watched(TableOf(1, password="plum").table, "") == entries.Watched()


def test_what_the_host_has_said_already_is_not_said_again() -> None:
    at = TableOf(2)
    host = at.table.host
    assert rulings.silenced(at.table, host, 1, False) == []
    assert rulings.silenced(at.table, host, None, False) == []
    assert rulings.benched(at.table, host, True) == []
    at.happen(rulings.silenced(at.table, host, 1, True))
    assert rulings.silenced(at.table, host, 1, True) == []
    assert at.happen(rulings.silenced(at.table, host, 1, False)) == [entries.Silenced(1, False)]
    assert rulings.silenced(at.table, host, 0, False) == []


def test_a_bot_is_not_thrown_out_of_a_running_game_unless_the_house_has_sent_it() -> None:
    at = TableOf(1)
    at.happen(rulings.bots_added(at.table, at.table.host, None, 1))
    at.happen([rulings.kept_company(at.table, QuickDice(1))])
    assert rulings.kicked(at.table, at.table.host, 1) == [Left(1, "kicked")]
    at.start()
    assert refused(rulings.kicked, at.table, at.table.host, 1) == "bot_playing"
    assert rulings.kicked(at.table, at.table.host, 2) == [Left(2, "kicked")]


class Even(Bids):
    """For two or four, and not for three."""

    seats = range(2, 5, 2)


def test_a_game_for_two_or_four_is_not_played_by_three() -> None:
    assert refused(lambda: rulings.opened(Even(), "", 3, {}, "", Newcomer("Ann", "a"), LUCK)) == "bad_seats"
    table = Table("t", Even())
    host = Newcomer("Ann", "a")
    for entry in rulings.opened(table.game, "", 4, {}, "", host, LUCK, lobby=Lobby(auto_start=True)):
        happen(table, [entry], NOW)
    for bots in (1, 2, 3):
        happen(table, rulings.bots_added(table, table.host, None, 1), NOW)
        if bots == 2:
            with pytest.raises(Refused, match="one of these: 2, 4"):
                rulings.started(table, table.host, LUCK)
            found = happen(table, rulings.readied(table, table.host, True), NOW)
            assert not any(isinstance(entry, CountdownBegun) for entry, _ in found)
        else:
            assert isinstance(rulings.started(table, table.host, LUCK)[-1], Started)
