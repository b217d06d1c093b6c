"""A line that dies without a word: what was asked on it is not lost, and nobody is left in the dark."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.async_api import Browser, expect

from tests.browser.line import line
from tests.browser.person import Person
from tests.clock import ManualTime
from tests.live import LiveHere, server

IN_TIME = 15_000
"""In milliseconds: what takes longer, somebody waits for at a grey button."""


def made(live: LiveHere) -> int:
    """How many moves people have made at the only table."""
    (room,) = live.house.rooms.values()
    return sum(len(seat.move_keys) for seat in room.table.seats.values())


async def test_a_move_is_made_once_the_line_is_back(browser: Browser, live: LiveHere) -> None:
    async with line(live.ports["http"]) as wire:
        ann = await Person.arrive(browser, "Ann", wire.http)
        await ann.play_against_bots()
        await expect(ann.button("^Lay these open")).to_be_enabled()
        wire.die()
        await ann.press(ann.button("^Lay these open"))
        await expect(ann.text("^Sending…")).to_be_visible()
        await expect(ann.text("^The connection is lost. Your move is sent again")).to_be_visible(timeout=IN_TIME)
        assert made(live) == 0
        wire.revive()
        await expect(ann.page.locator(".banner")).to_have_count(0, timeout=IN_TIME)
        await expect(ann.button("^Lay these open")).to_have_count(0)
        assert made(live) == 1


async def test_a_move_whose_answer_is_lost_is_made_once(browser: Browser, live: LiveHere) -> None:
    async with line(live.ports["http"]) as wire:
        ann = await Person.arrive(browser, "Ann", wire.http)
        await ann.play_against_bots()
        await expect(ann.button("^Lay these open")).to_be_enabled()
        wire.deaf = True
        await ann.press(ann.button("^Lay these open"))
        await expect(ann.text("^The connection is lost. Your move is sent again")).to_be_visible(timeout=IN_TIME)
        assert made(live) == 1
        wire.revive()
        await expect(ann.page.locator(".banner")).to_have_count(0, timeout=IN_TIME)
        await expect(ann.page.locator(".notice")).to_be_empty()  # nothing to complain about
        assert made(live) == 1
        await ann.palace_move()
        await expect(ann.page.get_by_role("log")).to_contain_text(re.compile("Ann plays|You play"))


async def test_a_move_that_came_too_late_is_not_made_later(browser: Browser, tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time, bot_delay=0) as live, line(live.ports["http"]) as wire:
        ann = await Person.arrive(browser, "Ann", wire.http)
        path = urlsplit(await ann.open_table(game="faraway", seats=2)).path
        ben = await Person.arrive(browser, "Ben", live.http)
        await ben.join(path)
        await ann.press(ann.button("^Start the game"))
        mine = ann.page.get_by_role("group", name="Your hand").get_by_role("button")
        await ann.press(mine.first)
        wire.die()
        await ann.press(ann.button("^Play"))
        await expect(ann.text("^The connection is lost. Your move is sent again")).to_be_visible(timeout=IN_TIME)
        await time.to_pass(3600)
        wire.revive()
        await expect(ann.page.locator(".notice")).to_have_text(
            "Your move did not get through, and the game has moved on.", timeout=IN_TIME
        )
        assert made(live) == 0
