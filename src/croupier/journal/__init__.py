"""The journal: where the logs of all tables are kept, append-only. What is in it has happened; nothing else has."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from croupier.journal.latency import Latency

ANY_GAME = "*"
"""In the place of a game, in the name of a table that is looked for."""


T = TypeVar("T")
Row = tuple[Any, ...]


class Statement(NamedTuple):
    """Some SQL that SQLite and PostgreSQL understand alike; values are ``$1``, ``$2``, …"""

    sql: str
    values: Sequence[Any] = ()


Script: TypeAlias = Generator[Statement, list[Row], T]
"""A transaction, step by step: it yields what is to be done, is sent the rows that come of it, and returns. While it
runs nobody else's does, on no node; so it need not fear what happens between two steps."""


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


class Directory(NamedTuple):
    """How a table is found and shown where nobody has it in memory."""

    names: tuple[str, ...]
    """By which it is found: its codes and the hashes of seats' secrets, prefixed. All of them: they replace the earlier
    ones."""
    phase: str
    listed: bool
    free: int
    """Seats that somebody may take."""
    summary: bytes
    """As strangers are shown it, JSON."""


class Shown(NamedTuple):
    """What a ``Directory`` says of a table."""

    names: Sequence[str]
    summary: bytes
    at: int
    """When something last happened there."""


class Attending(NamedTuple):
    """At which node somebody is, who has a place at a table."""

    table: str
    token: str
    kind: str
    node: str | None
    """None: at no node."""
    since: int
    until: int
    """When the place is no longer kept for somebody who is at no node."""


class Beat(NamedTuple):
    """What a node says of itself with a sign of life."""

    about: bytes
    deaf: bool
    """Whether it is off the bus: it hears nobody, and nobody hears it."""


class Change(NamedTuple):
    """What the lobby shows of a table now."""

    table: str
    game: str
    summary: bytes | None
    """None: it is not shown any more."""


class Finished(NamedTuple):
    """A game that is over, for those who want to know what somebody has played. It follows from the log."""

    number: int
    """Which of the table's."""
    game: str
    at: int
    rated: int
    """1: it counts for ratings; 0: it does not."""
    shown: int
    """1: strangers may know of it; 0: they may not."""
    players: str
    """Who it was and how they did, as JSON (``people.played``)."""


class Conflict(Exception):
    """Somebody else appended to the table first."""


class NameTaken(Conflict):
    """Another open table has a name that the table wants to be found by."""


class JournalDown(Exception):
    """The journal can't be written or read now: the disk is full, read-only, damaged, or gone."""


class Damaged(JournalDown):
    """What one table wants to write, or where in the file, can't be written. Others may."""


class Append:
    """Some entries on their way into the journal, all or none of them."""

    __slots__ = (
        "closes", "directory", "due", "ends", "finished", "follows", "lost", "opens", "persons", "public", "records",
        "snapshot", "table",
    )  # fmt: skip

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
        self.finished: Finished | None = None
        """Where a game ends with these that somebody will want to look up."""
        self.persons: Sequence[str] = ()
        """Who sits down with these, of those who have said who they are."""
        self.snapshot: bytes | None = None
        """Where a game begins with these: what the table was before, so that nobody has to read its log from the start.
        It takes the place of an earlier one."""
        self.directory: Directory | None = None
        """Where it has changed with these."""
        self.due: int | None = None
        """When the table is to be looked at, if nobody has it in memory by then; None: it need not be. (For a journal
        that nodes share.)"""
        self.follows: Append | None = None
        """Of the same table, and still on its way: without it, these make no sense."""
        self.lost = False
        """Whether it did not get in."""

    def settled(self, error: Exception | None) -> None:
        """Called on the event loop, in the order of the appends, when the entries are safe, or are not in at all."""


class Journal(Protocol):
    latency: Latency

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

    async def shown(self) -> dict[str, Shown]:
        """The tables that are played at as they are found and shown, as far as that is known without their logs. (Nodes
        that share a journal ask for each when somebody comes.)"""

    async def secret(self) -> bytes:
        """32 random bytes that stay the same as long as the journal does, for signatures."""

    async def query(self, sql: str, *values: Any) -> list[Row]:
        """What is known beside the logs: of people, and what they have played."""

    async def transact(self, script: Script[T]) -> T:
        """Change some of that, all of it or nothing."""

    async def scrub(self, tables: Sequence[str]) -> None:
        """Something was changed that nobody is to find any more, about these closed tables among other things: see to
        it that no file says what it was, as far as that is up to the server."""

    async def close(self) -> None:
        """Commit what is waiting and let go."""


class SharedJournal(Journal, Protocol):
    """A journal that several nodes write at once. It also knows what each of them need not: where a table is found,
    what the lobby shows, what falls due, and who is where. Whatever is asked raises ``JournalDown`` when it is away."""

    @property
    def attendance(self) -> Attendance: ...

    async def find(self, names: Sequence[str]) -> dict[str, Listing]:
        """The open tables with these ids or names, by what they were asked for with. A name that begins with
        ``ANY_GAME/`` stands for that of any game, whether it is known here or not."""

    async def positions(self, tables: Sequence[str]) -> dict[str, int]:
        """The number of the last entry of each of these tables, of those that are open."""

    async def lobby(
        self,
        games: Sequence[str],
        *,
        phase: str | None = None,
        free: bool = False,
        after: str | None = None,
        limit: int = 100,
    ) -> list[bytes]:
        """Summaries of the open tables of these games that are listed: first those that wait for players and have a
        free seat, then the newest. ``after`` is the last one of the page before; ``free`` leaves out those without a
        free seat."""

    async def every_table(self, game: str, phase: str, search: str, offset: int, limit: int) -> list[bytes]:
        """Summaries of open tables, listed or not, the newest first. What is empty is any; ``search`` is looked for in
        all that a summary says."""

    async def changed(self, since: int, limit: int) -> tuple[list[Change], int]:
        """What the lobby shows otherwise since a moment of the journal's clock, oldest change first, and from which
        moment to ask the next time. Some are told twice; nothing is left out. With a limit of 0, only that moment."""

    async def due(self, now: int, limit: int) -> list[str]:
        """The open tables whose time has come and at which nobody is at a living node; longest overdue first."""

    async def set_due(self, dues: Mapping[str, int | None]) -> None:
        """When these tables are to be looked at, though nothing was written."""

    async def open_count(self) -> int:
        """How many tables are open."""

    async def open_by_game(self) -> dict[str, int]:
        """How many tables of each game are open."""


class Attendance(Protocol):
    """Which nodes are alive, and who is at which of them. It is no history: it lives beside the log."""

    async def beat(self, node: str, about: bytes, deaf: bool) -> dict[str, Beat]:
        """This node is alive, and this is what others should know of it. Returns what is known of all that are. (A node
        is none before its first beat.)"""

    async def retire(self, node: str) -> None:
        """It is going down: from now on it is not alive."""

    async def attend(self, rows: Sequence[Attending]) -> None:
        """Who is where now. What is older than what is known already changes nothing, nor does what is about a table
        that is not open."""

    async def attending(self, tables: Sequence[str]) -> list[Attending]:
        """Who is where, of these tables."""

    async def orphans(self, limit: int) -> list[str]:
        """Open tables with somebody at a node that is not alive."""
