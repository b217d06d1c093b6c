"""Everything that is measured, side by side with peers, in one run: a table, a JSON file, and a plot for the docs.

    python -m benchmarks                    all of it: about an hour
    python -m benchmarks --quick            a look at everything: about five minutes
    python -m benchmarks kernel server      some of it
    python -m benchmarks --tables 50 500 5000

Peers are installed into ~/.cache/croupier-peers; where one can't be, it is said and the rest goes on.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from benchmarks import growth, memory, playouts, plot, server
from benchmarks.server import CONTENDERS, OURS, Figures

FIGURES = Path(__file__).parents[1] / "docs" / "speed.json"
PLOT = FIGURES.with_suffix(".svg")


def kernel(asked: argparse.Namespace) -> dict[str, list[float]]:
    speeds = playouts.compare(asked.seconds / 2, asked.repeats)
    print(playouts.table(speeds))
    return speeds


def servers(asked: argparse.Namespace) -> dict[str, dict[str, Figures]]:
    found = {}
    for tables in asked.tables:
        found[str(tables)] = server.compare(list(CONTENDERS), tables, asked.seconds, asked.repeats)
        print(server.table(found[str(tables)], tables))
    return found


def half(asked: argparse.Namespace) -> Figures:
    """At half of the greatest load: how long an answer takes when the server is not driven to its limits."""
    tables = asked.tables[0]
    most = server.run(server.once("palace", tables, asked.seconds))
    # A table is paused or waits for its answer; at half the load it makes half as many moves.
    pause = max(0.0, 2 * tables / most.moves - most.p50 / 1000)
    found = server.compare(["palace"], tables, asked.seconds, asked.repeats, pause)["palace"]
    print(f"{tables} tables at half of the greatest load ({found.moves:,.0f} of {most.moves:,.0f} moves/s):")
    print(f"p50 {found.p50:.1f} ms, p99 {found.p99:.1f} ms")
    return found


def weight(asked: argparse.Namespace) -> dict[str, float]:
    found: dict[str, float] = server.run(memory.weigh(1000 if asked.quick else 4000))
    print(f"{found['connection']:.1f} kB per idle connection, {found['table']:.1f} kB per table beyond its connections")
    return found


def grown(asked: argparse.Namespace) -> dict[str, Any]:
    most = max(asked.tables)
    tables = growth.more_tables(sorted({10, 50, most}), asked.seconds, asked.repeats)
    print(growth.table("tables", tables))
    seats = growth.more_seats([2, 255] if asked.quick else [2, 4, 16, 64, 255], asked.seconds, asked.repeats)
    print(growth.table("seats", seats, per_seat=True))
    length = growth.longer_game(10 * asked.repeats)
    print(", ".join(f"move {move:,} at a table: {cost:.1f} µs" for move, cost in length.items()))
    start = growth.start_up(1000 if asked.quick else 10_000)
    print(
        f"open with {start['tables']:,} tables in the journal after {start['seconds']:.1f} s, {start['cpu']:.1f} s of CPU"
    )
    return {"tables": tables, "seats": seats, "length": length, "start": start}


PARTS: dict[str, Callable[[argparse.Namespace], Any]] = {
    "kernel": kernel,
    "server": servers,
    "half": half,
    "memory": weight,
    "growth": grown,
}


def draw(found: dict[str, Any]) -> str:
    """The two figures that matter most."""
    panels = []
    if servers := found.get("server"):
        tables, figures = next(iter(servers.items()))
        bars = [
            plot.Bar(CONTENDERS[name].title, each.cpu, f"{each.cpu:.0f} µs", name in OURS)
            for name, each in sorted(figures.items(), key=lambda item: item[1].cpu)
        ]
        panels.append(plot.Panel(f"Server CPU per move, {tables} tables, in µs: shorter is better", bars))
    if speeds := found.get("kernel"):
        middle = {name: median(each) for name, each in speeds.items()}
        bars = [
            plot.Bar(name, each, f"{each:,.0f}", name.startswith("Croupier"))
            for name, each in sorted(middle.items(), key=lambda item: -item[1])
        ]
        panels.append(plot.Panel("Decisions of random playouts per CPU second: longer is better", bars))
    return plot.svg(panels)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="one short turn of everything")
    parser.add_argument("--tables", type=int, nargs="*", help="how many; 50 and 500 unless said otherwise")
    parser.add_argument("--seconds", type=float, help="of every measurement")
    parser.add_argument("--repeats", type=int, help="turns")
    parser.add_argument("--out", type=Path, help=f"the JSON file; {FIGURES.name} and the plot in docs/ unless --quick")
    asked = parser.parse_args()
    for part in asked.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}")
    asked.seconds = asked.seconds or (1.0 if asked.quick else 4.0)
    asked.repeats = asked.repeats or (1 if asked.quick else 5)
    asked.tables = asked.tables or ([50] if asked.quick else [50, 500])
    found: dict[str, Any] = {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": " ".join(["python -m benchmarks", *sys.argv[1:]]),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start",
        "python": platform.python_version(),
        "repeats": asked.repeats,
        "seconds": asked.seconds,
    }
    print(f"{found['machine']}; medians of {asked.repeats} turns of {asked.seconds:g} s each")
    for name in asked.parts or PARTS:
        print(f"\n## {name}")
        found[name] = PARTS[name](asked)
    out = asked.out or (None if asked.quick or asked.parts else FIGURES)
    if out is not None:
        out.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
        out.with_suffix(".svg").write_text(draw(found))
        print(f"\nwritten: {out}, {out.with_suffix('.svg')}")


if __name__ == "__main__":
    main()
