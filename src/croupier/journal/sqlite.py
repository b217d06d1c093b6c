"""The journal in one SQLite file: nothing to install, nothing to start.

One thread writes. It is handed every append of a turn of the event loop as one group, commits them in one transaction,
and reports them in order; while it waits for the disk, and for a moment where that is quick, the next ones gather. So
durability costs a few milliseconds of latency, but hardly any throughput, the event loop never waits for the disk, and
the busier it is the larger the groups.

Nothing is reported as safe before it is known that the file is still the one at its path (``watch.py``). And whatever
goes wrong in the writer, the appends it has in hand are told, ``fault`` says why, and it begins again.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from croupier.journal import Append, JournalDown, Listing, Piece, Record, Row, Script, Shown
from croupier.journal.committing import commit, run, try_out, unwritable
from croupier.journal.connecting import Synchronous, connect, make_writable
from croupier.journal.latency import Latency
from croupier.journal.reading import (
    list_tables,
    read_first,
    read_pieces,
    read_public,
    read_query,
    read_secret,
    read_shown,
    read_snapshots,
)
from croupier.journal.schema import migrate
from croupier.journal.watch import Harm, Watch

_READERS = 4
_PACE = 0.0025
"""Seconds from one group to the next, where others have come meanwhile: a group costs a busy server 0.4 ms of CPU time,
whatever is in it, so that all of them together gain more than some of them wait. Where a sync takes as long anyway,
nobody waits; nor does who comes when nothing is being written."""
_LOOKS_EVERY = 1.0
"""Seconds after which a writer with nothing to do looks whether its file is still there, and whether it can be written
again after it could not."""

T = TypeVar("T")
Errors = Sequence[Exception | None]


class Group(NamedTuple):
    """Appends that are committed together."""

    appends: Sequence[Append]
    looked: bool
    """Whether the file was looked at just before."""
    since: float = 0.0
    """When the first of them came."""
    errors: Errors | None = None
    """What became of them, where only the file is in doubt since."""
    harm: Harm | None = None


class Task(NamedTuple):
    """Something by itself, and who waits for what comes of it."""

    work: Callable[[sqlite3.Connection], Any]
    done: Callable[[Any, Exception | None], None]
    """Called on the event loop."""


class SqliteJournal:
    def __init__(
        self, path: Path, synchronous: Synchronous = "FULL", *, news: Callable[[str | None], None] | None = None
    ) -> None:
        """``news`` is told, on the event loop, why the journal can't be written any more; None when it can again."""
        self._path = path
        self._synchronous = synchronous
        self._news = news
        self.fault: str | None = None
        self.latency = Latency()
        self._watch = Watch(path)
        self._spoiled = False
        """Whether SQLite must not be let near the files again, as when it would copy the half of a log."""
        self._last: dict[str, int] = {}
        """The number of the last entry that was committed here, for every table that is open."""
        self._latest: tuple[str, Record] | None = None
        """The last entry of all: if that is in the journal, so is everything before it."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(connect(path, "rwc")) as connection:
                make_writable(connection, synchronous)
                migrate(connection)
            self._connection: sqlite3.Connection | None = self._opened()
        except (OSError, sqlite3.Error) as error:
            raise JournalDown(f"the journal {path} can't be opened: {error}") from None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._gathered: list[Append] = []
        """Appends for the next group."""
        self._since = 0.0
        """When the first of them came."""
        self._handing = False
        """Whether that group is handed over without further ado: soon, or when the one before it has been written."""
        self._handed_at = 0.0
        """When the one before it was handed over."""
        self._groups: queue.SimpleQueue[Group | Task | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(_READERS, "journal reader")
        """Of its own: what others do in threads may take long."""
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._writer.start()

    def append(self, append: Append) -> None:
        if not self._gathered:
            self._since = time.monotonic()
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
            self._handed_at = time.monotonic()
            self._groups.put(Group(group, looked, self._since))

    async def logs(self, tables: Mapping[str, int]) -> AsyncIterator[Piece]:
        wanted, done, after = list(tables.items()), 0, 0
        while done < len(wanted):
            pieces, done, after = await self._read(read_pieces, wanted, done, after)
            for piece in pieces:
                yield piece

    async def snapshots(self, tables: Sequence[str]) -> dict[str, bytes]:
        return await self._read(read_snapshots, tables)

    async def first(self, table: str) -> Record | None:
        return await self._read(read_first, table)

    async def public(self, table: str) -> bytes | None:
        return await self._read(read_public, table)

    async def tables(self, live: bool) -> list[Listing]:
        return await self._read(list_tables, live)

    async def shown(self) -> dict[str, Shown]:
        return await self._read(read_shown)

    async def secret(self) -> bytes:
        return await self._read(read_secret)

    async def query(self, sql: str, *values: Any) -> list[Row]:
        return await self._read(read_query, sql, values)

    async def transact(self, script: Script[T]) -> T:
        return await self._in_writer(partial(run, script=script))

    async def scrub(self, tables: Sequence[str]) -> None:
        await self._in_writer(self._empty_wal)

    async def _in_writer(self, work: Callable[[sqlite3.Connection], T]) -> T:
        self._loop = asyncio.get_running_loop()
        result = self._loop.create_future()

        def done(found: Any, error: Exception | None) -> None:
            if error is None and (harm := self._watch.wrote()) is not None:
                error = JournalDown(str(harm))  # it may be in no file by now
            if result.done():
                return
            if error is None:
                result.set_result(found)
            else:
                result.set_exception(error)

        if not self._writer.is_alive():
            raise JournalDown("the server is shutting down")
        self._groups.put(Task(work, done))
        found: T = await result
        return found

    async def _read(self, what: Callable[..., T], *about: object) -> T:
        self._loop = asyncio.get_running_loop()
        try:
            reading = self._loop.run_in_executor(self._readers, partial(self._read_now, what, *about))
        except RuntimeError as closed:
            raise JournalDown("the server is shutting down") from closed
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
        assert self._loop is not None
        now = time.monotonic()
        wait = self._handed_at + _PACE - now
        if self._gathered and wait > 0:
            self._loop.call_later(wait, self._hand_over, False)
        else:
            self._hand_over(True)  # first: the disk has something to do while everybody is told
        self.latency.note(now - group.since, len(group.appends))
        for append, error in zip(group.appends, errors, strict=True):
            try:
                append.settled(error)
            except Exception as fault:  # the others have to hear of theirs
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
            if isinstance(group, Task):
                self._call(group.done, *self._do(group.work))
                continue
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
                errors = commit(connection, group.appends, self._last) if group.appends else ()
                self._remember(group.appends, errors)
            if self.fault is not None and not group.appends:
                try_out(connection)
            if connection.in_transaction:
                self._begin_again()
        except JournalDown as down:
            return [down] * len(group.appends), str(down)
        except Exception as error:
            self._begin_again()
            return [JournalDown(unwritable(error))] * len(group.appends), unwritable(error)
        if errors and all(type(error) is JournalDown for error in errors):
            return errors, str(errors[0])
        return errors, None

    def _do(self, work: Callable[[sqlite3.Connection], Any]) -> tuple[Any, Exception | None]:
        try:
            self._connection = self._connection or self._opened()
            if (harm := self._watch.look()) is not None:
                return None, JournalDown(str(harm))  # the next group sees what can be done
            return work(self._connection), None
        except (sqlite3.Error, OSError) as error:
            return None, JournalDown(unwritable(error))
        except Exception as error:
            return None, error

    def _empty_wal(self, connection: sqlite3.Connection) -> None:
        """Put what is in the log where it belongs. Where somebody is reading in it, that happens later, as always."""
        (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            self._watch.shorter()

    def _begin_again(self) -> None:
        """Close the connection, of which nobody knows the state; unless its files are in doubt, for then it has all
        that is left of them."""
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
        connection = connect(self._path)
        try:
            make_writable(connection, self._synchronous)
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
            with suppress(sqlite3.Error), closing(connect(self._path)) as another:
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
