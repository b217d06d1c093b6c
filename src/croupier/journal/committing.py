"""Appends into the SQLite file, many in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import cache
from typing import Any, NamedTuple

from croupier.journal import Append, Conflict, Damaged, Directory, JournalDown, Script, T
from croupier.journal.people_schema import FINISHED, SEATED

# The compare-and-swap: the primary key lets nobody take the same number, and nobody can skip one.
_APPEND = """
    INSERT INTO entries SELECT ?1, ?2, ?3, ?4
    WHERE ?2 = 1 OR EXISTS (SELECT 1 FROM entries WHERE table_id = ?1 AND seq = ?2 - 1)
"""
_AT_ONCE = 64
"""Entries in one statement."""


_FINISHED = f"INSERT INTO finished ({', '.join(FINISHED)}) VALUES ({', '.join('?' * len(FINISHED))})"
_SEATED = SEATED.format(rows="VALUES (?, ?)")


@cache
def _follow(count: int) -> str:
    """As ``_APPEND``, for entries whose predecessors are known to be there, because this writer has committed them:
    looking for them was a third of an entry's price. And many in one statement, since each gives the event loop's
    thread a chance to take the interpreter away, which costs more than the entry does. A conflict spoils the
    transaction anyway: to undo just the statement, SQLite would copy every page before it is touched, for another
    third."""
    return "INSERT OR ROLLBACK INTO entries VALUES " + ", ".join(["(?, ?, ?, ?)"] * count)


class Statement(NamedTuple):
    sql: str
    values: Sequence[Any]
    conflict: str = ""
    """What it means if nothing is written by it."""


def commit(connection: sqlite3.Connection, appends: Sequence[Append], last: dict[str, int]) -> list[Exception | None]:
    """Commit all in one transaction; where one of them spoils it, each in its own, to find out which.

    ``last`` is the number of the last entry that was committed here, for every table that is open.
    """
    try:
        statements, known = _statements(appends, last)
        # Nearly always it is one, which is a transaction by itself. With every call of SQLite the event loop's thread
        # may take the interpreter, and getting it back costs more than the call.
        with nullcontext() if len(statements) == 1 else _transaction(connection):
            _execute(connection, statements, appends)
        last |= known
        for append in appends:
            if append.closes:
                last.pop(append.table, None)
        return [None] * len(appends)
    except Exception as error:
        # A table whose part of the file is damaged, or that wants to write what can't be, must not keep the others from
        # going on. Anything else that is wrong with the disk is the same for all of them.
        alone = not isinstance(error, sqlite3.Error) or isinstance(error, _UNFIT) or _damaged(error)
        if alone and len(appends) > 1:
            return [error for append in appends for error in commit(connection, [append], last)]
        if not isinstance(error, Conflict):
            error = (Damaged if alone else JournalDown)(unwritable(error))
        for append in appends:
            append.lost = True
        return [error] * len(appends)


_UNFIT = (sqlite3.ProgrammingError, sqlite3.DataError, sqlite3.InterfaceError)
"""What SQLite says to values that it can't write."""


def _damaged(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT


def _statements(appends: Sequence[Append], last: Mapping[str, int]) -> tuple[list[Statement], dict[str, int]]:
    """What writes these, in order; and the number of the last entry of each table."""
    found: list[Statement] = []
    known: dict[str, int] = {}
    rows: list[Any] = []
    shown: dict[str, Directory] = {}
    for append in appends:
        table, records = append.table, append.records
        if append.follows is not None and append.follows.lost:
            # Somebody else's entry may be there by now, with the number of the one it follows.
            raise Conflict(f"what entry {records[0].seq} of table {table} follows is not there")
        if append.opens is not None:
            values = (table, append.opens, records[0].at)
            found.append(Statement("INSERT INTO tables VALUES (?, ?, ?, NULL)", values))
        previous = known.get(table) or last.get(table)
        for seq, at, entry in records:
            if seq - 1 == previous:
                rows += (table, seq, at, entry)
            else:
                lacking = f"entry {seq} of table {table} has no predecessor"
                found.append(Statement(_APPEND, (table, seq, at, entry), lacking))
            known[table] = previous = seq
        if append.ends is not None:
            found.append(Statement("INSERT INTO checks VALUES (?, ?, ?)", (table, records[-1].seq, append.ends)))
        if append.finished is not None:
            found.append(Statement(_FINISHED, (table, records[-1].seq, *append.finished)))
        found += [Statement(_SEATED, (person, table)) for person in append.persons]
        if append.closes:
            found.append(Statement("UPDATE tables SET closed_at = ? WHERE id = ?", (records[-1].at, table)))
            found.append(Statement("DELETE FROM snapshots WHERE table_id = ?", (table,)))
        elif append.snapshot is not None:
            found.append(Statement("INSERT OR REPLACE INTO snapshots VALUES (?, ?)", (table, append.snapshot)))
        if append.directory is not None:
            shown[table] = append.directory  # of several, the last one
        if append.public is not None:
            found.append(Statement("INSERT OR IGNORE INTO public VALUES (?, ?)", (table, append.public)))
    for start in range(0, len(rows), 4 * _AT_ONCE):
        some = rows[start : start + 4 * _AT_ONCE]
        found.append(Statement(_follow(len(some) // 4), some))
    found += [_show(table, directory) for table, directory in shown.items()]
    return found, known


def _show(table: str, directory: Directory) -> Statement:
    """Only what is played at is ever asked for: the rest is read when a server starts."""
    if directory.phase != "playing":
        return Statement("DELETE FROM directory WHERE table_id = ?", (table,))
    values = (table, "\n".join(directory.names), directory.summary)
    return Statement("INSERT OR REPLACE INTO directory VALUES (?, ?, ?)", values)


def _execute(connection: sqlite3.Connection, statements: Sequence[Statement], appends: Sequence[Append]) -> None:
    try:
        for sql, values, conflict in statements:
            if connection.execute(sql, values).rowcount == 0 and conflict:
                raise Conflict(conflict)
    except sqlite3.IntegrityError as error:
        tables = ", ".join(sorted({append.table for append in appends}))
        raise Conflict(f"an entry of {tables} is there already: {error}") from None


def run(connection: sqlite3.Connection, script: Script[T]) -> T:
    """A transaction that decides, as it goes on, what to do next."""
    with _transaction(connection):
        try:
            statement = next(script)
            while True:
                sql, values = statement
                statement = script.send(connection.execute(sql.replace("$", "?"), values).fetchall())
        except StopIteration as end:
            result: T = end.value
    return result


class _transaction:  # noqa: N801 - used like a function
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            try:
                self._connection.execute("COMMIT")
                return
            except sqlite3.Error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def try_out(connection: sqlite3.Connection) -> None:
    """Write what changes nothing, to see whether it can be done again."""
    with _transaction(connection):
        connection.execute("UPDATE secret SET value = value")


def unwritable(error: Exception) -> str:
    said = str(error) if isinstance(error, sqlite3.Error) else f"{type(error).__name__}: {error}"
    return f"the journal can't be written: {said}"
