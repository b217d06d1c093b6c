"""What connections and tables weigh: resident memory of a server before and after.

python -m benchmarks.memory
"""

from __future__ import annotations

import argparse
import asyncio

from picows import WSFrame, WSListener, WSTransport, ws_connect

from benchmarks.figures import Weight
from benchmarks.server import CONTENDERS, croupier, playing, resident, run


class Idle(WSListener):
    """Somebody who has come in and does nothing."""

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        pass


async def weigh(count: int, name: str = "palace") -> Weight:
    """kB per idle connection, and per table beyond its connections: each in the middle of a game."""
    async with croupier() as running:
        await _connect(running.host, 50)  # what the first ones need is nobody's
        before = resident(running.pid)
        await _connect(running.host, count)
        connection = (resident(running.pid) - before) / count
    contender = CONTENDERS[name]
    async with croupier() as running, playing(contender, running, 50, pause=5.0):
        before = resident(running.pid)
        tables = count // contender.seats
        async with playing(contender, running, tables, pause=5.0):
            table = (resident(running.pid) - before) / tables - contender.seats * connection
    return Weight(connection / 1000, table / 1000)


async def _connect(host: str, count: int) -> None:
    for _ in range(count):
        await ws_connect(Idle, f"ws://{host}/ws")
    await asyncio.sleep(0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=4000)
    asked = parser.parse_args()
    found = run(weigh(asked.connections))
    print(f"{found.connection:.1f} kB per idle connection, {found.table:.1f} kB per table beyond its connections")


if __name__ == "__main__":
    main()
