"""Find me a game: people who press the same button play with each other."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from croupier.tables import seeking
from tests.browser.person import PHONE, Person
from tests.browser.sizes import troubles_everywhere
from tests.clock import ManualTime
from tests.live import LiveHere, server
from tests.nodes.several import nodes


@asynccontextmanager
async def house(data: Path, count: int, time: ManualTime) -> AsyncIterator[list[LiveHere]]:
    """A server, or several nodes."""
    if count > 1:
        async with nodes(data, count, time=time, message_rate=0) as running:
            yield running
    else:
        async with server(data, time=time, message_rate=0) as live:
            yield [live]


def find(person: Person, game: str = "Palace") -> Locator:
    return person.button(f"^Find me a game: {game}")


@pytest.mark.parametrize("count", [1, 2])
async def test_three_press_the_button_and_play_to_the_end(browser: Browser, tmp_path: Path, count: int) -> None:
    time = ManualTime()
    async with house(tmp_path, count, time) as running:
        ways = [running[number % count].http for number in range(3)]
        people = [
            await Person.arrive(browser, name, way) for name, way in zip(("Ann", "Ben", "Cleo"), ways, strict=True)
        ]
        await asyncio.gather(*(person.press(find(person)) for person in people))
        for person in people:
            await expect(person.page.get_by_role("timer")).to_have_text("The game begins in 10 seconds.")
            await expect(person.page).to_have_title(re.compile("^● The game begins – "))
        await time.to_pass(seeking.COUNTDOWN)
        await asyncio.gather(*(person.play_palace() for person in people))
        for person in people:
            await expect(person.page.get_by_role("region", name="Result")).to_be_visible()
        ann, ben, cleo = people
        await ann.press(ann.button("^Find me another game"))
        await expect(ann.text("The game begins by itself as soon as somebody comes")).to_be_visible()
        for person in (ben, cleo):
            await person.press(person.button("Ready$"))
            await expect(person.button("Ready$")).to_have_attribute("aria-pressed", "true")
        await expect(ben.page.get_by_role("timer")).to_be_visible()
        await expect(ann.text("Around just now: 2 waiting")).to_be_visible()
        await time.to_pass(seeking.COUNTDOWN)
        await expect(ann.text("Around just now: 2 playing")).to_be_visible()
        assert [complaint for person in people for complaint in person.complaints] == []


async def test_who_is_alone_is_told_so_and_plays_with_bots_meanwhile(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        await ann.page.clock.install()
        await ann.press(find(ann))
        await expect(ann.text("Nobody else is here for this game just now")).to_be_visible()
        await expect(ann.text("You can leave this page open")).to_have_count(0)
        assert await troubles_everywhere(ann.page) == {}
        await ann.page.clock.fast_forward(61_000)
        await expect(ann.text("You can leave this page open")).to_be_visible()
        await ann.press(ann.button("^Play with bots now"))
        await expect(ann.page.get_by_role("group", name="The others")).to_be_visible()
        ben = await Person.arrive(browser, "Ben", live.http)
        await ben.press(find(ben))
        await expect(ben.text("Around just now: 1 playing")).to_be_visible()
        assert ann.complaints + ben.complaints == []


async def test_who_comes_back_to_the_page_still_waits(browser: Browser, tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await ann.press(find(ann, "Coup"))
        await expect(ann.text("The game begins by itself")).to_be_visible()
        await ann.page.reload()
        await expect(ann.text("The game begins by itself")).to_be_visible()
        ben = await Person.arrive(browser, "Ann", live.http)
        await ben.press(find(ben, "Coup"))
        await expect(ben.page.get_by_role("main").get_by_role("listitem").filter(has_text="Ann 2")).to_be_visible()
        await expect(ann.page.get_by_role("timer")).to_be_visible()
        await time.to_pass(seeking.COUNTDOWN)
        for person in (ann, ben):
            await expect(person.page.get_by_role("timer")).to_have_count(0)
            await expect(person.button("^Income")).to_be_visible()
        assert ann.complaints + ben.complaints == []
