"""A session: one connection as the house sees it. ``net`` supplies the socket behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.tables.dialect import Dialect, Hangup, HttpResponse, Message
from croupier.tables.place import Place

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
        self.secret: str | None = None
        """SHA-256 of the token of whoever is here, in protocols where they have one before they have a seat."""

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
