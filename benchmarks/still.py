"""What a table costs that only waits: the CPU time of a browser that shows it, without a graphics card.

Nothing happens at these tables but that a clock runs. A page that is drawn again in every frame meanwhile takes a good
part of a core, which a phone's battery pays for.

    python -m benchmarks.still                    every game, and the lobby
    python -m benchmarks.still palace --seconds 20
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from pathlib import Path

from playwright.async_api import Browser

from croupier.games import catalogue
from tests.browser.person import DESKTOP, MOTION, Person, chromium
from tests.browser.test_still import a_waiting_table
from tests.live import LiveHere, server

LOBBY = "lobby"
AT_REST_AFTER = 15
"""So many seconds after somebody has come, all that has moved is at rest, and in Cambia the first look is over."""


def browser_time() -> float:
    """CPU seconds of all processes of the browser that this process has started."""
    parents, spent = {}, {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (process / "stat").read_text().rpartition(")")
        except OSError:  # it has ended
            continue
        fields = rest.split()
        parents[int(process.name)] = int(fields[1])
        if "chrom" in name or "headless_shell" in name:
            spent[int(process.name)] = int(fields[11]) + int(fields[12])

    def ours(process: int) -> bool:
        while process not in (0, os.getpid()):
            process = parents.get(process, 0)
        return process == os.getpid()

    return sum(ticks for process, ticks in spent.items() if ours(process)) / os.sysconf("SC_CLK_TCK")


async def measure(browser: Browser, live: LiveHere, where: str, seconds: float) -> float:
    """The part of a core that it takes."""
    if where != LOBBY:
        async with a_waiting_table(browser, live, where, **DESKTOP, **MOTION) as person:
            return await look(person, seconds)
    return await look(await Person.arrive(browser, "Ann", live.http, **DESKTOP, **MOTION), seconds)


async def look(person: Person, seconds: float) -> float:
    await asyncio.sleep(AT_REST_AFTER)
    before = browser_time()
    await asyncio.sleep(seconds)
    spent = browser_time() - before
    await person.context.close()
    return spent / seconds


async def main(places: list[str], seconds: float) -> None:
    with tempfile.TemporaryDirectory() as data:
        async with server(Path(data), bot_delay=0, test_first=0) as live, chromium() as browser:
            for where in places:
                print(f"{where:10} {await measure(browser, live, where, seconds):6.1%} of a core", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    choices = [*catalogue().games, LOBBY]
    parser.add_argument("places", nargs="*", metavar="GAME", help=f"of {', '.join(choices)}")
    parser.add_argument("--seconds", type=float, default=10)
    asked = parser.parse_args()
    for unknown in set(asked.places) - set(choices):
        parser.error(f"there is no game {unknown!r}: choose from {', '.join(choices)}")
    asyncio.run(main(asked.places or choices, asked.seconds))
