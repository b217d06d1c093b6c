"""Whether a journal still says what happened: every game in it is played again, and held against how it ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from croupier.journal import JournalDown, Record
from croupier.journal.sqlite import list_tables, read_checks, read_log
from croupier.journal.upkeep import sound
from croupier.tables import entries
from croupier.tables.table import AnyGame, Table


class Fault(NamedTuple):
    table: str
    """Empty when it is about the whole journal."""
    what: str


def check(journal: Path, games: Mapping[str, AnyGame]) -> Iterator[Fault | None]:
    """Play every game of the journal again. One result for the file and one for each table: what is wrong, or None."""
    try:
        sound(journal)
        yield None
    except JournalDown as fault:
        yield Fault("", str(fault))
    try:
        listings = list_tables(journal, live=False)
    except sqlite3.Error as error:
        yield Fault("", f"its tables can't be listed: {error}")
        return
    for listing in listings:
        game = games.get(listing.game)
        try:
            what = f"there is no game {listing.game!r}" if game is None else _replayed(journal, listing.id, game)
        except (sqlite3.Error, msgspec.DecodeError) as error:
            what = f"its log can't be read: {error}"
        except Exception as error:
            what = f"its log can't be replayed: {type(error).__name__}: {error}"
        yield None if what is None else Fault(listing.id, what)


def _replayed(journal: Path, id: str, game: AnyGame) -> str | None:
    """What is wrong with a table's log."""
    records, checks = read_log(journal, id), read_checks(journal, id)
    table = Table(id, game)
    for expected, record in enumerate(records, start=1):
        if record.seq != expected:
            return f"entry {expected} is missing"
        if table.phase == "closed":
            return f"it goes on after its end, with entry {expected}"
        fault = _happened(table, record, checks.pop(record.seq, None))
        if fault is not None:
            return fault
    if not records:
        return "its log is empty"
    return f"its log ends before entry {min(checks)}, which was written" if checks else None


def _happened(table: Table, record: Record, known: str | None) -> str | None:
    table.apply(entries.decode(record.entry), record.at)
    if known is not None and known != table.fingerprint():
        return f"after entry {record.seq} the game is not what it was"
    return None
