"""What the house tells a connection. A dialect makes bytes out of these, and is never given anything else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from croupier.kernel import ENGLISH, Event
from croupier.tables.entries import AnyEntry
from croupier.tables.intents import Intent
from croupier.tables.lobby import Lobby

if TYPE_CHECKING:
    from croupier.tables.place import Place
    from croupier.tables.table import AnyGame

T = TypeVar("T")

Attended = Literal["waiting", "playing"]
"""What a table does, while somebody is at it."""


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits where, as everybody may know it."""

    seat: int
    name: str
    bot: str | None = None
    away: bool = False
    """Not connected."""
    stood_in: bool = False
    """A bot plays for them until they return."""
    handle: str = ""
    """What protocols call them that have no names. It may change when they come back on another connection."""
    user: str = ""
    """Who it is: an id that stays the same while they are at the table."""
    ready: bool = True
    """For the next game; there are protocols in which people say so."""
    avatar: str = ""
    """The name of a picture, if they have chosen one; bots and people of other protocols have not."""
    silent: bool = False
    """The host has silenced them."""
    gone: bool = False
    """They have left, or were thrown out: the seat is theirs in the game only, and free for the next one."""
    house: bool = False
    """A bot that nobody at the table has asked for: the house has sent it."""
    can_host: bool = True
    """Whether their protocol can let them know that they have become the host."""


class BenchState(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the host has decided about those who look on."""

    closed: bool = False
    """Nobody may."""
    silent: bool = False
    """They are not heard."""


class Summary(msgspec.Struct, frozen=True):
    """A table as everybody may know it, from outside."""

    id: str
    code: str
    """A short name by which people can tell each other where to come: as good as the id while the table is open."""
    game: str
    name: str
    seats: int
    """How many places there are, taken or not."""
    players: tuple[Player, ...]
    cast: tuple[Player, ...]
    """Who is in the game, or was when the last one ended, whether they are still at the table or not."""
    host: int | None
    """The host's seat."""
    phase: Literal["waiting", "playing", "over", "closed"]
    """Over: a game has ended, and the host has to reopen the table before people join and another begins."""
    locked: bool
    """Whether joining takes a password."""
    watchers: int
    options: Any
    games: int
    """How many games have been finished here."""
    opened_at: int
    over_at: int | None = None
    """When the last game ended."""
    lobby: Lobby = Lobby()
    bench: BenchState | UnsetType = UNSET
    """Left out where everybody may look on, and be heard."""


class Refused(Exception):
    """A request that can't be granted: a code for programs and a sentence for people.

    ``Refused("too_few", "it takes at least {fewest} players", {"fewest": 2})``: a sentence names what is in its data.
    """

    def __init__(
        self, code: str, sentence: str, data: Mapping[str, Any] | None = None, game: AnyGame | None = None
    ) -> None:
        super().__init__(ENGLISH.said(sentence, data or {}))
        self.code = code
        self.sentence = sentence
        """As it is written, for other languages."""
        self.data = data or {}
        """What more there is to know, such as how long to wait."""
        self.game = game
        """Whose rules refuse it, if they do."""


class Fact:
    """Something happened at the connection's table: one entry of its log, as this connection may see it."""

    __slots__ = ("at", "audience", "entry", "events", "own", "place", "seq", "shared")

    def __init__(
        self,
        place: Place,
        seq: int,
        at: int,
        entry: AnyEntry,
        events: Sequence[Event],
        own: bool,
        shared: dict[Any, Any],
        same_for_all: bool = False,
    ) -> None:
        self.place = place
        self.seq = seq
        self.at = at
        self.entry = entry
        self.events = events
        """What happened in the game, redacted for this seat."""
        self.own = own
        """Whether this connection's own request caused it; its answer follows."""
        self.shared = shared
        self.audience: Any = None if same_for_all else events
        """The same for receivers who see the same events: what is made of these once for many has it in its key."""

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """Make something that is the same for many receivers only once. The key must tell different things apart."""
        try:
            return self.shared[key]  # type: ignore[no-any-return]
        except KeyError:
            made = self.shared[key] = make()
            return made


class Answer:
    """The end of a request, in the order of the connection's requests. Facts that it caused come before it."""

    __slots__ = ("at", "entered", "intent", "listing", "place", "refusal", "tables", "token")

    def __init__(
        self,
        intent: Intent,
        at: int,
        refusal: Refused | None = None,
        *,
        place: Place | None = None,
        token: str | None = None,
        tables: Sequence[Summary] | None = None,
        listing: bytes | None = None,
        entered: bool = True,
    ) -> None:
        self.intent = intent
        self.at = at
        self.refusal = refusal
        self.place = place
        """Where the connection acted; its own place after open, join, watch and return."""
        self.token = token
        """The new seat's secret."""
        self.tables = tables
        self.listing = listing
        """The same as JSON, where it is kept as it is sent."""
        self.entered = entered
        """After an arrival: whether they were not there before."""


class Listed:
    """News for a connection that follows the list of tables."""

    __slots__ = ("shared", "table")

    def __init__(self, table: Summary) -> None:
        self.table = table
        self.shared: dict[Any, bytes] = {}
        """What is the same for all who follow it."""


class Replaced(msgspec.Struct, frozen=True):
    """The connection's seat has another connection now."""


class Resync(msgspec.Struct, frozen=True):
    """What the connection was told last may not have happened: the journal could not be written. Show it all anew."""

    place: Any


class Concluded(msgspec.Struct, frozen=True):
    """All that one request or one moment has caused is told; for dialects that want to know."""

    place: Any
    at: int


Notice = Fact | Answer | Listed | Replaced | Resync | Concluded
