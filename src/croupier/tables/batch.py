"""A batch of entries on its way to the journal, and what is held back until it is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from croupier.journal import Append
from croupier.tables.dialect import Hangup, Output
from croupier.tables.intents import Intent
from croupier.tables.session import Pending, Session
from croupier.tables.summary import Summary
from croupier.wire.http import HttpResponse


class Recorder(Protocol):
    """Whoever sends a batch to the journal, and hears what became of it."""

    def publish(self, summary: Summary) -> None:
        """The table is to be shown to strangers like this."""

    def counts(self) -> None:
        """A game is over that somebody will want to look up."""

    def end(self, session: Session, last: Hangup | HttpResponse) -> None:
        """Say what nothing follows."""

    def failed(self, batch: Batch, error: Exception) -> None:
        """The entries did not get into the journal."""


class Batch(Append):
    """Entries on their way to the journal, and what must not be said before they have arrived."""

    __slots__ = (
        "at", "cause", "caused", "done", "failed", "needs", "number", "outputs", "recorder", "requests", "summary",
        "then",
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
        self.needs: dict[int, Pending | None] = {}
        """Outputs that only wait for their turn here: by their place in the list, the batch that they depend on."""
        self.summary: Summary | None = None
        """How the table is to be shown to strangers, if that has changed."""
        self.done = self.failed = False
        self.then: list[Callable[[], None]] | None = None
        """What is done when it is safe, and not before, where others may come before it; None: where nobody can."""

    def queue(self, session: Session, out: Output, needs: Pending | None) -> None:
        """Something to be said after this, if ``needs`` is safe by then."""
        if needs is not self:
            self.needs[len(self.outputs)] = needs
        self.outputs.append((session, out))

    def settled(self, error: Exception | None) -> None:
        self.done, self.failed = True, error is not None
        if self.summary is not None and error is None:
            self.recorder.publish(self.summary)
            if self.finished is not None:
                self.recorder.counts()
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
