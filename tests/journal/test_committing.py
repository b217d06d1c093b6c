"""Appends in one transaction: which of them spoil it for themselves, and which for all."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from croupier.journal import Append, Damaged, JournalDown, Record
from croupier.journal.committing import commit
from croupier.journal.schema import migrate


class Torn(sqlite3.Connection):
    """A file in which nothing can be written where table b lies, or nothing at all."""

    code = sqlite3.SQLITE_CORRUPT
    full = False

    def execute(self, query: str, values: Any = ()) -> sqlite3.Cursor:
        if "b" in values or (self.full and query == "COMMIT"):
            error = sqlite3.DatabaseError("it is torn")
            error.sqlite_errorcode = self.code
            raise error
        return super().execute(query, values)


@pytest.fixture
def connection() -> Torn:
    connection = sqlite3.connect(":memory:", isolation_level=None, factory=Torn)
    migrate(connection)
    return connection


def append(table: str, *seqs: int, closes: bool = False) -> Append:
    return Append(table, [Record(seq, seq, b"{}") for seq in seqs], "palace" if seqs[0] == 1 else None, closes)


def numbers(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    return connection.execute("SELECT table_id, seq FROM entries ORDER BY table_id, seq").fetchall()


def test_what_was_committed_is_known_as_long_as_the_table_is_open(connection: Torn) -> None:
    last: dict[str, int] = {}
    assert commit(connection, [append("a", 1, 2), append("c", 1)], last) == [None, None]
    assert last == {"a": 2, "c": 1}
    assert commit(connection, [append("a", 3, closes=True)], last) == [None]
    assert last == {"c": 1}
    assert numbers(connection) == [("a", 1), ("a", 2), ("a", 3), ("c", 1)]


@pytest.mark.parametrize("code", [sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CORRUPT_INDEX])
def test_a_damaged_table_keeps_no_other_from_going_on(connection: Torn, code: int) -> None:
    connection.code = code
    last: dict[str, int] = {}
    first, damaged, other = commit(connection, [append("a", 1), append("b", 1), append("c", 1)], last)
    assert (first, other) == (None, None)
    assert isinstance(damaged, Damaged)
    assert str(damaged) == "the journal can't be written: it is torn"
    assert last == {"a": 1, "c": 1}
    assert numbers(connection) == [("a", 1), ("c", 1)]


def test_what_is_wrong_with_the_disk_is_the_same_for_all(connection: Torn) -> None:
    connection.code = sqlite3.SQLITE_FULL
    last: dict[str, int] = {}
    errors = commit(connection, [append("a", 1), append("b", 1), append("c", 1)], last)
    assert [type(error) for error in errors] == [JournalDown] * 3
    assert (last, numbers(connection)) == ({}, [])
    assert not connection.in_transaction


def test_what_fails_only_when_it_is_committed_is_undone(connection: Torn) -> None:
    last: dict[str, int] = {}
    connection.code, connection.full = sqlite3.SQLITE_FULL, True
    (error,) = commit(connection, [append("a", 1)], last)
    assert type(error) is JournalDown
    assert not connection.in_transaction
    connection.full = False
    assert commit(connection, [append("a", 1)], last) == [None]
