"""Hearts: a game from elsewhere with a page of its own, in a browser."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Position, expect

from croupier.plugins import catalogue
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.sizes import troubles_everywhere
from tests.browser.test_accessibility import barriers
from tests.example_pages import build
from tests.live import LiveHere, server

SIDEWAYS: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
INDEX = Position(x=20, y=30)
"""Where a fanned card can be seen when others lie on it."""
LOOKED_AT = 3
"""So many cards are pressed with a look at what may lie in the way."""


@pytest.fixture(scope="session", autouse=True)
def page_of_hearts(built: None) -> None:
    build("hearts")


@pytest_asyncio.fixture(loop_scope="session")
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, catalogue(["croupier_hearts:game"]), bot_delay=0) as running:
        yield running


def hand(person: Person) -> Locator:
    return person.page.get_by_role("group", name=re.compile("^(Your hand|Votre main)$")).get_by_role("button")


async def gather(host: Person, *guests: Person, points: str = "1") -> str:
    """A table for these, with bots in the other seats and no clock, and the game has begun."""
    link = await host.open_table(game="hearts")
    for title, value in (("Play to", points), ("Time for a card", "0")):
        await host.page.get_by_role("combobox", name=re.compile(f"^{title}")).select_option(value)
    for guest in guests:
        await guest.join(link)
    for count in range(3 - len(guests)):
        await host.press(host.button("^Add a bot"))
        await expect(host.page.get_by_role("button", name="Send BOT")).to_have_count(count + 1)
    await host.press(host.button("^Start the game"))
    for person in (host, *guests):
        await expect(person.page.locator(".felt")).to_be_visible()
    return link


async def pass_three(person: Person) -> None:
    for place in (12, 5, 0):
        assert await person.try_press(hand(person).nth(place), INDEX, within=20_000)
    await person.press(person.button("^Pass to"))
    await person.until(lambda: person.moved == 1)


async def play_card(person: Person) -> None:
    """The first card that may be played; a finger has to press it twice, or the button."""
    before = person.moved
    card = person.page.locator(".fan button.live").first
    await card.wait_for()
    if person.hasty:
        await card.dispatch_event("click")
    else:
        assert await person.try_press(card, INDEX, within=20_000)
        if person.page.viewport_size != DESKTOP["viewport"]:
            await expect(card).to_have_attribute("aria-pressed", "true")
            await person.press(person.button("^Play "))
    await person.until(partial(person.has_moved_since, before))


async def play_to_the_end(*people: Person) -> None:
    for person in people:
        await pass_three(person)
    made = 0
    while not people[0].over:
        await people[0].until(lambda: people[0].over or any(person.to_move for person in people))
        for person in people:
            person.hasty = made >= LOOKED_AT * len(people)
            if person.to_move and not person.over:
                await play_card(person)
                made += 1
        await people[0].page.evaluate("1")  # all that was sent before has arrived
    for person in people:
        await person.until(lambda person=person: person.over)  # type: ignore[misc]
        person.hasty = False


async def test_two_people_and_two_bots_play_to_the_end(browser: Browser, live: LiveHere) -> None:
    """One of them with a phone held sideways; in test_installed.py it is held upright."""
    ann = await Person.arrive(browser, "Ann", live.http)
    ben = await Person.arrive(browser, "Ben", live.http, **SIDEWAYS)
    await gather(ann, ben)
    for person in (ann, ben):
        await expect(hand(person)).to_have_count(13)
        assert await person.fits()
    await play_to_the_end(ann, ben)
    for person in (ann, ben):
        await expect(person.page.get_by_role("region", name="Result")).to_be_visible()
        points = person.page.get_by_role("region", name="Points")
        await expect(points.get_by_role("row")).to_have_count(3)
        assert await person.fits()
    await ben.watch_again()
    await expect(ben.page.get_by_role("region", name="Points")).to_be_visible()
    assert ann.complaints == ben.complaints == []


async def test_nobody_sees_the_cards_of_others_before_a_replay_is_opened(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    link = await gather(ann)
    await pass_three(ann)
    dora = await Person.arrive(browser, "Dora", live.http, link.removeprefix(live.http))
    await dora.press(dora.button("^Watch"))
    await expect(dora.page.get_by_role("status").filter(has_text="You are watching")).to_be_visible()
    await expect(dora.page.locator(".seat")).to_have_count(4)
    await expect(hand(dora)).to_have_count(0)
    await ann.until(lambda: ann.to_move)
    ann.hasty = True
    while not ann.over:
        await ann.until(lambda: ann.over or ann.to_move)
        if not ann.over:
            await play_card(ann)
    ann.hasty = False
    await ann.press(ann.page.get_by_role("link", name="Watch it again"))
    await expect(ann.page.locator(".seat .open")).to_have_count(0)
    await ann.press(ann.button("^Open cards"))
    await expect(ann.page.locator(".seat .open")).to_have_count(3)
    await expect(ann.page.locator(".seat .open").first.locator("b")).to_have_count(13)
    assert ann.complaints == dora.complaints == []


async def test_by_keyboard(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    await gather(ann)
    await hand(ann).first.focus()
    for key in ("Enter", "ArrowRight", "Enter", "ArrowRight", "Space"):
        await ann.page.keyboard.press(key)
    await expect(hand(ann).and_(ann.page.locator("[aria-pressed=true]"))).to_have_count(3)
    await ann.button("^Pass to").focus()
    await ann.page.keyboard.press("Enter")
    await ann.until(lambda: ann.moved == 1)
    await ann.until(lambda: ann.to_move)
    await ann.page.locator(".fan button.live").first.focus()
    await ann.page.keyboard.press("Enter")
    await ann.until(lambda: ann.moved == 2)
    assert ann.complaints == []


async def test_what_the_page_brings_along_is_used_by_the_frame(browser: Browser, live: LiveHere) -> None:
    """Its emblem, its rules, its words for leaving, how its log is told: trick by trick."""
    ann = await Person.arrive(browser, "Ann", live.http)
    emblem = ann.page.get_by_role("article").filter(has_text="Hearts").locator("img")
    await expect(emblem).to_have_attribute("src", re.compile("^/games/hearts/emblem.svg"))
    await gather(ann)
    await pass_three(ann)
    await ann.until(lambda: ann.to_move)
    await play_card(ann)
    await ann.until(lambda: ann.to_move)
    await expect(ann.page.get_by_role("log").get_by_role("heading", name="Round 1")).to_be_visible()
    await ann.press(ann.page.get_by_role("tab", name="Rules"))
    await expect(ann.page.get_by_role("heading", name="The tricks")).to_be_visible()
    await ann.press(ann.page.get_by_role("button", name="Leave"))
    await expect(ann.page.get_by_role("dialog")).to_contain_text("A bot plays on with your cards")


async def test_in_french_and_in_the_dark(browser: Browser, live: LiveHere) -> None:
    zoe = await Person.arrive(browser, "Zoé", live.http, **{**PHONE, "locale": "fr-FR", "color_scheme": "dark"})
    offer = zoe.page.get_by_role("article").filter(has=zoe.page.get_by_role("heading", name="Hearts"))
    await zoe.press(offer.locator("button.primary"))
    await expect(zoe.text("^Trois cartes à choisir pour")).to_be_visible()
    await expect(hand(zoe)).to_have_count(13)
    assert zoe.complaints == []


async def test_everything_is_within_reach_on_every_screen_and_said_aloud(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    await gather(ann, points="100")
    assert await barriers(ann) == []
    assert await troubles_everywhere(ann.page) == {}
    await pass_three(ann)
    await ann.until(lambda: ann.to_move)
    await ann.page.locator(".fan button.live").first.wait_for()
    assert await barriers(ann) == []
    assert await troubles_everywhere(ann.page) == {}
    ann.hasty = True
    for _ in range(13):
        await ann.until(lambda: ann.to_move)
        await play_card(ann)
    ann.hasty = False
    await expect(ann.button("^Next hand")).to_be_visible()
    assert await barriers(ann) == []
    assert await troubles_everywhere(ann.page) == {}
    await ann.press(ann.button("^Next hand"))
    await expect(ann.text("Passing to the right")).to_be_visible()
    await expect(hand(ann)).to_have_count(13)
