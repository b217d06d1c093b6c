"""A journal as an operator's commands read it, whatever it is kept in: no server is needed, and one may run."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

from croupier.journal import JournalDown, Listing, Record, people_schema, reading
from croupier.journal.schema import migrate
from croupier.journal.upkeep import sound

Row = tuple[Any, ...]

RELATIONS = {
    "tables": ("id", "game", "opened_at", "closed_at"),
    "entries": ("table_id", "seq", "at", "entry"),
    "checks": ("table_id", "seq", "hash"),
    "public": ("table_id", "record"),
    "snapshots": ("table_id", "snapshot"),
    "secret": ("value",),
    **people_schema.RELATIONS,
}
"""What every journal keeps, and has to be in a copy. The first column is what the rows are about."""


class Store(Protocol):
    """Raises ``JournalDown`` when something can't be read."""

    def verify(self) -> None:
        """Whether this is the whole of a journal, as far as can be told without its logs."""

    def tables(self, live: bool) -> list[Listing]:
        """The tables that are open, or all that ever were; oldest first."""

    def unlisted(self) -> list[str]:
        """Tables that have a log and are not in the list."""

    def log(self, table: str) -> Iterator[Record]:
        """A table's log, entry by entry."""

    def checks(self, table: str) -> dict[int, str]:
        """The hash of the game at the end of each one that was played, by the number of the last entry."""

    def snapshots(self, tables: Sequence[str]) -> dict[str, bytes]:
        """The last snapshots of these tables, of those that have one."""

    def query(self, sql: str, *values: Any) -> list[Row]:
        """What is known beside the logs, as ``Journal.query``."""

    def rows(self, relation: str) -> Iterator[Row]:
        """All that one of the ``RELATIONS`` holds; what is about the same comes together, in order."""


class Target(Store, Protocol):
    """A new journal, which is there when all that it was filled with is in it, and not before."""

    def fill(self, relation: str, rows: Iterable[Row]) -> None: ...

    def finish(self) -> None:
        """Everything is in."""


class SqliteStore:
    def __init__(self, path: Path) -> None:
        self._path = path

    def __str__(self) -> str:
        return str(self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Every reading has had a connection of its own."""

    def verify(self) -> None:
        if sound(self._path) > 1:  # the first ones had no secret
            reading.read_secret(self._path)

    def tables(self, live: bool) -> list[Listing]:
        return reading.list_tables(self._path, live)

    def unlisted(self) -> list[str]:
        return reading.list_unlisted(self._path)

    def log(self, table: str) -> Iterator[Record]:
        return reading.read_log(self._path, table)

    def checks(self, table: str) -> dict[int, str]:
        return reading.read_checks(self._path, table)

    def snapshots(self, tables: Sequence[str]) -> dict[str, bytes]:
        return reading.read_snapshots(self._path, tables)

    def query(self, sql: str, *values: Any) -> list[Row]:
        try:
            return reading.read_query(self._path, sql, values)
        except sqlite3.OperationalError as error:  # it is older than what is asked for, for one
            raise JournalDown(f"{self} can't say that: {error}") from None

    def rows(self, relation: str) -> Iterator[Row]:
        return reading.read_rows(self._path, relation, RELATIONS[relation])


class NewFile(SqliteStore):
    """A SQLite file that does not exist yet."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.with_name(path.name + ".part"))
        self._final = path

    def __enter__(self) -> Self:
        if self._final.exists():
            raise JournalDown(f"{self._final} already exists")
        try:
            self._path.unlink(missing_ok=True)
            self._connection = sqlite3.connect(self._path, isolation_level=None)
            migrate(self._connection)
        except (OSError, sqlite3.Error) as error:
            raise JournalDown(f"{self._final} can't be written: {error}") from None
        return self

    def fill(self, relation: str, rows: Iterable[Row]) -> None:
        columns = RELATIONS[relation]
        try:
            self._connection.execute("BEGIN")
            self._connection.execute(f"DELETE FROM {relation}")  # the secret that a new one has
            places = ", ".join("?" * len(columns))
            self._connection.executemany(f"INSERT INTO {relation} ({', '.join(columns)}) VALUES ({places})", rows)
            self._connection.execute("COMMIT")
        except (OSError, sqlite3.Error) as error:
            raise JournalDown(f"{self._final} can't be written: {error}") from None

    def finish(self) -> None:
        self._connection.close()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self.verify()
                with self._path.open("rb") as whole:
                    os.fsync(whole.fileno())
                self._path.rename(self._final)
        except OSError as error:
            raise JournalDown(f"{self._final} can't be written: {error}") from None
        finally:
            self._connection.close()
            self._path.unlink(missing_ok=True)
