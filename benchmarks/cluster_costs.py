"""What a house of many nodes costs its parts, by a PostgreSQL and a Redis of its own with nothing else to do: processor
time of each, by the operating system's books, and what PostgreSQL writes. The constants of ``benchmarks.million`` are
from here.

    python -m benchmarks.cluster_costs                 about two minutes
    python -m benchmarks.cluster_costs --tables 50     a look
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import NamedTuple, cast

import msgspec

from benchmarks.hotpath import Bench as Hotpath
from benchmarks.hotpath import Listener, Nowhere
from croupier.bus.redis import RedisBus
from croupier.games import catalogue
from croupier.journal import Append, Attending, Directory, Record, SharedJournal
from croupier.journal.postgres import PostgresJournal
from croupier.net.native import Native
from croupier.tables.cluster import Cluster
from croupier.tables.house import House
from croupier.tables.settings import Settings
from services.postgres import Postgres
from services.redis import Redis

MOVES, SEATS = 100, 4
"""Of a game, as in Palace with four."""
ENTRY, SUMMARY, PUBLIC = b"e" * 80, b"s" * 1300, b"p" * 1450
"""As long as they are in games of Palace, Coup and Faraway."""
_TICK = os.sysconf("SC_CLK_TCK")


class Written(Append):
    done: Callable[[], None]
    """Called when it is safe."""

    def settled(self, error: Exception | None) -> None:
        assert error is None, error
        self.done()


def life(table: str, number: int) -> Sequence[Written]:
    """A table from its first entry to its last, one append after the other: people come, play a game, and go."""
    appends = []
    steps = 1 + SEATS + 1 + MOVES + 2
    for step in range(steps):
        last = step == steps - 1
        append = Written(table, [Record(step + 1, 1000 + step, ENTRY)], "palace" if step == 0 else None, last)
        append.due = 10**12 + 1000 * step + number
        if not 1 + SEATS < step < steps - 2:
            names = [f"token:{table}:{seat}" for seat in range(min(step, SEATS))]
            append.directory = Directory(tuple(names), "waiting", True, SEATS - len(names), SUMMARY)
        if step == steps - 2:
            append.ends = "h" * 64
        if last:
            append.public = PUBLIC
        appends.append(append)
    return appends


async def write(journal: PostgresJournal, appends: Iterable[Written]) -> None:
    """All in one turn of the event loop; until they are safe."""
    settled = asyncio.Event()
    left = 0

    def done() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            settled.set()

    for append in appends:
        left += 1
        append.done = done
        journal.append(append)
    await settled.wait()


class Cost(NamedTuple):
    """Of one piece of work: µs of processor time, bytes of WAL."""

    client: float
    server: float
    wal: float


class Bench:
    """Who is measured: this process, and those of a server."""

    def __init__(self, server: int, wal: Callable[[], int] = lambda: 0) -> None:
        self._server = server
        self._wal = wal

    async def cost(self, work: Callable[[], Awaitable[None]], pieces: int) -> Cost:
        client, server, wal = process_time(), _cpu(self._server), self._wal()
        await work()
        client, server, wal = process_time() - client, _cpu(self._server) - server, self._wal() - wal
        return Cost(1e6 * client / pieces, 1e6 * server / pieces, wal / pieces)


def _cpu(pid: int) -> float:
    """Seconds of a process and its children: those that it has, and those that it had."""
    total = 0
    for each in (pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())):
        with suppress(FileNotFoundError):
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15] if each == pid else fields[11:13]))
    return total / _TICK


async def appends(journal: PostgresJournal, bench: Bench, tables: int) -> None:
    for group, share in ((1, 20), (10, 4), (100, 1)):
        lives = [life(f"{group}-{number}", number) for number in range(max(group, tables // share))]

        async def play(lives: Sequence[Sequence[Written]] = lives, group: int = group) -> None:
            for step in zip(*lives, strict=True):
                for start in range(0, len(step), group):
                    await write(journal, step[start : start + group])

        count = sum(map(len, lives))
        cost = await bench.cost(play, count)
        print(f"append, {group:3} at a time: node {cost.client:4.0f} µs, PostgreSQL {cost.server:4.0f} µs, "
              f"WAL {cost.wal:5,.0f} bytes ({count:,} appends)", flush=True)  # fmt: skip


async def looks(journal: PostgresJournal, postgres: Postgres, bench: Bench, tables: int) -> None:
    """What nodes ask again and again, while so many tables are open and four people are at each."""
    lives = [life(f"open-{number}", number)[: 1 + SEATS] for number in range(tables)]
    for step in zip(*lives, strict=True):
        await write(journal, step)
    ids = [each[0].table for each in lives]
    await journal.attendance.beat("n1", b"", False)
    rows = [Attending(id, f"{id}:{seat}", "playing", "n1", 1, 0) for id in ids for seat in range(SEATS)]
    coming = await bench.cost(lambda: journal.attendance.attend(rows), len(rows))
    print(f"somebody comes or goes: node {coming.client:.1f} µs, PostgreSQL {coming.server:.1f} µs, "
          f"WAL {coming.wal:,.0f} bytes", flush=True)  # fmt: skip
    postgres.run("VACUUM ANALYZE", "costs")

    async def compare() -> None:
        for _ in range(20):
            await journal.positions(ids)
            await journal.attendance.attending(ids)

    cost = await bench.cost(compare, 20 * tables)
    print(f"comparing a table: node {cost.client:.1f} µs, PostgreSQL {cost.server:.1f} µs", flush=True)

    async def beat() -> None:
        for _ in range(200):
            await journal.attendance.beat("n1", b"", False)
            await journal.attendance.orphans(50)
            await journal.due(0, 50)

    cost = await bench.cost(beat, 200)
    print(f"a node's beat and sweep: node {cost.client:.0f} µs, PostgreSQL {cost.server:.0f} µs", flush=True)


def disk(postgres: Postgres) -> None:
    rows, size, whole = map(
        int,
        postgres.run(
            "SELECT (SELECT count(*) FROM entries), pg_total_relation_size('entries'), "
            "(SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' "
            "AND relnamespace = 'public'::regnamespace)",
            "costs",
        ).split("|"),
    )  # fmt: skip
    hot = postgres.run("SELECT n_tup_hot_upd, n_tup_upd FROM pg_stat_user_tables WHERE relname = 'tables'", "costs")
    print(f"disk: {size / rows:.0f} bytes for an entry, {whole / rows:.0f} with all that is beside it; "
          f"updates in place, of all: {hot.replace('|', ' of ')}", flush=True)  # fmt: skip


async def pages(journal: PostgresJournal, postgres: Postgres, tables: int) -> None:
    """What the first move at a table after a checkpoint costs besides: PostgreSQL writes whole pages then."""
    lives = [life(f"page-{number}", number)[: 4 + SEATS] for number in range(tables)]
    *before, last = zip(*lives, strict=True)
    for step in before:
        await write(journal, step)
    postgres.run("ALTER SYSTEM RESET full_page_writes")
    postgres.run("SELECT pg_reload_conf()")
    postgres.run("CHECKPOINT")
    start = _wal(postgres)
    await write(journal, last)
    print(f"first move after a checkpoint: WAL {(_wal(postgres) - start) / tables:,.0f} bytes", flush=True)


def _wal(postgres: Postgres) -> int:
    return int(postgres.run("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"))


async def bus(redis: Redis, messages: int) -> None:
    bench, heard, all_heard = Bench(redis.pid), 0, asyncio.Event()

    def hear(message: bytes) -> None:
        nonlocal heard
        heard += 1
        if heard == messages:
            all_heard.set()

    one = await RedisBus.open(redis.url, "one", lambda: None, "costs")
    two = await RedisBus.open(redis.url, "two", lambda: None, "costs")
    subscribed = asyncio.Event()
    two.subscribe("heard", hear, subscribed.set)
    await subscribed.wait()

    async def publish(channel: str, until: asyncio.Event | None = None) -> None:
        for number in range(messages):
            one.publish(channel, ENTRY * 2)
            if number % 10 == 9:
                await asyncio.sleep(0)
        await asyncio.sleep(0.1) if until is None else await until.wait()

    alone = await bench.cost(lambda: publish("unheard"), messages)
    both = await bench.cost(lambda: publish("heard", all_heard), messages)
    client, server = both.client - alone.client, both.server - alone.server
    print(f"a message: node {alone.client:.1f} µs, Redis {alone.server:.1f} µs; "
          f"to hear one: node {client:.1f} µs, Redis {server:.1f} µs", flush=True)  # fmt: skip
    await one.close()
    await two.close()


async def people(moves: int) -> None:
    """What they are sent for a move, in the native protocol."""
    journal, sent = Nowhere(), 0

    class Counted(Listener):
        def send(self, message: bytes) -> None:
            nonlocal sent
            sent += len(message)
            super().send(message)

    house = House(catalogue().games, journal, Settings())
    table = Hotpath(house, journal, "palace", SEATS)
    table.seats = [Counted(Native(b"")) for _ in range(SEATS)]
    table.begin()
    sent = 0
    await table.play(moves)
    print(f"people are sent {sent / moves:,.0f} bytes for a move, all four together", flush=True)
    summary = next(iter(house.rooms.values())).table.summary
    rows = [msgspec.json.encode(msgspec.structs.replace(summary, id=f"{number:032x}")) for number in range(moves)]
    board = Cluster("n1", cast(SharedJournal, journal))
    board._shell = house
    start = process_time()
    for row in rows:
        board._show(row)
    took = 1e6 * (process_time() - start) / moves
    print(f"a change of the lobby: {len(rows[0]):,} bytes, node {took:.1f} µs", flush=True)


async def measure(folder: Path, tables: int) -> None:
    with Postgres(folder / "postgres") as postgres:
        url = postgres.create("costs")
        # Whole pages after a checkpoint are counted apart: how many there are depends on how often that is.
        postgres.run("ALTER SYSTEM SET full_page_writes = off")
        postgres.run("SELECT pg_reload_conf()")
        journal = await PostgresJournal.open(url)
        bench = Bench(postgres.pid, lambda: _wal(postgres))
        await appends(journal, bench, tables)
        disk(postgres)
        await pages(journal, postgres, tables)
        await looks(journal, postgres, bench, 10 * tables)
        await journal.close()
    with Redis(folder / "redis") as redis:
        await bus(redis, 100 * tables)
    await people(10 * tables)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=500, help="how many are played at (default: 500)")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="croupier-costs-"))
    folder.chmod(0o711)  # PostgreSQL may have to run as somebody else
    try:
        asyncio.run(measure(folder, asked.tables))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
