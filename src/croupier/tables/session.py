"""A session: one connection as the house sees it. ``net`` supplies the socket behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.tables.dialect import Dialect, Hangup, HttpResponse, Message
from croupier.tables.place import Place
from croupier.tables.purses import Purse
from croupier.tables.soft import LINES_AT_ONCE
from croupier.tables.turns import Work

if TYPE_CHECKING:
    from croupier.tables.room import Batch


class Session:
    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.address = ""
        """Where it comes from, as far as that is known."""
        self.place: Place | None = None
        """Where the connection receives from: at most one place at a time."""
        self.tail: Batch | None = None
        """The last batch that something for this connection waits for; nothing may overtake it."""
        self._talk: Purse | None = None
        self.secret: str | None = None
        """SHA-256 of the token of whoever is here, in protocols where they have one before they have a seat."""

    def may_say(self, now: int) -> bool:
        """Whether it is time for another line of chat, where the protocol leaves that to the server."""
        if self._talk is None:
            rate = self.dialect.lines_a_second
            self._talk = Purse(1000 / rate, LINES_AT_ONCE) if rate is not None else None
        return self._talk is None or self._talk.pay(1, now)

    def go_on(self, work: Work) -> None:
        """There is more to do of what was asked for, before anything else of this connection: piece by piece where
        others can be served between two of them."""
        while work():
            pass

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
