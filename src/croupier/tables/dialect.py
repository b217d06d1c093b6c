"""A dialect: one wire protocol, spoken on one connection, without I/O.

Bytes in, intents out; what there is to tell in, bytes out: each kind of it has a method of its own. All of those may
yield intents too, where the protocol wants something done that its clients can't ask for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, ClassVar, NamedTuple

from croupier.tables.intents import Intent
from croupier.tables.notices import Fact, Hint, Listed, Refused, Reply
from croupier.tables.place import Place
from croupier.tables.summary import Attended
from croupier.wire.http import HttpResponse

Message = bytes


class Hangup(Exception):
    """The end of a connection, with this code: raised when the other side broke the protocol, or said last."""

    def __init__(self, code: int, reason: str = "", after: float = 0.0) -> None:
        super().__init__(reason)
        self.code = code
        self.after = after
        """In how many seconds."""


Output = Message | Hangup | HttpResponse
"""What goes out on a connection. After a ``Hangup`` or an ``HttpResponse`` nothing does."""


class Pace(NamedTuple):
    """How much a client may send, where its protocol says so."""

    messages: int
    """So many ..."""
    seconds: float
    """... in any so many seconds; what is more is dropped, and ``slow_down`` says so."""
    refusals: int
    """After so many of those ..."""
    within: float
    """... in so many seconds ..."""
    hangup: Hangup
    """... that is the end."""
    once: bool = False
    """Whether it is said, and counted, no more than once in those seconds."""


class Deadline(NamedTuple):
    """How soon a connection has to take a place at a table."""

    seconds: float
    hangup: Hangup


class Dialect:
    """One connection's translator, with whatever that connection has to remember."""

    name: ClassVar[str] = ""
    """What other dialects know it by (``Place.dialect_of``)."""
    binary: ClassVar[bool] = False
    """Whether its messages go out as binary ones; text otherwise."""
    game: ClassVar[str | None] = None
    """The one game whose tables its clients can know of; None: all."""
    patience: ClassVar[float | None] = None
    """For how many seconds somebody who lost the connection keeps a running game alive; None: the server's default."""
    keeps_seat: ClassVar[bool] = False
    """Whether a seat at a table that waits for players outlives its connection."""
    by_name: ClassVar[bool] = False
    """Whether its clients come back to their seats by name: then a name is enough for the seats they have taken."""
    ends_with_host: ClassVar[bool] = False
    """Whether a table that waits for players is closed when its host leaves, or somebody else is the host then."""
    one_table: ClassVar[bool] = False
    """Whether who takes another place has left the first for good, and not just lost the connection to it."""
    attends: frozenset[Attended] = frozenset({"waiting", "playing"})
    """When somebody who is connected this way is at the table: where a protocol has one connection for the lobby and
    another for the game, each is only half of it. A new connection takes the place of an old one of the same kind."""
    unhurried: ClassVar[bool] = False
    """Whether its people play in their own time where everybody else is a bot, and bots at a pace they can follow."""
    can_host: ClassVar[bool] = True
    """Whether somebody can be told that they have become the host, and has a use for it."""
    marks_ready: ClassVar[bool] = False
    """Whether its people can say that they are ready, where a table waits for that; others always are."""
    anybody_starts: ClassVar[bool] = False
    """Whether everybody at the table may begin the game, and not just the host."""
    usual: ClassVar[Mapping[str, Any]] = {}
    """Options of the tables that are opened, unless the server or the client says otherwise."""
    concludes: ClassVar[bool] = False
    """Whether it wants to be told when all is told that one request or one moment has caused (``on_concluded``)."""
    consults: ClassVar[bool] = False
    """Whether it asks the house itself which tables there are, before its people are at one."""
    rate: ClassVar[float | None] = None
    """Messages per second that the protocol promises its clients, 0 for any number; None: the server's limit."""
    pace: ClassVar[Pace | None] = None
    """The limit, where the protocol has another kind of its own."""
    lines_a_second: ClassVar[float | None] = None
    """How many lines of chat a connection may say, after the first few; None: its limit of messages is enough."""
    deadline: ClassVar[Deadline | None] = None
    restart: ClassVar[int] = 1012
    """The code with which connections are closed when the server goes down."""

    handshake: Mapping[str, str] = {}
    """Headers of the answer to the request for a WebSocket."""
    token: str | None = None
    """The secret of whoever is at the connection, in protocols where they have one before they have a seat."""
    client: str = ""
    """What there is to remember of the program at the other end, at the seat it takes (``Place.client``); what is found
    out later is told by ``intents.Recognise``."""
    user: str | None = None
    """Their public id, in protocols that know people before they have a seat. Where they have a seat already, joining
    brings them back to it."""
    handle: str | None = None
    """What others call them, in protocols where that goes with the connection."""

    unheard: frozenset[str] = frozenset()
    """Persons whose chat and sounds are not told here."""

    copied: ClassVar[tuple[type, ...]] = (list, dict, set)
    """What of it changes without being another thing then."""

    def memento(self) -> dict[str, Any]:
        """What it remembers, to go back to if what it is told next turns out not to have happened."""
        copied = self.copied
        return {name: copy(value) if type(value) in copied else value for name, value in vars(self).items()}

    def revert(self, memento: Mapping[str, Any]) -> None:
        vars(self).update(memento)

    def greet(self) -> Iterable[Output | Intent]:
        """What to say and to do first."""
        return ()

    def receive(self, message: Message, text: bool) -> Iterable[Intent | Output]:
        """What the client asks for; or what to reply at once, when it makes no sense. Raises ``Hangup``."""
        raise NotImplementedError

    def on_reply(self, reply: Reply) -> Iterable[Output | Intent]:
        """A request was granted. ``reply.context`` is what it was asked with (``intents.Asked``)."""
        return ()

    def on_refused(self, reply: Reply, refusal: Refused) -> Iterable[Output | Intent]:
        """A request was not granted; or it was, and could not be written down."""
        return ()

    def on_fact(self, fact: Fact) -> Iterable[Output | Intent]:
        """Something happened at the connection's table."""
        return ()

    def on_hint(self, hint: Hint) -> Iterable[Output | Intent]:
        """The hint that was asked for; or why there is none after all."""
        return ()

    def on_concluded(self) -> Iterable[Output | Intent]:
        """All is told that one request or one moment has caused. Only where ``concludes`` says so."""
        return ()

    def on_resync(self, place: Place) -> Iterable[Output | Intent]:
        """What was told last may not have happened: the journal could not be written. Show it all anew."""
        return ()

    def on_replaced(self) -> Iterable[Output | Intent]:
        """The connection's seat has another connection now."""
        return ()

    def on_listed(self, listed: Listed) -> Iterable[Output]:
        """News of the list of tables, which the connection follows."""
        return ()

    def overlong(self) -> Iterable[Output]:
        """What to say to a message that is too long to be read, where that need not be the end."""
        yield Hangup(1009, "the message is too long")

    def slow_down(self, message: Message, text: bool, wait: int) -> Iterable[Message]:
        """What to say to a client that sends too much, before this message is dropped; in ``wait`` ms it may send."""
        return ()
