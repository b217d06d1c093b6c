"""A person at the page, a client of Palace's own protocol and two bots at one table."""

from __future__ import annotations

import asyncio
from pathlib import Path

from playwright.async_api import Browser, expect
from websockets.asyncio.client import connect

from tests.browser.person import DESKTOP, Person
from tests.conformance.test_mixed_table import PalaceClient, assert_told_the_same
from tests.live import server


async def test_nobody_is_made_the_host_who_could_not_know(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **DESKTOP)
        link = await ann.open_table()
        async with connect(live.ws("/palace")) as socket:
            await PalaceClient(socket).join(link.rpartition("/")[2])
            await expect(ann.button("^Send .* away")).to_have_count(1)
            await expect(ann.button("^Make host")).to_have_count(0)
            await ben.join(link)
            await ann.press(ann.button("^Make host"))  # there is one, and it is Ben's
            await expect(ben.button("^Add a bot")).to_be_visible()
        assert ann.complaints + ben.complaints == []


async def test_a_browser_a_palace_client_and_two_bots_play_to_the_end(browser: Browser, tmp_path: Path) -> None:
    # With fixed luck, since some games last ten times as long as others.
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        link = await ann.open_table()
        async with connect(live.ws("/palace")) as socket:
            old = PalaceClient(socket)
            await old.join(link.rpartition("/")[2])
            for bots in (1, 2):
                await ann.press(ann.button("^Add a bot"))
                await expect(ann.page.get_by_role("button", name="Send BOT")).to_have_count(bots)
            await ann.press(ann.button("^Start the game"))
            await asyncio.gather(ann.play_palace(), old.play())
            rows = ann.page.get_by_role("region", name="Result").get_by_role("listitem")
            await expect(rows).to_have_count(4)
            assert old.order is not None
            for row, seat in zip(await rows.all(), old.order, strict=True):
                await expect(row).to_contain_text(old.names[str(seat)].removeprefix("BOT "))
        views = [fact["view"] for fact in ann.facts() if fact.get("entry", {}).get("entry") in ("started", "moved")]
        assert_told_the_same(views, old.states)
        assert ann.complaints == []
