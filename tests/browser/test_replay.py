"""Finished games are watched again in a real browser."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, Route, expect

from croupier.games import catalogue
from croupier.kernel.chance import QuickDice
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.sizes import resize
from tests.client import client
from tests.diary import Diary
from tests.live import LiveHere, server

GAMES = sorted(catalogue().games)


async def finished(live: LiveHere, game: str, games: int = 1) -> str:
    """A table at which two bots called Ann and Ben have played: its id."""
    diary = Diary(catalogue().games[game], 2, "0123456789abcdef", shown=False).play()
    for _ in range(1, games):
        diary.another()
    return await diary.put_into(live.house)


async def arrive(browser: Browser, live: LiveHere, path: str, **context: Any) -> Person:
    person = await Person.arrive(browser, "Eve", live.http, path=path, **context)
    await expect(controls(person.page)).to_be_visible()
    return person


def controls(page: Page) -> Locator:
    return page.get_by_role("group", name="Replay", exact=True)


def position(page: Page) -> Locator:
    return controls(page).locator("output")


async def last_step(page: Page) -> int:
    return int(await page.get_by_role("slider", name="Step").get_attribute("max") or 0)


async def played(live: LiveHere, game: str, seats: int) -> str:
    """The same with so many, who are called by the names that follow."""
    return await Diary(catalogue().games[game], seats, f"{seats:016}", shown=False).play().put_into(live.house)


OUT_OF_THEIR_BOXES = """() => [...document.querySelectorAll('main [role=group][data-seat]')].flatMap((box) => {
  const { left, right } = box.getBoundingClientRect()
  const shown = (one) => one.innerText && !one.children.length && getComputedStyle(one).clipPath === 'none'
  const words = [...box.querySelectorAll('span, b')].filter(shown)
  return words.flatMap((one) => {
    const inside = one.getBoundingClientRect()
    return inside.right > right + 1 || inside.left < left - 1 ? [`${box.ariaLabel}: ${one.innerText}`] : []
  })
})"""
"""Words that stick out of the places of the others."""


@pytest.mark.parametrize("game", [game for game in GAMES if game != "fortress"])
async def test_with_all_cards_open_three_others_are_on_a_phone_without_scrolling(
    browser: Browser, live: LiveHere, game: str
) -> None:
    eve = await arrive(browser, live, f"/t/{await played(live, game, 4)}/replay?seat=0&open=1", **PHONE)
    step = eve.page.get_by_role("slider", name="Step")
    steps = await last_step(eve.page)
    for part in range(1, 8):
        await step.fill(str(steps * part // 8))
        others = eve.page.locator("main [role=group][data-seat]")
        await expect(others).to_have_count(3)
        for other in await others.all():
            await expect(other).to_be_in_viewport(ratio=0.99)
        assert await eve.page.evaluate(OUT_OF_THEIR_BOXES) == []


@pytest.mark.parametrize("width", [320, 390, 950, 1280])
async def test_what_six_do_at_coup_stays_in_their_boxes(browser: Browser, live: LiveHere, width: int) -> None:
    size = {"width": width, "height": 568 if width == 320 else 800}
    table = await played(live, "coup", 6)
    eve = await arrive(browser, live, f"/t/{table}/replay?seat=0&open=1", viewport=size)
    step = eve.page.get_by_role("slider", name="Step")
    for number in range(0, await last_step(eve.page), 9):
        await step.fill(str(number))
        assert await eve.page.evaluate(OUT_OF_THEIR_BOXES) == []


# Through time.


WRITTEN = """
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))))
  })
"""
"""When the log has been written: that is two frames after what flies has set out."""

# By the keys that people would press, but without a picture of each step: to paint them all takes long.
WALK = """
async () => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  const at = document.querySelector('[role=group][aria-label=Replay] output')
  const shown = new Set(), offered = new Set()
  let steps = 0
  press('Home')
  for (;;) {
    await new Promise((done) => setTimeout(done))
    if (at.textContent === 'Result') return { steps, shown: shown.size, offered: [...offered] }
    steps++
    shown.add(document.querySelector('[data-phase]')?.innerHTML)
    for (const found of document.querySelectorAll('main :is(.bar button, .live, [data-live])')) {
      offered.add(found.outerHTML)
    }
    press('ArrowRight')
  }
}
"""


@pytest.mark.parametrize("game", GAMES)
async def test_every_step_of_every_game_can_be_seen_from_everywhere(
    browser: Browser, live: LiveHere, game: str
) -> None:
    table = await finished(live, game)
    eve = await arrive(browser, live, f"/t/{table}/replay", **(PHONE if game == "coup" else DESKTOP))
    page = eve.page
    await expect(position(page)).to_contain_text("0 / ")
    steps = await last_step(page)
    toggle = eve.button("^Open cards")
    seen_by = page.get_by_role("combobox", name="Seen by")
    for place in ("", "0", "1"):
        await seen_by.select_option(place)
        # From each place once; with open cards, with closed ones, and with open ones again.
        async with page.expect_response(lambda response: "/games/1?first=0" in response.url) as told:
            await eve.press(toggle)
        await (await told.value).finished()
        found = await page.evaluate(WALK)
        for _ in range(20):
            if found["shown"] > steps / 4:
                break
            found = await page.evaluate(WALK)  # the answer is here, and was not read yet on some of the way
        assert found["steps"] == steps
        assert found["shown"] > steps / 4, "what is seen changes from step to step"
        assert found["offered"] == [], "there is nothing to do here"
        await expect(page.get_by_role("region", name="Result")).to_be_visible()
        await page.keyboard.press("Home")
        await expect(position(page)).to_contain_text("0 / ")
    assert eve.complaints == []


async def test_forwards_and_backwards(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'palace')}/replay", **DESKTOP)
    page, log = eve.page, eve.page.get_by_role("log")
    steps = await last_step(page)
    await expect(eve.button("^One step back")).to_be_disabled()
    await eve.press(eve.button("^One step forward"))
    await expect(position(page)).to_have_text(f"1 / {steps - 1}")
    await page.evaluate(WRITTEN)
    first = await log.inner_text()
    await eve.press(eve.button("^One step forward"))
    await expect(log).not_to_have_text(first)
    await eve.press(eve.button("^One step back"))
    await page.evaluate(WRITTEN)
    assert await log.inner_text() == first
    await page.get_by_role("slider", name="Step").fill("5")
    await expect(position(page)).to_have_text(f"5 / {steps - 1}")
    # A line of the log leads to its moment.
    await eve.press(log.get_by_role("button").first)
    await expect(position(page)).to_have_text(f"0 / {steps - 1}")
    await eve.press(eve.button("^To the end"))
    await expect(position(page)).to_have_text("Result")
    await expect(page.get_by_role("region", name="Result").get_by_role("listitem")).to_have_count(2)
    await expect(eve.button("^One step forward")).to_be_disabled()
    assert eve.complaints == []


async def test_to_the_end_while_another_place_is_still_on_its_way(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'palace')}/replay", **DESKTOP)
    await expect(position(eve.page)).to_contain_text("0 / ")
    asked = asyncio.Event()

    async def slowly(route: Route) -> None:
        await asked.wait()
        await route.continue_()

    await eve.page.route("**/games/1?*", slowly)
    await eve.press(eve.button("^Open cards"))
    await eve.page.keyboard.press("End")
    await expect(position(eve.page)).to_have_text("Result")
    asked.set()
    await expect(eve.page.get_by_role("region", name="Result")).to_be_visible()
    assert eve.complaints == []


async def test_by_keyboard_and_by_itself(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'palace')}/replay", **DESKTOP)
    page = eve.page
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowLeft")
    await expect(position(page)).to_contain_text("1 / ")
    await page.keyboard.press("Space")
    await expect(eve.button("^Pause")).to_be_visible()
    await expect(position(page)).to_have_text(re.compile("^([4-9]|1.|2.) /"))
    await page.keyboard.press("Space")
    await expect(eve.button("^Play$")).to_be_visible()
    await page.keyboard.press("End")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Space")
    # It stops at the end, and begins anew from there.
    await expect(position(page)).to_have_text("Result")
    await expect(eve.button("^Play$")).to_be_visible()
    await eve.press(eve.button("^Play$"))
    await expect(position(page)).to_contain_text(" / ")


# What can be seen.


async def test_a_seat_sees_its_hand_a_spectator_none_and_open_cards_all(browser: Browser, live: LiveHere) -> None:
    table = await finished(live, "palace")
    eve = await arrive(browser, live, f"/t/{table}/replay", **DESKTOP)
    page = eve.page
    hand = page.get_by_role("group", name="Your hand")
    await expect(hand).to_have_count(0)
    await page.get_by_role("combobox", name="Seen by").select_option(label="Ann")
    await expect(hand.locator("[data-card]")).to_have_count(6)
    other = page.get_by_role("group", name="Ben")
    await expect(other.get_by_label("hidden card")).to_have_count(3)
    await expect(other.locator(".hand")).to_have_count(0)
    await eve.press(eve.button("^Open cards"))
    await expect(other.locator(".hand").get_by_role("img", name=re.compile(" of "))).to_have_count(6)
    await expect(other.get_by_label("hidden card")).to_have_count(0)
    # Nothing can be done here.
    await expect(hand.get_by_role("button", disabled=False)).to_have_count(0)
    await expect(page.locator(".bar button")).to_have_count(0)


async def test_open_cards_where_hands_lie_face_down(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'cambia')}/replay?step=8", **PHONE)
    hands = [eve.page.get_by_role("group", name=f"{name}’s cards") for name in ("Ann", "Ben")]
    named = re.compile("card [0-9], .* of ")
    for hand in hands:
        await expect(hand.locator("[data-card]")).to_have_count(4)
        await expect(hand.get_by_role("img", name=named)).to_have_count(0)
    await eve.press(eve.button("^Open cards"))
    for hand in hands:
        await expect(hand.get_by_role("img", name=named)).to_have_count(4)


async def test_open_cards_where_only_one_hand_has_room(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'fortress')}/replay?seat=0&step=3", **PHONE)
    hands = [eve.page.get_by_role("group", name=f"{whose} hand", exact=True) for whose in ("Your", "Ben’s")]
    await expect(hands[0].get_by_role("button")).to_have_count(6)
    await expect(hands[1]).to_have_count(0)
    await eve.press(eve.button("^Open cards"))
    await expect(hands[1].get_by_role("button")).to_have_count(6)
    # A spectator is given both, too.
    await eve.page.get_by_role("combobox", name="Seen by").select_option("")
    await expect(eve.page.get_by_role("group", name="Ann’s hand").get_by_role("button")).to_have_count(6)


async def test_each_game_of_a_table_can_be_chosen(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'coup', games=2)}/replay", **DESKTOP)
    which = eve.page.get_by_role("combobox", name="Game")
    await expect(which).to_have_value("2")
    await which.select_option("1")
    await eve.page.wait_for_url("**/replay?game=1")
    assert eve.complaints == []


async def test_where_nothing_is_over_there_is_nothing_to_watch(browser: Browser, live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        eve = await Person.arrive(browser, "Eve", live.http)
        await eve.page.goto(f"/t/{ann.table}/replay")
        await expect(eve.text("No game has been finished")).to_be_visible()
        await eve.page.goto("/t/nowhere/replay")
        await expect(eve.text("There is no such table")).to_be_visible()


# To others.


async def test_from_the_end_of_a_game_to_its_replay_and_a_link_to_that_moment(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="0c" * 32, test_first=0) as live:
        live.house.dice = QuickDice(0)
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        await ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await ann.play_against_bots()
        await ann.play_palace()
        await ann.press(ann.page.get_by_role("link", name="Watch it again"))
        await expect(controls(ann.page)).to_be_visible()
        await ann.page.get_by_role("combobox", name="Seen by").select_option(label="Ann")
        for _ in range(7):
            await ann.page.keyboard.press("ArrowRight")
        await expect(position(ann.page)).to_contain_text("7 / ")
        hand = ann.page.get_by_role("group", name="Your hand")
        cards = await hand.aria_snapshot()
        await ann.press(ann.button("^Share"))
        await expect(ann.text("The link is copied")).to_be_visible()
        link = await ann.page.evaluate("navigator.clipboard.readText()")

        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        await ben.page.goto(link)
        await expect(position(ben.page)).to_contain_text("7 / ")
        assert await ben.page.get_by_role("group", name="Your hand").aria_snapshot() == cards

        # Ann still has her seat, and the table is where it was.
        await ann.press(ann.page.get_by_role("link", name="To the table"))
        await expect(ann.button("^Play again")).to_be_visible()
        assert ann.complaints + ben.complaints == []


async def test_the_record_can_be_downloaded(browser: Browser, live: LiveHere) -> None:
    table = await finished(live, "faraway")
    eve = await arrive(browser, live, f"/t/{table}/replay", **DESKTOP)
    async with eve.page.expect_download() as started:
        await eve.press(eve.page.get_by_role("link", name="Download the record"))
    download = await started.value
    assert download.suggested_filename == f"croupier-{table}-1.json"
    kept = json.loads(await asyncio.to_thread(Path(await download.path()).read_text))
    assert kept["about"]["table"] == table
    assert kept["log"][0]["entry"]["entry"] == "started"


async def test_who_looks_back_is_told_when_the_next_game_begins(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    ben = await Person.arrive(browser, "Ben", live.http)
    link = await ann.open_table(game="faraway", seats=2)
    await ben.join(link)
    await ann.press(ann.button("^Start the game"))
    for person in (ann, ben):
        await expect(person.page.locator(".map")).to_be_visible()
    await ben.press(ben.button("^Leave"))  # the last one but one ends the game
    await ben.press(ben.page.get_by_role("dialog").get_by_role("button", name="Leave"))
    await ann.press(ann.page.get_by_role("link", name="Watch it again"))
    await expect(controls(ann.page)).to_be_visible()
    await ben.join(link)
    async with client(live.ws("/ws")) as native:
        token = await ann.page.evaluate("Object.values(JSON.parse(localStorage['croupier.seats']))[0].token")
        await native.ask("start", table=link.rsplit("/", 1)[1], token=token)
    await ann.press(ann.page.get_by_role("status").get_by_role("link", name="To the table"))
    await expect(ann.page.locator(".map")).to_be_visible()


async def test_a_replay_begins_at_ones_own_seat(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    ben = await Person.arrive(browser, "Ben", live.http)
    eve = await Person.arrive(browser, "Eve", live.http)
    link = await ann.open_table(game="coup", seats=2)
    await ben.join(link)
    await expect(ann.text("Ben sits down")).to_be_visible()
    await ann.press(ann.button("^Start the game"))
    await expect(ann.page.locator(".felt")).to_be_visible()
    await ann.press(ann.button("^Leave"))  # and Ben has won
    await ann.press(ann.page.get_by_role("dialog").get_by_role("button", name="Leave"))
    await expect(ben.page.get_by_role("region", name="Result")).to_be_visible()
    for person, place in ((ann, "Ann"), (ben, "Ben"), (eve, "Spectator")):
        await person.page.goto(f"{link}/replay")
        seen = person.page.get_by_role("combobox", name="Seen by")
        await expect(seen.locator("option:checked")).to_have_text(place)
    # What was chosen is in the address, and stays.
    await ann.page.get_by_role("combobox", name="Seen by").select_option("")
    await expect(ann.page).to_have_url(re.compile("seat=none"))
    await ann.page.reload()
    await expect(ann.page.get_by_role("combobox", name="Seen by")).to_have_value("")


async def test_what_is_chosen_can_be_read_at_any_width(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'palace', games=2)}/replay")
    for width in (360, 390, 640, 844, 900, 1280):
        await resize(eve.page, {"width": width, "height": 844 if width < 640 else 400})
        for name in ("Game", "Seen by"):
            chosen = eve.page.get_by_role("combobox", name=name, exact=True)
            # As wide as what is written in it needs, with the arrow.
            assert await chosen.evaluate(
                """select => {
                    const pen = document.createElement('canvas').getContext('2d')
                    const style = getComputedStyle(select)
                    pen.font = style.font
                    const inside = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
                    return inside >= pen.measureText(select.selectedOptions[0].text).width + 20
                }"""
            ), (width, name)
        assert await eve.fits()
        assert await controls(eve.page).evaluate("group => group.offsetHeight") < 120
