"""What nodes ask the journal in PostgreSQL about tables that they do not have in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.journal import ANY_GAME, Change, Listing
from croupier.journal.postgres_pool import Pool
from croupier.journal.postgres_presence import ALIVE

_OVERLAP = 5000
"""Milliseconds that a commit may be under way, after it was said when."""

# The games there are by way of the index, from one to the next: to count their tables would take far longer.
_FIND = f"""
    WITH RECURSIVE games (game) AS (
        (SELECT game FROM tables WHERE closed_at IS NULL ORDER BY game LIMIT 1)
        UNION ALL
        SELECT (SELECT game FROM tables WHERE closed_at IS NULL AND game > games.game ORDER BY game LIMIT 1)
        FROM games WHERE game IS NOT NULL
    )
    SELECT w.name, id, game, opened_at, closed_at FROM unnest($1::text[]) AS w (name) JOIN tables ON id = w.name
    WHERE closed_at IS NULL
    UNION ALL
    SELECT name, id, game, opened_at, closed_at FROM names JOIN tables ON id = table_id
    WHERE name = ANY ($1) AND closed_at IS NULL
    UNION ALL
    SELECT w.name, id, tables.game, opened_at, closed_at
    FROM unnest($1::text[]) AS w (name) CROSS JOIN games
    JOIN names ON names.name = games.game || substr(w.name, {len(ANY_GAME) + 1}) JOIN tables ON id = table_id
    WHERE w.name LIKE '{ANY_GAME}/%' AND closed_at IS NULL
"""
_LOBBY = """
    SELECT summary FROM tables
    WHERE closed_at IS NULL AND listed AND {}
    ORDER BY waits DESC, opened_at DESC, id DESC LIMIT $1
"""
_BEFORE = "(waits, opened_at, id) < (SELECT waits, opened_at, id FROM tables WHERE id = ${})"
_EVERY_TABLE = """
    SELECT summary FROM tables
    WHERE closed_at IS NULL AND summary <> '' AND $1 IN ('', game) AND $2 IN ('', phase)
        AND strpos(lower(convert_from(summary, 'UTF8')), lower($3)) > 0
    ORDER BY opened_at DESC, id DESC LIMIT $4 OFFSET $5
"""
_CHANGED = """
    SELECT changed_at, id, game, CASE WHEN closed_at IS NULL AND listed THEN summary END
    FROM tables WHERE changed_at >= $1 ORDER BY changed_at FETCH FIRST $2 ROWS WITH TIES
"""
_DUE = f"""
    SELECT id FROM tables
    WHERE closed_at IS NULL AND due_at <= $1 AND NOT EXISTS (
        SELECT 1 FROM attending WHERE table_id = id AND node = ANY (ARRAY(SELECT name FROM nodes WHERE {ALIVE}))
    )
    ORDER BY due_at LIMIT $2
"""
# Locked in the order in which appends lock them, so that neither waits for the other.
_SET_DUE = """
    WITH wanted AS (
        SELECT tables.id, w.due FROM unnest($1::text[], $2::bigint[]) AS w (id, due) JOIN tables ON tables.id = w.id
        WHERE closed_at IS NULL AND due_at IS DISTINCT FROM w.due
        ORDER BY tables.id COLLATE "C" FOR UPDATE OF tables
    )
    UPDATE tables SET due_at = wanted.due FROM wanted WHERE tables.id = wanted.id
"""


class Lobby:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def find(self, names: Sequence[str]) -> dict[str, Listing]:
        return {name: Listing(*listing) for name, *listing in await self._pool.fetch(_FIND, names)}

    async def positions(self, tables: Sequence[str]) -> dict[str, int]:
        query = "SELECT id, seq FROM tables WHERE id = ANY ($1) AND closed_at IS NULL"
        return dict(await self._pool.fetch(query, tables))

    async def lobby(
        self,
        games: Sequence[str],
        *,
        phase: str | None = None,
        free: bool = False,
        after: str | None = None,
        limit: int = 100,
    ) -> list[bytes]:
        values: list[object] = [limit]
        conditions = ["free > 0" if free else "true"]
        # Of one game there is an index in that order.
        of_game = ("game = ${}", games[0]) if len(games) == 1 else ("game = ANY (${})", games)
        for condition, value in (of_game, ("phase = ${}", phase), (_BEFORE, after)):
            if value is not None:
                values.append(value)
                conditions.append(condition.format(len(values)))
        return [row[0] for row in await self._pool.fetch(_LOBBY.format(" AND ".join(conditions)), *values)]

    async def every_table(self, game: str, phase: str, search: str, offset: int, limit: int) -> list[bytes]:
        rows = await self._pool.fetch(_EVERY_TABLE, game, phase, search, limit, offset)
        return [row[0] for row in rows]

    async def changed(self, since: int, limit: int) -> tuple[list[Change], int]:
        # The clock first: what changes after that is found the next time.
        now: int = (await self._pool.fetch("SELECT clock()"))[0][0]
        rows = await self._pool.fetch(_CHANGED, since - _OVERLAP, limit)
        if rows and len(rows) >= limit:  # there may be more: the next ones begin after the last of these
            now = min(now, rows[-1][0] + 1 + _OVERLAP)
        return [Change(*change) for _, *change in rows], now

    async def due(self, now: int, limit: int) -> list[str]:
        return [row[0] for row in await self._pool.fetch(_DUE, now, limit)]

    async def set_due(self, dues: Mapping[str, int | None]) -> None:
        await self._pool.fetch(_SET_DUE, list(dues), list(dues.values()))

    async def open_count(self) -> int:
        return sum((await self.open_by_game()).values())

    async def open_by_game(self) -> dict[str, int]:
        query = "SELECT game, count(*) FROM tables WHERE closed_at IS NULL GROUP BY game"
        return dict(await self._pool.fetch(query))
