"""Everything that is measured, side by side with peers, in one run: tables, a JSON file, and a plot for the docs.

    python -m benchmarks                    all of it, about 25 minutes; writes docs/speed.{json,svg} and fills speed.md
    python -m benchmarks --quick            a look at everything: about five minutes, nothing written
    python -m benchmarks kernel server      some of it
    python -m benchmarks --render           nothing is measured: the docs anew from docs/speed.json

At 50 tables everybody takes part; at 500 and 5,000 those of whom it tells something new. Peers are installed into
~/.cache/croupier-peers; where one can't be, it is said and the rest goes on.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from benchmarks import growth, gym, memory, playouts, report, server
from benchmarks.figures import Found, Growth, Half, Turns, Weight, middle
from benchmarks.server import CONTENDERS

DOCS = Path(__file__).parents[1] / "docs"
AT_TABLES = {
    50: list(CONTENDERS),
    500: ["palace", "palace-own", "picows", "ws", "boardgame", "colyseus"],
    5000: ["palace", "palace-own", "picows"],
}
"""Who is measured with how many tables."""


def kernel(asked: argparse.Namespace, found: Found) -> dict[str, list[float]]:
    return playouts.compare(asked.seconds / 2, asked.repeats)


def environments(asked: argparse.Namespace, found: Found) -> dict[str, list[float]]:
    return gym.compare(asked.seconds / 2, asked.repeats)


def servers(asked: argparse.Namespace, found: Found) -> dict[int, dict[str, Turns]]:
    return {
        server.room(tables): server.compare(names, server.room(tables), asked.seconds, asked.repeats)
        for tables in asked.tables
        if (names := AT_TABLES.get(tables, list(CONTENDERS)))
    }


def half(asked: argparse.Namespace, found: Found) -> Half:
    """At half of the greatest load: how long an answer takes when the server is not driven to its limits."""
    tables = 50 if asked.quick else 500
    known = (found.server or {}).get(tables) or server.compare(["palace"], tables, asked.seconds, 1)
    most = middle(known["palace"])
    pause = 2 * tables / most.moves  # an answer takes so little of it that it need not be taken off
    without_disk = partial(server.croupier, "--synchronous", "NORMAL")
    CONTENDERS["unsynced"] = CONTENDERS["palace"]._replace(start=without_disk)
    turns = server.compare(["palace", "unsynced"], tables, asked.seconds, asked.repeats, pause)
    del CONTENDERS["unsynced"]
    return Half(tables, most.moves, turns["palace"], turns["unsynced"])


def weight(asked: argparse.Namespace, found: Found) -> Weight:
    weighed: Weight = server.run(memory.weigh(1000 if asked.quick else 4000))
    return weighed


def grown(asked: argparse.Namespace, found: Found) -> Growth:
    tables: dict[int, Turns] = {}
    for size in sorted({10, *map(server.room, asked.tables)}):
        known = (found.server or {}).get(size, {}).get("palace")
        tables[size] = known or server.compare(["palace"], size, asked.seconds, asked.repeats)["palace"]
    return Growth(
        tables,
        growth.more_seats([2, 255] if asked.quick else [2, 4, 16, 64, 255], asked.seconds, asked.repeats),
        growth.longer_game(10 * asked.repeats),
        growth.start_up(1000 if asked.quick else 10_000),
    )


PARTS: dict[str, Callable[[argparse.Namespace, Found], Any]] = {
    "kernel": kernel,
    "gym": environments,
    "server": servers,
    "half": half,
    "memory": weight,
    "growth": grown,
}


def write(found: Found, docs: Path) -> None:
    """The figures, the plot, and the page that shows both, so that they can't disagree."""
    (docs / "speed.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    (docs / "speed.svg").write_text(report.draw(found))
    page = docs / "speed.md"
    if page.exists():
        page.write_text(report.fill(page.read_text(), found))
    print(f"\nwritten: {docs}/speed.json, speed.svg, speed.md")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="one short turn of everything")
    parser.add_argument("--render", action="store_true", help="write the docs from the figures of the last run")
    parser.add_argument("--tables", type=int, nargs="*", help="how many; 50, 500 and 5000 unless said otherwise")
    parser.add_argument("--seconds", type=float, help="of every measurement")
    parser.add_argument("--repeats", type=int, help="turns")
    parser.add_argument("--out", type=Path, help="a folder for the figures; docs/ when all is measured")
    asked = parser.parse_args()
    for part in asked.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}")
    if asked.render:
        write(msgspec.json.decode((DOCS / "speed.json").read_bytes(), type=Found, strict=False), asked.out or DOCS)
        return
    asked.seconds = asked.seconds or (1.0 if asked.quick else 3.0)
    asked.repeats = asked.repeats or (1 if asked.quick else 3)
    asked.tables = asked.tables or ([50] if asked.quick else list(AT_TABLES))
    found = Found(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        command=" ".join(["python -m benchmarks", *sys.argv[1:]]),
        machine=f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start",
        python=platform.python_version(),
        seconds=asked.seconds,
    )
    print(f"{found.machine}; {asked.repeats} turns of {asked.seconds:g} s each: medians, and from … to")
    shown: set[str] = set()
    for name in asked.parts or PARTS:
        setattr(found, name, PARTS[name](asked, found))
        for part, text in report.sections(found):
            if part not in (shown | {"goals"}):
                print(f"\n{text}", flush=True)
        shown.add(name)
    print(f"\n{dict(report.sections(found)).get('goals', '')}")
    out = asked.out or (None if asked.quick or asked.parts else DOCS)
    if out is not None:
        write(found, out)


if __name__ == "__main__":
    main()
