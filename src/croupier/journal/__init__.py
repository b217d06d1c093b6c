"""The journal: where the logs of all tables are kept, append-only. What is in it has happened; nothing else has."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import NamedTuple, Protocol


class Record(NamedTuple):
    """One entry of a log as the journal keeps it."""

    seq: int
    at: int
    entry: bytes


class Piece(NamedTuple):
    """A part of a table's log, or why it can't be read."""

    table: str
    records: Sequence[Record]
    error: JournalDown | None = None


class Listing(NamedTuple):
    """What the journal knows of a table without reading its log."""

    id: str
    game: str
    opened_at: int
    closed_at: int | None


class Conflict(Exception):
    """Somebody else appended to the table first."""


class JournalDown(Exception):
    """The journal can't be written or read now: the disk is full, read-only, damaged, or gone."""


class Append:
    """Some entries on their way into the journal, all or none of them."""

    __slots__ = ("closes", "ends", "follows", "lost", "opens", "public", "records", "snapshot", "table")

    def __init__(self, table: str, records: list[Record], opens: str | None, closes: bool) -> None:
        self.table = table
        self.records = records
        """Consecutive; the first one's predecessor must be the last in the journal."""
        self.opens = opens
        """The game, when this is the beginning of the table's log."""
        self.closes = closes
        self.public: bytes | None = None
        """What strangers are told of the table from now on, as it will be sent: it is closed and does not change."""
        self.ends: str | None = None
        """Where a game ends with these: the hash of how it ended, to hold a later replay against."""
        self.snapshot: bytes | None = None
        """Where a game begins with these: what the table was before, so that nobody has to read its log from the start.
        It takes the place of an earlier one."""
        self.follows: Append | None = None
        """Of the same table, and still on its way: without it, these make no sense."""
        self.lost = False
        """Whether it did not get in."""

    def settled(self, error: Exception | None) -> None:
        """Called on the event loop, in the order of the appends, when the entries are safe, or are not in at all."""


class Journal(Protocol):
    @property
    def fault(self) -> str | None:
        """Why it can't be written at the moment, for people; None when it can."""

    def append(self, append: Append) -> None:
        """Commit soon, together with others; ``append.settled`` tells."""

    def logs(self, tables: Mapping[str, int]) -> AsyncIterator[Piece]:
        """The logs of these tables after these entries, one table after the other, in pieces: however long they are,
        little is in memory. Of a table that the journal does not know there is none. Raises ``JournalDown`` when
        nothing can be read."""

    async def snapshots(self, tables: Sequence[str]) -> dict[str, bytes]:
        """The last snapshots of these tables, of those that have one."""

    async def first(self, table: str) -> Record | None:
        """The first entry of a table's log."""

    async def public(self, table: str) -> bytes | None:
        """What strangers are told of a closed table, if that was ever worked out."""

    async def tables(self, live: bool) -> list[Listing]:
        """The tables that are open, or all that ever were; oldest first."""

    async def secret(self) -> bytes:
        """32 random bytes that stay the same as long as the journal does, for signatures."""

    async def close(self) -> None:
        """Commit what is waiting and let go."""
