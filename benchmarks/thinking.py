"""What bots that think cost everybody else: Palace at a moderate load, with twenty of them thinking and with none.

The bots spend all the time they are given and their opponents answer at once, so that they think all the while, in
processes beside the server.

    python -m benchmarks.thinking
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from time import process_time
from typing import Any

from benchmarks.figures import Figures
from benchmarks.peers import Running
from benchmarks.server import CONTENDERS, croupier, play, resident, room, run
from croupier.games.palace.bot import LowAndSteady
from croupier.kernel import Budget, Dice, Searcher
from tests.client import client, play_out


class Burner(Searcher):
    """Thinks for as long as it may."""

    name = "burner"
    about = "Uses all of its time, and learns nothing from it."
    plays = "palace"
    fallback = LowAndSteady

    def search(self, game: Any, world: Any, seat: int, moves: Sequence[Any], dice: Dice, budget: Budget) -> Any:
        end = process_time() + (budget.seconds or 0)
        while process_time() < end:
            game.imagine(world, seat, dice)
        return dice.choice(moves)


async def _opponent(running: Running) -> None:
    """Somebody who plays with a thinking bot, one game after the other."""
    async with client(f"ws://{running.host}/ws") as person:
        await person.ask("open", game="palace", player="Ann", seats=2)
        await person.ask("add_bots", bot="burner", count=1)
        while True:
            await person.ask("start")
            await play_out(person)
            person.forget()


@asynccontextmanager
async def thinking(running: Running, bots: int) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        for _ in range(bots):
            opponent = asyncio.ensure_future(_opponent(running))
            stack.callback(opponent.cancel)
        if bots:
            await asyncio.sleep(3)  # until the first processes are there, and all of them think
        yield


def pool_of(pid: int) -> list[int]:
    """The processes that think for a server."""
    found = subprocess.run(["pgrep", "-P", str(pid), "-f", "croupier.net.thinker"], capture_output=True, text=True)
    return [int(each) for each in found.stdout.split()]


async def measured(bots: int, tables: int, seconds: float, pause: float) -> tuple[Figures, int, list[int]]:
    """What it is like at the other tables, and the memory of the server and of each of its thinkers."""
    async with croupier("--bot", "benchmarks.thinking:Burner") as running, thinking(running, bots):
        figures = await play(CONTENDERS["palace"], running, tables, seconds, pause)
        return figures, resident(running.pid), [resident(pid) for pid in pool_of(running.pid)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=20)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--pause", type=float, default=0.1, help="seconds before each move, on average")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start")
    for _ in range(asked.repeats):
        for bots in (0, asked.bots):
            found, server, pool = run(measured(bots, room(asked.tables), asked.seconds, asked.pause))
            memory = ", ".join(f"{size / 1e6:.0f}" for size in pool) or "none"
            print(
                f"{bots:>3} thinking: {found.moves:7.0f} moves/s, p50 {found.p50:6.2f} ms, p99 {found.p99:6.2f} ms, "
                f"{found.cpu:5.0f} µs of the server per move; server {server / 1e6:.0f} MB, thinkers {memory} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
