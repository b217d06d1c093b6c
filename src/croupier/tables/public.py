"""What anybody may know of a table, also when it is closed: then it is kept as it is sent."""

from __future__ import annotations

import msgspec

from croupier.kernel import Result
from croupier.tables.summary import Summary
from croupier.tables.table import Table


class PublicRecord(msgspec.Struct, frozen=True):
    """A table as it is, or was when it was closed."""

    table: Summary
    seq: int
    at: int
    """When something last happened."""
    result: Result | None
    """Of the last game."""
    hash: str
    """Of the game's whole state. It tells nothing to those who don't know the seed, and is the same after a replay."""


def public_record(table: Table) -> bytes:
    """In JSON."""
    summary = table.summary
    if table.phase == "closed":
        summary = msgspec.structs.replace(summary, watchers=0)  # who looked on is not in the log, and nobody does now
    return _encode(PublicRecord(summary, table.seq, table.at, table.result, table.fingerprint()))


_encode = msgspec.json.Encoder().encode
