"""For everybody: what axe-core finds, by day and by night; no sideways scrolling; and keys alone are enough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, expect

from croupier.games import catalogue
from tests.browser.person import DESKTOP, PHONE, WEB, Person
from tests.browser.test_coup import open_coup
from tests.browser.test_replay import finished
from tests.live import LiveHere, server

GAMES = sorted(catalogue().games)
SMALLEST: dict[str, Any] = {**PHONE, "viewport": {"width": 360, "height": 640}}

TO_BEGIN = {"palace": ["^Lay these open"], "fortress": ["^Play with Assault", "^Keep this hand"]}
"""What has to be pressed before there is something to play."""


async def barriers(person: Person) -> list[str]:
    """What keeps some people out, seriously, in light and in dark colours."""
    page = person.page
    found: list[str] = []
    if not await page.evaluate("'axe' in window"):
        await page.evaluate((WEB / "node_modules" / "axe-core" / "axe.min.js").read_text())
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        report = await page.evaluate("axe.run({ resultTypes: ['violations'] })")
        found += [
            f"{scheme}: {one['id']}: {node['html'][:200]}: {node['failureSummary']}"
            for one in report["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]
    return found


async def at_the_table(browser: Browser, live: LiveHere, game: str, **context: Any) -> Person:
    """Somebody who plays against bots."""
    ann = await Person.arrive(browser, "Ann", live.http, **context)
    await ann.play_against_bots(catalogue().games[game].title)
    await expect(ann.page.locator(".felt, .map")).to_be_visible()
    for name in TO_BEGIN.get(game, ()):
        await ann.press(ann.button(name))
    return ann


async def test_the_lobby_keeps_nobody_out(browser: Browser, live: LiveHere) -> None:
    ben = await Person.arrive(browser, "Ben", live.http, **DESKTOP)
    await ben.open_table("Ben's table")
    assert await barriers(ben) == []  # where people wait for others
    ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
    await expect(ann.text("Ben's table")).to_be_visible()
    assert await barriers(ann) == []
    await ann.press(ann.button("^Open a table"))
    assert await barriers(ann) == []


@pytest.mark.parametrize("game", GAMES)
async def test_a_table_keeps_nobody_out(browser: Browser, live: LiveHere, game: str) -> None:
    ann = await at_the_table(browser, live, game, **DESKTOP)
    for tab in ("People", "Rules", "Log and chat"):
        await ann.press(ann.page.get_by_role("tab", name=tab))
        assert await barriers(ann) == []
    await ann.page.set_viewport_size({"width": 390, "height": 844})
    assert await barriers(ann) == []


@pytest.mark.parametrize("game", GAMES)
async def test_a_replay_keeps_nobody_out(browser: Browser, live: LiveHere, game: str) -> None:
    eve = await Person.arrive(browser, "Eve", live.http, **DESKTOP)
    await eve.page.goto(f"/t/{await finished(live, game)}/replay?seat=0&open=1&step=12")
    await expect(eve.page.locator(".felt, .map")).to_be_visible()
    assert await barriers(eve) == []
    await eve.page.keyboard.press("End")
    await expect(eve.page.get_by_role("region", name="Result")).to_be_visible()
    assert await barriers(eve) == []


@pytest.mark.parametrize("game", GAMES)
async def test_the_smallest_phone_has_room_for_every_table(browser: Browser, live: LiveHere, game: str) -> None:
    ann = await at_the_table(browser, live, game, **SMALLEST)
    assert await ann.fits()
    table = next(iter(live.house.rooms))
    eve = await Person.arrive(browser, "Eve", live.http, **SMALLEST)
    assert await eve.fits()
    await eve.page.goto(f"/t/{table}")
    await eve.press(eve.button("^Watch"))
    await expect(eve.page.locator(".felt, .map")).to_be_visible()
    assert await eve.fits()
    await eve.page.goto(f"/t/{await finished(live, game)}/replay?open=1&step=9")
    await expect(eve.page.locator(".felt, .map")).to_be_visible()
    assert await eve.fits()


# Without a mouse, and without a finger.


async def tab_to(person: Person, wanted: Locator) -> bool:
    """Press the tab key until the focus is on one of these; whether it ever was."""
    for _ in range(150):
        if await wanted.evaluate_all("found => found.includes(document.activeElement)"):
            return True
        await person.page.keyboard.press("Tab")
    return False


async def test_a_whole_game_by_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        page = ann.page
        await open_coup(ann, bots=1, An_action_goes_ahead="all")
        assert await tab_to(ann, ann.button("^Start the game"))
        await page.keyboard.press("Enter")
        over = page.get_by_role("region", name="Result")
        deeds = page.locator(".bar button:enabled:not(.quiet)")
        cards = page.locator(".hand button")
        for _ in range(200):
            await over.or_(deeds).or_(cards).first.wait_for(timeout=60_000)
            if await over.count():
                break
            if await cards.count() and await tab_to(ann, cards.last):
                await page.keyboard.press("Space")
            # One saves for a coup, and lets everything pass.
            coup, tax = page.locator(".bar .coup:enabled"), page.locator(".bar .tax:enabled")
            wanted = coup if await coup.count() else tax if await tax.count() else deeds
            if await tab_to(ann, wanted.first):
                await page.keyboard.press("Enter")
        assert await tab_to(ann, page.get_by_role("link", name="Watch it again"))
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("slider", name="Step")).to_be_visible()
        assert ann.complaints == []
