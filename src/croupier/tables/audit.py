"""Whether a journal still says what happened: every game in it is played again, and held against how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from croupier.journal import JournalDown, Listing
from croupier.journal.stores import Store
from croupier.tables.entries import Closed
from croupier.tables.logbook import Unreadable, follow, misfiled, read
from croupier.tables.snapshot import restore, take
from croupier.tables.table import AnyGame, Table


class Checked(NamedTuple):
    table: str
    """Empty when it is about the whole journal."""
    fault: str | None = None
    """What is wrong."""
    missing: str | None = None
    """The game, where it is not here: then the log was read, and not replayed. That is nobody's fault."""


def check(journal: Store, games: Mapping[str, AnyGame]) -> Iterator[Checked]:
    """Play every game of the journal again. Tells of the file, and of each table."""
    try:
        journal.verify()
        yield Checked("")
    except JournalDown as fault:
        yield Checked("", str(fault))
    try:
        listings = journal.tables(live=False)
    except JournalDown as error:
        yield Checked("", f"its tables can't be listed: {error}")
        return
    with suppress(JournalDown):  # where a page is damaged, its tables will tell
        for id in journal.unlisted():
            yield Checked(id, "it is not in the list of tables")
    for listing in listings:
        wrong = _wrong(journal, listing, games)
        missing = wrong is None and listing.game not in games
        yield Checked(listing.id, wrong, listing.game if missing else None)


def _wrong(journal: Store, listing: Listing, games: Mapping[str, AnyGame]) -> str | None:
    """What is wrong with a table."""
    if (what := misfiled(listing)) is not None:
        return what
    game = games.get(listing.game)
    try:
        return _skimmed(journal, listing) if game is None else _replayed(journal, listing, game)
    except Unreadable as error:
        cause = error.__cause__
        return f"its log can't be replayed: {error}" + (f": {cause}" if cause is not None else "")
    except Exception as error:
        return f"its log can't be read: {error}"


def _skimmed(journal: Store, listing: Listing) -> str | None:
    """What can be told without the rules of its game."""
    checks = journal.checks(listing.id)
    seq, last = 0, None
    for record in journal.log(listing.id):
        seq += 1
        last = read(record, seq, listing.game)
        checks.pop(seq, None)
    return _ended(listing, seq, isinstance(last, Closed), checks)


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
    return _ended(listing, table.seq, table.phase == "closed", checks)


def _ended(listing: Listing, seq: int, closed: bool, checks: Mapping[int, str]) -> str | None:
    """What is wrong with the end of a log; ``checks`` are those that it has not come to."""
    if seq == 0:
        return "its log is empty"
    if checks:
        return f"its log ends before entry {min(checks, key=str)}, which was written"
    if closed != (listing.closed_at is not None):
        return f"it is {'closed' if closed else 'open'}, and listed as if it were not"
    return None
