"""From one journal to another, whatever they are kept in."""

from __future__ import annotations

import hashlib
from collections import defaultdict

from croupier.journal import JournalDown
from croupier.journal.places import at_rest, open_store, open_target
from croupier.journal.stores import RELATIONS, Store, Target


def move(source: str, target: str) -> int:
    """Copy a journal that nobody writes to a new one. Returns how many logs were copied, and are the same there."""
    with at_rest(source), open_store(source) as store, open_target(target) as new:
        return copy(store, new)


def copy(source: Store, target: Target) -> int:
    source.verify()
    for relation in RELATIONS:
        target.fill(relation, source.rows(relation))
    target.finish()
    logs = 0
    for relation in RELATIONS:
        expected, found = hashes(source, relation), hashes(target, relation)
        if expected != found:
            different = {about for about, _ in expected.items() ^ found.items()}
            raise JournalDown(f"the copy is not the same: {relation} of {min(map(str, different))}")
        logs += len(expected) if relation == "entries" else 0
    return logs


def hashes(store: Store, relation: str) -> dict[object, int]:
    """By what the rows are about: for entries, each table's log. In which order they come makes no difference, since
    every database sorts texts in its own."""
    found: dict[object, int] = defaultdict(int)
    for row in store.rows(relation):
        found[row[0]] += int.from_bytes(hashlib.sha256(repr(row).encode()).digest(), "big")
    return found
