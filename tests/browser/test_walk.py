"""Tables of every game as people use them on the page: two or three of them press whatever can be pressed, leave, are
sent away, come back, lose the line and play again. Nothing goes wrong, and nobody is called by a wrong name."""

from __future__ import annotations

import random
import re

import pytest
from playwright.async_api import Browser, Locator

from croupier.games import catalogue
from croupier.tables import error_log
from tests.browser.person import DESKTOP, PHONE, Person
from tests.live import LiveHere

GAMES = catalogue().games
STEPS = 50
NONSENSE = re.compile(r"\bundefined\b|\bnull\b|\bNaN\b|\[object|\bSeat \d|something went wrong", re.IGNORECASE)
"""What no page says that knows what it is talking about."""


class Walker:
    """Somebody who does anything that the page lets them do."""

    def __init__(self, person: Person, rng: random.Random) -> None:
        self.person = person
        self._rng = rng
        self.done: set[str] = set()

    async def step(self, link: str) -> None:
        page = self.person.page
        chance = self._rng.random()
        if chance < 0.03:
            await page.reload()
            self.done.add("reload")
        elif chance < 0.06:
            await page.goto("/")
            self.done.add("lobby")
        elif "/t/" not in page.url:
            await page.goto(link)
        elif await self._any(page.get_by_role("dialog").get_by_role("button")):
            self.done.add("dialog")
        elif chance < 0.12 and await self._any(page.get_by_role("button", name=re.compile("^(Leave|Send .*away)"))):
            self.done.add("leave")
        elif await self._any(page.locator("main").get_by_role("button", name=self.FORTH)):
            self.done.add("forth")
        elif await self._any(page.locator("main").get_by_role("button", disabled=False)):
            self.done.add("press")
        await self.makes_sense()

    FORTH = re.compile("^(Take a seat|Start|Begin|Play again|Add|Take back|Play here)")

    async def _any(self, buttons: Locator) -> bool:
        """Press one of them, if there is one."""
        visible = buttons.filter(visible=True)
        count = await visible.count()
        return bool(count) and await self.person.try_press(visible.nth(self._rng.randrange(count)), within=400)

    async def makes_sense(self) -> None:
        text = await self.person.page.locator("body").inner_text()
        assert not (wrong := NONSENSE.search(text)), f"{wrong[0]!r} in: {text}"
        assert not self.person.complaints


@pytest.mark.parametrize("name", GAMES)
async def test_whatever_people_press_nothing_goes_wrong(live: LiveHere, browser: Browser, name: str) -> None:
    rng = random.Random(name)
    before = error_log.seen.copy()
    people = [
        await Person.arrive(browser, "Anneliese", live.http, **DESKTOP),
        await Person.arrive(browser, "Bartholomew", live.http, **PHONE),
    ]
    walkers = [Walker(person, rng) for person in people]
    link = await people[0].open_table(seats=min(3, GAMES[name].seats[-1]), game=name)
    for _ in range(STEPS):
        await rng.choice(walkers).step(link)
    assert error_log.seen == before
    assert {"forth", "press"} <= walkers[0].done | walkers[1].done
