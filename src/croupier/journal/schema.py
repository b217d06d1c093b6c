"""The tables of a journal's SQLite file, through all versions of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from croupier.journal import JournalDown
from croupier.journal.people_schema import PEOPLE

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
    """
    CREATE TABLE snapshots (table_id TEXT PRIMARY KEY, snapshot BLOB NOT NULL) WITHOUT ROWID;
    """,
    PEOPLE,
    """
    CREATE TABLE directory (
        table_id TEXT PRIMARY KEY, names TEXT NOT NULL, summary BLOB NOT NULL
    ) WITHOUT ROWID;
    """,
)
"""Version n of the schema is made from version n - 1 by step n. A step, once released, never changes."""


def migrate(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise JournalDown(f"the journal was written by a newer Croupier (schema {version}, known: {len(MIGRATIONS)})")
    if version < 0 or (version == 0 and _columns(connection)):
        raise JournalDown("this is not a journal, but some other SQLite file")
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
