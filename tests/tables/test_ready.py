"""Tables that begin by themselves: who has to say that they are ready, and what a countdown depends on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from croupier.tables import entries, intents, rulings
from croupier.tables.entries import AnyEntry, CountdownBegun, CountdownStopped, Joined, Readied, Started
from croupier.tables.lobby_options import Lobby
from croupier.tables.notices import Refused
from croupier.tables.rulings import Newcomer
from croupier.tables.table import Table
from tests.happening import happen
from tests.toys import Bids

NOW = 1_000_000
LUCK = (bytes(32), None)
AUTO = Lobby(auto_start=True, countdown=5)
BEGUN = CountdownBegun(5, NOW + 5000)
STOPPED = CountdownStopped()


def person(name: str, **known: Any) -> Newcomer:
    """Of a protocol that can say when somebody is ready."""
    return Newcomer(name, name.lower(), **{"marks_ready": True} | known)


class TableOf:
    """A table of four seats with these people; the first is the host."""

    def __init__(self, *people: Newcomer, lobby: Lobby = AUTO) -> None:
        self.table = Table("t", Bids())
        for entry in rulings.opened(self.table.game, "", 4, {}, "", people[0], LUCK, lobby=lobby):
            self.table.apply(entry, NOW)
        for newcomer in people[1:]:
            self.happen(rulings.joined(self.table, newcomer, ""))

    def happen(self, found: Iterable[AnyEntry]) -> list[AnyEntry]:
        """As in a room. Returns what follows from it for the countdown."""
        found = list(found)
        return [entry for entry, _ in happen(self.table, found, NOW) if entry not in found]

    def ready(self, *seats: int, ready: bool = True) -> list[AnyEntry]:
        return [
            entry for seat in seats for entry in self.happen(rulings.readied(self.table, self.table.seats[seat], ready))
        ]

    def configure(self, **changes: Any) -> list[AnyEntry]:
        return self.happen(rulings.configured(self.table, self.table.host, {}, **changes))

    def leave(self, seat: int) -> list[AnyEntry]:
        return self.happen(rulings.left(self.table, self.table.seats[seat], closes=False))

    @property
    def marks(self) -> list[bool]:
        return [player.ready for player in self.table.summary.players]


def test_where_nothing_begins_by_itself_nobody_is_asked_and_nothing_is_said_about_it() -> None:
    at = TableOf(person("Ann"), person("Ben"), lobby=Lobby())
    assert at.marks == [True, True]
    assert b"ready" not in msgspec.json.encode(at.table.summary)
    assert at.ready(0, 1) == []


def test_when_everybody_is_ready_the_countdown_runs_and_the_game_begins() -> None:
    at = TableOf(person("Ann"), person("Ben"))
    assert at.marks == [False, False]
    assert at.ready(0) == []
    assert at.ready(1) == [BEGUN]
    assert at.table.summary.starts_at == NOW + 5000
    assert at.ready(1) == []  # that was known
    at.happen(rulings.counted_down(at.table, LUCK))
    assert at.table.phase == "playing"
    assert b"starts_at" not in msgspec.json.encode(at.table.summary)


def test_it_takes_as_many_as_can_play() -> None:
    at = TableOf(person("Ann"))
    assert at.ready(0) == []
    assert at.happen(rulings.bots_added(at.table, at.table.host, None, 1)) == [BEGUN]
    assert at.happen(rulings.bots_added(at.table, at.table.host, None, 1)) == []  # one more is no reason to wait


def test_who_comes_or_is_not_ready_any_more_stops_it() -> None:
    at = TableOf(person("Ann"), person("Ben"))
    at.ready(0, 1)
    assert at.ready(0, ready=False) == [STOPPED]
    assert at.ready(0) == [BEGUN]
    assert at.happen(rulings.joined(at.table, person("Cleo"), "")) == [STOPPED]
    assert at.ready(2) == [BEGUN]


def test_who_goes_is_not_waited_for() -> None:
    at = TableOf(person("Ann"), person("Ben"), person("Cleo"))
    at.ready(0, 1)
    assert at.leave(2) == [BEGUN]
    at = TableOf(person("Ann"), person("Ben"), person("Cleo"))
    at.ready(0, 1, 2)
    assert at.leave(2) == [STOPPED, BEGUN]
    assert at.leave(1) == [STOPPED]


def test_bots_do_not_begin_without_people() -> None:
    at = TableOf(person("Ann"), person("Ben"))
    at.happen(rulings.bots_added(at.table, at.table.host, None, 2))
    at.table.keeps = 60_000
    at.leave(1)
    assert at.leave(0) == []


def test_the_host_turns_it_on_and_off() -> None:
    at = TableOf(person("Ann"), person("Ben"), lobby=Lobby(listed=False))
    assert at.configure(auto_start=True, countdown=5) == []
    assert at.table.lobby == Lobby(auto_start=True, countdown=5, listed=False)
    assert at.marks == [False, False]
    at.ready(0, 1)
    assert at.configure(countdown=7) == []  # that is for the next one
    assert at.marks == [True, True]
    assert at.configure(auto_start=False) == [STOPPED]
    assert at.configure(auto_start=True) == []
    assert at.marks == [False, False]


def test_people_of_a_protocol_without_the_word_are_always_ready() -> None:
    at = TableOf(person("Ann"), Newcomer("Old", "old"))
    assert at.marks == [False, True]
    assert at.ready(0) == [BEGUN]


def test_people_of_a_protocol_that_always_asks_mark_themselves_anywhere() -> None:
    at = TableOf(person("Ann", user="A"), person("Ben"), lobby=Lobby())
    assert at.marks == [False, True]
    at.configure(auto_start=True)
    assert at.marks == [False, False]
    assert at.ready(0, 1) == [CountdownBegun(10, NOW + 10_000)]
    assert at.leave(1) == [STOPPED]  # and only a mark begins it anew


def test_the_marks_are_for_one_game() -> None:
    at = TableOf(person("Ann"), person("Ben"))
    at.ready(0, 1)
    at.happen(rulings.counted_down(at.table, LUCK))
    at.happen([entries.Gone((1,))])
    assert at.table.phase == "waiting"
    assert at.table.seats[0].ready is False


def test_a_log_says_the_same_again() -> None:
    at = TableOf(person("Ann"))
    log = [Joined(1, "Ben", "b", marks_ready=True), Readied(0, True), Started((0, 1), bytes(32))]
    for entry in log:
        at.table.apply(entries.decode(entries.encode(entry)), NOW)
    assert [seat.marks_ready for seat in at.table.seats.values()] == ["asked", "asked"]
    assert log[0].public() == Joined(1, "Ben")


def test_ready_is_for_those_with_a_seat_before_a_game() -> None:
    at = TableOf(person("Ann"), person("Ben"))
    with pytest.raises(Refused, match="no seat"):
        rulings.readied(at.table, None, True)
    at.happen(rulings.started(at.table, at.table.host, LUCK))
    with pytest.raises(Refused, match="has started"):
        rulings.readied(at.table, at.table.seats[0], True)


@pytest.mark.parametrize("countdown", [-1, 61, "soon"])
def test_how_long_a_countdown_may_be(countdown: object) -> None:
    asked = msgspec.json.encode({"type": "configure", "countdown": countdown})
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(asked, type=intents.Request)
