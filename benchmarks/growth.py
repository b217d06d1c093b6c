"""What becomes of the cost of a move as everything grows: more seats, a longer game, an older journal."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

import msgspec

from benchmarks import server
from benchmarks.clients.native import of
from benchmarks.figures import StartUp, Turns
from benchmarks.hotpath import Bench, Nowhere, decode, encode
from benchmarks.server import Contender, compare, cpu_seconds, croupier, run
from croupier.games import catalogue
from croupier.journal import Append, Directory, Record
from croupier.journal.sqlite import SqliteJournal
from croupier.tables import entries
from croupier.tables.house import House
from croupier.tables.settings import Settings
from tests.live import process, request

EARLY, LATE, WINDOW = 10, 1000, 200
"""Moves of a game between which the costs are compared, and over how many."""


def more_seats(sizes: list[int], seconds: float, repeats: int) -> dict[int, Turns]:
    """Palace, native, about as many connections whatever the number of seats."""
    found = {}
    for seats in sizes:
        server.CONTENDERS["seats"] = Contender(f"Croupier: Palace, {seats} seats", croupier, of("palace"), seats)
        found[seats] = compare(["seats"], max(1, 512 // seats), seconds, repeats)["seats"]
        del server.CONTENDERS["seats"]
    return found


def longer_game(repeats: int) -> dict[int, list[float]]:
    """µs of CPU for a move early and late at a table, between the sockets and the disk.

    Cambia for eight, where nobody can call it for a hundred rounds: one long game, whose moves are all alike.
    """
    return asyncio.run(_longer_game(repeats))


async def _longer_game(repeats: int) -> dict[int, list[float]]:
    costs: dict[int, list[float]] = {EARLY: [], LATE: []}
    journal = Nowhere()
    house = House(catalogue().games, journal, Settings())
    bench = Bench(house, journal, "cambia", 8, cambia_allowed_round=100)
    for _ in range(repeats):
        bench.begin()
        await bench.play(EARLY)
        costs[EARLY].append(1e6 * await bench.play(WINDOW) / WINDOW)
        await bench.play(LATE - EARLY - WINDOW)
        costs[LATE].append(1e6 * await bench.play(WINDOW) / WINDOW)
    return costs


def start_up(tables: int, moves: int = 40) -> StartUp:
    """Seconds until a server with so many tables in its journal is open, each in the middle of a game."""
    return run(_start_up(tables, moves))  # type: ignore[no-any-return]


async def _start_up(tables: int, moves: int) -> StartUp:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        log, directory = await _a_log(moves)
        await _fill(data, log, directory, tables)
        begin = time.perf_counter()
        async with process(data) as live:
            took = time.perf_counter() - begin
            cpu = cpu_seconds(live.pid)
            metrics = (await request(live.ports["http"], "GET", "/metrics")).body.decode()
        if f'croupier_tables{{game="palace",phase="playing"}} {float(tables)}' not in metrics:
            raise RuntimeError("the server has not found the tables")
        return StartUp(tables, tables * len(log), took, cpu)


class _Kept(Nowhere):
    """A journal that remembers, to copy from."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[Record] = []
        self.directory: Directory | None = None

    def append(self, append: Append) -> None:
        self.records += append.records
        self.directory = append.directory or self.directory
        super().append(append)


async def _a_log(moves: int) -> tuple[list[Record], Directory]:
    journal = _Kept()
    house = House(catalogue().games, journal, Settings())
    await Bench(house, journal, "palace", 4).play(moves)
    assert journal.directory is not None
    return journal.records, journal.directory


async def _fill(data: Path, log: list[Record], directory: Directory, tables: int) -> None:
    """The same game at every table; but each has an id and a code of its own, as tables have."""
    journal = SqliteJournal(data / "journal.sqlite", "OFF")
    opened = entries.decode(log[0].entry)
    assert isinstance(opened, entries.Opened)
    summary = decode(directory.summary)
    for number in range(tables):
        id, code = f"{number:032x}", f"{number:05}"
        first = Record(1, log[0].at, entries.encode(msgspec.structs.replace(opened, code=code)))
        append = Append(id, [first, *log[1:]], "palace", False)
        names = [name.replace(opened.code, code) for name in directory.names]
        append.directory = directory._replace(names=tuple(names), summary=encode(summary | {"id": id, "code": code}))
        journal.append(append)
    await journal.close()
