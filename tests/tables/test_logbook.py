"""Reading logs: whatever is in a file, either it can have happened, or somebody is told in a sentence what can't."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from croupier.journal import Listing, Record
from croupier.tables import entries, logbook, rulings
from croupier.tables.entries import AnyEntry, Closed, Moved
from croupier.tables.rulings import Newcomer
from croupier.tables.table import Table
from tests.toys import Bid, Bids

NOW = 1_000_000
OPENED: list[AnyEntry] = list(rulings.opened(Bids(), "Cellar", 2, {}, "", Newcomer("Ann", "a"), (bytes(32), None)))
"""The opening, and Ann sits down."""


def log(*found: AnyEntry) -> list[Record]:
    return [Record(seq, NOW, entries.encode(entry)) for seq, entry in enumerate(found, 1)]


def fault(records: Sequence[Record]) -> str:
    with pytest.raises(logbook.Unreadable) as caught:
        logbook.fold(Table("t", Bids()), records)
    return str(caught.value)


def test_a_table_is_what_its_log_says_however_often_it_is_read() -> None:
    table = Table("t", Bids())
    for _ in range(2):
        logbook.fold(table, log(*OPENED))
        assert (table.name, table.seq, table.at) == ("Cellar", 2, NOW)
        assert [seat.name for seat in table.seats.values()] == ["Ann"]


def test_a_log_has_all_its_entries_in_their_order() -> None:
    first, second = log(*OPENED)
    assert fault([]) == "its log is empty"
    assert fault([second]) == "entry 1 is missing"
    assert fault([first, first]) == "entry 2 is missing"
    assert fault([first, second._replace(seq=3)]) == "entry 2 is missing"


def test_a_log_begins_with_its_opening_and_ends_with_its_end() -> None:
    opened, joined = OPENED
    assert fault(log(joined)) == "it does not begin with its opening"
    assert fault(log(opened, opened)) == "it is opened again, with entry 2"
    assert fault(log(opened, Closed("idle"), joined)) == "it goes on after its end, with entry 3"


@pytest.mark.parametrize("at", [-1, logbook.LATEST, 1.5, "noon", None])
def test_no_entry_has_a_time_that_can_not_be(at: int) -> None:
    first, second = log(*OPENED)
    assert fault([first, second._replace(at=at)]) == "entry 2 has a time that can't be"


@pytest.mark.parametrize("at", [0, logbook.LATEST - 1])
def test_a_clock_may_have_been_wrong(at: int) -> None:
    logbook.fold(Table("t", Bids()), [record._replace(at=at) for record in log(*OPENED)])


def test_an_entry_that_can_not_be_read_or_can_not_have_happened() -> None:
    (first, _) = log(*OPENED)
    assert fault([first, Record(2, NOW, b"\xff")]).startswith("entry 2 can't be read: ")
    assert fault(log(*OPENED, Moved(0, Bid(3)))).startswith("entry 3 can't have happened (")


def test_a_game_by_rules_that_are_not_known_here_says_so() -> None:
    started = entries.Started((0,), bytes(32), rules=2)
    assert fault(log(*OPENED, started)).startswith("it is played by version 2 of the rules of Bids")


def test_a_log_is_one_of_the_game_that_it_is_listed_as() -> None:
    class Auction(Bids):
        name = "auction"

    with pytest.raises(logbook.Unreadable, match="it is a log of 'bids', and listed as one of 'auction'"):
        logbook.fold(Table("t", Auction()), log(*OPENED))


def test_a_line_of_the_list_of_tables_is_damaged() -> None:
    line = Listing("t", "bids", NOW, None)
    assert logbook.misfiled(line) is None
    assert logbook.misfiled(line._replace(closed_at=NOW)) is None
    unreadable = "its line in the list of tables can't be read"
    assert logbook.misfiled(line._replace(id=7)) == unreadable  # type: ignore[arg-type]
    assert logbook.misfiled(line._replace(game=None)) == unreadable  # type: ignore[arg-type]
    wrong = "the list of tables has a time for it that can't be"
    assert logbook.misfiled(line._replace(opened_at=-1)) == wrong
    assert logbook.misfiled(line._replace(closed_at=logbook.LATEST)) == wrong
