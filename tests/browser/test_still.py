"""A table that only waits is still: while somebody thinks, their browser has next to nothing to draw.

Counted, not timed; `python -m benchmarks.still` measures what it takes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from croupier.client import Client
from croupier.games import catalogue
from tests.browser.person import DESKTOP, MOTION, PHONE, Person
from tests.live import LiveHere

GAMES = sorted(catalogue().games)


@asynccontextmanager
async def a_waiting_table(browser: Browser, live: LiveHere, game: str, **context: Any) -> AsyncIterator[Person]:
    """Somebody in a game with somebody else, neither of whom does anything: its clock runs."""
    ann = await Person.arrive(browser, "Ann", live.http, **context)
    link = await ann.open_table(seats=2, game=game)
    async with Client(live.http) as client:
        ben = await client.join(link.rpartition("/t/")[2].partition("#")[0], player="Ben")
        await ann.press(ann.button("^Start the game"))
        await expect(ann.page.locator(".felt, .map")).to_be_visible()
        if game == "fortress":  # nobody is hurried before both have chosen what to play with
            await ann.press(ann.button("^Play with Assault"))
            await ben.play(ben.moves[0])
        yield ann


WATCH_DRAWING = """new Promise((done) => {
    const changed = []
    const kind = ({ target, attributeName }) => `${target.nodeName} ${target.getAttribute?.('class')} ${attributeName}`
    const watcher = new MutationObserver((changes) => changed.push(changes.map(kind)))
    watcher.observe(document.body, { attributes: true, childList: true, characterData: true, subtree: true })
    setTimeout(() => done(changed), 3200)
})"""
"""All changes of the page in a while, by the moment they are made in."""


AT_REST = "() => document.getAnimations().every((one) => one.timeline !== document.timeline)"
"""Nothing moves, unless somebody scrolls."""


@pytest.mark.parametrize("context", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("game", GAMES)
async def test_a_table_that_waits_changes_nothing_but_its_clock(
    browser: Browser, live: LiveHere, game: str, context: dict[str, Any]
) -> None:
    async with a_waiting_table(browser, live, game, **context, **MOTION) as ann:
        clock = ann.page.locator("header .bar")
        await expect(clock).to_be_visible()
        await ann.page.wait_for_function(AT_REST)
        before = await clock.bounding_box()
        changes = await ann.page.evaluate(WATCH_DRAWING)
        after = await clock.bounding_box()
        assert before and after and after["width"] < before["width"]  # it is seen to run
        assert 2 <= len(changes) <= 5, changes  # all that shows the time moves at once, once a second
        assert {kind.split()[0] for moment in changes for kind in moment} <= {"circle", "SPAN", "#text"}, changes
        assert await ann.page.evaluate(AT_REST)
        assert ann.complaints == []


async def test_a_clock_says_how_much_is_left(browser: Browser, live: LiveHere) -> None:
    """The bar and the ring are as much of themselves as the time that is left is of all of it."""
    async with a_waiting_table(browser, live, "palace", **DESKTOP) as ann:
        clock = next(fact["clocks"][0] for fact in ann.facts() if fact.get("clocks"))
        assert clock["due"]
        left = await ann.page.evaluate(
            """() => {
                const bar = document.querySelector('header .bar')
                const ring = document.querySelector('circle.hand')
                const gone = ring.getAttribute('stroke-dashoffset') / ring.getAttribute('stroke-dasharray')
                return [bar.getBoundingClientRect().width / bar.parentElement.clientWidth, 1 - gone]
            }"""
        )
        assert 0.5 < left[0] <= 1
        assert abs(left[0] - left[1]) < 0.1
