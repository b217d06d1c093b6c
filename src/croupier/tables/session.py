"""A session: one connection as the house sees it.

``net`` supplies the socket behind a session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from croupier.people import identity
from croupier.tables.chat import talk_purse
from croupier.tables.dialect import Dialect, Hangup, Message, Output
from croupier.tables.intents import Intent
from croupier.tables.place import Place
from croupier.tables.purses import Purse
from croupier.tables.turns import Work
from croupier.tables.visitor import Visitor
from croupier.wire.http import HttpResponse


class Pending(Protocol):
    """Something that is on its way to the journal (``batch.Batch``)."""

    number: int
    done: bool
    failed: bool

    def queue(self, session: Session, out: Output, needs: Pending | None) -> None:
        """Something to be said after this, if ``needs`` is safe by then."""


class Session:
    # Most connections never have more of these than the class has, and there are many connections.
    lost = False
    secret: str | None = None
    """SHA-256 of the token of whoever is here, in protocols where they have one before they have a seat."""
    deferred = 0
    """Requests of this connection that could not be decided at once."""
    sought: tuple[str, ...] = ()
    """The names of a table that the journal has been asked for, while a request is decided again."""
    visitor: Visitor | None = None
    """Who is here, if they have said so."""
    put_out = False
    """Whether the server has had enough of who is here: whoever is put out has left."""
    _talk: Purse | None = None

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.address = ""
        """Where it comes from, as far as that is known."""
        self.place: Place | None = None
        """Where the connection receives from: at most one place at a time."""
        self.tail: Pending | None = None
        """The last batch that something for this connection waits for; nothing may overtake it."""
        self.then: list[Iterator[Intent | Output]] = []  # an empty deque weighs ten times as much, for every connection
        """What its dialect has to say or to ask for after these."""

    @property
    def person(self) -> str:
        """Who is here beyond a table, if that is known. Where a protocol knows people before they have a seat, their
        secret is a key."""
        if self.visitor is not None:
            return self.visitor.person
        dialect = self.dialect
        return "" if dialect.user is None or dialect.token is None else identity.person_of(dialect.token)

    def may_say(self, now: int) -> bool:
        """Whether it is time for another line of chat, where the protocol leaves that to the server."""
        if self._talk is None:
            rate = self.dialect.lines_a_second
            self._talk = talk_purse(rate) if rate is not None else None
        return self._talk is None or self._talk.pay(1, now)

    def go_on(self, work: Work) -> None:
        """There is more to do of what was asked for, before anything else of this connection: piece by piece where
        others can be served between two of them."""
        while work():
            pass

    def pause(self) -> None:
        """Take no more messages from it for now: a request of its own has to be decided first."""

    def resume(self) -> None:
        """Go on with what has come meanwhile."""

    def send(self, message: Message) -> None:
        raise NotImplementedError

    def send_all(self, messages: Sequence[Message]) -> None:
        """Several at once, in this order: together where that is cheaper than one by one."""
        for message in messages:
            self.send(message)

    def close(self, code: int, reason: str = "") -> None:
        raise NotImplementedError

    def end(self, last: Hangup | HttpResponse) -> None:
        """Say what nothing follows."""
        assert isinstance(last, Hangup)
        self.close(last.code, str(last))


def newer_elsewhere(session: Session) -> Hangup:
    """For whoever wants to be at a table that only nodes of a newer release can read: they find one on the way back."""
    return Hangup(session.dialect.restart, "the table goes on at another node; come back in a moment")
