"""A journal in PostgreSQL for an operator's commands: read, as it is at one moment, or filled."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal, Self, TypeVar

from croupier.journal import JournalDown, Listing, Record
from croupier.journal.addresses import shown
from croupier.journal.postgres_pool import Connection, connect, said
from croupier.journal.postgres_presence import ALIVE
from croupier.journal.postgres_schema import check_version, migrate
from croupier.journal.stores import RELATIONS, Row

_AT_ONCE = 1000
"""Rows that are in memory."""

T = TypeVar("T")


def read_log(url: str, table: str) -> Iterator[Record]:
    """A table's log, entry by entry, where no event loop runs."""
    with PostgresStore(url) as store:
        yield from store.log(table)


class PostgresStore:
    """Within ``with``, which is one transaction."""

    _isolation: Literal["repeatable_read", "read_committed"] = "repeatable_read"
    _read_only = True

    def __init__(self, url: str) -> None:
        self._url = url
        self._runner = asyncio.Runner()
        self._connection: Connection | None = None

    def __str__(self) -> str:
        return shown(self._url)

    def __enter__(self) -> Self:
        self._runner.__enter__()
        try:
            self._connection = self._run(connect(self._url, answers_within=None))
            self._run(self._prepare(self._connection))
            self._transaction = self._connection.transaction(isolation=self._isolation, readonly=self._read_only)
            self._run(self._transaction.start())
            self._inspect()
        except BaseException:
            self._let_go()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self._run(self._transaction.commit() if kind is None else self._transaction.rollback())
        except JournalDown:
            if kind is None:
                raise
        finally:
            self._let_go()

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
        self._runner.__exit__(None, None, None)

    async def _prepare(self, connection: Connection) -> None:
        if await check_version(connection) == 0:
            raise JournalDown(f"there is no journal at {self}")

    def _inspect(self) -> None:
        """At the beginning of the transaction."""

    def require_rest(self) -> None:
        if self._fetch(f"SELECT 1 FROM nodes WHERE {ALIVE}"):
            raise JournalDown(f"the journal {self} is in use: stop its nodes first")

    def verify(self) -> None:
        values = self._fetch("SELECT value FROM secret")
        if len(values) != 1 or len(values[0][0]) != 32:
            raise JournalDown(f"the journal {self} is damaged: it has no secret, which it needs to recognise people")
        wrong = self._fetch(
            """SELECT id, seq, (SELECT max(seq) FROM entries WHERE table_id = id) AS last FROM tables
               WHERE seq IS DISTINCT FROM (SELECT max(seq) FROM entries WHERE table_id = id) LIMIT 1"""
        )
        for id, seq, last in wrong:
            raise JournalDown(f"the journal {self} is damaged: the last entry of {id} is {last}, and listed as {seq}")

    def tables(self, live: bool) -> list[Listing]:
        where = "WHERE closed_at IS NULL" if live else ""
        rows = self._fetch(f"SELECT id, game, opened_at, closed_at FROM tables {where} ORDER BY opened_at, id")
        return [Listing(*row) for row in rows]

    def unlisted(self) -> list[str]:
        query = "SELECT table_id FROM entries WHERE seq = 1 AND table_id NOT IN (SELECT id FROM tables)"
        return [row[0] for row in self._fetch(query)]

    def log(self, table: str) -> Iterator[Record]:
        query = "SELECT seq, at, entry FROM entries WHERE table_id = $1 ORDER BY seq"
        return map(Record._make, self._stream(query, table))

    def checks(self, table: str) -> dict[int, str]:
        return dict(self._fetch("SELECT seq, hash FROM checks WHERE table_id = $1", table))

    def snapshots(self, tables: Sequence[str]) -> dict[str, bytes]:
        return dict(self._fetch("SELECT * FROM snapshots WHERE table_id = ANY ($1)", tables))

    def rows(self, relation: str) -> Iterator[Row]:
        columns = RELATIONS[relation]
        order = ", ".join(map(str, range(1, min(2, len(columns)) + 1)))
        return map(tuple, self._stream(f"SELECT {', '.join(columns)} FROM {relation} ORDER BY {order}"))

    def query(self, sql: str, *values: Any) -> list[Row]:
        return [tuple(row) for row in self._fetch(sql, *values)]

    def _fetch(self, query: str, *values: object) -> list[Any]:
        return self._run(self._connected.fetch(query, *values))

    def _stream(self, query: str, *values: object) -> Iterator[Any]:
        async def begin() -> Any:
            return await self._connected.cursor(query, *values)

        cursor = self._run(begin())
        while rows := self._run(cursor.fetch(_AT_ONCE)):
            yield from rows

    @property
    def _connected(self) -> Connection:
        assert self._connection is not None
        return self._connection

    def _run(self, doing: Coroutine[Any, Any, T]) -> T:
        try:
            return self._runner.run(doing)
        except JournalDown:
            raise
        except Exception as error:
            what = "read" if self._read_only else "written"
            raise JournalDown(f"the journal {self} can't be {what}: {said(error)}") from None


class EmptyPostgres(PostgresStore):
    """One that is filled, all at once or not at all."""

    _isolation = "read_committed"
    _read_only = False

    async def _prepare(self, connection: Connection) -> None:
        await migrate(connection)

    def _inspect(self) -> None:
        self._run(self._connected.execute("LOCK TABLE tables, entries IN SHARE ROW EXCLUSIVE MODE"))
        self.require_rest()
        if self._fetch("SELECT 1 FROM tables LIMIT 1") or self._fetch("SELECT 1 FROM entries LIMIT 1"):
            raise JournalDown(f"the journal {self} is not empty")

    def fill(self, relation: str, rows: Iterable[Row]) -> None:
        columns, rows = RELATIONS[relation], iter(rows)
        if relation == "secret":
            self._run(self._connected.execute("DELETE FROM secret"))
        if relation == "tables":
            columns, rows = (*columns, "seq"), ((*row, 0) for row in rows)
        while some := list(islice(rows, _AT_ONCE)):
            self._run(self._connected.copy_records_to_table(relation, records=some, columns=columns))

    def finish(self) -> None:
        """How a table is found and shown is not copied: so that some node works it out, all that are open are due."""
        self._run(
            self._connected.execute(
                """UPDATE tables SET seq = coalesce((SELECT max(seq) FROM entries WHERE table_id = id), 0),
                   due_at = CASE WHEN closed_at IS NULL THEN 0 END"""
            )
        )
