"""Reading tables from the journal: each from its snapshot on, with the bots that have seen its game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec
import structlog

from croupier.journal import Journal, JournalDown, Record
from croupier.tables import directory, entries, error_log, logbook, snapshot
from croupier.tables.bots import Bots
from croupier.tables.sleeper import Sleeper
from croupier.tables.table import AnyGame, Table

FEW = 100
"""Games that are played back before a server opens: that takes no longer than a blink."""

log = structlog.get_logger()


class Loaded(NamedTuple):
    tables: list[Bots]
    """With their bots, oldest first."""
    sleepers: list[Sleeper]
    """Tables that are played at, and were not read: there are many."""
    left_alone: set[str]
    """Tables whose logs make no sense."""
    without_game: dict[str, str]
    """By id and by code, the games of tables that are not installed here."""


async def load_all(journal: Journal, games: Mapping[str, AnyGame]) -> Loaded:
    """Every table of the journal that is open; where games are played at many, what can be known without these."""
    left_alone: set[str] = set()
    without_game: dict[str, str] = {}
    found = []
    for listing in await journal.tables(live=True):
        if (what := logbook.misfiled(listing)) is not None:
            left_alone.add(listing.id)
            _leave_alone(listing.id, what)
        elif listing.game in games:
            found.append(Table(listing.id, games[listing.game]))
        else:
            without_game[listing.id] = listing.game
    report_missing_games(Counter(without_game.values()), games)
    without_game |= await _codes(journal, without_game)
    sleepers = await _sleepers(journal, {table.id: table.game for table in found})
    read = await load(journal, [table for table in found if table.id not in sleepers])
    left_alone |= {bots.table.id for bots, error in read if not makes_sense(bots.table, error)}
    tables = [bots for bots, _ in read if bots.table.id not in left_alone]
    return Loaded(tables, list(sleepers.values()), left_alone, without_game)


async def _sleepers(journal: Journal, games: Mapping[str, AnyGame]) -> dict[str, Sleeper]:
    """Tables that are played at, of those with these ids, as far as they can be known without what has been played.
    None of them if they are few."""
    try:
        known = await journal.shown()
    except JournalDown:
        return {}  # it may be what is damaged, and the logs say the same
    found: dict[str, Sleeper] = {}
    if len(known) > FEW:
        for id, game in games.items():
            with suppress(KeyError, msgspec.DecodeError):
                names, summary, at = known[id]
                if logbook.is_time(at):
                    found[id] = Sleeper(directory.unattended(summary, game), names, at)
    return found


def makes_sense(table: Table, error: Exception | None) -> bool:
    """Whether a table that has been read, with this error if any, can go on. If not, that is reported."""
    if error is not None:
        try:
            raise error
        except Exception:  # which is written to the log with it
            _leave_alone(table.id, str(error) if isinstance(error, logbook.Unreadable) else type(error).__name__)
    elif table.seq == 0 or table.phase == "closed":
        _leave_alone(table.id, "it is listed as open, and its log is empty or at its end")
    else:
        return True
    return False


def _leave_alone(id: str, reason: str) -> None:
    error_log.report("table", "table can't be replayed and is left alone", table=id, reason=reason)


async def _codes(journal: Journal, without_game: Mapping[str, str]) -> dict[str, str]:
    """The same by the codes of these tables, of those whose opening can be read."""
    found: dict[str, str] = {}
    for id, game in without_game.items():
        with suppress(JournalDown, msgspec.DecodeError):
            first = await journal.first(id)
            opened = None if first is None else entries.decode(first.entry)
            if isinstance(opened, entries.Opened) and opened.code:
                found[opened.code] = game
    return found


def report_missing_games(tables: Mapping[str, int], games: Collection[str]) -> None:
    """``tables``: how many of each game are open."""
    for game, count in tables.items():
        if game not in games:
            sentence = "tables of a game that is not installed here are left alone; they go on when it is"
            log.warning(sentence, game=game, tables=count)


async def load(journal: Journal, tables: Sequence[Table]) -> list[tuple[Bots, Exception | None]]:
    """Make tables what the journal says; with each, its bots, and why it can't be read if so.

    Raises ``JournalDown`` when nothing can be read at all.
    """
    by_id = {table.id: table for table in tables}
    restored: dict[str, int] = {}
    for id, taken in (await _snapshots(journal, list(by_id))).items():
        if snapshot.restore(by_id[id], taken):
            restored[id] = by_id[id].seq
    read = await _follow(journal, tables)
    # A snapshot is written with the entry that comes after it: one that nothing follows, or not this, is none.
    doubtful = [id for id, seq in restored.items() if read[id][1] is not None or by_id[id].seq == seq]
    for id in doubtful:
        by_id[id].clear()
    read |= await _follow(journal, [by_id[id] for id in doubtful])
    return list(read.values())


async def load_until(journal: Journal, table: Table, seq: int) -> tuple[Bots, list[Record]]:
    """Make a table what it was after this entry; with its bots, and with what comes after it."""
    await _restore(journal, table, seq)
    bots, news = Bots(table), []
    async for piece in journal.logs({table.id: table.seq}):
        for record in piece.records:
            if record.seq > seq:
                news.append(record)
            else:
                bots.look_back(*logbook.follow(table, record))
        if piece.error is not None:
            raise piece.error
    return bots, news


async def read_game(journal: Journal, table: Table, seq: int) -> list[Record]:
    """Make a table what it was before the game that is on it; what has happened since, up to this entry. (Where there
    is no snapshot of that, it is what the log begins with.)"""
    await _restore(journal, table, seq)
    return [record for record in await read_after(journal, table.id, table.seq) if record.seq <= seq]


async def _restore(journal: Journal, table: Table, seq: int) -> None:
    taken = (await _snapshots(journal, [table.id])).get(table.id)
    if taken is not None and (not snapshot.restore(table, taken) or table.seq > seq):
        table.clear()


async def read_after(journal: Journal, table: str, seq: int) -> list[Record]:
    """What comes after this entry of a table's log."""
    found: list[Record] = []
    async for piece in journal.logs({table: seq}):
        found += piece.records
        if piece.error is not None:
            raise piece.error
    return found


async def _snapshots(journal: Journal, tables: Sequence[str]) -> dict[str, bytes]:
    try:
        return await journal.snapshots(tables)
    except JournalDown:
        return {}  # they may be what is damaged, and the logs say the same


async def _follow(journal: Journal, tables: Sequence[Table]) -> dict[str, tuple[Bots, Exception | None]]:
    """Read what the logs of these tables say beyond what the tables know."""
    found = {table.id: Bots(table) for table in tables}
    errors: dict[str, Exception] = {}
    async for piece in journal.logs({id: bots.table.seq for id, bots in found.items()}):
        if piece.table in errors:
            continue
        bots = found[piece.table]
        try:
            for record in piece.records:
                bots.look_back(*logbook.follow(bots.table, record))
        except Exception as error:
            errors[piece.table] = error
        if piece.error is not None:
            errors[piece.table] = piece.error
    return {id: (bots, errors.get(id)) for id, bots in found.items()}
