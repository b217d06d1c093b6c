"""The bots at a table: made when it is played at, with all that they would have seen, and nobody's trouble."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from croupier.journal import Record
from croupier.kernel import Bot, Dice, Event
from croupier.kernel.chance import QuickDice
from croupier.tables import entries, error_log, logbook, replay
from croupier.tables.bots import Bots, TooSlow
from croupier.tables.entries import AnyEntry
from croupier.tables.seat import Seat
from croupier.tables.table import Table
from tests.toys import Bid, Bids

AT = 1_000_000


class Watcher(Bot):
    """Bids its lowest card, and remembers what it has seen."""

    name = "watcher"
    made: ClassVar[int] = 0

    def __init__(self) -> None:
        type(self).made += 1
        self.seen: list[Event] = []

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        self.seen += events

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        return moves[0]


class Blind(Watcher):
    name = "blind"
    fault: ClassVar[type[BaseException]]

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        raise self.fault


class Watched(Bids):
    bots: Mapping[str, type[Bot]] = {"watcher": Watcher, "blind": Blind}


class Journal:
    """A table that is played at, and its log."""

    def __init__(self, *kinds: str) -> None:
        self.table = Table("t", Watched())
        self.bots = Bots(self.table)
        self.log: list[Record] = []
        self.happen(entries.Opened("bids", "", len(kinds) + 1, {}))
        self.happen(entries.Joined(0, "Ann", token="secret"))
        self.happen(*(entries.Joined(number, kind, bot=kind) for number, kind in enumerate(kinds, 1)))
        self.happen(entries.Started(tuple(self.table.seats), bytes(32)))

    def happen(self, *found: AnyEntry) -> None:
        for entry in found:
            self.bots.follow(entry, self.table.apply(entry, AT))
            self.log.append(Record(self.table.seq, AT, entries.encode(entry)))

    def bid(self, number: int) -> None:
        game, state = self.table.game, self.table.state
        self.happen(entries.Moved(number, game.moves(state, number)[0]))

    def seen(self, number: int) -> list[Event]:
        bot = self.bots.bot(self.table.seats[number])
        assert isinstance(bot, Watcher)
        return bot.seen


def loaded(log: Iterable[Record]) -> Bots:
    bots = Bots(Table("t", Watched()))
    for record in log:
        bots.look_back(*logbook.follow(bots.table, record))
    return bots


def test_a_bot_sees_the_game_from_its_seat_however_late_it_is_made() -> None:
    early, late = Journal("watcher"), Journal("watcher")
    assert early.seen(1) == []
    for journal in (early, late):
        for number in (0, 1, 0):
            journal.bid(number)
    assert early.seen(1) == late.seen(1)
    assert next(getattr(event, "card", None) for event in early.seen(1)) is None, "what the others bid is hidden"
    assert len(early.seen(1)) == 4


def test_after_a_restart_a_bot_remembers_the_game_and_not_the_one_before() -> None:
    journal = Journal("watcher")
    for _ in range(4):
        journal.bid(0)
        journal.bid(1)
    assert journal.table.games == 1
    journal.happen(entries.Started((0, 1), bytes(range(32))))
    journal.bid(0)
    again = loaded(journal.log)
    bot = again.bot(again.table.seats[1])
    assert isinstance(bot, Watcher)
    assert bot.seen == journal.seen(1)
    assert len(bot.seen) == 1


def test_who_stands_in_has_seen_nothing_of_what_was_before() -> None:
    journal = Journal("watcher")
    journal.bid(1)
    journal.happen(entries.StoodIn(0))
    journal.bid(0)
    again = loaded(journal.log)
    for bots in (journal.bots, again):
        seat = bots.table.seats[0]
        bot = bots.bot(seat)
        assert isinstance(bot, Watcher)
        assert [type(event).__name__ for event in bot.seen] == ["Bidden", "Won"]
    journal.happen(entries.Back(0))
    journal.bid(0)
    journal.happen(entries.StoodIn(0))
    assert journal.seen(0) == [], "and the next time it is another one"


def test_a_bot_that_is_there_no_more_is_replaced() -> None:
    journal = Journal("watcher", "one of last year")
    assert type(journal.bots.bot(journal.table.seats[2])) is Watcher


def test_a_replay_makes_no_bot_and_wakes_none() -> None:
    journal = Journal("watcher")
    for _ in range(4):
        journal.bid(0)
        journal.bid(1)
    made = Watcher.made
    assert replay.watch("t", Watched(), journal.log, 1, None, True).count == 9
    loaded(journal.log)
    assert Watcher.made == made


@pytest.mark.parametrize("fault", [RuntimeError, TooSlow])
def test_one_bot_that_can_not_look_on_keeps_no_other_from_it(
    fault: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Blind, "fault", fault, raising=False)
    before = error_log.seen.copy()
    journal = Journal("watcher", "blind", "blind", "watcher")
    seats = journal.table.seats
    made = [journal.bots.bot(seats[number]) for number in (1, 2, 3, 4)]
    journal.bid(0)
    assert [journal.bots.bot(seats[number]) is bot for number, bot in enumerate(made, 1)] == [True, False, False, True]
    assert len(journal.seen(1)) == len(journal.seen(4)) == 1
    assert error_log.seen["bot"] == before["bot"] + 2
    error_log.seen.clear()
    error_log.seen.update(before)


def test_a_move_is_one_of_those_that_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal("watcher")
    seat: Seat = journal.table.seats[1]
    assert journal.bots.move(seat, QuickDice(1)) in journal.table.game.moves(journal.table.state, 1)
    before = error_log.seen.copy()
    monkeypatch.setattr(Watcher, "choose", lambda *_: Bid(99))
    assert journal.bots.move(seat, QuickDice(1)) in journal.table.game.moves(journal.table.state, 1)
    assert error_log.seen["bot"] == before["bot"] + 1
    error_log.seen.clear()
    error_log.seen.update(before)
