"""How smoothly cards move where a processor is slow: the frames of a table that is watched while two play at it.

A frame is late if it comes more than 33 ms after the one before, which is two frames of a screen. Only those count in
which something flies. The browser's processor is slowed down, four times unless told otherwise, as its developer tools
do it; there is no graphics card.

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
  let before = 0, flew = false
  requestAnimationFrame(function frame(now) {
    const flies = document.querySelector('[data-flight]') !== null
    if (flies && flew) frames.push(now - before)
    before = now
    flew = flies
    requestAnimationFrame(frame)
  })
"""


class Frames(NamedTuple):
    counted: int
    late: int
    longest: float


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
    return Frames(len(frames), sum(frame > LATE for frame in frames), max(frames, default=0))


async def main(games: list[str], moves: int, slower: float) -> None:
    with tempfile.TemporaryDirectory() as data:
        async with server(Path(data), bot_delay=0, test_first=0) as live, chromium() as browser:
            for game in games:
                counted, late, longest = await watch(browser, live, game, moves, slower)
                share = late / max(1, counted)
                print(
                    f"{game:10} {counted:5} frames, {share:6.1%} above {LATE} ms, at most {longest:.0f} ms", flush=True
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
