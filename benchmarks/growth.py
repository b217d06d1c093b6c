"""What becomes of the cost of a move as everything grows: more tables, more seats, a longer game, an older journal.

python -m benchmarks.growth
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks import server
from benchmarks.clients.native import of
from benchmarks.hotpath import Bench, Nowhere
from benchmarks.server import Contender, Figures, compare, cpu_seconds, croupier, run
from croupier.games import catalogue
from croupier.journal import Append, Record
from croupier.journal.sqlite import SqliteJournal
from croupier.tables import entries
from croupier.tables.house import House
from croupier.tables.timekeeping import Settings
from tests.live import process

EARLY, LATE, WINDOW = 10, 1000, 50
"""Moves of a game between which the costs are compared, and over how many."""


def more_tables(sizes: list[int], seconds: float, repeats: int) -> dict[int, Figures]:
    """Palace, native, four at each table."""
    return {tables: compare(["palace"], tables, seconds, repeats)["palace"] for tables in sizes}


def more_seats(sizes: list[int], seconds: float, repeats: int) -> dict[int, Figures]:
    """Palace, native, about as many connections whatever the number of seats."""
    found = {}
    for seats in sizes:
        server.CONTENDERS["seats"] = Contender(f"Croupier: Palace, {seats} seats", croupier, of("palace"), seats)
        found[seats] = compare(["seats"], max(1, 512 // seats), seconds, repeats)["seats"]
        del server.CONTENDERS["seats"]
    return found


def longer_game(repeats: int) -> dict[int, float]:
    """µs of CPU for a move early and late in one game, between the sockets and the disk; medians over many games.

    Palace for so many that a game is long enough. The cards in a hand have their price, so both windows are taken
    where everybody has about as many.
    """
    return asyncio.run(_longer_game(repeats))


async def _longer_game(repeats: int) -> dict[int, float]:
    costs: dict[int, list[float]] = {EARLY: [], LATE: []}
    journal = Nowhere()
    house = House(catalogue().games, journal, Settings())
    bench = Bench(house, journal, "palace", 4)
    for _ in range(repeats):
        bench.begin()
        await bench.play(EARLY)
        costs[EARLY].append(1e6 * await bench.play(WINDOW) / WINDOW)
        # Games of four are over sooner: a thousand moves later it is the table's log that is long, over rematches.
        await bench.play(LATE - EARLY - WINDOW)
        costs[LATE].append(1e6 * await bench.play(WINDOW) / WINDOW)
    return {move: statistics.median(found) for move, found in costs.items()}


def start_up(tables: int, moves: int = 40) -> dict[str, float]:
    """Seconds until a server with so many tables in its journal is open, each in the middle of a game."""
    return run(_start_up(tables, moves))  # type: ignore[no-any-return]


async def _start_up(tables: int, moves: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        await _fill(data, await _a_log(moves), tables)
        begin = time.perf_counter()
        async with process(data) as live:
            took = time.perf_counter() - begin
            cpu = cpu_seconds(live.pid)
        return {"seconds": took, "cpu": cpu, "tables": tables, "entries": tables * (moves + 6)}


class _Kept(Nowhere):
    """A journal that remembers, to copy from."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[Record] = []

    def append(self, append: Append) -> None:
        self.records += append.records
        super().append(append)


async def _a_log(moves: int) -> list[Record]:
    journal = _Kept()
    house = House(catalogue().games, journal, Settings())
    await Bench(house, journal, "palace", 4).play(moves)
    return journal.records


async def _fill(data: Path, log: list[Record], tables: int) -> None:
    """The same game at every table; but each has a code of its own, as tables have."""
    journal = SqliteJournal(data / "journal.db", "OFF")
    opened = entries.decode(log[0].entry)
    for number in range(tables):
        first = Record(1, log[0].at, entries.encode(opened).replace(opened.code.encode(), b"%05d" % number))  # type: ignore[union-attr]
        journal.append(Append(f"{number:032x}", [first, *log[1:]], "palace", False))
    await journal.close()


def table(title: str, found: dict[int, Figures], per_seat: bool = False) -> str:
    first = next(iter(found.values())).cpu
    lines = [f"| {title} | moves/s | server CPU per move | to the first | p50 | p99 |", "|---|---|---|---|---|---|"]
    for size, figures in found.items():
        each = f" ({figures.cpu / size:.1f} µs a seat)" if per_seat else ""
        lines.append(
            f"| {size:,} | {figures.moves:,.0f} | {figures.cpu:.0f} µs{each} | {figures.cpu / first:.2f}× "
            f"| {figures.p50:.1f} ms | {figures.p99:.1f} ms |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="*", default=[10, 50, 500])
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 4, 16, 64, 255])
    parser.add_argument("--journal", type=int, default=10_000, help="tables in it at the start")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    print(table("tables", more_tables(asked.tables, asked.seconds, asked.repeats)))
    print(table("seats", more_seats(asked.seats, asked.seconds, asked.repeats), per_seat=True))
    print(longer_game(10 * asked.repeats))
    print(start_up(asked.journal))


if __name__ == "__main__":
    main()
