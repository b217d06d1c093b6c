"""Reading a log: each entry is let happen at a table, if it can have happened there.

What is in a file may be anything: somebody has edited it, a disk has lost a page, another program wrote it. A log that
makes no sense is noticed here, by everybody who reads one, and is nobody else's trouble.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.journal import Listing, Record
from croupier.kernel import Event, UnknownRules
from croupier.tables import entries
from croupier.tables.entries import AnyEntry
from croupier.tables.table import Table

LATEST = 1 << 42
"""Milliseconds since 1970, in the year 2109. No clock is that wrong: and one table's time becomes that of all."""


class Unreadable(Exception):
    """A log says what can't have happened. The message is for people, and tells no card."""


class Newer(Unreadable):
    """A newer release of this server wrote it, and knows what it says."""


def follow(table: Table, record: Record) -> tuple[AnyEntry, Sequence[Event]]:
    """Let the next entry of its log happen at a table: what it was, and what came of it."""
    seq = table.seq + 1
    entry = read(record, seq, table.game.name)
    if table.phase == "closed":
        raise Unreadable(f"it goes on after its end, with entry {seq}")
    try:
        return entry, table.apply(entry, record.at)
    except UnknownRules as error:
        raise Newer(str(error)) from None
    except Exception as error:
        raise Unreadable(f"entry {seq} can't have happened ({type(error).__name__})") from error


def read(record: Record, seq: int, game: str) -> AnyEntry:
    """The entry with this number of a log of this game, as far as can be told without its rules."""
    if record.seq != seq:
        raise Unreadable(f"entry {seq} is missing")
    if not is_time(record.at):
        raise Unreadable(f"entry {seq} has a time that can't be")
    try:
        entry: AnyEntry = entries.decode(record.entry)
    except msgspec.ValidationError as error:  # JSON like any other, and no entry that is known here
        raise Newer(f"entry {seq} can't be read: {error}") from None
    except Exception as error:
        raise Unreadable(f"entry {seq} can't be read: {error}") from None
    if isinstance(entry, entries.Opened | entries.Resumed) and entry.edition > entries.EDITION:
        raise Newer(f"it is of edition {entry.edition}, and this server knows no later one than {entries.EDITION}")
    if (type(entry) is entries.Opened) != (seq == 1):
        raise Unreadable("it does not begin with its opening" if seq == 1 else f"it is opened again, with entry {seq}")
    if type(entry) is entries.Opened and entry.game != game:
        raise Unreadable(f"it is a log of {entry.game!r}, and listed as one of {game!r}")
    return entry


def fold(table: Table, records: Iterable[Record]) -> None:
    """Make a table what its log says."""
    table.clear()
    for record in records:
        follow(table, record)
    if table.seq == 0:
        raise Unreadable("its log is empty")


def is_time(at: object) -> bool:
    return type(at) is int and 0 <= at < LATEST


def misfiled(listing: Listing) -> str | None:
    """What is wrong with a line of the journal's list of tables."""
    if type(listing.id) is not str or type(listing.game) is not str:
        return "its line in the list of tables can't be read"
    if not is_time(listing.opened_at) or not (listing.closed_at is None or is_time(listing.closed_at)):
        return "the list of tables has a time for it that can't be"
    return None
