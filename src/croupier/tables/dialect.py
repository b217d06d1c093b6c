"""A dialect: one wire protocol, spoken on one connection, without I/O. Bytes in, intents out; notices in, bytes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

from croupier.tables.intents import Intent
from croupier.tables.lobby import StandingTables
from croupier.tables.notices import Notice
from croupier.tables.summary import Attended, Summary

Message = bytes


class Hangup(Exception):
    """The end of a connection, with this code: raised when the other side broke the protocol, or said last."""

    def __init__(self, code: int, reason: str = "", after: float = 0.0) -> None:
        super().__init__(reason)
        self.code = code
        self.after = after
        """In how many seconds."""


class HouseQueries(Protocol):
    """What a dialect may ask the house before the connection stands."""

    secret: bytes
    """The same as long as the server keeps its journal: what a protocol signs with it, it will know again."""

    def look(self, table: str) -> Summary | None:
        """A table as everybody may know it."""

    def summaries(self, game: str | None = None) -> list[Summary]:
        """All tables, those that are not listed too."""

    def unlocks(self, table: str, password: str, address: str) -> bool:
        """Whether somebody with this password may sit down at a table; any will do where it takes none. A wrong one
        that has taken time to find out counts as one that came from that address."""

    def may_guess(self, address: str) -> bool:
        """Whether a password is looked at that comes from there; too many wrong ones have come if not."""

    def guessed(self, address: str) -> None:
        """A password that came from there was wrong."""

    def standing(self, game: str) -> StandingTables:
        """What the tables are like that are opened for clients of a game's own protocol."""

    def now(self) -> int:
        """The time of the tables."""


class HttpRequest(NamedTuple):
    """A request without a WebSocket, for protocols that have such."""

    method: str
    path: str
    """Below the endpoint's own, percent-encoded."""
    query: Mapping[str, str]
    body: bytes
    headers: Mapping[str, str]
    """Their names in small letters. Cookies are among them only if no page of another site has made the request."""
    house: HouseQueries
    secure: bool = False
    """Whether it came over https."""


class HttpResponse(NamedTuple):
    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {}
    after: str = ""
    """Another request, as ``GET /path``: if the same client makes it at the same time, its answer goes first."""


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
    """Whether it wants to be told when all is told that one request or one moment has caused (``Concluded``)."""
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

    def receive(self, message: Message, text: bool) -> Iterable[Intent | Output]:
        """What the client asks for; or what to reply at once, when it makes no sense. Raises ``Hangup``."""
        raise NotImplementedError

    def notify(self, notice: Notice) -> Iterable[Output | Intent]:
        """What to send; and intents, where the protocol wants something done that its clients can't ask for."""
        raise NotImplementedError

    def greet(self) -> Iterable[Output | Intent]:
        """What to say and to do first."""
        return ()

    def overlong(self) -> Iterable[Output]:
        """What to say to a message that is too long to be read, where that need not be the end."""
        yield Hangup(1009, "the message is too long")

    def slow_down(self, message: Message, text: bool, wait: int) -> Iterable[Message]:
        """What to say to a client that sends too much, before this message is dropped; in ``wait`` ms it may send."""
        return ()


class ConnectionRequest(NamedTuple):
    """Somebody asks for a connection."""

    path: str
    """Below the endpoint's own, percent-encoded; on a port of its own, the whole path."""
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """Their names in small letters. Cookies are among them only if no page of another site has asked for it."""
    house: HouseQueries
    address: str = ""
    """Where it comes from."""
    secure: bool = False
    """Whether it came over https."""
    variant: str = ""
    """Which of the endpoint's variants is spoken to a client that does not say; empty: the protocol's own usual one."""


class Endpoint(NamedTuple):
    """Where a dialect is spoken."""

    name: str
    """As in ``--listen NAME=HOST:PORT``."""
    path: str
    """On the shared port, with all that is below it. On a port of its own a dialect is served at the root. Empty: it is
    not on the shared port."""
    accept: Callable[[ConnectionRequest], Dialect | HTTPStatus]
    """A new connection's dialect; or with which status it is rejected."""
    checks_origin: bool = False
    """Whether pages of other sites are kept out."""
    http: Callable[[HttpRequest], Dialect | HttpResponse] | None = None
    """For protocols with requests without a WebSocket: the answer, or who finds it: a dialect that is greeted, carries
    out its intents, and says an ``HttpResponse``."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may connect all the same, besides those that the server is told of."""
    transport: Literal["websocket", "engine.io", "lines"] = "websocket"
    """What its messages travel in: WebSocket messages; Engine.IO's, as where Socket.IO is spoken; or lines over TCP,
    which have a port and no path."""
    message_size: int | None = None
    """The longest message, in bytes, where the protocol says; None: the server's limit."""
    port: int | None = None
    """The port that its clients know, where they know one: it is open unless the server is told otherwise."""
    variants: tuple[str, ...] = ()
    """Where a protocol is spoken in several ways, and not every client says which is its own: as in ``--listen
    NAME+VARIANT=HOST:PORT`` and ``--variant NAME=VARIANT``."""

    def usually(self, variant: str) -> Endpoint:
        """The same for clients that are taken for this variant unless they say otherwise."""
        accept = self.accept
        return self._replace(accept=lambda request: accept(request._replace(variant=variant)))


class Beacon(NamedTuple):
    """Where a game's clients look for servers on the local network, by UDP."""

    name: str
    """As in ``--listen NAME=HOST:PORT``."""
    port: int
    """The one that its clients know."""
    answer: Callable[[bytes, HouseQueries, Mapping[str, int]], bytes | None]
    """What to reply to a datagram, if anything; the server's ports are known by their names."""


def cookie(headers: Mapping[str, str], name: str) -> str | None:
    """The value of a cookie among the headers of a request."""
    for part in headers.get("cookie", "").split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return None
