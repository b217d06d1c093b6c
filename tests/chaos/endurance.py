"""Hours of play at tables of every game: what the server's process has of memory and open files, minute by minute.

python -m tests.chaos.endurance --minutes 60
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path
from random import Random

from tests.chaos.storm import FLAGS, Storm
from tests.live import process

WARM = 0.25
"""Of the time, before memory is looked at."""


def memory(pid: int) -> int:
    """In KiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 10


def files(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


async def endure(data: Path, minutes: float, parties: int, pause: float) -> None:
    async with process(data, *FLAGS, log=data / "log") as live:
        storm = Storm(data, live.ports["http"], parties, Random(1), pause, games=2)
        before = files(live.pid)
        people = [asyncio.create_task(person.live()) for party in storm.parties for person in party.people]
        seen: list[int] = []
        begun = time.monotonic()
        while (passed := time.monotonic() - begun) < 60 * minutes:
            await asyncio.sleep(min(60, 6 * minutes))
            storm.settle()
            seen.append(memory(live.pid))
            moves = sum(party.progress for party in storm.parties)
            print(  # noqa: T201 - this is a command
                f"{passed / 60:5.1f} min, {moves:,} moves, {storm.tables} tables done, "
                f"{seen[-1]:,} KiB, {files(live.pid)} files",
                flush=True,
            )
        for task in people:
            task.cancel()
        await asyncio.gather(*people, return_exceptions=True)
        await asyncio.sleep(3)
        after = files(live.pid)
    warm = seen[int(len(seen) * WARM)]
    print(f"memory {warm:,} → {seen[-1]:,} KiB after warm-up; files {before} → {after}")  # noqa: T201
    assert after <= before + 2, "files are left behind"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--parties", type=int, default=20)
    parser.add_argument("--pause", type=float, default=0.2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(endure(Path(folder), **vars(options)))


if __name__ == "__main__":
    main()
