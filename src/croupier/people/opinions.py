"""What somebody thinks of somebody else: whom they do not want to hear, and whom they do not want to meet at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from croupier.journal import Journal, Script, Statement

How = Literal["mute", "block"]

MOST = 500
"""People that somebody may have an opinion of."""
MOST_BLOCKERS = 1000
"""People who have blocked somebody, the latest of them, that their connection is told apart by."""


class Opinion(msgspec.Struct, frozen=True):
    """What one person thinks of another, as only they see it."""

    person: str
    name: str
    """What they were called then."""
    how: How
    at: int


class Relations(NamedTuple):
    """How somebody stands to others, by their ids."""

    muted: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()
    blocked_by: frozenset[str] = frozenset()

    @property
    def unheard(self) -> frozenset[str]:
        """Whose chat and sounds they are not told."""
        return self.muted | self.apart

    @property
    def apart(self) -> frozenset[str]:
        """Those they do not meet, whoever wants it so."""
        return self.blocked | self.blocked_by


class TooMany(Exception):
    """There is no room for another opinion."""


async def relations(journal: Journal, person: str) -> Relations:
    own = await journal.query("SELECT other, how FROM opinions WHERE person = $1", person)
    theirs = await journal.query(
        "SELECT person FROM opinions WHERE other = $1 AND how = 'block' ORDER BY at DESC LIMIT $2",
        person,
        MOST_BLOCKERS,
    )
    return Relations(
        frozenset(other for other, how in own if how == "mute"),
        frozenset(other for other, how in own if how == "block"),
        frozenset(each for (each,) in theirs),
    )


async def listed(journal: Journal, person: str, offset: int, limit: int) -> Sequence[Opinion]:
    """The latest first."""
    rows = await journal.query(
        "SELECT other, name, how, at FROM opinions WHERE person = $1 ORDER BY at DESC, other LIMIT $2 OFFSET $3",
        person,
        limit,
        offset,
    )
    return [Opinion(*row) for row in rows]


def think(person: str, other: str, how: How, name: str, at: int) -> Script[None]:
    """Raises ``TooMany``."""
    ((count,),) = yield Statement("SELECT COUNT(*) FROM opinions WHERE person = $1 AND other <> $2", (person, other))
    if count >= MOST:
        raise TooMany
    yield Statement("DELETE FROM opinions WHERE person = $1 AND other = $2", (person, other))
    yield Statement(
        "INSERT INTO opinions (person, other, name, how, at) VALUES ($1, $2, $3, $4, $5)",
        (person, other, name, how, at),
    )


def think_nothing(person: str, other: str) -> Script[None]:
    yield Statement("DELETE FROM opinions WHERE person = $1 AND other = $2", (person, other))
