"""The journal in one SQLite file: nothing to install, nothing to start.

One thread writes. It is handed every append of a turn of the event loop as one group, commits them in one transaction,
and reports them in order; while it waits for the disk the next ones gather. So durability costs a few milliseconds of
latency, but hardly any throughput, the event loop never waits for the disk, and the busier it is the larger the groups.

Nothing is reported as safe before it is known that the file is still the one at its path (``watch.py``). And whatever
goes wrong in the writer, the appends it has in hand are told, ``fault`` says why, and it begins again.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from croupier.journal import Append, Conflict, JournalDown, Listing, Piece, Record
from croupier.journal.watch import Harm, Watch

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
    """
    CREATE TABLE public (table_id TEXT PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID;
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
_PIECE = 1 << 18
"""Bytes of entries that are read at a time."""
_READERS = 4
_LOOKS_EVERY = 1.0
"""Seconds after which a writer with nothing to do looks whether its file is still there, and whether it can be written
again after it could not."""


@cache
def _follow(count: int) -> str:
    """The same for entries whose predecessors are known to be there, because this writer has committed them: looking
    for them was a third of an entry's price. And many in one statement, since each gives the event loop's thread a
    chance to take the interpreter away, which costs more than the entry does. A conflict spoils the transaction anyway:
    to undo just the statement, SQLite would copy every page before it is touched, for another third."""
    return "INSERT OR ROLLBACK INTO entries VALUES " + ", ".join(["(?, ?, ?, ?)"] * count)


T = TypeVar("T")
Synchronous = Literal["FULL", "NORMAL", "OFF"]
Errors = Sequence[Exception | None]


class Group(NamedTuple):
    """Appends that are committed together."""

    appends: Sequence[Append]
    looked: bool
    """Whether the file was looked at just before."""
    errors: Errors | None = None
    """What became of them, where only the file is in doubt since."""
    harm: Harm | None = None


class SqliteJournal:
    def __init__(
        self, path: Path, synchronous: Synchronous = "FULL", *, news: Callable[[str | None], None] | None = None
    ) -> None:
        """``news`` is told, on the event loop, why the journal can't be written any more; None when it can again."""
        self._path = path
        self._synchronous = synchronous
        self._news = news
        self.fault: str | None = None
        self._watch = Watch(path)
        self._spoiled = False
        """Whether SQLite must not be let near the files again, as when it would copy the half of a log."""
        self._last: dict[str, int] = {}
        """The number of the last entry that was committed here, for every table that is open."""
        self._latest: tuple[str, Record] | None = None
        """The last entry of all: if that is in the journal, so is everything before it."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(_connect(path, "rwc")) as connection:
                _make_writable(connection, synchronous)
                _migrate(connection)
            self._connection: sqlite3.Connection | None = self._opened()
        except (OSError, sqlite3.Error) as error:
            raise JournalDown(f"the journal {path} can't be opened: {error}") from None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._gathered: list[Append] = []
        """Appends for the next group."""
        self._handing = False
        """Whether that group is handed over without further ado: soon, or when the one before it has been written."""
        self._groups: queue.SimpleQueue[Group | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(_READERS, "journal reader")
        """Of its own: what others do in threads may take long."""
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._writer.start()

    def append(self, append: Append) -> None:
        self._gathered.append(append)
        if not self._handing:
            self._handing = True
            self._loop = asyncio.get_running_loop()
            self._loop.call_soon(self._hand_over, False)

    def _hand_over(self, looked: bool) -> None:
        # A thread that is woken for each append would fight with the event loop for the interpreter.
        self._handing = bool(self._gathered)
        if self._gathered:
            group, self._gathered = self._gathered, []
            self._groups.put(Group(group, looked))

    async def logs(self, tables: Sequence[str]) -> AsyncIterator[Piece]:
        done, after = 0, 0
        while done < len(tables):
            pieces, done, after = await self._read(read_pieces, tables, done, after)
            for piece in pieces:
                yield piece

    async def first(self, table: str) -> Record | None:
        return await self._read(read_first, table)

    async def public(self, table: str) -> bytes | None:
        return await self._read(read_public, table)

    async def tables(self, live: bool) -> list[Listing]:
        return await self._read(list_tables, live)

    async def secret(self) -> bytes:
        return await self._read(read_secret)

    async def _read(self, what: Callable[..., T], *about: object) -> T:
        self._loop = asyncio.get_running_loop()
        try:
            reading = self._loop.run_in_executor(self._readers, partial(self._read_now, what, *about))
        except RuntimeError as closed:
            raise JournalDown("the server is going down") from closed
        return await reading

    def _read_now(self, what: Callable[..., T], *about: object) -> T:
        found = what(self._path, *about)
        if (harm := self._watch.missing()) is not None:
            raise JournalDown(str(harm))  # it was some other file's
        return found

    async def close(self) -> None:
        self._hand_over(False)
        self._groups.put(None)
        await asyncio.to_thread(self._writer.join)
        self._readers.shutdown(wait=False)

    # On the event loop, when a group is done.

    def _settle(self, group: Group, errors: Errors) -> None:
        if group.harm is None and None in errors and (harm := self._watch.wrote()) is not None:
            self._groups.put(group._replace(errors=errors, harm=harm))  # not safe yet
            return
        self._hand_over(True)  # first: the disk has something to do while everybody is told
        for append, error in zip(group.appends, errors, strict=True):
            try:
                append.settled(error)
            except Exception as fault:  # the others have to hear of theirs
                assert self._loop is not None
                what = "what became of an append can't be told"
                self._loop.call_exception_handler({"message": what, "exception": fault})

    def _tell(self, fault: str | None) -> None:
        if self._news is not None:
            self._news(fault)

    # In the writer's thread.

    def _write(self) -> None:
        while True:
            try:
                group = self._groups.get(timeout=_LOOKS_EVERY)
            except queue.Empty:
                group = Group((), False)
            if group is None:
                break
            errors, fault = self._committed(group)
            before, self.fault = self.fault, fault
            if fault != before:
                self._call(self._tell, fault)
            if group.appends:
                self._call(self._settle, group, errors)
        self._put_away()

    def _call(self, what: Callable[..., None], *about: object) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # nobody listens any more: it is closed
                self._loop.call_soon_threadsafe(what, *about)

    def _committed(self, group: Group) -> tuple[Errors, str | None]:
        """What became of each, and why nothing can be written now, if so. Whatever happens, it comes to an answer."""
        errors = group.errors
        try:
            connection = self._connection = self._connection or self._opened()
            harm = group.harm if group.looked else group.harm or self._watch.look()
            if harm is not None:
                connection = self._healed(connection, harm)
            if errors is None:
                errors = _commit(connection, group.appends, self._last) if group.appends else ()
                self._remember(group.appends, errors)
            if self.fault is not None and not group.appends:
                _try_out(connection)
            if connection.in_transaction:
                self._begin_again()
        except JournalDown as down:
            return [down] * len(group.appends), str(down)
        except Exception as error:
            self._begin_again()
            return [JournalDown(_unwritable(error))] * len(group.appends), _unwritable(error)
        if errors and all(type(error) is JournalDown for error in errors):
            return errors, str(errors[0])
        return errors, None

    def _begin_again(self) -> None:
        """Nobody knows what state the connection is in. If its files are in doubt too, it is all there is of them."""
        with suppress(OSError):
            if self._connection is not None and self._watch.look() is None:
                self._disconnect()

    def _remember(self, appends: Sequence[Append], errors: Errors) -> None:
        for append, error in zip(reversed(appends), reversed(errors), strict=True):
            if error is None and append.records:
                self._latest = append.table, append.records[-1]
                return

    def _opened(self) -> sqlite3.Connection:
        """The file at the path, if it is a journal with all that was ever written here."""
        connection = _connect(self._path)
        try:
            _make_writable(connection, self._synchronous)
            if not self._has_latest(connection):
                raise JournalDown(
                    f"the journal {self._path} lacks what was written last: nothing is written any more, and moves are "
                    "refused; stop the server, restore a copy if need be (croupier restore), and start again"
                )
            self._watch.begin()
        except BaseException:
            connection.close()
            self._watch.end()
            raise
        self._last.clear()
        return connection

    def _has_latest(self, connection: sqlite3.Connection) -> bool:
        if self._latest is None:
            return True
        table, record = self._latest
        query = "SELECT seq, at, entry FROM entries WHERE table_id = ? AND seq = ?"
        return bool(connection.execute(query, (table, record.seq)).fetchone() == record)

    def _healed(self, connection: sqlite3.Connection, harm: Harm) -> sqlite3.Connection:
        """Go on, if nothing is lost."""
        if harm.kind == "astray":
            # The log has lost its name, but SQLite has it open: all that is in it can be put where it belongs.
            with suppress(sqlite3.Error):
                (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not busy:
                    self._disconnect()
                    self._connection = self._opened()
                    return self._connection
        elif harm.kind == "cut":
            with suppress(sqlite3.Error), closing(_connect(self._path)) as another:
                if self._has_latest(another):  # somebody else has put where it belongs what was in the log
                    self._watch.shorter()
                    return connection
        self._spoiled = harm.kind in ("cut", "overwritten")
        raise JournalDown(str(harm))

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()
            self._watch.end()

    def _put_away(self) -> None:
        if self._spoiled and self._connection is not None:
            # To close it would copy as much of a log that is cut off as can be found. Read from the start, what is left
            # of the log makes sense; so it is left as it is, which takes a thread that holds the connection for ever.
            threading.Thread(target=_hold, args=[self._connection], daemon=True).start()
        else:
            self._disconnect()


def _hold(connection: sqlite3.Connection) -> None:
    threading.Event().wait()


def read_log(path: Path, table: str) -> Iterator[Record]:
    """A table's log, entry by entry."""
    with _reader(path) as connection:
        yield from map(Record._make, connection.execute(_LOG, (table, 0)))


_LOG = "SELECT seq, at, entry FROM entries WHERE table_id = ? AND seq > ? ORDER BY seq"


def read_pieces(path: Path, tables: Sequence[str], done: int, after: int) -> tuple[list[Piece], int, int]:
    """The next pieces of several tables' logs: those before ``done`` were read, the one there up to ``after``. Many at
    once where they are short: a connection and a change of threads for each was a quarter of the work of a start."""
    pieces: list[Piece] = []
    size = 0
    with _reader(path) as connection:
        for number, table in enumerate(tables[done:], start=done):
            records: list[Record] = []
            error = None
            try:
                for row in connection.execute(_LOG, (table, after)):
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


def read_checks(path: Path, table: str) -> dict[int, str]:
    """The hash of the game at the end of each one that was played, by the number of the last entry."""
    with _reader(path) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'checks'").fetchone():
            return {}  # it is older than they are
        return dict(connection.execute("SELECT seq, hash FROM checks WHERE table_id = ?", (table,)).fetchall())


def read_secret(path: Path) -> bytes:
    with _reader(path) as connection:
        found = connection.execute("SELECT value FROM secret").fetchall()
    if len(found) != 1 or not isinstance(found[0][0], bytes) or len(found[0][0]) != 32:
        raise JournalDown(f"the journal {path} is damaged: it has no secret, by which it would know people again")
    return found[0][0]


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
            self._connection = _connect(self._path)
        except sqlite3.Error as error:
            raise self._down(error) from None
        return self._connection

    def __exit__(self, kind: object, error: object, _: object) -> None:
        self._connection.close()
        if isinstance(error, sqlite3.Error):
            raise self._down(error) from None

    def _down(self, error: sqlite3.Error) -> JournalDown:
        return JournalDown(f"the journal {self._path} can't be read: {error}")


def _connect(path: Path, mode: Literal["rw", "rwc"] = "rw") -> sqlite3.Connection:
    """``rw``: only what is there; a journal that was removed must not come back empty."""
    # isolation_level=None: transactions begin where the code says so, not where the module thinks best. The writer's
    # connection is made in one thread and used in another.
    address = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=10, check_same_thread=False)


def _make_writable(connection: sqlite3.Connection, synchronous: Synchronous) -> None:
    # For new files: a move touches a page of its table and a commit writes all that were touched, so small ones are
    # cheaper, as long as their number is not what counts.
    connection.execute("PRAGMA page_size = 2048")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT}")


def _migrate(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise JournalDown(f"the journal was written by a newer Croupier (schema {version}, known: {len(MIGRATIONS)})")
    if version < 0 or (version == 0 and _columns(connection)):
        raise JournalDown("the journal is none, but some other file of SQLite's")
    if (missing := lacks(connection, version)) is not None:
        raise JournalDown(f"the journal is damaged: it has no {missing}")
    for number, step in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.executescript(f"BEGIN IMMEDIATE; {step} PRAGMA user_version = {number}; COMMIT;")


def lacks(connection: sqlite3.Connection, version: int) -> str | None:
    """What a journal of that schema should have and this one has not."""
    with closing(sqlite3.connect(":memory:")) as model:
        for step in MIGRATIONS[: max(0, version)]:
            model.executescript(step)
        expected, found = _columns(model), _columns(connection)
    return next((f"table {table}" for table, columns in expected.items() if found.get(table) != columns), None)


def _columns(connection: sqlite3.Connection) -> dict[str, list[str]]:
    query = """SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
               WHERE tables.type = 'table' ORDER BY tables.name, columns.cid"""
    found: dict[str, list[str]] = {}
    for table, column in connection.execute(query):
        found.setdefault(table, []).append(column)
    return found


def _try_out(connection: sqlite3.Connection) -> None:
    """Write what changes nothing, to see whether it can be done again."""
    with _transaction(connection):
        connection.execute("UPDATE secret SET value = value")


def _unwritable(error: Exception) -> str:
    said = str(error) if isinstance(error, sqlite3.Error) else f"{type(error).__name__}: {error}"
    return f"the journal can't be written: {said}"


class Damaged(JournalDown):
    """What one table wants to write, or where in the file, can't be written. Others may."""


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
    except Exception as error:
        # A table whose part of the file is damaged, or that wants to write what can't be, must not keep the others from
        # going on. Anything else that is wrong with the disk is the same for all of them.
        alone = not isinstance(error, sqlite3.Error) or isinstance(error, _UNFIT) or _damaged(error)
        if alone and len(appends) > 1:
            return [error for append in appends for error in _commit(connection, [append], last)]
        if not isinstance(error, Conflict):
            error = (Damaged if alone else JournalDown)(_unwritable(error))
        return [error] * len(appends)


_UNFIT = (sqlite3.ProgrammingError, sqlite3.DataError, sqlite3.InterfaceError)
"""What SQLite says to values that it can't write."""


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
            if append.public is not None:
                connection.execute("INSERT OR IGNORE INTO public VALUES (?, ?)", (table, append.public))
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
