"""Which nodes are alive, and who is at which of them, in PostgreSQL: by its clock, which all of them share."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.journal import Attending, Beat
from croupier.journal.postgres_pool import Pool

ALIVE_FOR = 3
"""Seconds after its last beat that a node counts as alive."""
ALIVE = f"beat_at > clock_timestamp() - interval '{ALIVE_FOR} s'"

_BEAT = f"""
    WITH mine AS (
        INSERT INTO nodes VALUES ($1, $2, clock_timestamp(), $3)
        ON CONFLICT (name) DO UPDATE SET about = EXCLUDED.about, beat_at = EXCLUDED.beat_at, deaf = EXCLUDED.deaf
        RETURNING name, about, deaf
    ), forgotten AS (
        DELETE FROM nodes WHERE beat_at < clock_timestamp() - interval '1 h' AND name <> $1
            AND NOT EXISTS (SELECT 1 FROM attending WHERE node = name)
    )
    SELECT name, about, deaf FROM mine UNION ALL SELECT name, about, deaf FROM nodes WHERE {ALIVE} AND name <> $1
"""
_RETIRE = "UPDATE nodes SET beat_at = '-infinity' WHERE name = $1"
_ATTEND = """
    INSERT INTO attending AS known
    SELECT w.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
        AS w (table_id, token, kind, node, since, until)
    WHERE EXISTS (SELECT 1 FROM tables WHERE id = w.table_id AND closed_at IS NULL)
    ORDER BY w.table_id, w.token, w.kind
    ON CONFLICT (table_id, token, kind) DO UPDATE
    SET node = EXCLUDED.node, since = EXCLUDED.since, until = EXCLUDED.until WHERE known.since <= EXCLUDED.since
"""
_ATTENDING = """
    SELECT table_id, token, kind, node, since, until FROM attending WHERE table_id = ANY ($1)
    ORDER BY table_id, token, kind
"""
_ORPHANS = f"""
    SELECT DISTINCT table_id FROM nodes, LATERAL (
        SELECT table_id FROM attending JOIN tables ON id = table_id WHERE node = name AND closed_at IS NULL
        GROUP BY table_id LIMIT $1
    ) AS left_behind
    WHERE NOT {ALIVE} LIMIT $1
"""
"""(Node by node: PostgreSQL can't know that mostly there is none, and would join everything.)"""


class PostgresAttendance:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def beat(self, node: str, about: bytes, deaf: bool) -> dict[str, Beat]:
        return {name: Beat(*said) for name, *said in await self._pool.fetch(_BEAT, node, about, deaf)}

    async def retire(self, node: str) -> None:
        await self._pool.fetch(_RETIRE, node)

    async def attend(self, rows: Sequence[Attending]) -> None:
        latest: dict[tuple[str, str, str], Attending] = {}
        for row in sorted(rows, key=lambda row: row.since):
            latest[row.table, row.token, row.kind] = row
        if latest:
            await self._pool.fetch(_ATTEND, *zip(*latest.values(), strict=True))

    async def attending(self, tables: Sequence[str]) -> list[Attending]:
        return [Attending._make(row) for row in await self._pool.fetch(_ATTENDING, tables)]

    async def orphans(self, limit: int) -> list[str]:
        return [row[0] for row in await self._pool.fetch(_ORPHANS, limit)]
