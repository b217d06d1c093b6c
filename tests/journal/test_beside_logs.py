"""What a journal knows beside its logs: the same SQL in a file and in a database, all of a transaction or nothing."""

from __future__ import annotations

import asyncio

import pytest

from croupier.journal import Finished, Journal, Script, Statement
from tests.journal.conftest import Journals
from tests.journal.settled import Settled

COUNT = Statement("SELECT uses FROM passkeys WHERE id = $1", ("k",))


def kept(person: str) -> Script[None]:
    yield Statement(
        "INSERT INTO passkeys (id, person, public_key, uses, label, made_at) VALUES ($1, $2, $3, $4, $5, $6)",
        ("k", person, "", 0, "", 1),
    )


def used() -> Script[int]:
    """Reads and writes: two of them at once must not both read before one has written."""
    (uses,) = (yield COUNT)[0]
    yield Statement("UPDATE passkeys SET uses = $1 WHERE id = $2", (uses + 1, "k"))
    return int(uses) + 1


async def test_a_transaction_is_sent_what_it_asks_for_and_returns(journals: Journals) -> None:
    journal, other = await journals.open(), await journals.open()
    await journal.transact(kept("ann"))
    found = await asyncio.gather(*(each.transact(used()) for each in (journal, other) * 10))
    assert sorted(found) == list(range(1, 21)), "one after the other, whichever node they come from"
    assert await other.query(*COUNT[:1], "k") == [(20,)]


async def test_a_transaction_that_fails_has_not_happened(any_journal: Journal) -> None:
    def changes_its_mind() -> Script[None]:
        yield from kept("ann")
        raise LookupError("no such person")

    with pytest.raises(LookupError, match="no such person"):
        await any_journal.transact(changes_its_mind())
    assert await any_journal.query(COUNT.sql, "k") == []
    await any_journal.transact(kept("ben"))
    assert await any_journal.query("SELECT person FROM passkeys") == [("ben",)]


async def test_a_game_that_is_over_is_written_with_its_last_entry_or_not_at_all(any_journal: Journal) -> None:
    finished = Finished(1, "palace", 1002, 1, 0, '[{"name":"Ann","place":1}]')
    first, lost = Settled("t", range(1, 3), opens="palace"), Settled("t", range(2, 3))
    first.finished = lost.finished = finished
    for append in (first, lost):
        any_journal.append(append)
    assert await first.outcome is None
    assert await lost.outcome is not None
    assert await any_journal.query("SELECT * FROM finished") == [("t", 2, *finished, None)]
