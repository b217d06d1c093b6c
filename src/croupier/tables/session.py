"""A session: one connection as the house sees it; and the batches of entries that what it is told waits for.

``net`` supplies the socket behind a session.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from croupier.journal import Append
from croupier.tables.dialect import Dialect, Hangup, Message, Output
from croupier.tables.intents import Intent
from croupier.tables.place import Place
from croupier.tables.purses import Purse
from croupier.tables.soft import LINES_AT_ONCE
from croupier.tables.summary import Summary
from croupier.tables.turns import Work
from croupier.wire.http import HttpResponse


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
        self.lost = False
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


class Recorder(Protocol):
    """Whoever sends a batch to the journal, and hears what became of it."""

    def publish(self, summary: Summary) -> None:
        """The table is to be shown to strangers like this."""

    def end(self, session: Session, last: Hangup | HttpResponse) -> None:
        """Say what nothing follows."""

    def failed(self, batch: Batch, error: Exception) -> None:
        """The entries did not get into the journal."""


class Batch(Append):
    """Entries on their way to the journal, and what must not be said before they have arrived."""

    __slots__ = (
        "at", "cause", "caused", "done", "failed", "needs", "number", "outputs", "recorder", "requests", "summary",
    )  # fmt: skip

    def __init__(self, recorder: Recorder, table: str, number: int, at: int, cause: Session | None) -> None:
        super().__init__(table, [], None, False)
        self.recorder = recorder
        self.number = number
        self.at = at
        self.cause = cause
        """Whose request it is, if anybody's."""
        self.outputs: list[tuple[Session, Output]] = []
        self.caused: list[tuple[Session, Intent]] = []
        """What dialects want done because of it."""
        self.requests: list[tuple[Session, Intent, Any]] = []
        """What was asked for and is granted by this, and its context."""
        self.needs: dict[int, Batch | None] = {}
        """Outputs that only wait for their turn here: by their place in the list, the batch that they depend on."""
        self.summary: Summary | None = None
        """How the table is to be shown to strangers, if that has changed."""
        self.done = self.failed = False

    def queue(self, session: Session, out: Output, needs: Batch | None) -> None:
        """Something to be said after this, if ``needs`` is safe by then."""
        if needs is not self:
            self.needs[len(self.outputs)] = needs
        self.outputs.append((session, out))

    def settled(self, error: Exception | None) -> None:
        self.done, self.failed = True, error is not None
        if self.summary is not None and error is None:
            self.recorder.publish(self.summary)
        outputs = self.outputs if error is None and not self.needs else self._sayable()
        together: dict[Session, list[bytes]] = {}
        endings: list[tuple[Session, Hangup | HttpResponse]] = []
        ended: set[Session] = set()
        for session, out in outputs:
            if session in ended:
                continue
            if isinstance(out, bytes):
                together.setdefault(session, []).append(out)
                continue
            endings.append((session, out))
            if not (isinstance(out, Hangup) and out.after):
                ended.add(session)
        _deliver(together)
        # The end of a connection may cause something that the others are told at once; this comes first.
        for session, last in endings:
            self.recorder.end(session, last)
        if error is not None:
            self.recorder.failed(self, error)
        # Tables and connections remember their last batch; it need not remember them, and all who have heard of it.
        del self.recorder, self.cause
        self.follows = None
        self.outputs.clear()
        self.requests.clear()
        self.caused = []
        self.needs.clear()

    def _sayable(self) -> list[tuple[Session, Output]]:
        """What does not depend on anything that has failed."""
        needs = ((self.needs.get(place, self), out) for place, out in enumerate(self.outputs))
        return [out for need, out in needs if need is None or not need.failed]


def _deliver(together: dict[Session, list[bytes]]) -> None:
    """Say it, all that is for one connection at once."""
    for session, messages in together.items():
        if len(messages) == 1:
            session.send(messages[0])
        else:
            session.send_all(messages)
    together.clear()
