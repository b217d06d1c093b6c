"""Photograph the web client: lobby, waiting room, a game, its result and replay, on a desktop and on a phone.

    python scripts/screenshots.py FOLDER

It starts a server of its own, with fixed luck, and plays against bots.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # the tests know how to start a server and to use the page

from playwright.async_api import Browser, expect

from tests.browser.person import DESKTOP, PHONE, Person, chromium
from tests.live import process

SEED = "11" * 32
SCHEMES = {
    "desktop": (DESKTOP, "light"),
    "phone": (PHONE, "light"),
    "dark": (DESKTOP, "dark"),
    "night": (PHONE, "dark"),
}


async def main(folder: Path) -> None:
    flags = ["--bot-delay", "0", "--test-mode", "--test-seed", SEED, "--test-first", "0"]
    with tempfile.TemporaryDirectory() as data:
        async with process(Path(data), *flags) as server, chromium() as browser:
            for name, (context, scheme) in SCHEMES.items():
                await photograph(browser, server.http, folder, name, {**context, "color_scheme": scheme})
                await photograph_faraway(browser, server.http, folder, name, {**context, "color_scheme": scheme})


async def photograph(browser: Browser, address: str, folder: Path, device: str, context: dict[str, Any]) -> None:
    async def shot(what: str) -> None:
        await person.page.wait_for_timeout(800)  # until everything has come to rest
        await person.page.screenshot(path=folder / f"{device}-{what}.png")

    host = await Person.arrive(browser, "Maja", address)
    await host.open_table("Friday night")
    person = await Person.arrive(browser, "Robin", address, **context)
    await expect(person.text("Friday night")).to_be_visible()
    await shot("lobby")
    await person.press(person.button("^Open a table"))
    await shot("new-table")
    await person.press(person.button("^Never mind"))
    link = await person.open_table("Robin's table")
    for _ in range(2):
        await person.press(person.button("^Add a bot"))
    guest = await Person.arrive(browser, "Alex", address)
    await guest.page.goto(link)
    await guest.page.wait_for_timeout(500)
    await guest.page.screenshot(path=folder / f"{device}-door.png")
    await guest.join(link)
    await guest.page.get_by_label("Say something").fill("Hello! Ready when you are.")
    await guest.press(guest.button("^Send"))
    await shot("waiting")
    await person.press(person.button("^Start the game"))
    await expect(person.button("^Lay these open")).to_be_visible()
    await shot("setup")
    playing = asyncio.create_task(guest.play_palace())
    await person.palace_move()
    moves = 0
    while not await person.page.get_by_role("region", name="Result").count():
        await expect(
            person.page.locator(".bar button.primary").or_(person.page.get_by_role("region", name="Result")).first
        ).to_be_visible(timeout=60_000)
        moves += 1
        if moves == 4:
            await photograph_side(person, shot)
        if moves in (3, 6, 12):
            fitting = person.page.locator(".mine button.live:not(.unfit)")
            if await fitting.count():
                await person.press(fitting.first)
            await shot(f"play{moves}")
        await person.palace_move()
    await shot("result")
    await playing
    await person.press(person.page.get_by_role("link", name="Watch it again"))
    await person.page.get_by_role("combobox", name="Seen by").select_option(label="Robin")
    await person.page.get_by_role("slider", name="Step").fill("14")
    await shot("replay")
    await person.press(person.button("^Open cards"))
    await shot("replay-open")
    for one in (guest, host, person):
        await one.context.close()


async def photograph_side(person: Person, shot: Callable[[str], Awaitable[None]]) -> None:
    """What is beside the game, and on a phone behind a button."""
    drawer = person.button("^Chat")
    if await drawer.is_visible():
        await person.press(drawer)
    for tab in ("People", "Rules"):
        await person.press(person.page.get_by_role("tab", name=tab))
        await shot(tab.lower())
    await person.press(person.page.get_by_role("tab", name="Log and chat"))
    closing = person.button("^Close")
    if await closing.is_visible():
        await person.press(closing)


async def photograph_faraway(
    browser: Browser, address: str, folder: Path, device: str, context: dict[str, Any]
) -> None:
    """Every phase of the first rounds, a card seen closely, and the way back."""

    async def shot(what: str) -> None:
        await page.wait_for_timeout(800)
        await page.screenshot(path=folder / f"{device}-faraway-{what}.png")

    person = await Person.arrive(browser, "Robin", address, **context)
    page = person.page
    await person.open_table("Robin's journey", game="faraway")
    for bots in range(1, 4):
        await person.press(person.button("^Add a bot"))
        await expect(person.button("^Send BOT")).to_have_count(bots)
    await person.press(person.button("^Start the game"))
    over = page.get_by_role("region", name="Result")
    cards = page.locator(".card.live")
    taken: set[str] = set()
    while True:
        await expect(over.or_(cards).first).to_be_visible()
        if await over.count():
            break
        phase = await page.locator(".map").get_attribute("data-phase") or ""
        late = await page.get_by_role("group", name="Round 5 of 8").count()
        await person.press(cards.first)
        for name in {phase, f"{phase}-late" if late else phase} - taken:
            taken.add(name)
            await shot(name)
        commit = page.locator(".bar button.primary:enabled")
        await person.press(commit)
        await expect(commit).to_be_hidden()  # what could be chosen is still to be seen for a moment
        if "waiting" not in taken:
            taken.add("waiting")
            await shot("waiting")
            await person.press(page.locator(".card[data-card]").first)
            await shot("card")
            await page.keyboard.press("Escape")
    await shot("result")
    way = page.get_by_role("region", name="The way back")
    await way.evaluate("way => way.closest('main').scrollTo(0, way.offsetTop - 70)")
    await shot("way-back")
    await person.press(way.get_by_role("button", name="Step by step"))
    for _ in range(4):
        await person.press(way.get_by_role("button", name="Next region"))
    await shot("step")
    await person.context.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1] if len(sys.argv) > 1 else "test-results/screenshots")))
