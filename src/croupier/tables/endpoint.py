"""Endpoints: where a dialect is spoken, and who is let in there before a connection stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Literal, NamedTuple, Protocol

from croupier.tables.dialect import Dialect
from croupier.tables.lobby_options import StandingTables
from croupier.tables.summary import Summary
from croupier.wire.http import HttpRequest, HttpResponse

Transport = Literal["websocket", "engine.io", "lines"]


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
    http: Callable[[HttpRequest, HouseQueries], Dialect | HttpResponse] | None = None
    """For protocols with requests without a WebSocket: the answer, or who finds it: a dialect that is greeted, carries
    out its intents, and says an ``HttpResponse``."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may connect all the same, besides those that the server is told of."""
    transport: Transport = "websocket"
    """What its messages travel in: WebSocket messages; Engine.IO's, as where Socket.IO is spoken; or lines over TCP,
    which have a port and no path."""
    message_size: int | None = None
    """The longest message, in bytes, where the protocol says; None: the server's limit."""
    port: int | None = None
    """The port that its clients know, where they know one: it is open unless the server is told otherwise."""
    variants: tuple[str, ...] = ()
    """Where a protocol is spoken in several ways, and not every client says which is its own: as in ``--listen
    NAME+VARIANT=HOST:PORT`` and ``--variant NAME=VARIANT``."""

    names: Callable[[str, bytes], Sequence[str]] | None = None
    """The ids or aliases of the tables that a request with this path and body is about. One of several nodes reads
    those from the journal first that it does not have in memory."""
    aliases: Callable[[Summary], Sequence[str]] | None = None
    """By what else its clients know a table; not the code, which everybody knows."""

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
