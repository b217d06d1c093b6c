"""Appends into PostgreSQL: a group in one statement, which is one round trip and one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import asyncpg

from croupier.journal import Append, Conflict, Damaged, JournalDown, NameTaken
from croupier.journal.people_schema import FINISHED, SEATED
from croupier.journal.postgres_pool import Connection, lost, said
from croupier.journal.postgres_schema import NAME_TAKEN

Outcomes = dict[Append, Exception | None]
"""What is known of the appends of a group."""

_APPEND = f"SELECT append_1({', '.join(f'${number}' for number in range(1, 26))})"
_SEATED = SEATED.format(rows="SELECT * FROM unnest($1::text[], $2::text[])")
_FOR_ALL = ("08", "25", "28", "3D", "40", "42", "53", "55", "57", "58")
"""The classes of PostgreSQL's errors that would meet any append: no room, read-only, a table that is gone."""
_DEADLOCKS = 5
"""That a group puts up with."""


async def commit(connection: Connection, appends: Sequence[Append], outcomes: Outcomes) -> None:
    """Commit all in one transaction; where one of them spoils it, the others without it. Raises what has broken the
    connection, and then nobody knows what became of those without an outcome."""
    deadlocks = 0
    while group := _sensible(appends, outcomes):
        try:
            late = await _append(connection, group)
        except Exception as error:
            if lost(error):
                raise
            if isinstance(error, asyncpg.DeadlockDetectedError) and deadlocks < _DEADLOCKS:
                deadlocks += 1  # over names that change hands, if ever: it was undone, and may be done again
            elif len(group) > 1 and _spoiled_by_one(error):
                for append in group:
                    await commit(connection, [append], outcomes)
            else:
                _refuse(group, error, outcomes)
        else:
            for number in late:
                _lose(group[number - 1], Conflict(f"somebody was at table {group[number - 1].table} first"), outcomes)
            for append in group:
                outcomes.setdefault(append, None)


async def _append(connection: Connection, group: Sequence[Append]) -> list[int]:
    """The numbers of those that have lost a race; the others are in."""
    if not any(append.finished or append.persons for append in group):
        late: list[int] = await connection.fetchval(_APPEND, *_values(group))
        return late
    async with connection.transaction():
        late = await connection.fetchval(_APPEND, *_values(group))
        there = [append for n, append in enumerate(group, start=1) if n not in late]
        rows = [(a.table, a.records[-1].seq, *a.finished) for a in there if a.finished is not None]
        if rows:
            await connection.copy_records_to_table("finished", records=rows, columns=FINISHED)
        seated = [(person, append.table) for append in there for person in append.persons]
        if seated:
            await connection.execute(_SEATED, *_columns(sorted(seated), 2))
    return late


def _spoiled_by_one(error: Exception) -> bool:
    return not _state(error).startswith((NAME_TAKEN, *_FOR_ALL))


def _refuse(group: Sequence[Append], error: Exception, outcomes: Outcomes) -> None:
    """What the database has refused, and not for a connection that broke."""
    if isinstance(error, asyncpg.PostgresError) and error.sqlstate == NAME_TAKEN:
        _lose(group[int(error.detail or 0) - 1], NameTaken("another table has that name"), outcomes)
    elif isinstance(error, asyncpg.IntegrityConstraintViolationError):
        for append in group:
            _lose(append, Conflict(f"an entry of {append.table} is there already: {said(error)}"), outcomes)
    else:
        kind = Damaged if _spoiled_by_one(error) else JournalDown
        for append in group:
            _lose(append, kind(unwritable(error)), outcomes)


def _state(error: Exception) -> str:
    """PostgreSQL's code for what is wrong."""
    return str(getattr(error, "sqlstate", None) or "")


def _sensible(appends: Sequence[Append], outcomes: Outcomes) -> list[Append]:
    """Those without an outcome, in the order in which everybody locks tables. What follows one that is lost is so too:
    somebody else's entry may be there by now, with the number of the one it follows."""
    for append in appends:
        if append not in outcomes and append.follows is not None and append.follows.lost:
            what = f"what entry {append.records[0].seq} of table {append.table} follows is not there"
            _lose(append, Conflict(what), outcomes)
    return sorted((append for append in appends if append not in outcomes), key=lambda append: append.table)


def _lose(append: Append, error: Exception, outcomes: Outcomes) -> None:
    append.lost = True
    outcomes[append] = error


def _values(group: Sequence[Append]) -> Sequence[Sequence[Any] | None]:
    """The arguments of ``append_1``: columns of what each has, and then of what only some have, with their numbers."""
    number = {append: n for n, append in enumerate(group, start=1)}
    all_of = [_about(append, number) for append in group]
    entries = [(n, *record) for append, n in number.items() for record in append.records]
    checks = [(n, append.ends) for append, n in number.items() if append.ends is not None]
    snapshots = [(n, a.snapshot) for a, n in number.items() if a.snapshot is not None and not a.closes]
    public = [(n, append.public) for append, n in number.items() if append.public is not None]
    # Of each table the last one, which stands for all of it.
    found = {append.table: (n, append) for append, n in number.items() if append.directory is not None}
    directories = [(n, *append.directory[1:], _lines(append)) for n, append in found.values() if append.directory]
    return [
        *zip(*all_of, strict=True),
        *_columns(entries, 4),
        *_columns(checks, 2),
        *_columns(snapshots, 2),
        *_columns(public, 2),
        *_columns(directories, 6),
    ]


def _about(append: Append, number: dict[Append, int]) -> tuple[Any, ...]:
    records = append.records
    if not records:
        return append.table, 1, 0, None, None, False, None, None, None
    first, last = records[0], records[-1]
    follows = None if append.follows is None else number.get(append.follows)
    return append.table, first.seq, last.seq, follows, append.opens, append.closes, append.due, first.at, last.at


def _lines(append: Append) -> str:
    """By what it is found from now on; what is closed is not."""
    return "" if append.closes or append.directory is None else "\n".join(sorted(set(append.directory.names)))


def _columns(rows: Sequence[Sequence[Any]], width: int) -> Sequence[Sequence[Any] | None]:
    return list(zip(*rows, strict=True)) if rows else [None] * width


_THERE = """
    SELECT e.table_id, e.seq, e.at, e.entry FROM unnest($1::text[], $2::integer[]) AS w (id, seq)
    JOIN entries AS e ON e.table_id = w.id AND e.seq = w.seq
"""


async def look(connection: Connection, appends: Sequence[Append], outcomes: Outcomes) -> None:
    """Which of those without an outcome are in: all of an append is there, or nothing. (If another node has written the
    very same at the same moment, nobody can tell whose it is, and it does not matter.)"""
    left = [append for append in appends if append not in outcomes and append.records]
    wanted = [(append.table, record.seq) for append in left for record in append.records]
    there = {tuple(row) for row in await connection.fetch(_THERE, *_columns(wanted, 2))}
    for append in left:
        if all((append.table, *record) in there for record in append.records):
            outcomes[append] = None


def unwritable(error: Exception) -> str:
    return f"the journal can't be written: {said(error)}"
