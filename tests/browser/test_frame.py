"""The frame around every table: what is the same whatever is played."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Request, expect

from croupier.games import catalogue
from tests.browser import test_faraway
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_accessibility import at_the_table
from tests.live import LiveHere

GAMES = sorted(catalogue().games)

LISTEN = """
    window.sounds = 0
    const start = AudioScheduledSourceNode.prototype.start
    AudioScheduledSourceNode.prototype.start = function (...when) { window.sounds++; start.apply(this, when) }
"""
"""Counts everything that is played, so that silence can be told from sound without ears."""


async def in_a_game(browser: Browser, live: LiveHere, **context: Any) -> Person:
    """Somebody who plays Palace against bots, and whose turn it is."""
    ann = await Person.arrive(browser, "Ann", live.http, **(context or DESKTOP))
    await ann.play_against_bots()
    await expect(ann.button("^Lay these open")).to_be_visible()
    return ann


def tab(person: Person, name: str) -> Locator:
    return person.page.get_by_role("tab", name=name)


async def hand(person: Person) -> list[str]:
    cards = person.page.get_by_role("group", name="Your hand").get_by_role("button")
    await expect(cards.first).to_be_visible()
    return [await card.get_attribute("data-card") or "" for card in await cards.all()]


# Beside the game.


@pytest.mark.parametrize("game", GAMES)
async def test_the_rules_of_every_game_are_at_hand(browser: Browser, live: LiveHere, game: str) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
    await ann.open_table(game=game, seats=2)
    await ann.press(tab(ann, "Rules"))
    rules = ann.page.get_by_role("region", name="Rules")
    title = catalogue().games[game].title
    await expect(rules.get_by_role("heading", name=title, exact=True, level=1)).to_be_visible()
    assert len(await rules.get_by_role("heading", level=2).all()) > 2
    await expect(rules).not_to_contain_text("The rules by number")
    assert ann.complaints == []


async def test_on_a_phone_the_rules_are_behind_a_button_and_fit(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live, **{**PHONE, "viewport": {"width": 360, "height": 640}})
    await ann.press(ann.button("^Chat"))
    await ann.press(tab(ann, "Rules"))
    await expect(ann.page.get_by_role("region", name="Rules")).to_contain_text("burns the pile")
    assert await ann.fits()
    await ann.press(ann.button("^Close"))
    await expect(ann.button("^Lay these open")).to_be_visible()


async def test_everybody_sees_who_is_there_and_whose_turn_it_is(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live)
    await ann.press(tab(ann, "People"))
    people = ann.page.get_by_role("complementary").get_by_role("listitem")
    await expect(people).to_have_count(4)
    await expect(people.filter(has_text="to play")).to_have_count(1)
    await expect(people.filter(has_text="to play")).to_contain_text("Ann")
    await expect(ann.page.locator("header .bar.urgent")).to_be_attached()  # the clock, which is ours now
    await expect(ann.page).to_have_title(re.compile("Your turn"))


async def test_spectators_are_counted(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live)
    counter = ann.page.get_by_title("watching")
    await expect(counter).to_have_count(0)
    eve = await Person.arrive(browser, "Eve", live.http)
    await eve.page.goto(ann.page.url)
    await eve.press(eve.button("^Watch"))
    await expect(counter).to_have_text(re.compile("^1"))
    await eve.context.close()
    await expect(counter).to_have_count(0)


async def test_the_host_rules_a_running_game_too(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    ben = await Person.arrive(browser, "Ben", live.http)
    cat = await Person.arrive(browser, "Cat", live.http)
    link = await ann.open_table(seats=3)
    for person in (ben, cat):
        await person.join(link)
    await expect(ann.text("Cat sits down")).to_be_visible()
    await ann.press(ann.button("^Start the game"))
    await expect(ann.page.get_by_role("region", name="Your cards")).to_be_visible()
    await ann.press(tab(ann, "People"))
    await ann.press(ann.button("^Send Cat away"))
    await expect(cat.text("The host has sent you away")).to_be_visible()
    await ann.press(ann.button("^Make host"))
    await expect(ben.page.get_by_role("log")).to_contain_text("Ben is the host now.")
    await ben.press(tab(ben, "People"))
    await expect(ben.button("^Send Ann away")).to_be_visible()
    await expect(ann.button("^Send Ben away")).to_have_count(0)
    assert ann.complaints + ben.complaints + cat.complaints == []


# What moves, and what stays where it is.

WATCH_SHIFTS = """
    window.shifts = []
    const unprompted = (shift) => !shift.hadRecentInput && document.querySelector('.felt, .map')
    new PerformanceObserver((list) => shifts.push(...list.getEntries().filter(unprompted).map((shift) => shift.value)))
        .observe({ type: 'layout-shift' })
"""


@pytest.mark.parametrize("game", ["palace", "faraway"])
async def test_the_table_stays_where_it_is_while_a_game_runs(browser: Browser, live: LiveHere, game: str) -> None:
    """What browsers call cumulative layout shift is as small as that of a page that loads well, for a whole while."""
    ann = await at_the_table(browser, live, game, **PHONE)
    eve = await Person.arrive(browser, "Eve", live.http, **PHONE)
    await eve.page.goto(ann.page.url)
    await eve.press(eve.button("^Watch"))
    await expect(eve.page.locator(".felt, .map")).to_be_visible()
    for person in (ann, eve):
        await person.page.evaluate(WATCH_SHIFTS)
    if game == "palace":
        await ann.play_palace(rounds=10)
    else:
        await test_faraway.play(ann, rounds=6)
    for person in (ann, eve):
        shifts = await person.page.evaluate("shifts")
        assert sum(shifts) < 0.1, shifts


# Sound.


async def test_a_table_can_be_heard_and_silenced_for_good(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    await ann.context.add_init_script(LISTEN)
    await ann.page.reload()
    await ann.play_against_bots()
    await expect(ann.button("^Lay these open")).to_be_visible()
    await ann.palace_move()
    await ann.page.wait_for_function("sounds > 0")
    sound = ann.button("^Sound$")
    await expect(sound).to_have_attribute("aria-pressed", "true")
    await ann.press(sound)
    await expect(sound).to_have_attribute("aria-pressed", "false")
    await ann.page.reload()
    await expect(sound).to_have_attribute("aria-pressed", "false")
    await ann.palace_move()
    await expect(ann.button("^Choose a card")).to_be_visible()
    assert await ann.page.evaluate("sounds") == 0
    await ann.press(sound)
    await ann.palace_move()
    await ann.page.wait_for_function("sounds > 0")
    assert ann.complaints == []


# Losing the way, and finding it again.


async def test_ten_seconds_without_a_network_in_the_middle_of_a_turn(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live)
    await ann.palace_move()
    await expect(ann.button("^Choose a card")).to_be_visible()
    before, address = await hand(ann), ann.page.url
    banner = ann.text("The connection is lost")
    await ann.context.set_offline(True)
    await expect(banner).to_be_visible()
    await ann.page.wait_for_timeout(10_000)
    await expect(banner).to_be_visible()
    await ann.context.set_offline(False)
    await expect(banner).to_be_hidden()
    assert (await hand(ann), ann.page.url) == (before, address)
    await ann.palace_move()
    await expect(ann.page.get_by_role("log")).to_contain_text("Ann plays")


async def test_another_tab_goes_on_where_the_closed_one_was(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live, **PHONE)
    await ann.palace_move()
    await expect(ann.button("^Choose a card")).to_be_visible()
    before = await hand(ann)
    other = await ann.context.new_page()
    await ann.page.close()
    await other.goto(f"/t/{next(iter(live.house.rooms))}")
    ann.page = other
    assert await hand(ann) == before
    await ann.palace_move()


# What it weighs.


@pytest.mark.parametrize("game", GAMES)
async def test_the_first_load_of_a_table_is_small(browser: Browser, live: LiveHere, game: str) -> None:
    """At most 150 kB of compressed JavaScript and CSS, with the game's own page, as they come over the wire."""
    ann = await Person.arrive(browser, "Ann", live.http)
    await ann.play_against_bots(catalogue().games[game].title)
    await expect(ann.button("^Leave")).to_be_visible()
    address = ann.page.url

    eve = await browser.new_context(base_url=live.http)
    page = await eve.new_page()
    loaded: list[Request] = []
    page.on("requestfinished", lambda request: loaded.append(request))
    await page.goto(address)
    await page.get_by_role("button", name="Watch").click()
    await expect(page.get_by_role("button", name="Leave")).to_be_visible()
    await page.wait_for_load_state("networkidle")
    sizes = {
        request.url: (await request.sizes())["responseBodySize"]
        for request in loaded
        if request.resource_type in ("script", "stylesheet")
    }
    assert len(sizes) > 2
    assert sum(sizes.values()) <= 150_000, sizes
