"""What a node weighs that has a thousand tables in memory, by how many there are in the journal.

python -m benchmarks.loaded
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from benchmarks.nodes import UNLIMITED, folder
from benchmarks.server import resident, run
from services.postgres import Postgres
from services.redis import Redis
from tests.client import client
from tests.live import process

_COPIES = """
    INSERT INTO tables (id, game, opened_at, seq, phase, listed, free, summary, changed_at)
    SELECT 'copy' || n, game, opened_at, seq, phase, listed, free, summary, 0 FROM tables, generate_series(1, {count})
    AS n WHERE id = '{table}';
    INSERT INTO entries SELECT 'copy' || n, seq, at, entry FROM entries, generate_series(1, {count}) AS n
    WHERE table_id = '{table}'
"""
"""As many more tables of the same log."""


async def weighed(postgres: Postgres, redis: Redis, tables: int, loaded: int) -> int:
    """Bytes of a node with somebody at so many of so many tables."""
    database = f"loaded{tables}"
    shared = ("--journal", postgres.create(database), "--bus", redis.url)
    with tempfile.TemporaryDirectory() as data:
        async with process(Path(data), *shared) as node, client(node.ws("/ws")) as ann:
            await ann.ask("open", game="palace", player="Ann", seats=4)
            postgres.run(_COPIES.format(count=tables, table=ann.table), database)
        async with process(Path(data), *UNLIMITED, *shared) as node, AsyncExitStack() as stack:
            for number in range(1, loaded + 1):
                watcher = await stack.enter_async_context(client(node.ws("/ws")))
                await watcher.ask("watch", table=f"copy{number}")
            await asyncio.sleep(2)
            return resident(node.pid)


async def compare(postgres: Postgres, redis: Redis, tables: list[int], loaded: int) -> list[int]:
    return [await weighed(postgres, redis, count, loaded) for count in tables]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="*", default=[1000, 100_000])
    parser.add_argument("--loaded", type=int, default=1000)
    asked = parser.parse_args()
    with folder() as where, Postgres(where / "postgres") as postgres, Redis(where / "redis") as redis:
        found = run(compare(postgres, redis, asked.tables, asked.loaded))
    for tables, size in zip(asked.tables, found, strict=True):
        print(f"{tables:>9,} tables in the journal, {asked.loaded:,} in memory: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
