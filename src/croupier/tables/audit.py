"""Whether a journal still says what happened: every game in it is played again, and held against how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from croupier.journal import JournalDown, Listing
from croupier.journal.stores import Store
from croupier.tables.logbook import Unreadable, complete, follow, misfiled
from croupier.tables.snapshot import restore, take
from croupier.tables.table import AnyGame, Table


class Fault(NamedTuple):
    table: str
    """Empty when it is about the whole journal."""
    what: str


def check(journal: Store, games: Mapping[str, AnyGame]) -> Iterator[tuple[str, Fault | None]]:
    """Play every game of the journal again. For the file and for each table: its id, and what is wrong if anything."""
    try:
        journal.verify()
        yield "", None
    except JournalDown as fault:
        yield "", Fault("", str(fault))
    try:
        listings = journal.tables(live=False)
    except JournalDown as error:
        yield "", Fault("", f"its tables can't be listed: {error}")
        return
    with suppress(JournalDown):  # where a page is damaged, its tables will tell
        for id in journal.unlisted():
            yield id, Fault(id, "it is not in the list of tables")
    for listing in listings:
        what = _wrong(journal, listing, games)
        yield listing.id, None if what is None else Fault(listing.id, what)


def _wrong(journal: Store, listing: Listing, games: Mapping[str, AnyGame]) -> str | None:
    """What is wrong with a table."""
    if (what := misfiled(listing)) is not None:
        return what
    game = games.get(listing.game)
    if game is None:
        return f"there is no game {listing.game!r}"
    try:
        return _replayed(journal, listing, game)
    except Unreadable as error:
        cause = error.__cause__
        return f"its log can't be replayed: {error}" + (f": {cause}" if cause is not None else "")
    except Exception as error:
        return f"its log can't be read: {error}"


def _replayed(journal: Store, listing: Listing, game: AnyGame) -> str | None:
    checks = journal.checks(listing.id)
    taken = journal.snapshots([listing.id]).get(listing.id)
    table, early = Table(listing.id, game), Table(listing.id, game)
    if taken is not None:
        restore(early, taken)
    for record in journal.log(listing.id):
        follow(table, record)
        if table.seq == early.seq and take(table) != take(early):
            return f"its snapshot is not what the table was after entry {early.seq}"
        known = checks.pop(record.seq, None)
        if known is not None and known != table.fingerprint():
            return f"after entry {record.seq} the game is not what it was"
    complete(table)
    if checks:
        return f"its log ends before entry {min(checks, key=str)}, which was written"
    if (table.phase == "closed") != (listing.closed_at is not None):
        return f"it is {'closed' if table.phase == 'closed' else 'open'}, and listed as if it were not"
    return None
