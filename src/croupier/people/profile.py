"""What somebody is called wherever they are: a name and a picture, once they have said so."""

from __future__ import annotations

from typing import NamedTuple

from croupier.journal import Journal, Script, Statement

MOST_TABLES = 50
"""Open tables that are told: nobody plays at more."""


class Profile(NamedTuple):
    name: str
    avatar: str
    """The name of their picture; empty: none."""
    made_at: int
    """When they first said so."""
    hidden: bool
    """Whether nobody but themselves is to see what they have played, and how well."""


async def known(journal: Journal, person: str) -> Profile | None:
    rows = await journal.query("SELECT name, avatar, made_at, hidden FROM persons WHERE id = $1", person)
    return next((Profile(name, avatar, at, bool(hidden)) for name, avatar, at, hidden in rows), None)


def change(person: str, name: str, avatar: str, hidden: bool | None, now: int) -> Script[None]:
    """``hidden``: None: as before."""
    if hidden is None:
        rows = yield Statement("SELECT hidden FROM persons WHERE id = $1", (person,))
        hidden = bool(rows and rows[0][0])
    yield Statement(
        "INSERT INTO persons (id, name, avatar, made_at, hidden) VALUES ($1, $2, $3, $4, $5)"
        " ON CONFLICT (id) DO UPDATE SET name = excluded.name, avatar = excluded.avatar, hidden = excluded.hidden",
        (person, name, avatar, now, int(hidden)),
    )


async def open_tables(journal: Journal, person: str) -> list[str]:
    """The ids of open tables where they have sat down, the newest first. They may have left since."""
    query = (
        "SELECT s.table_id FROM seats AS s JOIN tables AS t ON t.id = s.table_id"
        f" WHERE s.person = $1 AND t.closed_at IS NULL ORDER BY t.opened_at DESC LIMIT {MOST_TABLES}"
    )
    return [id for (id,) in await journal.query(query, person)]
