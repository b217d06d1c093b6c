"""How smoothly cards move where a processor is slow: the frames of a table that is watched while two play at it.

A frame is late if it comes more than 33 ms after the one before, which is two frames of a screen. Only those count in
which something flies. The browser's processor is slowed down, four times unless told otherwise, as its developer tools
do it; there is no graphics card. The first frame of a flight is the dearest: what the move has changed is drawn in it,
and whatever is to fly stands still until then. So those after it are counted once more by themselves.

    python -m benchmarks.motion                   every game
    python -m benchmarks.motion palace --moves 60 --slower 6
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from playwright.async_api import Browser

from croupier.client import Client
from croupier.client.table import Table
from croupier.games import catalogue
from tests.browser.person import DESKTOP, MOTION, Person, chromium
from tests.live import LiveHere, server

LATE = 33
BETWEEN = 0.9
"""Seconds from one move to the next: a little more than the page takes to show it."""

WATCH = """
  window.frames = []
  let before = 0, flew = false, moved = false
  requestAnimationFrame(function frame(now) {
    const flights = [...document.querySelectorAll('[data-flight]')]
    const flies = flights.length > 0
    if (flies && flew) frames.push({ took: now - before, moved })
    before = now
    flew = flies
    moved = flights.some((flight) => flight.getAnimations().some((animation) => animation.currentTime > 0))
    requestAnimationFrame(frame)
  })
"""


class Frames(NamedTuple):
    counted: int
    late: int
    longest: float
    moving: int
    """Of those that are counted: something had left its place before."""
    late_moving: int


async def play(table: Table, luck: random.Random) -> bool:
    """One move of whoever is here, if there is one."""
    moves = [move for move in table.moves if "leave" not in type(move).__name__.lower()]
    if not moves:
        return False
    await table.play(luck.choice(moves))
    return True


async def watch(browser: Browser, live: LiveHere, game: str, moves: int, slower: float) -> Frames:
    luck = random.Random(1)
    async with Client(live.http) as one, Client(live.http) as two:
        ann = await one.open(game, player="Ann", seats=2)
        ben = await two.join(ann.id, player="Ben")
        eve = await Person.arrive(browser, "Eve", live.http, pace=1, script=WATCH, **DESKTOP, **MOTION)
        await eve.page.goto(f"/t/{ann.id}")
        await eve.press(eve.button("^Watch"))
        await eve.button("^Leave").wait_for()
        session: Any = await eve.context.new_cdp_session(eve.page)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        await ann.start()
        for _ in range(moves):
            for table in luck.sample([ann, ben], 2):
                if await play(table, luck):
                    break
            await asyncio.sleep(BETWEEN)
        frames = await eve.page.evaluate("frames")
        await eve.context.close()
    took = [frame["took"] for frame in frames]
    moving = [frame["took"] for frame in frames if frame["moved"]]
    return Frames(len(took), _late(took), max(took, default=0), len(moving), _late(moving))


def _late(took: list[float]) -> int:
    return sum(each > LATE for each in took)


async def main(games: list[str], moves: int, slower: float) -> None:
    with tempfile.TemporaryDirectory() as data:
        async with server(Path(data), bot_delay=0, test_first=0) as live, chromium() as browser:
            for game in games:
                found = await watch(browser, live, game, moves, slower)
                share, moving = found.late / max(1, found.counted), found.late_moving / max(1, found.moving)
                print(
                    f"{game:10} {found.counted:5} frames, {share:6.1%} above {LATE} ms, at most "
                    f"{found.longest:.0f} ms; "
                    f"{moving:6.1%} of the {found.moving} in which something had set off",
                    flush=True,
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(catalogue().games)}")
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--slower", type=float, default=4)
    asked = parser.parse_args()
    for unknown in set(asked.games) - set(catalogue().games):
        parser.error(f"there is no game {unknown!r}: choose from {', '.join(catalogue().games)}")
    asyncio.run(main(asked.games or list(catalogue().games), asked.moves, asked.slower))
