"""The log of a closed table without somebody who does not want to be in it: others' games stay as they were.

The rules know seats and no names, so nothing comes out otherwise when such a log is replayed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from croupier.journal import Record
from croupier.people.privacy import SOMEBODY
from croupier.tables import entries, keys
from croupier.tables.entries import AnyEntry


class Forgetting:
    """Reads the log of a table, piece by piece, and then says what has to be otherwise."""

    def __init__(self, person: str, table: str) -> None:
        self._person = person
        self._table = table
        self._seats: set[int] = set()
        """Those that are theirs."""
        self.names: set[str] = set()
        """What they have been called."""
        self._opened: tuple[int, entries.Opened] | None = None
        self._changed: dict[int, AnyEntry] = {}

    def read(self, records: Iterable[Record]) -> None:
        for record in records:
            try:
                entry: AnyEntry = entries.decode(record.entry)
            except msgspec.DecodeError:
                continue  # a newer release wrote it, or somebody has: nobody sits down with it
            if isinstance(entry, entries.Opened):
                self._opened = record.seq, entry
            changed = self._without(entry, record.seq)
            if changed is not entry:
                self._changed[record.seq] = changed

    def log(self) -> dict[int, bytes]:
        """The entries that are otherwise from now on, by their numbers."""
        found = dict(self._changed)
        if self._opened is not None:  # a table's name may tell whose it is
            seq, entry = self._opened
            found[seq] = msgspec.structs.replace(entry, name=self._nameless(entry.name))
        return {seq: entries.encode(entry) for seq, entry in found.items()}

    def _without(self, entry: AnyEntry, seq: int) -> AnyEntry:
        match entry:
            case entries.Joined() if entry.person == self._person:
                self._seats.add(entry.seat)
                self.names.add(entry.name)
                return self._newcomer(entry, seq)
            case entries.Joined():
                self._seats.discard(entry.seat)
            case entries.Reseated():
                swapped = {entry.seat: entry.to, entry.to: entry.seat}
                self._seats = {swapped.get(seat, seat) for seat in self._seats}
            case entries.Started():
                self._seats = {now for now, before in enumerate(entry.order) if before in self._seats}
            case entries.Back() if entry.seat in self._seats and entry.avatar is not None:
                return msgspec.structs.replace(entry, avatar="")
            case entries.Recognised() if entry.seat in self._seats:
                return msgspec.structs.replace(entry, client="")
        return entry

    def _newcomer(self, entry: entries.Joined, seq: int) -> entries.Joined:
        """Somebody. What follows from a secret or an id follows from others now, which nobody has."""
        return msgspec.structs.replace(
            entry,
            name=SOMEBODY,
            token=None if entry.token is None else keys.digest(keys.new_id()),
            user=None if entry.user is None else keys.derived_id(f"{self._table} {seq}"),
            avatar="",
            client="",
            person="",
        )

    def _nameless(self, text: str) -> str:
        """A table's name without theirs."""
        for name in self.names - {SOMEBODY}:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", SOMEBODY, text)
        return text

    def record(self, public: bytes) -> bytes:
        """What strangers are told of the table, which has been read."""
        found = msgspec.json.decode(public)
        table = found["table"]
        table["name"] = self._nameless(table["name"])
        for player in (*table["players"], *table["cast"]):
            if player.get("person") == self._person:
                player |= {"name": SOMEBODY, "handle": "", "user": "", "avatar": ""}
                del player["person"]
        return msgspec.json.encode(found)
