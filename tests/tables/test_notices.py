"""What connections are told."""

from __future__ import annotations

from typing import Any

from croupier.tables import entries
from croupier.tables.notices import Fact
from croupier.tables.place import Place
from croupier.tables.table import Table
from tests.toys import Bids


def test_what_is_made_once_for_many_is_made_of_what_spectators_see() -> None:
    table = Table("t", Bids())
    for entry in (
        entries.Opened("bids", "", 2, {}),
        entries.Joined(0, "Ann", token="a"),
        entries.Joined(1, "Ben", token="b"),
        entries.Started((0, 1), bytes(32)),
    ):
        table.apply(entry, 1)
    shared: dict[Any, Any] = {}
    facts = [Fact(Place(table, seat), 4, 1, entry, (), False, shared) for seat in table.seats.values()]
    hands = [fact.once("careless", lambda place: place.view().hand) for fact in facts]
    assert hands == [(), ()]
    assert len(facts[0].place.view().hand) == 4
