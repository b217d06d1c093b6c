"""Who somebody is: whoever has the key of a person. A device makes one by itself, and nobody is asked for anything.

A new person costs nothing and is written down nowhere: the id follows from the key. Only what there is to say about a
key is kept, under its hash: that it is another device of a person, or not theirs any more.
"""

from __future__ import annotations

import hashlib

from croupier.journal import Journal

SIGNED_OUT = "this device was signed out by its owner"
"""What somebody is told whose key is nobody's any more."""


def hashed(key: str) -> str:
    """What the journal keeps of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def person_of(key: str) -> str:
    """The id of the person whose first key this is. It is for everybody to know, and does not tell the key.

    >>> person_of("plum") == person_of("plum") != person_of("pear")
    True
    """
    return hashlib.sha256(f"person {hashed(key)}".encode()).hexdigest()[:32]


async def recognise(journal: Journal, key: str) -> str | None:
    """Whose key it is; None: nobody's any more."""
    rows = await journal.query("SELECT person FROM devices WHERE key = $1", hashed(key))
    person: str | None = rows[0][0] if rows else person_of(key)
    return person
