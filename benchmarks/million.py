"""What a house of many nodes needs for so many tables at which people play, by what its parts were measured to cost.

    python -m benchmarks.million                                   from a thousand tables to a million
    python -m benchmarks.million --tables 50000 --moves 12         fifty thousand, a move every five seconds
    python -m benchmarks.million --spread 1                        where nothing keeps the people of a table together
    python -m benchmarks.million --listed 0.01                     where hardly any table is for strangers

It is arithmetic and no load test: nobody here has had a million tables. Every figure comes from ``Costs``.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

DAY = 86_400


@dataclass(frozen=True)
class Costs:
    """Processor time in µs. Measured by ``python -m benchmarks.cluster_costs`` (17 November 2026, two cores, PostgreSQL
    15 and Redis 7 on the same machine, which had other things to do), unless it says something else."""

    # A node.
    move: float = 190
    """Palace, native, at one of two nodes (``python -m benchmarks.nodes``)."""
    spread: float = 1.7
    """The same where a table's people are at both, by both of them together: 319 µs."""
    compares: float = 8
    """To see whether a table in memory is what the journal says, every five seconds."""
    busy: float = 0.6
    """Of a core, at most: above, everybody waits for everybody."""
    connection_kb: float = 12.1
    table_kb: float = 27.9
    """docs/speed.md."""
    process_mb: float = 60
    shown: float = 16
    shown_kb: float = 3.9
    shown_most: int = 1250
    """A change of the lobby, which every node hears; what it remembers of a table that is listed, and of how many."""

    # PostgreSQL.
    group: float = 310
    appended: float = 50
    """A group of appends, and each of them: 359 µs alone, 770 for ten, 5,400 for a hundred."""
    compared: float = 5
    beat: float = 1000
    """A node's heartbeat and its look for what nobody has in memory, every second."""
    wal: int = 1_030
    """Bytes for an append, and what the first one after a checkpoint adds: whole pages are written then."""
    wal_pages: int = 2_400
    entry: int = 182
    """Bytes on the disk, with the key; and what is beside it: tables, checks, public records."""
    beside: int = 206
    query: int = 500
    """Bytes between a node and PostgreSQL for an append, there and back, about."""

    # Redis.
    published: float = 0.8
    heard: float = 0.8
    message: int = 220
    """Bytes: an entry of 80, the channel, and what is around them."""

    # The lobby.
    changes: float = 0.08
    """For each move: somebody comes, a game begins or ends. Eight in a game of a hundred moves."""
    summary: int = 1_100
    """Bytes."""

    # People.
    told: int = 1_691
    """Bytes for a move of Palace to all four of a table."""


class House(NamedTuple):
    tables: int
    moves: float
    """For each table, in a minute."""
    seats: int
    spread: float
    """Of the tables, how many have people at two nodes; the others at one."""
    listed: float
    """Of the tables, how many are in the lobby."""
    commit: float
    """Seconds that one takes."""
    checkpoint: float
    """Seconds from one to the next."""
    most_connections: int
    """That a node has."""


class Need(NamedTuple):
    moves: float
    """In a second; and so are the others."""
    nodes: int
    because: str
    node_memory: float
    """GB of each."""
    node_lobby: float
    """Of the core of each, for what others do."""
    postgres: float
    """Cores; and what of that are the commits themselves."""
    commits: float
    wal: float
    """Bytes, and so are the next ones."""
    disk: float
    redis: float
    """Cores."""
    messages: float
    to_redis: float
    to_postgres: float
    to_people: float


class TooMuch(Exception):
    """No number of nodes is enough."""


def need(house: House, costs: Costs) -> Need:
    moves = house.tables * house.moves / 60
    # Those that are spread are in memory twice.
    loaded = house.tables * (1 + house.spread)
    per_move = costs.move * (1 + house.spread * (costs.spread - 1))
    cores = (moves * per_move + loaded * costs.compares / 5) / 1e6
    # The lobby is every node's.
    changes = moves * costs.changes * house.listed
    free = costs.busy - changes * costs.shown / 1e6
    if free <= 0:
        raise TooMuch(f"{house.tables:,} tables: to follow the lobby is more than a node can do (--listed)")
    by_cpu = cores / free
    by_connections = house.tables * house.seats / house.most_connections
    # One more than needed: any of them may die.
    nodes = ceil(max(by_cpu, by_connections)) + 1
    groups = min(moves, nodes / house.commit)
    commits = (groups * costs.group + moves * costs.appended) / 1e6
    looks = (loaded * costs.compared / 5 + nodes * costs.beat) / 1e6
    active = house.tables * min(1.0, house.moves * house.checkpoint / 60)
    heard, shown = moves * house.spread, changes * nodes
    kept = min(house.tables * house.listed, costs.shown_most)
    held = loaded * costs.table_kb + house.tables * house.seats * costs.connection_kb
    return Need(
        moves=moves,
        nodes=nodes,
        because="CPU" if by_cpu > by_connections else "connections",
        node_memory=(held / nodes + kept * costs.shown_kb) / 1e6 + costs.process_mb / 1e3,
        node_lobby=changes * costs.shown / 1e6,
        postgres=commits + looks,
        commits=commits,
        wal=moves * costs.wal + active * costs.wal_pages / house.checkpoint,
        disk=moves * (costs.entry + costs.beside),
        redis=((moves + changes) * costs.published + (heard + shown) * costs.heard) / 1e6,
        messages=moves + changes + heard + shown,
        to_redis=(moves + heard) * costs.message + (changes + shown) * costs.summary,
        to_postgres=moves * costs.query,
        to_people=moves * costs.told * house.seats / 4,
    )


ONE_CORE = 0.7
"""Of one core, which is all that Redis has for its commands."""
DISK = 200e6
"""Bytes a second that one disk takes for long, the WAL and the pages together, which are about as much."""
SHELF = 4e12
"""Bytes of one disk."""


LINK = 10e9 / 8
"""Bytes a second."""


def first_to_break(found: Need, postgres_cores: int) -> str:
    """What is used up before anything else, when everything grows alike."""
    limits = {
        "PostgreSQL's CPU": found.postgres / postgres_cores,
        "PostgreSQL's disk": 2 * found.wal / DISK,
        "Redis' one core": found.redis / ONE_CORE,
        "Redis' network": found.to_redis / LINK,
        "the lobby at each node": found.node_lobby / ONE_CORE,
    }
    name, used = max(limits.items(), key=lambda limit: limit[1])
    return f"{name}, at {100 * used:.0f} %"


def show(houses: list[House], costs: Costs, postgres_cores: int) -> str:
    found = [need(house, costs) for house in houses]
    rows = [
        ("tables with people", [f"{house.tables:,}" for house in houses]),
        ("moves per second", [f"{each.moves:,.0f}" for each in found]),
        ("nodes, of one core each", [f"{each.nodes:,} ({each.because})" for each in found]),
        ("memory of a node", [f"{each.node_memory:.1f} GB" for each in found]),
        ("… of its core for the lobby", [f"{100 * each.node_lobby:.0f} %" for each in found]),
        ("PostgreSQL, connections", [f"{5 * each.nodes:,}" for each in found]),
        ("PostgreSQL, cores", [f"{each.postgres:.1f}" for each in found]),
        ("… of that for commits", [f"{each.commits:.1f}" for each in found]),
        ("WAL", [f"{each.wal / 1e6:.1f} MB/s" for each in found]),
        ("WAL per day", [size(each.wal * DAY) for each in found]),
        ("entries on the disk per day", [size(each.disk * DAY) for each in found]),
        ("a disk of 4 TB is full after", [f"{SHELF / (each.disk * DAY):,.0f} days" for each in found]),
        ("Redis, cores", [f"{each.redis:.2f}" for each in found]),
        ("messages per second", [f"{each.messages:,.0f}" for each in found]),
        ("nodes ⇄ Redis", [f"{each.to_redis * 8 / 1e6:,.1f} Mbit/s" for each in found]),
        ("nodes ⇄ PostgreSQL", [f"{each.to_postgres * 8 / 1e6:,.1f} Mbit/s" for each in found]),
        ("nodes → people", [f"{each.to_people * 8 / 1e6:,.1f} Mbit/s" for each in found]),
        ("first to break", [first_to_break(each, postgres_cores) for each in found]),
    ]
    head = "| | " + " | ".join(rows[0][1]) + " |\n" + "|---" * (len(houses) + 1) + "|\n"
    return head + "".join(f"| {name} | {' | '.join(cells)} |\n" for name, cells in rows[1:])


def size(bytes: float) -> str:
    return f"{bytes / 1e12:.1f} TB" if bytes >= 1e12 else f"{bytes / 1e9:.1f} GB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="*", default=[1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--moves", type=float, default=6, help="for each table, in a minute (default: 6)")
    parser.add_argument("--seats", type=int, default=4, help="people at a table (default: 4)")
    parser.add_argument("--spread", type=float, default=0.1, help="tables with people at two nodes (default: 0.1)")
    parser.add_argument("--listed", type=float, default=1, help="tables that are in the lobby (default: 1, all)")
    parser.add_argument("--commit", type=float, default=3, help="milliseconds that one takes (default: 3)")
    parser.add_argument("--checkpoint", type=float, default=15, help="minutes between two (default: 15)")
    parser.add_argument("--connections", type=int, default=20_000, help="that a node has at most (default: 20,000)")
    parser.add_argument("--postgres-cores", type=int, default=16, help="of its machine (default: 16)")
    asked = parser.parse_args()
    houses = [
        House(
            tables=tables,
            moves=asked.moves,
            seats=asked.seats,
            spread=asked.spread,
            listed=asked.listed,
            commit=asked.commit / 1e3,
            checkpoint=60 * asked.checkpoint,
            most_connections=asked.connections,
        )
        for tables in asked.tables
    ]
    try:
        print(show(houses, Costs(), asked.postgres_cores), end="")
    except TooMuch as why:
        raise SystemExit(f"{why}") from None


if __name__ == "__main__":
    main()
