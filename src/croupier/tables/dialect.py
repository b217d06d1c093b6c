"""A dialect: one wire protocol, spoken on one connection, without I/O. Bytes in, intents out; notices in, bytes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, NamedTuple

from croupier.tables.intents import Intent
from croupier.tables.notices import Notice

Message = bytes


class Hangup(Exception):
    """The other side broke the protocol: close the connection, with this code."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(reason)
        self.code = code


class Dialect:
    """One connection's translator, with whatever that connection has to remember."""

    binary: ClassVar[bool] = False
    """Whether its messages go out as binary ones; text otherwise."""
    game: ClassVar[str | None] = None
    """The one game whose tables its clients can know of; None: all."""
    patience: ClassVar[float | None] = None
    """For how many seconds somebody who lost the connection keeps a running game alive; None: the server's default."""
    keeps_seat: ClassVar[bool] = False
    """Whether a seat at a table that waits for players outlives its connection."""
    ends_with_host: ClassVar[bool] = False
    """Whether a table that waits for players is closed when its host leaves."""
    one_table: ClassVar[bool] = False
    """Whether who takes another place has left the first for good, and not just lost the connection to it."""
    anybody_starts: ClassVar[bool] = False
    """Whether everybody at the table may begin the game, and not just the host."""
    usual: ClassVar[Mapping[str, Any]] = {}
    """Options of the tables that are opened, unless the server or the client says otherwise."""
    rate: ClassVar[float | None] = None
    """Messages per second that the protocol promises its clients, 0 for any number; None: the server's limit."""

    token: str | None = None
    """The secret of whoever is at the connection, in protocols where they have one before they have a seat."""
    handle: str | None = None
    """What others call them, in protocols where that goes with the connection."""

    def receive(self, message: Message, text: bool) -> Iterable[Intent | Message]:
        """What the client asks for; or what to reply at once, when it makes no sense. Raises ``Hangup``."""
        raise NotImplementedError

    def notify(self, notice: Notice) -> Iterable[Message | Intent]:
        """What to send; and intents, where the protocol wants something done that its clients can't ask for."""
        raise NotImplementedError

    def greet(self) -> Iterable[Message]:
        """What to say first."""
        return ()

    def slow_down(self, message: Message, text: bool) -> Iterable[Message]:
        """What to say to a client that sends too much, once a second; this message and others are dropped."""
        return ()


class Doorway(NamedTuple):
    """Where a dialect is spoken."""

    name: str
    """As in ``--listen NAME=HOST:PORT``."""
    path: str
    """On the shared port. On a port of its own a dialect over plain WebSockets is served at any path."""
    enter: Callable[[Mapping[str, str]], Dialect]
    """A new connection's dialect, given the parameters of its URL."""
    checks_origin: bool = False
    """Whether pages of other sites are kept out."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may come in all the same, besides those that the server is told of."""
    transport: Literal["websocket", "engine.io"] = "websocket"
    """What its messages travel in: WebSocket messages, or Engine.IO's, as where Socket.IO is spoken."""
    message_size: int | None = None
    """The longest message, in bytes, where the protocol says; None: the server's limit."""
