"""Connections to a journal's SQLite file."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Literal

Synchronous = Literal["FULL", "NORMAL", "OFF"]

_CHECKPOINT = 16_000
"""Pages in the write-ahead log before they are copied to where they belong, 32 MB of them. The last page of a table is
written again with each of its moves: the later it is copied, the more moves it is copied for, and the fewer have to
wait for that, on a slow disk for tens of milliseconds."""
_CHECKPOINT_OF_UNSYNCED = 250
"""The same where a commit does not wait for the disk: then this has to, for all that was written since the last one."""


def connect(path: Path, mode: Literal["rw", "rwc"] = "rw") -> sqlite3.Connection:
    """``rw``: only what is there; a journal that was removed must not come back empty."""
    # isolation_level=None: transactions begin where the code says so, not where the module thinks best. The writer's
    # connection is made in one thread and used in another.
    address = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=10, check_same_thread=False)


def make_writable(connection: sqlite3.Connection, synchronous: Synchronous) -> None:
    # For new files: a move touches a page of its table and a commit writes all that were touched, so small ones are
    # cheaper, as long as their number is not what counts.
    connection.execute("PRAGMA page_size = 2048")
    connection.execute("PRAGMA journal_mode = WAL")
    # What is taken out of it, as somebody wants it to be, is overwritten. Moves only add to it, and are no dearer.
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    pages = _CHECKPOINT if synchronous == "FULL" else _CHECKPOINT_OF_UNSYNCED
    connection.execute(f"PRAGMA wal_autocheckpoint = {pages}")
