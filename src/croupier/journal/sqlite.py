"""The journal in one SQLite file: nothing to install, nothing to start.

One thread writes. It is handed every append of a turn of the event loop as one group, commits them in one transaction,
and reports them in order; while it waits for the disk the next ones gather. So durability costs a few milliseconds of
latency, but hardly any throughput, the event loop never waits for the disk, and the busier it is the larger the groups.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from croupier.journal import Append, Conflict, JournalDown, Listing, Record

MIGRATIONS = (
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, opened_at INTEGER NOT NULL, closed_at INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX live ON tables (opened_at) WHERE closed_at IS NULL;
    CREATE TABLE entries (
        table_id TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, entry BLOB NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE secret (value BLOB NOT NULL);
    INSERT INTO secret VALUES (randomblob(32));
    """,
    """
    CREATE TABLE checks (
        table_id TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID;
    """,
)
"""Version n of the schema is made from version n - 1 by step n. A step, once released, never changes."""

# The compare-and-swap: the primary key lets nobody take the same number, and nobody can skip one.
_APPEND = """
    INSERT INTO entries SELECT ?1, ?2, ?3, ?4
    WHERE ?2 = 1 OR EXISTS (SELECT 1 FROM entries WHERE table_id = ?1 AND seq = ?2 - 1)
"""
_AT_ONCE = 64
_CHECKPOINT = 16_000
"""Pages in the write-ahead log before they are copied to where they belong, 32 MB of them. The last page of a table is
written again with each of its moves: the later it is copied, the more moves it is copied for, and the fewer have to
wait for that, on a slow disk for tens of milliseconds."""


@cache
def _follow(count: int) -> str:
    """The same for entries whose predecessors are known to be there, because this writer has committed them: looking
    for them was a third of an entry's price. And many in one statement, since each gives the event loop's thread a
    chance to take the interpreter away, which costs more than the entry does. A conflict spoils the transaction anyway:
    to undo just the statement, SQLite would copy every page before it is touched, for another third."""
    return "INSERT OR ROLLBACK INTO entries VALUES " + ", ".join(["(?, ?, ?, ?)"] * count)


T = TypeVar("T")
Synchronous = Literal["FULL", "NORMAL", "OFF"]


class SqliteJournal:
    def __init__(self, path: Path, synchronous: Synchronous = "FULL") -> None:
        self._path = path
        self._synchronous = synchronous
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with _reader(path) as connection:
                _migrate(connection)
        except (OSError, sqlite3.Error) as error:
            raise JournalDown(f"the journal {path} can't be opened: {error}") from None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._gathered: list[Append] = []
        """Appends for the next group."""
        self._handing = False
        """Whether that group is handed over without further ado: soon, or when the one before it has been written."""
        self._groups: queue.SimpleQueue[list[Append] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._writer.start()

    def append(self, append: Append) -> None:
        self._gathered.append(append)
        if not self._handing:
            self._handing = True
            self._loop = asyncio.get_running_loop()
            self._loop.call_soon(self._hand_over)

    def _hand_over(self) -> None:
        # A thread that is woken for each append would fight with the event loop for the interpreter.
        self._handing = bool(self._gathered)
        if self._gathered:
            group, self._gathered = self._gathered, []
            self._groups.put(group)

    async def read(self, table: str) -> list[Record]:
        return await self._read(read_log, table)

    async def read_all(self, tables: Sequence[str]) -> list[list[Record] | JournalDown]:
        return await self._read(read_logs, tables)

    async def tables(self, live: bool) -> list[Listing]:
        return await self._read(list_tables, live)

    async def secret(self) -> bytes:
        return await self._read(read_secret)

    async def _read(self, what: Callable[..., T], *about: object) -> T:
        try:
            return await asyncio.to_thread(what, self._path, *about)
        except sqlite3.Error as error:
            raise JournalDown(f"the journal {self._path} can't be read: {error}") from None

    async def close(self) -> None:
        self._hand_over()
        self._groups.put(None)
        await asyncio.to_thread(self._writer.join)

    def _write(self) -> None:
        connection = _connect(self._path)
        connection.execute(f"PRAGMA synchronous = {self._synchronous}")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT}")
        last: dict[str, int] = {}
        try:
            while (group := self._groups.get()) is not None:
                assert self._loop is not None
                self._loop.call_soon_threadsafe(self._settle, group, _commit(connection, group, last))
        finally:
            connection.close()

    def _settle(self, group: Sequence[Append], errors: Sequence[Exception | None]) -> None:
        self._hand_over()  # first: the disk has something to do while everybody is told
        for append, error in zip(group, errors, strict=True):
            append.settled(error)


def read_log(path: Path, table: str) -> list[Record]:
    with _reader(path) as connection:
        return _log(connection, table)


def read_logs(path: Path, tables: Sequence[str]) -> list[list[Record] | JournalDown]:
    """Several at once: a connection and a change of threads for each was a quarter of the work of a start."""
    logs: list[list[Record] | JournalDown] = []
    with _reader(path) as connection:
        for table in tables:
            try:
                logs.append(_log(connection, table))
            except sqlite3.Error as error:
                logs.append(JournalDown(f"the log of {table} can't be read: {error}"))
    return logs


def _log(connection: sqlite3.Connection, table: str) -> list[Record]:
    rows = connection.execute("SELECT seq, at, entry FROM entries WHERE table_id = ? ORDER BY seq", (table,))
    return [Record(*row) for row in rows]


def read_checks(path: Path, table: str) -> dict[int, str]:
    """The hash of the game at the end of each one that was played, by the number of the last entry."""
    with _reader(path) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'checks'").fetchone():
            return {}  # it is older than they are
        return dict(connection.execute("SELECT seq, hash FROM checks WHERE table_id = ?", (table,)).fetchall())


def read_secret(path: Path) -> bytes:
    with _reader(path) as connection:
        (secret,) = connection.execute("SELECT value FROM secret").fetchone()
        return bytes(secret)


def list_tables(path: Path, live: bool) -> list[Listing]:
    where = "WHERE closed_at IS NULL" if live else ""
    with _reader(path) as connection:
        rows = connection.execute(f"SELECT id, game, opened_at, closed_at FROM tables {where} ORDER BY opened_at, id")
        return [Listing(*row) for row in rows]


class _reader:  # noqa: N801 - used like a function
    """A connection of its own, for as long as it takes, so that reading never waits for the writer."""

    def __init__(self, path: Path) -> None:
        self._connection = _connect(path)

    def __enter__(self) -> sqlite3.Connection:
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.close()


def _connect(path: Path) -> sqlite3.Connection:
    # isolation_level=None: transactions begin where the code says so, not where the module thinks best.
    connection = sqlite3.connect(path, isolation_level=None, timeout=10)
    # For new files: a move touches a page of its table and a commit writes all that were touched, so small ones are
    # cheaper, as long as their number is not what counts.
    connection.execute("PRAGMA page_size = 2048")
    connection.execute("PRAGMA journal_mode = WAL")
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise JournalDown(f"the journal was written by a newer Croupier (schema {version}, known: {len(MIGRATIONS)})")
    for number, step in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.executescript(f"BEGIN IMMEDIATE; {step} PRAGMA user_version = {number}; COMMIT;")


def _commit(connection: sqlite3.Connection, appends: Sequence[Append], last: dict[str, int]) -> list[Exception | None]:
    """Commit all in one transaction; where one of them spoils it, each in its own, to find out which.

    ``last`` is the number of the last entry that was committed here, for every table that is open.
    """
    try:
        with _transaction(connection):
            known = _insert(connection, appends, last)
        last |= known
        for append in appends:
            if append.closes:
                last.pop(append.table, None)
        return [None] * len(appends)
    except (Conflict, sqlite3.Error) as error:
        # A table whose part of the file is damaged must not keep the others from going on. Anything else that is wrong
        # with the disk is the same for all of them.
        fault = error if isinstance(error, Conflict) else JournalDown(f"the journal can't be written: {error}")
        if len(appends) > 1 and (fault is error or _damaged(error)):
            return [error for append in appends for error in _commit(connection, [append], last)]
        return [fault] * len(appends)


def _damaged(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT


def _insert(connection: sqlite3.Connection, appends: Sequence[Append], last: Mapping[str, int]) -> dict[str, int]:
    """Write entries; the last number of each table that they leave."""
    known: dict[str, int] = {}
    rows: list[Any] = []
    try:
        for append in appends:
            table, records = append.table, append.records
            if append.opens is not None:
                values = (table, append.opens, records[0].at)
                connection.execute("INSERT INTO tables VALUES (?, ?, ?, NULL)", values)
            previous = known.get(table) or last.get(table)
            for seq, at, entry in records:
                if seq - 1 == previous:
                    rows += (table, seq, at, entry)
                elif connection.execute(_APPEND, (table, seq, at, entry)).rowcount != 1:
                    raise Conflict(f"entry {seq} of table {table} has no predecessor")
                known[table] = previous = seq
            if append.ends is not None:
                connection.execute("INSERT INTO checks VALUES (?, ?, ?)", (table, records[-1].seq, append.ends))
            if append.closes:
                connection.execute("UPDATE tables SET closed_at = ? WHERE id = ?", (records[-1].at, table))
        for start in range(0, len(rows), 4 * _AT_ONCE):
            some = rows[start : start + 4 * _AT_ONCE]
            connection.execute(_follow(len(some) // 4), some)
    except sqlite3.IntegrityError as error:
        tables = ", ".join(sorted({append.table for append in appends}))
        raise Conflict(f"an entry of {tables} is there already: {error}") from None
    return known


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
