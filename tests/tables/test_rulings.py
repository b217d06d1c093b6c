"""Requests into entries, with no connection anywhere: what is refused first, what is done, and who is the next host."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from croupier.kernel import Customs
from croupier.tables import entries, rulings
from croupier.tables.entries import AnyEntry, Closed, HandedOver, Joined, Kicked, Left, Started, StoodIn
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
