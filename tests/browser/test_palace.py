"""People play Palace in a real browser: on screens of every size, at their own pace, and beside a hundred others."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, expect

from croupier.kernel import Rig
from croupier.kernel.chance import QuickDice
from tests.browser.person import DESKTOP, LOOKED_AT, MOTION, PHONE, Person
from tests.browser.sizes import SIZES, resize, troubles, troubles_everywhere
from tests.browser.test_page import assert_no_secret_was_told
from tests.client import client
from tests.clock import ManualTime
from tests.live import LiveHere, server

WATCH_FLIGHTS = """
  window.vanished = 0
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node.dataset?.flight === '') vanished++
  }).observe(document, { childList: true, subtree: true })
"""
"""Counts what goes into something, where it is not seen any more."""

SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 640}}
SEED = "22" * 32
"""Some games last ten times as long as others."""

WATCH_TURNS = """
  window.turns = []
  let seat = null, awaited = null
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given)
      // Before the page hears of a message, it shows what all those before have said.
      this.addEventListener('message', ({ data }) => {
        const mine = document.querySelector('.felt .mine')
        if (mine && awaited) {
          const said = mine.querySelector('[role=status]').textContent
          turns.push({
            awaited: awaited.includes(seat),
            title: document.title.startsWith('● Your turn'),
            marked: mine.classList.contains('turn'),
            said: /^(Your turn|Choose three|Nothing fits)/.test(said),
            offered: mine.querySelector('.bar button') !== null,
          })
        }
        const message = JSON.parse(data)
        const told = message.type === 'fact' ? message : message.sync
        if (!told) return
        seat = told.seat ?? seat
        awaited = told.awaited ?? []
      })
    }
  }
"""


async def sit(browser: Browser, live: LiveHere, bots: int, kind: str = "random", **context: Any) -> Person:
    """Somebody at a table with so many bots, where a game has just begun."""
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=bots + 1)
        await ann.ask("add_bots", bot=kind, count=bots)
        await ann.ask("start")
        person = await Person.arrive(browser, "Ann", live.http, **(context or DESKTOP))
        held = {ann.table: {"table": ann.table, "token": ann.token, "game": "palace", "name": "", "at": 1}}
        await person.page.evaluate("held => { localStorage['croupier.seats'] = held }", json.dumps(held))
        await person.page.goto(f"/t/{ann.table}")
        await expect(person.button("^Lay these open")).to_be_visible(timeout=60_000)
    return person


@asynccontextmanager
async def two_people(
    browser: Browser, live: LiveHere, bots: int = 0, script: str = ""
) -> AsyncIterator[tuple[Person, Person]]:
    """Ann at a desk and Ben with a phone, in a game that has just begun."""
    ann = await Person.arrive(browser, "Ann", live.http, script=script, **DESKTOP)
    ben = await Person.arrive(browser, "Ben", live.http, script=script, **PHONE)
    await ben.join(await ann.open_table(seats=2 + bots))
    await expect(ann.text("Ben sits down")).to_be_visible()
    for count in range(bots):
        await ann.press(ann.button("^Add a bot"))
        await expect(ann.button("^Send .+ away")).to_have_count(count + 2)
    await ann.press(ann.button("^Start the game"))
    for person in (ann, ben):
        await expect(person.page.get_by_role("region", name="Your cards")).to_be_visible()
    yield ann, ben
    assert ann.complaints + ben.complaints == []


async def assert_turns_were_told(person: Person) -> None:
    """At every position that there was, the page has said that it is our turn when the server waited for us."""
    turns = await person.page.evaluate("turns")
    assert {turn["awaited"] for turn in turns} == {True, False}
    assert [turn for turn in turns if len(set(turn.values())) > 1] == []


# Sizes.

OVERLAPS = """() => {
  const found = []
  const box = (element) => element.getBoundingClientRect()
  const inside = (one, other) =>
    Math.min(one.left - other.left, one.top - other.top, other.right - one.right, other.bottom - one.bottom) > -1
  for (const other of document.querySelectorAll('.other')) {
    for (const part of other.querySelectorAll('.card, .name, .held')) {
      if (!inside(box(part), box(other))) found.push(`${part.classList[0]} of ${other.ariaLabel} sticks out of its box`)
    }
  }
  const apart = ['.others', '.pile', '.said', '.status:has([role=status])', '.own', '.mine > .hand', '.bar']
  const seen = apart.map((name) => [name, document.querySelector(`.board ${name}`)]).filter(([, element]) => element)
  for (const [name, one] of seen) {
    for (const [other, two] of seen) {
      if (name >= other) continue
      const a = box(one), b = box(two)
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (across > 1 && down > 1) found.push(`${name} and ${other} overlap`)
    }
  }
  return found
}"""


async def overlaps_everywhere(person: Person) -> dict[str, list[str]]:
    found = {}
    for name, size in SIZES.items():
        await resize(person.page, size)
        if wrong := await person.page.evaluate(OVERLAPS):
            found[name] = wrong
    return found


async def hoard(person: Person, live: LiveHere, cards: int) -> None:
    """Take the pile whenever that is allowed, until there are so many cards in hand."""
    (held,) = json.loads(await person.page.evaluate("localStorage['croupier.seats']")).values()
    async with client(live.ws("/ws")) as hand:
        while True:
            await person.until(lambda: person.to_move)
            *_, latest = person.facts()
            view = latest["view"]
            if len(view["hand"]) >= cards:
                break
            unfit = [move for move in latest["moves"] if move["cards"][0][:-1] not in view["playable"]]
            seq = person.seq
            await hand.ask("play", table=held["table"], token=held["token"], move=(unfit or latest["moves"])[0])
            await person.news(seq)
    await expect(person.page.locator(".mine .hand button")).to_have_count(len(view["hand"]))


@pytest.mark.parametrize("players", [5, 8])
async def test_all_is_within_reach_on_every_screen(browser: Browser, live: LiveHere, players: int) -> None:
    """With nine cards of as many ranks, which take the most room; then with so many that they have to be scrolled."""
    nine = ["3♣", "5♣", "6♣", "A♣", "A♦", "A♥", "7♣", "8♣", "9♣", "J♣", "Q♣", "K♣"]  # with three hidden Aces
    live.house.settings = replace(live.house.settings, first=0, rig=Rig(orders={"deck": nine}))
    live.house.dice = QuickDice(0)
    ann = await sit(browser, live, players - 1, "low-and-steady", **DESKTOP)
    assert await troubles_everywhere(ann.page) == {}
    assert await overlaps_everywhere(ann) == {}
    await hoard(ann, live, 18)
    assert await troubles_everywhere(ann.page) == {}
    assert await overlaps_everywhere(ann) == {}
    assert ann.complaints == []


async def test_a_hundred_players_fit_on_a_phone(browser: Browser, live: LiveHere) -> None:
    ann = await sit(browser, live, 99, **SMALL_PHONE)
    await ann.press(ann.button("^Lay these open"))
    await expect(ann.button("^Choose a card")).to_be_visible(timeout=60_000)
    others = ann.page.get_by_role("group", name="The others")
    await expect(others.get_by_role("group")).to_have_count(99)
    # Whoever has moved last is in sight, and everybody else a scroll away.
    await expect(others.get_by_role("group").last).to_be_in_viewport()
    await others.focus()
    await ann.page.keyboard.press("Home")
    await expect(others.get_by_role("group").first).to_be_in_viewport()
    assert await troubles(ann.page) == []
    assert await overlaps_everywhere(ann) == {}
    assert ann.complaints == []


async def test_what_can_be_done_is_marked_without_colours(browser: Browser, live: LiveHere) -> None:
    ann = await sit(browser, live, 4, **DESKTOP, forced_colors="active")
    lines = "cards => cards.map(card => parseFloat(getComputedStyle(card).outlineWidth))"
    chosen = ann.page.locator(".mine .hand button.selected")
    open_to_choice = ann.page.locator(".mine .hand button:not(.selected)")
    assert set(await chosen.evaluate_all(lines)) == {4}
    assert set(await open_to_choice.evaluate_all(lines)) == {2}


# What has happened happens once.


async def test_a_pile_burns_once_whatever_people_say(browser: Browser, live: LiveHere) -> None:
    # Open, hidden, in hand; those of the bot, which has nothing that fits on an Eight, come after ours.
    ours = ["10♣", "10♦", "K♣", "K♦", "A♣", "A♦", "7♣", "7♦", "8♣", "8♦", "9♣", "9♦"]
    its = ["J♣", "J♦", "Q♣", "Q♦", "2♣", "2♦", "3♣", "3♦", "5♣", "5♦", "6♣", "6♦"]
    deck = [*ours, *its, "4♣", "4♦"]
    live.house.settings = replace(live.house.settings, first=0, rig=Rig(orders={"deck": deck}))
    ann = await sit(browser, live, 1, "low-and-steady", pace=1, script=WATCH_FLIGHTS, **DESKTOP, **MOTION)

    async def talk(text: str) -> None:
        await ann.page.get_by_label("Say something").fill(text)
        await ann.page.get_by_label("Say something").press("Enter")
        await expect(ann.page.get_by_role("log")).to_contain_text(text)

    async def vanished() -> int:
        """How many cards have left the pile for somewhere else, once all that has set out has been counted."""
        return int(
            await ann.page.evaluate(
                "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(vanished))))"
            )
        )

    hand = ann.page.get_by_role("group", name="Your hand")
    await ann.press(ann.page.locator(".mine [data-card='10♣']"))  # it lay open: now it goes to the hand
    await ann.press(ann.page.locator(".mine [data-card='8♦']"))
    await ann.press(ann.button("^Lay these open"))
    await ann.press(hand.locator("[data-card='10♣']"))
    await ann.press(ann.button("^Play 10"))
    await expect(ann.text("^The pile burned")).to_be_visible()
    assert await vanished() == 1
    for text in ("Hot!", "And again?"):
        await talk(text)
    assert await vanished() == 1
    await ann.press(hand.locator("[data-card='8♣']"))
    await ann.press(ann.button("^Play 8"))
    await expect(ann.text("took 2$")).to_be_visible()
    await ann.page.wait_for_function("() => vanished >= 3")
    before = await vanished()
    assert before == 3
    await talk("Poor thing")
    assert await vanished() == before

    # How it all came about stands below the pile.
    plays = ann.page.get_by_role("list", name="The last plays").get_by_role("listitem")
    await expect(plays).to_have_text([re.compile("You.*10♣"), re.compile("You.*8♣"), re.compile("[♣♦]")])
    for play, fate in ((0, "The pile burned"), (2, "Took the pile")):
        await expect(plays.nth(play).get_by_role("img", name=fate)).to_be_visible()
    await expect(plays.nth(1).get_by_role("img")).to_have_count(0)
    assert ann.complaints == []


# Whose turn it is, and how long.


async def test_two_people_and_two_bots_play_to_the_end_told_when_it_is_their_turn_and_only_then_and_once_more(
    browser: Browser, tmp_path: Path
) -> None:
    async with (
        server(tmp_path, bot_delay=0, test_seed=SEED, test_first=0) as live,
        two_people(browser, live, 2, WATCH_TURNS) as (ann, ben),
    ):
        live.house.dice = QuickDice(0)
        await asyncio.gather(ann.play_palace(), ben.play_palace())
        for person in (ann, ben):
            await assert_turns_were_told(person)
            rows = person.page.get_by_role("region", name="Result").get_by_role("listitem")
            await expect(rows).to_have_count(4)
            await expect(rows.filter(has_text=person.name)).to_have_count(1)
            ending = person.page.get_by_role("region", name="How it ended")
            await expect(ending.get_by_role("heading")).to_contain_text("left with")
            await expect(ending.get_by_role("listitem")).to_have_count(4)
            await expect(ending.locator(".zone svg").first).to_be_visible()
        assert_no_secret_was_told(ann, ben)
        assert_no_secret_was_told(ben, ann)

        # Both look back, and neither loses the seat over it.
        for person in (ann, ben):
            await person.watch_again()
            await person.press(person.page.get_by_role("link", name="To the table"))
        await expect(ben.text("Waiting for Ann to start another game")).to_be_visible()
        await ann.press(ann.button("^Play again"))
        for person in (ann, ben):
            await expect(person.page.get_by_role("region", name="Your cards")).to_be_visible()


async def test_alone_against_bots_nobody_is_hurried(browser: Browser, tmp_path: Path) -> None:
    """A whole game by somebody who thinks for two minutes before each move."""
    time = ManualTime()
    async with server(tmp_path, time=time, bot_delay=0, ping_every=0, test_seed="05" * 32, test_first=0) as live:
        live.house.dice = QuickDice(0)
        ann = await sit(browser, live, 1, "low-and-steady", script=WATCH_TURNS, **PHONE)

        async def move() -> None:
            ann.hasty = ann.moved >= LOOKED_AT
            await ann.press_for_palace()

        assert await ann.play_at_leisure(time, move) > 5
        await assert_turns_were_told(ann)
        assert ann.complaints == []


async def test_who_is_late_is_told_so_and_can_take_the_seat_back_from_the_bot(browser: Browser, tmp_path: Path) -> None:
    time = ManualTime()
    async with (
        server(tmp_path, time=time, bot_delay=0, ping_every=0, test_first=0, test_seed=SEED) as live,
        two_people(browser, live) as (ann, ben),
    ):
        live.house.dice = QuickDice(0)
        await expect(ann.button("^Lay these open")).to_be_visible()
        await time.to_pass(51)
        await expect(ann.page.get_by_role("alert")).to_contain_text("A bot plays for you")
        for person, told in ((ann, "You have run out of time"), (ben, "Ann has run out of time")):
            if person is ben:
                await ben.press(ben.button("^Chat"))
            await expect(person.page.get_by_role("log")).to_contain_text(told)
        await ben.press(ben.button("^Close"))
        await ben.palace_move()
        await expect(ann.page.get_by_role("log")).to_contain_text("You play")  # a bot has, for her
        for size in SIZES.values():
            await ann.page.set_viewport_size(size)
            await expect(ann.button("^Take your seat back")).to_be_in_viewport(ratio=1)
            assert await troubles(ann.page) == []
        await ann.press(ann.button("^Take your seat back"))
        await expect(ann.text("A bot plays for you")).to_be_hidden()
        await ben.palace_move()
        await expect(ann.page.locator(".mine.turn button.live").first).to_be_visible()
