"""How well somebody plays which games, by their ratings: for those who bring people together."""

from __future__ import annotations

from croupier.journal import Journal


async def levels_of(journal: Journal, person: str) -> dict[str, float]:
    """By game; none of those that they have no rating in."""
    rows = await journal.query("SELECT game, mu FROM ratings WHERE person = $1", person)
    return dict(rows)
