"""The way into the journal: batches of entries, counted in the order in which rooms have begun them."""

from __future__ import annotations

from croupier.journal import Journal
from croupier.tables.session import Batch, Recorder, Session


class Ledger:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._batches = 0
        self.entries = 0
        """Sent to the journal since the start, for the metrics."""

    def new_batch(self, recorder: Recorder, table: str, at: int, cause: Session | None) -> Batch:
        """Those of all rooms are counted together: who is told by several of them is told in order."""
        self._batches += 1
        return Batch(recorder, table, self._batches, at, cause)

    def commit(self, batch: Batch) -> None:
        """Send entries to the journal."""
        self.entries += len(batch.records)
        self._journal.append(batch)
