"""The journal in PostgreSQL, which any number of nodes write at once.

Appends gather as in SQLite's: what one turn of the event loop brings is one group, one statement, one transaction, and
while it is under way the next ones gather. Who has lost a race hears of it, and nobody else of the group.

When the connection breaks, nobody knows whether the group got in. So it is looked for, by a new connection and after
the old one is certainly dead; what is not there is written. Only who can't be told within seconds hears that the
journal is down.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import asyncpg

from croupier.journal import Append, Damaged, JournalDown, Listing, Piece, Record, Row, Script, Shown, T, postgres_pool
from croupier.journal.addresses import shown
from croupier.journal.latency import Latency
from croupier.journal.postgres_committing import Outcomes, commit, look, unwritable
from croupier.journal.postgres_lobby import Lobby
from croupier.journal.postgres_pool import Connection, Pool, connect, forget_unsent, lost, said
from croupier.journal.postgres_presence import PostgresAttendance
from croupier.journal.postgres_schema import migrate

_LOOKS_EVERY = 1.0
"""Seconds after which a writer with nothing to do looks whether the database is there."""
_WAITS_FOR = 3.0
"""Seconds that appends wait for a database that was there until now."""
_TRIES_AGAIN_AFTER = 0.1
_TRIES = 2
"""That a group has with a connection that breaks."""
_TABLES, _ROWS = 16, 256
"""Of how many tables, and how many rows in all, a piece of logs is read at a time."""

_ME = "SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
_END = "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2"

_LOGS = """
    SELECT w.n, e.seq, e.at, e.entry
    FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS w (id, after, n), LATERAL (
        SELECT seq, at, entry FROM entries WHERE table_id = w.id AND seq > w.after ORDER BY seq LIMIT $3
    ) AS e
    ORDER BY w.n, e.seq LIMIT $3
"""


class Writer(NamedTuple):
    """The connection that writes, and how another one finds it."""

    connection: Connection
    pid: int
    started: object


class PostgresJournal(Lobby):
    """Made by ``open``."""

    def __init__(self, url: str, writer: Writer, pool: Pool, news: Callable[[str | None], None] | None) -> None:
        super().__init__(pool)
        self.attendance = PostgresAttendance(pool)
        self.fault: str | None = None
        self.latency = Latency()
        self._url = url
        self._writer: Writer | None = writer
        self._broken: Writer | None = None
        """The one before it, if nobody knows whether what was asked by it may still be done."""
        self._news = news
        self._gathered: list[Append] = []
        """Appends for the next group."""
        self._since = 0.0
        """When the first of them came."""
        self._wake = asyncio.Event()
        self._closing = False
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(_LOOKS_EVERY, self._look_soon)
        self._writing = self._loop.create_task(self._write(), name="journal")

    @classmethod
    async def open(cls, url: str, *, news: Callable[[str | None], None] | None = None) -> PostgresJournal:
        """``news`` is told why the journal can't be written any more; None when it can again."""
        try:
            writer = await _connected(url)
            try:
                await migrate(writer.connection)
                pool = await Pool.open(url)
            except BaseException:
                writer.connection.terminate()
                raise
        except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise JournalDown(f"the journal {shown(url)} can't be opened: {said(error)}") from None
        return cls(url, writer, pool, news)

    def append(self, append: Append) -> None:
        if not self._gathered:
            self._since = time.monotonic()
        self._gathered.append(append)
        self._wake.set()

    async def logs(self, tables: Mapping[str, int]) -> AsyncIterator[Piece]:
        if self.fault is not None and self._broken is not None:
            raise JournalDown(self.fault)  # what was given up may still get in
        wanted, at_once = list(tables.items()), _TABLES
        while wanted:
            some = wanted[:at_once]
            try:
                rows = await self._pool.fetch(_LOGS, [id for id, _ in some], [after for _, after in some], _ROWS)
            except Damaged as error:
                if len(some) == 1:
                    yield Piece(some[0][0], [], error)
                    wanted = wanted[1:]
                at_once = 1
                continue
            records: list[list[Record]] = [[] for _ in some]
            for n, *record in rows:
                records[n - 1].append(Record._make(record))
            # The last one that has any may have more.
            done = len(some) if len(rows) < _ROWS else rows[-1][0] - 1
            for (id, _), found in zip(some[:done], records, strict=False):
                yield Piece(id, found)
            wanted = wanted[done:]
            if done < len(some):
                id, found = some[done][0], records[done]
                yield Piece(id, found)
                wanted[0] = id, found[-1].seq

    async def snapshots(self, tables: Sequence[str]) -> dict[str, bytes]:
        return dict(await self._pool.fetch("SELECT * FROM snapshots WHERE table_id = ANY ($1)", tables))

    async def first(self, table: str) -> Record | None:
        query = "SELECT seq, at, entry FROM entries WHERE table_id = $1 ORDER BY seq LIMIT 1"
        return next((Record._make(row) for row in await self._pool.fetch(query, table)), None)

    async def public(self, table: str) -> bytes | None:
        rows = await self._pool.fetch("SELECT record FROM public WHERE table_id = $1", table)
        return rows[0][0] if rows else None

    async def tables(self, live: bool) -> list[Listing]:
        where = "WHERE closed_at IS NULL" if live else ""
        query = f"SELECT id, game, opened_at, closed_at FROM tables {where} ORDER BY opened_at, id"
        return [Listing(*row) for row in await self._pool.fetch(query)]

    async def shown(self) -> dict[str, Shown]:
        return {}

    async def secret(self) -> bytes:
        found = [bytes(row[0]) for row in await self._pool.fetch("SELECT value FROM secret")]
        if len(found) != 1 or len(found[0]) != 32:
            raise JournalDown("the journal is damaged: it has no secret, which it needs to recognise people")
        return found[0]

    async def query(self, sql: str, *values: Any) -> list[Row]:
        return [tuple(row) for row in await self._pool.fetch(sql, *values)]

    async def transact(self, script: Script[T]) -> T:
        return await self._pool.transact(script)

    async def scrub(self, tables: Sequence[str]) -> None:
        # How the lobby has shown them, which nobody asks for any more. The rest is what VACUUM is for.
        query = "UPDATE tables SET summary = '', names = '' WHERE id = ANY ($1) AND closed_at IS NOT NULL"
        await self._pool.fetch(query, tables)

    async def close(self) -> None:
        self._closing = True
        self._timer.cancel()
        self._wake.set()
        await self._writing
        await asyncio.sleep(0)  # whoever was in the last group is told
        self._disconnect()
        await self._pool.close()

    # The writer.

    def _look_soon(self) -> None:
        self._timer = self._loop.call_later(_LOOKS_EVERY, self._look_soon)
        self._wake.set()

    async def _write(self) -> None:
        while not self._closing or self._gathered:
            await self._wake.wait()
            self._wake.clear()
            group, self._gathered, since = self._gathered, [], self._since
            if not group:
                await self._probe()
                continue
            outcomes: Outcomes = {}
            fault = await self._committed(group, outcomes)
            self._say(fault)
            # Soon, not now: first the next group is on its way, so that the database has something to do meanwhile.
            self._loop.call_soon(self._settle, group, outcomes, since)

    async def _committed(self, group: Sequence[Append], outcomes: Outcomes) -> str | None:
        """Why nothing can be written now, if so. Whatever happens, afterwards every append has an outcome."""
        failure = None
        for _ in range(_TRIES):
            try:
                if self._writer is None:
                    self._writer = await self._connect()
                await commit(self._writer.connection, group, outcomes)
                break
            except Exception as error:
                failure = error
            broken = self._disconnect()
            if not lost(failure):
                break
            self._broken = broken or self._broken
            try:
                self._writer = await self._succeed(broken, group, outcomes)
            except Exception as error:
                failure = error
                break
        for append in group:
            if append not in outcomes:
                assert failure is not None
                append.lost = True
                outcomes[append] = JournalDown(unwritable(failure))
        errors = [outcomes[append] for append in group]
        return str(errors[0]) if all(type(error) is JournalDown for error in errors) else None

    async def _succeed(self, broken: Writer | None, group: Sequence[Append], outcomes: Outcomes) -> Writer:
        """A new connection in the place of the one that broke, when it is known what that has got in: what was asked by
        it is done, or never will be."""
        until = time.monotonic() + (0.0 if broken is None and self.fault is not None else _WAITS_FOR)
        while True:
            writer = None
            try:
                writer = await self._connect()
                if broken is not None:
                    await look(writer.connection, group, outcomes)
                return writer
            except Exception as error:
                if writer is not None:
                    writer.connection.terminate()
                if not lost(error) or time.monotonic() > until:
                    raise
            await asyncio.sleep(_TRIES_AGAIN_AFTER)

    async def _connect(self) -> Writer:
        """When the connection that broke is certainly dead, however long ago that was."""
        writer, broken = await _connected(self._url), self._broken
        try:
            if broken is not None and await writer.connection.fetchval(_END, broken.pid, broken.started) is False:
                raise TimeoutError
        except BaseException:
            writer.connection.terminate()
            raise
        self._broken = None
        return writer

    async def _probe(self) -> None:
        try:
            try:
                await self._try_out()
            except Exception as error:
                if self._disconnect() is None or not lost(error):
                    raise
                await self._try_out()  # it was restarted while there was nothing to write
            self._say(None)
        except Exception as error:
            self._disconnect()
            self._say(unwritable(error))

    async def _try_out(self) -> None:
        """See whether the database is there; and where it could not be written, whether it can be again."""
        if self._writer is None:
            self._writer = await self._connect()
        await self._writer.connection.execute("SELECT 1" if self.fault is None else "UPDATE secret SET value = value")

    def _disconnect(self) -> Writer | None:
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(Exception):
                writer.connection.terminate()
        return writer

    def _say(self, fault: str | None) -> None:
        before, self.fault = self.fault, fault
        if fault != before and self._news is not None:
            self._loop.call_soon(self._news, fault)  # what goes wrong there is not the writer's

    def _settle(self, group: Sequence[Append], outcomes: Outcomes, since: float) -> None:
        self.latency.note(time.monotonic() - since, len(group))
        for append in group:
            try:
                append.settled(outcomes[append])
            except Exception as fault:  # the others have to hear of theirs
                what = "what became of an append can't be told"
                self._loop.call_exception_handler({"message": what, "exception": fault})


async def _connected(url: str) -> Writer:
    connection = await connect(url, postgres_pool.ANSWERS_WITHIN)
    try:
        forget_unsent(connection)
        return Writer(connection, connection.get_server_pid(), await connection.fetchval(_ME))
    except BaseException:
        connection.terminate()
        raise
