"""The guided first game of every game, for somebody who has never seen it: what is marked is pressed, and no more."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Browser, Locator, expect

from croupier.games import catalogue
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_accessibility import barriers
from tests.client import client
from tests.live import LiveHere

GAMES = catalogue().games
TAUGHT = [name for name, game in GAMES.items() if game.lesson is not None]
MOST_TABS = 80

COVERED = """() => {
  const coach = document.querySelector('.coach').getBoundingClientRect()
  const within = coach.left >= 0 && coach.top >= 0 && coach.right <= innerWidth && coach.bottom <= innerHeight
  const marked = [...document.querySelectorAll('[data-ringed]')].filter((element) => {
    const box = element.getBoundingClientRect()
    const across = Math.min(box.right, coach.right) - Math.max(box.left, coach.left)
    const down = Math.min(box.bottom, coach.bottom) - Math.max(box.top, coach.top)
    return across > 1 && down > 1
  })
  return [...(within ? [] : ['the coach sticks out']), ...marked.map((element) => `it covers ${element.dataset.point}`)]
}"""

PRESSED = "element => element.getAttribute('aria-pressed') === 'true'"

Press = Callable[[Locator], Awaitable[None]]


class Learner:
    def __init__(self, person: Person, game: str, press: Press | None = None) -> None:
        self.person = person
        self.page = person.page
        self.press = press or person.press
        self.coach = self.page.get_by_role("region", name="Lesson", exact=True)
        lesson = GAMES[game].lesson
        assert lesson is not None
        self.steps = [step for step in lesson.steps if step.text]

    async def begin(self, game: str) -> None:
        await self.page.goto(f"/learn/{game}")
        await expect(self.coach).to_be_visible()

    async def take(self, number: int) -> None:
        """The step that is on, as it says."""
        step = self.steps[number]
        await expect(self.coach).to_contain_text(step.text)
        await expect(self.coach).to_contain_text(f"{number + 1} of {len(self.steps)}")
        marked = step.at[:1] if step.asks else step.at  # what is to be pressed then may come with the first press
        for name in marked:
            await expect(self.ringed(name)).to_be_visible()
        assert await self.page.evaluate(COVERED) == [], step.text
        if not step.asks:
            last = number == len(self.steps) - 1
            await self.press(self.coach.get_by_role("button", name=re.compile("Play on|Done" if last else "Next")))
            return
        before = self.person.seq
        for name in step.at:
            await expect(self.ringed(name)).to_be_visible()
            if (target := await self.pressable(name)) is not None:
                await self.press(target)
        await self.person.news(before)

    def point(self, name: str) -> Locator:
        return self.page.locator(f'main [data-point~="{name}"]').first

    def ringed(self, name: str) -> Locator:
        """The same with a ring around it; or what lies in it, where it is as wide as the page."""
        point = f'[data-point~="{name}"]'
        return self.page.locator(f"main {point}[data-ringed], main {point} [data-ringed]").first

    async def pressable(self, name: str) -> Locator | None:
        """What is marked, or the first in it that can be pressed, as soon as it can be; what has been chosen already
        need not be, and what is only spoken of can't be."""
        point = self.point(name)
        if await point.evaluate("element => element.matches('button')"):
            await expect(point).to_be_enabled()
            return None if await point.evaluate(PRESSED) else point
        if not await point.locator("button").count():
            return None
        within = point.locator("button:enabled").first
        await within.wait_for()
        return within


async def learn(learner: Learner, steps: range | None = None) -> None:
    for number in steps or range(len(learner.steps)):
        await learner.take(number)


@pytest.mark.parametrize("game", TAUGHT)
async def test_a_lesson_is_played_to_its_end(browser: Browser, live: LiveHere, game: str) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **(PHONE if TAUGHT.index(game) % 2 else DESKTOP))
    await ann.press(ann.page.get_by_role("link", name=f"Learn by playing: {GAMES[game].title}"))
    learner = Learner(ann, game)
    await learn(learner)
    await expect(learner.coach).to_be_hidden()
    assert await ann.fits()
    assert ann.complaints == []


async def test_a_lesson_goes_by_keys_alone(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)

    async def key(target: Locator) -> None:
        element = await target.element_handle()
        for _ in range(MOST_TABS):
            if await ann.page.evaluate("element => document.activeElement === element", element):
                return await ann.page.keyboard.press("Enter")
            await ann.page.keyboard.press("Tab")
        raise AssertionError("it can't be reached")

    learner = Learner(ann, "palace", key)
    await learner.begin("palace")
    await learn(learner)
    assert ann.complaints == []


async def test_a_lesson_can_be_left_and_taken_up_again(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
    learner = Learner(ann, "palace")
    await learner.begin("palace")
    await learn(learner, range(3))
    await expect(learner.coach).to_contain_text(learner.steps[3].text)
    await ann.page.reload()  # on the address of the table, and not to a new lesson
    await expect(learner.coach).to_contain_text(learner.steps[3].text)
    assert await barriers(ann) == []
    seven = ann.page.locator('[data-card="5♣"]')
    await ann.press(seven)
    await expect(ann.page.locator(".bar .primary")).to_be_disabled()  # another card is asked for
    await ann.press(ann.button("^Skip the lesson"))
    await expect(learner.coach).to_be_hidden()
    await expect(ann.page.locator(".bar .primary")).to_be_enabled()
    await ann.press(ann.button("^Lesson$"))
    await expect(learner.coach).to_be_visible()
    await ann.press(ann.button("^Skip the lesson"))
    await ann.press(ann.page.locator(".bar .primary"))
    await expect(ann.button("^Lesson$")).to_be_hidden()  # there is nothing to come back to


async def test_whoever_goes_another_way_is_told(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
    learner = Learner(ann, "palace")
    await learner.begin("palace")
    async with client(live.ws("/ws")) as other:  # which offers all that the rules allow
        table = ann.page.url.rpartition("/")[2]
        seats = json.loads(await ann.page.evaluate("localStorage['croupier.seats']"))
        await ann.page.goto("/")
        sync = (await other.ask("return", table=table, token=seats[table]["token"]))["sync"]
        await other.ask("play", move=sync["moves"][0])
    await ann.page.goto(f"/t/{table}")
    await expect(learner.coach).to_contain_text("a way of your own")
    await ann.press(learner.coach.get_by_role("button", name="Finish here"))
    await expect(ann.page.get_by_role("link", name="Learn by playing: Palace")).to_be_visible()


async def test_nobody_is_shown_the_way_into_a_lesson_that_is_not_there(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
    await ann.page.goto("/learn/chess")
    await expect(ann.text("There is no lesson of this game")).to_be_visible()
    await ann.press(ann.page.get_by_role("link", name="To the lobby"))
    await ann.press(ann.button("^Rules: Coup"))
    sheet = ann.page.get_by_role("dialog", name="Rules: Coup")
    await expect(sheet.get_by_role("heading", name="Coup", exact=True)).to_be_visible()
    await expect(sheet.get_by_role("link", name="Learn by playing")).to_be_visible()
    assert await barriers(ann) == []
    await ann.page.keyboard.press("Escape")
    await expect(sheet).to_be_hidden()
