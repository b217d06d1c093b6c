"""What can be read from a journal's SQLite file, whether a server writes it or not."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from croupier.journal import JournalDown, Listing, Piece, Record, Shown
from croupier.journal.connecting import connect

_LOG = "SELECT seq, at, entry FROM entries WHERE table_id = ? AND seq > ? ORDER BY seq"
_PIECE = 1 << 18
"""Bytes of entries that are read at a time."""


def read_log(path: Path, table: str) -> Iterator[Record]:
    """A table's log, entry by entry."""
    with _reader(path) as connection:
        yield from map(Record._make, connection.execute(_LOG, (table, 0)))


def read_pieces(path: Path, tables: Sequence[tuple[str, int]], done: int, after: int) -> tuple[list[Piece], int, int]:
    """The next pieces of several tables' logs, of each what comes after an entry: those before ``done`` were read, the
    one there up to ``after``. Many at once where they are short: a connection and a change of threads for each was a
    quarter of the work of a start."""
    pieces: list[Piece] = []
    size = 0
    with _reader(path) as connection:
        for number, (table, known) in enumerate(tables[done:], start=done):
            records: list[Record] = []
            error = None
            try:
                for row in connection.execute(_LOG, (table, max(known, after))):
                    records.append(Record._make(row))
                    size += 100 + (len(row[2]) if isinstance(row[2], bytes | str) else 0)
                    if size > _PIECE:
                        return [*pieces, Piece(table, records)], number, row[0]
            except sqlite3.Error as fault:
                error = JournalDown(f"the log of {table} can't be read: {fault}")
            pieces.append(Piece(table, records, error))
            after = 0
    return pieces, len(tables), 0


def read_first(path: Path, table: str) -> Record | None:
    with _reader(path) as connection:
        row = connection.execute(f"{_LOG} LIMIT 1", (table, 0)).fetchone()
        return None if row is None else Record._make(row)


def read_public(path: Path, table: str) -> bytes | None:
    with _reader(path) as connection:
        row = connection.execute("SELECT record FROM public WHERE table_id = ?", (table,)).fetchone()
        return None if row is None else bytes(row[0])


def read_snapshots(path: Path, tables: Sequence[str]) -> dict[str, bytes]:
    with _reader(path) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'snapshots'").fetchone():
            return {}  # it is older than they are
        query = "SELECT * FROM snapshots WHERE table_id IN (SELECT value FROM json_each(?))"
        rows = connection.execute(query, (json.dumps(tables),))
        return {id: snapshot for id, snapshot in rows if isinstance(snapshot, bytes)}


def read_shown(path: Path) -> dict[str, Shown]:
    last = "SELECT at FROM entries WHERE entries.table_id = directory.table_id ORDER BY seq DESC LIMIT 1"
    query = f"SELECT table_id, names, summary, ({last}) FROM directory"
    with _reader(path) as connection:
        return {id: Shown(names.split("\n"), *about) for id, names, *about in connection.execute(query)}


def read_checks(path: Path, table: str) -> dict[int, str]:
    """The hash of the game at the end of each one that was played, by the number of the last entry."""
    with _reader(path) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'checks'").fetchone():
            return {}  # it is older than they are
        return dict(connection.execute("SELECT seq, hash FROM checks WHERE table_id = ?", (table,)).fetchall())


def read_rows(path: Path, relation: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """All that a table of SQLite's holds, in the order of its first columns."""
    with _reader(path) as connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (relation,)).fetchone():
            order = ", ".join(map(str, range(1, min(2, len(columns)) + 1)))
            yield from connection.execute(f"SELECT {', '.join(columns)} FROM {relation} ORDER BY {order}")


def read_secret(path: Path) -> bytes:
    with _reader(path) as connection:
        found = connection.execute("SELECT value FROM secret").fetchall()
    if len(found) != 1 or not isinstance(found[0][0], bytes) or len(found[0][0]) != 32:
        raise JournalDown(f"the journal {path} is damaged: it has no secret, which it needs to recognise people")
    return found[0][0]


def read_query(path: Path, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with _reader(path) as connection:
        return connection.execute(sql.replace("$", "?"), values).fetchall()


def list_unlisted(path: Path) -> list[str]:
    """Tables that have a log and are not in the list."""
    with _reader(path) as connection:
        rows = connection.execute("SELECT DISTINCT table_id FROM entries WHERE table_id NOT IN (SELECT id FROM tables)")
        return [id for (id,) in rows]


def list_tables(path: Path, live: bool) -> list[Listing]:
    where = "WHERE closed_at IS NULL" if live else ""
    with _reader(path) as connection:
        rows = connection.execute(f"SELECT id, game, opened_at, closed_at FROM tables {where} ORDER BY opened_at, id")
        return [Listing(*row) for row in rows]


class _reader:  # noqa: N801 - used like a function
    """A connection of its own, for as long as it takes, so that reading never waits for the writer."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> sqlite3.Connection:
        try:
            self._connection = connect(self._path)
        except sqlite3.Error as error:
            raise self._down(error) from None
        return self._connection

    def __exit__(self, kind: object, error: object, _: object) -> None:
        self._connection.close()
        if isinstance(error, sqlite3.Error):
            raise self._down(error) from None

    def _down(self, error: sqlite3.Error) -> JournalDown:
        return JournalDown(f"the journal {self._path} can't be read: {error}")
