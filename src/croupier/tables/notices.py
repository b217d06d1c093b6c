"""What the house has to tell a connection. A dialect makes bytes out of these (``Dialect.on_fact`` and so on)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from croupier.kernel import ENGLISH, Event, Move, Weighed
from croupier.tables.entries import AnyEntry
from croupier.tables.intents import Intent
from croupier.tables.place import Place
from croupier.tables.summary import Summary
from croupier.tables.table import AnyGame

T = TypeVar("T")


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
    """Something happened at the connection's table: one entry of its log, as this connection may see it.

    A dialect reads it and does not keep it: where nothing is hidden, the same one goes on to the next connection.
    """

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

    def once(self, key: Any, make: Callable[[Place], T]) -> T:
        """Make something that is the same for many receivers only once. The key must tell different things apart; and
        it is made of what spectators see, so that even a careless one gives nothing away."""
        try:
            return self.shared[key]  # type: ignore[no-any-return]
        except KeyError:
            made = self.shared[key] = make(self.place.for_spectators())
            return made


class Reply:
    """The end of a request, in the order of the connection's requests. Facts that it caused come before it."""

    __slots__ = ("at", "context", "entered", "intent", "listing", "person", "place", "refusal", "tables", "token")

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
        person: str | None = None,
        context: Any = None,
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
        self.person = person
        """Who the connection has turned out to be."""
        self.context = context
        """What the dialect has said with the request (``intents.Asked``)."""


class Hint:
    """What a person was looking for who had asked for a hint; nobody else is told."""

    __slots__ = ("intent", "move", "place", "refusal", "weighed")

    def __init__(
        self,
        intent: Intent,
        place: Place,
        move: Move | None = None,
        weighed: Sequence[Weighed] = (),
        refusal: Refused | None = None,
    ) -> None:
        self.intent = intent
        self.place = place
        self.move = move
        self.weighed = weighed
        """What the bot makes of the best moves, if it can say that; that of its own choice first."""
        self.refusal = refusal
        """Why there is none after all."""


class Listed:
    """News for a connection that follows the list of tables."""

    __slots__ = ("shared", "table")

    def __init__(self, table: Summary) -> None:
        self.table = table
        self.shared: dict[Any, bytes] = {}
        """What is the same for all who follow it."""
