"""Hours of play at tables of every game, with connections that come and go: what the server has of memory, open files
and tasks, minute by minute.

python -m tests.chaos.endurance --minutes 60
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.chaos.storm import Storm, flags, somewhere
from tests.live import process, request

WARM = 0.25
"""Of the time, before memory is looked at."""
GROWTH = 1.1
"""What the last quarter may have of memory, to the quarter after that."""
ALONE = 30
"""Seconds for which a game goes on that nobody is at."""
TORN = 1.0
"""Seconds between two connections that are lost for no reason."""


class Sample(NamedTuple):
    """Of the server's own metrics."""

    memory: float
    """In MiB."""
    files: int
    tasks: int
    connections: int
    tables: int
    cpu: float
    """Seconds so far."""

    def __str__(self) -> str:
        return (
            f"{self.memory:.1f} MiB, {self.files} files, {self.tasks} tasks, {self.connections} connections, "
            f"{self.tables} tables, {self.cpu:.0f} s of CPU"
        )


async def sample(port: int) -> Sample:
    text = (await request(port, "GET", "/metrics", Connection="close")).body.decode()

    def read(name: str) -> float:
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.MULTILINE))

    return Sample(
        read("process_resident_memory_bytes") / (1 << 20),
        int(read("process_open_fds")),
        int(read("croupier_tasks")),
        int(read("croupier_connections")),
        int(read("croupier_tables")),
        read("process_cpu_seconds_total"),
    )


async def deserted(port: int) -> Sample:
    """When the last table has closed by itself: within ten minutes, for so long results of Faraway are shown."""
    for _ in range(75):
        found = await sample(port)
        if not found.tables:
            break
        await asyncio.sleep(10)
    return found


async def tear_connections(storm: Storm, dice: Random) -> None:
    people = [person for party in storm.parties for person in party.people]
    while True:
        await asyncio.sleep(dice.expovariate(1 / TORN))
        with suppress(AttributeError):  # who has not come yet has nothing to lose
            dice.choice(people).tear()


async def endure(data: Path, minutes: float, parties: int, pause: float) -> None:
    async with process(data, *flags(somewhere()), "--patience", str(ALONE), log=data / "log") as live:
        storm = Storm(data, [live], parties, Random(1), pause, games=2)
        storm.opens()
        before = await sample(live.ports["http"])
        tell(f"at the start: {before}")
        tasks = [asyncio.create_task(person.live()) for party in storm.parties for person in party.people]
        tasks.append(asyncio.create_task(tear_connections(storm, Random(2))))
        seen: list[Sample] = []
        begun = time.monotonic()
        while (passed := time.monotonic() - begun) < 60 * minutes:
            await asyncio.sleep(min(60, 6 * minutes))
            await storm.settle()
            seen.append(await sample(live.ports["http"]))
            moves = sum(party.progress for party in storm.parties)
            tell(f"{passed / 60 + 1:5.0f} min: {moves:,} moves, {storm.tables:,} tables done, {seen[-1]}")
            broken = [task.exception() for task in tasks if task.done()]
            assert not broken, broken
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        after = await deserted(live.ports["http"])
        for party in storm.parties:
            party.move_on()
        await storm.settle()
        assert await live.terminate() == 0
    storm.check("--data", str(data))
    quarter = max(1, round(len(seen) * WARM))
    warm, last = seen[quarter : 2 * quarter] or seen, seen[-quarter:]
    early, late = (sum(one.memory for one in some) / len(some) for some in (warm, last))
    tell(f"at the end, with nobody there: {after}")
    tell(f"{storm.compared}; memory {early:.1f} MiB in the second quarter, {late:.1f} MiB in the last")
    assert late < GROWTH * early, "memory has grown"
    assert (after.tables, after.connections) == (0, 0), "somebody is left behind"
    assert after.files <= before.files + 2, "files are left behind"
    assert after.tasks <= before.tasks, "tasks are left behind"


def tell(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - this is a command


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--parties", type=int, default=30, help="tables at a time")
    parser.add_argument("--pause", type=float, default=0.1, help="seconds between two moves of one person")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(endure(Path(folder), **vars(options)))


if __name__ == "__main__":
    main()
