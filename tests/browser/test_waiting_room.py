"""Between games: people say that they are ready, and the game begins by itself."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, expect

from tests.browser.person import PHONE, Person
from tests.clock import ManualTime
from tests.live import server


async def test_the_game_begins_when_everybody_is_ready(browser: Browser, tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        link = await ann.open_table(seats=2)
        await expect(ann.button("^Start the game")).to_be_disabled()
        await expect(ann.button("Ready$")).to_have_count(0)
        await ann.page.get_by_label("Start when everybody is ready").check()
        await expect(ann.button("Ready$")).to_have_attribute("aria-pressed", "false")
        await ann.press(ann.button("Ready$"))
        await expect(ann.button("Ready$")).to_have_attribute("aria-pressed", "true")
        await expect(ann.text("One more player is needed")).to_be_visible()

        await ben.join(link)
        await expect(ann.text("Waiting until Ben is ready")).to_be_visible()
        await expect(ben.text("Waiting until you are ready")).to_be_visible()
        rows = ben.page.get_by_role("main").get_by_role("listitem")
        await expect(rows.filter(has_text="Ann")).to_contain_text("ready")
        await expect(rows.filter(has_text="Ben")).to_contain_text("not ready")
        await ben.press(ben.button("Ready$"))
        for person in (ann, ben):
            await expect(person.page.get_by_role("timer")).to_have_text("The game begins in 10 seconds.")

        await ann.press(ann.button("Ready$"))  # not any more
        await expect(ben.text("Waiting until Ann is ready")).to_be_visible()
        await time.to_pass(20)
        await expect(ben.page.get_by_role("timer")).to_have_count(0)
        await ann.press(ann.button("Ready$"))
        await expect(ben.page.get_by_role("timer")).to_be_visible()
        await time.to_pass(10)
        for person in (ann, ben):
            await expect(person.page.get_by_role("group", name="The others")).to_be_visible()
        assert ann.complaints + ben.complaints == []
