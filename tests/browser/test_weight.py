"""A table is there soon, also on a slow line: what its first visit has to fetch."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Request, expect

from croupier.client import Client
from croupier.games import catalogue
from tests.live import LiveHere

CODE = 150_000
FONTS = 60_000
"""In bytes, as they are sent."""


@pytest.mark.parametrize("game", sorted(catalogue().games))
async def test_the_first_visit_of_a_table(browser: Browser, live: LiveHere, game: str) -> None:
    """Somebody follows a link to a game that is being played, and looks on. What the page fetches later, for when
    there is no network, keeps nobody waiting, and is not counted."""
    async with Client(live.http) as one, Client(live.http) as two:
        ann = await one.open(game, player="Ann", seats=2)
        await two.join(ann.id, player="Ben")
        await ann.start()
        context = await browser.new_context(base_url=live.http, service_workers="block")
        page = await context.new_page()
        fetched: list[Request] = []
        page.on("requestfinished", lambda request: fetched.append(request))
        await page.goto(f"/t/{ann.id}")
        await page.get_by_role("button", name="Watch").click()
        await expect(page.locator(".felt, .map")).to_be_visible()
        await page.wait_for_load_state("networkidle")
    sizes = {one.url: (await one.sizes())["responseBodySize"] for one in fetched}
    code = {url: size for url, size in sizes.items() if url.endswith((".js", ".css"))}
    fonts = {url: size for url, size in sizes.items() if url.endswith(".woff2")}
    assert code and fonts
    assert sum(code.values()) <= CODE, code
    assert sum(fonts.values()) <= FONTS, fonts
