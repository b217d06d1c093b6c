"""Photograph the web client: lobby, every table, its result and its replay, on a desktop and on a phone.

    python scripts/screenshots.py FOLDER [GAME…]

It starts a server of its own, with fixed luck, and plays every game against bots. Each picture is taken by day and by
night, at 1280x800 and at 390x844.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # the tests know how to start a server and to use the page

from playwright.async_api import Browser, expect

from tests.browser import test_cambia, test_coup, test_faraway, test_fortress
from tests.browser.person import DESKTOP, PHONE, Person, chromium
from tests.browser.test_accessibility import at_the_table
from tests.live import LiveHere, server

SEED = "11" * 32
DEVICES: dict[str, dict[str, Any]] = {
    "desktop": {**DESKTOP, "color_scheme": "light"},
    "phone": {**PHONE, "color_scheme": "light"},
    "dark": {**DESKTOP, "color_scheme": "dark"},
    "night": {**PHONE, "color_scheme": "dark"},
}
PLAY: dict[str, Callable[[Person, int], Awaitable[None]]] = {
    "palace": lambda person, rounds: person.play_palace(rounds=rounds),
    "cambia": lambda person, rounds: test_cambia.play_out(person, rounds=rounds),
    "coup": lambda person, rounds: test_coup.play(person, Random(3), rounds),
    "faraway": lambda person, rounds: test_faraway.play(person, rounds),
    "fortress": lambda person, rounds: test_fortress.play(person, Random(9), rounds),
}
MOMENTS = (1, 9)
"""After so many moves the table is photographed."""
TO_THE_END = 10_000


class Photographer:
    def __init__(self, folder: Path, device: str) -> None:
        self._folder = folder
        self._device = device

    async def shoot(self, person: Person, what: str) -> None:
        await person.page.wait_for_timeout(800)  # until everything has come to rest
        await person.page.screenshot(path=self._folder / f"{self._device}-{what}.png")


async def main(folder: Path, games: Sequence[str]) -> None:
    for device, context in DEVICES.items():
        photographer = Photographer(folder, device)
        with tempfile.TemporaryDirectory() as data:
            async with server(Path(data), bot_delay=0, test_seed=SEED, test_first=0) as live, chromium() as browser:
                await before_a_game(browser, live, photographer, context)
                for game in games or PLAY:
                    await a_game(browser, live, photographer, context, game)


async def before_a_game(browser: Browser, live: LiveHere, photographer: Photographer, context: dict[str, Any]) -> None:
    host = await Person.arrive(browser, "Maja", live.http)
    await host.open_table("Friday night")
    person = await Person.arrive(browser, "Robin", live.http, **context)
    await expect(person.text("Friday night")).to_be_visible()
    await photographer.shoot(person, "lobby")
    await person.press(person.button("^Open a table"))
    await photographer.shoot(person, "new-table")
    await person.press(person.button("^Never mind"))
    link = await person.open_table("Robin's table")
    await person.press(person.button("^Add a bot"))
    guest = await Person.arrive(browser, "Alex", live.http, **context)
    await guest.page.goto(link)
    await photographer.shoot(guest, "door")
    await guest.join(link)
    await photographer.shoot(person, "waiting")
    for one in (guest, host, person):
        await one.context.close()


async def a_game(
    browser: Browser, live: LiveHere, photographer: Photographer, context: dict[str, Any], game: str
) -> None:
    """From its first move to its result, and once more as a replay."""
    person = await at_the_table(browser, live, game, **context)
    played = 0
    for moment in MOMENTS:
        await PLAY[game](person, moment - played)
        played = moment
        await photographer.shoot(person, f"{game}-{moment}")
    await beside_it(person, photographer, game)
    await PLAY[game](person, TO_THE_END)
    await photographer.shoot(person, f"{game}-result")
    await person.press(person.page.get_by_role("link", name="Watch it again"))
    steps = person.page.get_by_role("slider", name="Step")
    await person.page.get_by_role("combobox", name="Seen by").select_option(label="Ann")
    await steps.fill(str(int(await steps.get_attribute("max") or 0) // 2))
    await photographer.shoot(person, f"{game}-replay")
    await person.press(person.button("^Open cards"))
    await photographer.shoot(person, f"{game}-replay-open")
    await person.context.close()


async def beside_it(person: Person, photographer: Photographer, game: str) -> None:
    """What is beside the game, and on a phone behind a button."""
    drawer = person.button("^Chat")
    if await drawer.is_visible():
        await person.press(drawer)
    for tab in ("People", "Rules", "Log and chat"):
        await person.press(person.page.get_by_role("tab", name=tab))
        await photographer.shoot(person, f"{game}-{tab.split()[0].lower()}")
    closing = person.button("^Close")
    if await closing.is_visible():
        await person.press(closing)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1] if len(sys.argv) > 1 else "test-results/screenshots"), sys.argv[2:]))
