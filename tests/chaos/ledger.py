"""What people at a table were told and what they asked for, held against the table's log in the journal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from croupier.journal import Record
from croupier.tables import entries
from croupier.tables.entries import AnyEntry, Moved
from croupier.tables.place import Place
from croupier.tables.table import AnyGame, Table

Json = dict[str, Any]


class Seen(NamedTuple):
    """A fact or a sync of the native protocol, and from which seat it was heard."""

    seat: int | None
    told: Json


class Ledger:
    """Of one person at one table."""

    def __init__(self, keyed: bool) -> None:
        self.keyed = keyed
        self.names: list[str] = []
        """What they were called there: another seat may have taken another name."""
        self.facts: dict[int, list[Seen]] = {}
        self.syncs: dict[int, list[Seen]] = {}
        self.sent: Counter[str] = Counter()
        """Moves that were asked for: by key, or where the protocol has none by what they were."""
        self.acknowledged: Counter[str] = Counter()
        """Those of them that were answered as done."""

    @property
    def who(self) -> str:
        return " or ".join(self.names)

    def fact(self, seat: int | None, told: Json) -> None:
        if not told.get("soft"):  # there is nothing in the log to hold it against
            self.facts.setdefault(told["seq"], []).append(Seen(seat, told))

    def sync(self, told: Json) -> None:
        self.syncs.setdefault(told["seq"], []).append(Seen(told["seat"], told))


class Tally(NamedTuple):
    """How much was compared."""

    facts: int = 0
    syncs: int = 0
    moves: int = 0

    def plus(self, other: Tally) -> Tally:
        return Tally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def plain(value: Any) -> Any:
    """As it comes out of JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def written(move: Json) -> str:
    """A move as a text that is the same whoever has written it."""
    return json.dumps({key: value for key, value in move.items() if value is not None}, sort_keys=True)


def compare(game: AnyGame, id: str, records: Iterable[Record], ledgers: Iterable[Ledger]) -> Tally:
    """Raises AssertionError when anybody was told anything that is not so, or a move is lost or was made twice."""
    ledgers = list(ledgers)
    table = Table(id, game)
    names: dict[int, str] = {}
    made: Counter[str] = Counter()
    by_name: dict[str, Counter[str]] = {}
    facts = syncs = 0
    for record in records:
        entry = entries.decode(record.entry)
        events = table.apply(entry, record.at)
        if isinstance(entry, Moved) and not entry.bot:
            if entry.key is not None:
                made[entry.key] += 1
            else:
                by_name.setdefault(names[entry.seat], Counter())[written(entry.move)] += 1
        elif not isinstance(entry, Moved):
            names = {seat.number: seat.name for seat in table.seats.values()}
        for ledger in ledgers:
            for seat, told in ledger.facts.get(record.seq, ()):
                facts += 1
                _same(ledger, entry, record, events, seat, told)
            for seat, told in ledger.syncs.get(record.seq, ()):
                syncs += 1
                place = Place(table, None if seat is None else table.seats[seat])
                assert told["view"] == plain(place.view()), f"{ledger.who} was shown another table at {record.seq}"
    assert all(count == 1 for count in made.values()), f"made twice at {id}: {made.most_common(3)}"
    for ledger in ledgers:
        latest = max([0, *ledger.facts, *ledger.syncs])
        known = [seen.told for seen in (*ledger.facts.get(latest, ()), *ledger.syncs.get(latest, ()))]
        assert latest <= table.seq, f"{ledger.who} was told {known}, and the log of {id} ends at {table.seq}"
        found = made if ledger.keyed else sum((by_name.get(name, Counter()) for name in ledger.names), Counter())
        lost = ledger.acknowledged - found
        assert not lost, f"acknowledged to {ledger.who} and not in the log of {id}: {lost}"
        if not ledger.keyed:
            assert not found - ledger.sent, f"{ledger.who} made moves at {id} never asked for: {found - ledger.sent}"
    return Tally(facts, syncs, sum(ledger.acknowledged.total() for ledger in ledgers))


def _same(ledger: Ledger, entry: AnyEntry, record: Record, events: Any, seat: int | None, told: Json) -> None:
    """Whether a fact is what happened."""
    seen = [view for event in events if (view := event.seen_by(seat)) is not None]
    expected = {"at": record.at, "entry": plain(entry.public()), "events": plain(seen)}
    got = {key: told[key] for key in expected}
    assert got == expected, f"{ledger.who} was told of entry {record.seq}: {got}, but it is {expected}"
