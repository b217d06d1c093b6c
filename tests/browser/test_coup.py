"""People play Coup in a real browser, against a real server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from playwright.async_api import Browser, Locator, TimeoutError, expect

from tests.browser.person import DESKTOP, PHONE, Person
from tests.live import process

FAST = ("--bot-delay", "0")
SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 640}}


async def open_coup(host: Person, *guests: Person, bots: int = 0, **options: str) -> None:
    """A table of Coup with these guests, and as many bots; its options are filled in by their titles."""
    link = await host.open_table(game="coup")
    for title, value in options.items():
        field = host.page.get_by_label(re.compile(f"^{title.replace('_', ' ')}"))
        if await field.evaluate("field => field.tagName") == "SELECT":
            await field.select_option(value)
        else:
            await field.fill(value)
            await field.blur()
    for guest in guests:
        await guest.join(link)
        await expect(host.page.get_by_role("listitem").filter(has_text=guest.name)).to_be_visible()
    for count in range(bots):
        await host.press(host.button("^Add a bot"))
        await expect(host.page.get_by_role("button", name="Send BOT")).to_have_count(count + 1)


async def start(host: Person, *guests: Person) -> None:
    await host.press(host.button("^Start the game"))
    for person in (host, *guests):
        await expect(person.page.locator(".felt")).to_be_visible()


async def hand(person: Person) -> list[str | None]:
    cards = person.page.get_by_role("group", name="Your hand").get_by_role("img")
    await expect(cards).to_have_count(2)
    return [await card.get_attribute("aria-label") for card in await cards.all()]


def actions(person: Person) -> Locator:
    return person.page.get_by_role("group", name="Actions").locator("button:enabled")


def answer(person: Person, name: str) -> Locator:
    return person.page.get_by_role("group", name="Your answer").get_by_role("button", name=re.compile(name))


async def play(person: Person, taste: Random, rounds: int = 10_000) -> None:
    """Do what can be done, whenever something can, until the game is over. It may be gone before we get to it."""

    async def press(target: Locator) -> None:
        with suppress(TimeoutError):
            await (target.tap if touch else target.click)(timeout=500)

    touch = await person.page.evaluate("navigator.maxTouchPoints > 0")
    over = person.page.get_by_role("region", name="Result")
    bar = person.page.locator(".bar button:enabled:not(.quiet)")
    cards = person.page.locator(".hand button")
    for _ in range(rounds):
        await over.or_(bar).or_(cards).first.wait_for(timeout=60_000)
        if await over.count():
            return
        if await cards.count():
            # To lose a card, or to keep some: any will do.
            await press(cards.last)
            await press(bar.first)
            continue
        buttons = await bar.all()
        if buttons:
            # The more violent actions stand at the end, and make the game shorter.
            await press(buttons[max(taste.randrange(len(buttons)), taste.randrange(len(buttons)))])


# A whole game.


async def test_two_people_and_a_bot_play_a_game_to_its_end_and_another(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST, "--test-mode", "--test-seed", "33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        await open_coup(ann, ben, bots=1, An_action_goes_ahead="all")
        # The cards are dealt as people sit down.
        before = await hand(ann)
        await start(ann, ben)
        assert await hand(ann) == before
        await asyncio.gather(play(ann, Random(1)), play(ben, Random(2)))
        for person in (ann, ben):
            rows = person.page.get_by_role("region", name="Result").get_by_role("listitem")
            await expect(rows).to_have_count(3)
            await expect(rows.filter(has_text=person.name)).to_have_count(1)
        for reader in (ann, ben):
            assert_no_secret_was_told(reader)

        await expect(ben.text("Waiting for Ann to start another game")).to_be_visible()
        for person in (ann, ben):
            await person.watch_again()
            await person.press(person.page.get_by_role("link", name="To the table"))
        await ann.press(ann.button("^Play again"))
        await expect(ben.page.get_by_role("region", name="Your cards")).to_be_visible()
        await start(ann, ben)
        assert ann.complaints + ben.complaints == []


def assert_no_secret_was_told(reader: Person) -> None:
    """Every face that was sent belongs to the reader, has been turned over, or was shown when all was over."""
    seat: int | None = None
    seen = 0
    for fact in reader.facts():
        view: dict[str, Any] | None = fact["view"]
        over = view is not None and view["phase"] == "game_over"
        if view is not None:
            seat = view["seat"]
            own = None if seat is None else view["seats"].index(seat)
            for player, slots in enumerate(view["cards"]):
                for slot in slots:
                    assert slot["card"] is None or slot["revealed"] or player == own or over, fact
                    seen += slot["card"] is not None
            assert view["pool"] is None or view["current"] == seat, fact
        for event in fact["events"]:
            for field in ("hand", "pool", "cards"):
                if event.get(field) is not None:
                    assert event["seat"] == seat or event["event"] == "ended", event
        assert fact.get("seed") is None or over, "the luck of a game that is not over"
        for move in fact.get("moves", ()):
            if move["move"] == "lose":
                assert view is not None and own is not None
                assert move["card"] in faces(view["cards"][own]), fact
            if move["move"] == "keep":
                assert view is not None and view["pool"] is not None
                assert set(move["cards"]) <= set(view["pool"]), fact
    assert seen


def faces(slots: Sequence[dict[str, Any]]) -> list[str]:
    return [slot["card"] for slot in slots if not slot["revealed"]]


# What can be said to a claim.


async def test_a_claim_is_told_in_words_and_answered(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **SMALL_PHONE)
        ben = await Person.arrive(browser, "Ben", live.http)
        await open_coup(ann, ben, Least_wait="0")
        await start(ann, ben)
        told = ben.page.get_by_role("region", name="What is going on")

        await ann.press(ann.button("^Tax"))
        await expect(told).to_contain_text("Ann claims Duke to take tax")
        await expect(told).to_contain_text("May still answer: you")
        # On the smallest phone, nothing sticks out, and the button is in reach.
        assert await ann.fits()
        await expect(answer(ann, "Go ahead")).to_be_in_viewport(ratio=1)
        await answer(ben, "Allow").press("Enter")
        await expect(ben.text("You let it pass")).to_be_visible()
        await ann.press(answer(ann, "Go ahead"))
        await expect(ann.page.get_by_role("region", name="Your cards").get_by_label("5 coins")).to_be_visible()

        await ben.press(ben.button("^Foreign aid"))
        await ann.press(answer(ann, "Block as Duke"))
        await expect(told).to_contain_text("Ann claims Duke to block your foreign aid")
        await ben.press(answer(ben, "Call BS"))
        loser = await first_of(ann, ben)
        await loser.press(loser.page.locator(".hand button").first)
        await loser.press(loser.button("^Turn over the"))
        lost = loser.page.get_by_role("group", name="Your hand").get_by_label(re.compile("lost"))
        await expect(lost).to_have_count(1)
        await expect(ben.page.get_by_role("log")).to_contain_text("Ben calls BS")
        assert ann.complaints + ben.complaints == []


async def first_of(*people: Person) -> Person:
    """Who has cards to choose from."""
    waits = {asyncio.create_task(person.page.locator(".hand button").first.wait_for()): person for person in people}
    done, others = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for other in others:
        other.cancel()
    return waits[done.pop()]


async def test_u13_with_ten_coins_one_is_told_that_only_a_coup_is_left(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **SMALL_PHONE)
        ben = await Person.arrive(browser, "Ben", live.http)
        await open_coup(ann, ben, Least_wait="0")
        await start(ann, ben)
        for _ in range(3):  # two coins, and three times three
            await ann.press(ann.button("^Tax"))
            await ann.press(answer(ann, "Go ahead"))
            await ben.press(ben.button("^Income"))
        await expect(ann.page.get_by_role("status").filter(has_text="You must stage a coup")).to_be_visible()
        await expect(ann.text("With 10 or more, a coup is the only thing you may do")).to_be_visible()
        await expect(actions(ann)).to_have_count(1)
        # On the smallest phone too, it can be reached.
        await expect(ann.button("^Coup")).to_be_in_viewport(ratio=1)
        assert await ann.fits()
        await ann.press(ann.button("^Coup"))
        await expect(ben.page.locator(".hand button").first).to_be_visible()
        assert ann.complaints + ben.complaints == []


# Absence.


async def test_the_game_waits_for_who_is_missing_and_the_host_may_end_that(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        await open_coup(ann, ben)
        await start(ann, ben)
        await ben.page.goto("about:blank")
        pause = ann.page.get_by_role("alert", name="The game is paused")
        await expect(pause).to_contain_text("Ben is missing")
        await ben.page.go_back()
        await expect(pause).to_be_hidden()
        await expect(actions(ann).first).to_be_visible()

        await ben.page.goto("about:blank")
        await ann.press(pause.get_by_role("button", name="Kick Ben"))
        await expect(ann.page.get_by_role("region", name="Result")).to_contain_text("You win!")
        assert ann.complaints == []


async def test_d50_who_is_kicked_looks_on_and_plays_in_the_next_game(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        cleo = await Person.arrive(browser, "Cleo", live.http)
        await open_coup(ann, ben, cleo)
        await start(ann, ben, cleo)
        await ann.press(ann.page.get_by_role("tab", name="People"))
        await ann.press(ann.button("^Send Ben away"))
        notice = ben.page.get_by_role("alert")
        await expect(notice).to_contain_text("You were kicked")
        await expect(notice).to_contain_text("You may watch the rest of the game")
        await expect(ben.page.get_by_role("group", name="Your hand").get_by_label(re.compile("lost"))).to_have_count(2)
        # The game goes on, and Ben sees it, even after a reload.
        await ann.press(ann.button("^Income"))
        await expect(ben.text("Cleo’s turn")).to_be_visible()
        await ben.page.reload()
        await expect(notice).to_contain_text("You were kicked")
        await expect(ben.text("Cleo’s turn")).to_be_visible()

        await ann.press(ann.button("^Send Cleo away"))
        for person in (ann, ben, cleo):
            await expect(person.page.get_by_role("region", name="Result")).to_be_visible()
        await ann.press(ann.button("^Play again"))
        await expect(ben.page.get_by_role("region", name="Your cards")).to_be_visible()
        await start(ann, ben, cleo)
        assert ann.complaints + ben.complaints + cleo.complaints == []


# The sound board.


async def test_a_sound_is_heard_by_all_but_those_who_want_peace(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http)
        await open_coup(ann, ben)
        await start(ann, ben)
        await ben.press(ben.button("^Sound board"))
        await ben.press(ben.button("^Turn the sound off"))
        await ben.page.reload()
        await ben.press(ben.button("^Sound board"))
        await expect(ben.button("^Sound is off")).to_have_attribute("aria-pressed", "true")
        await ann.press(ann.button("^Sound board"))
        await ann.press(ann.button("^Sad trombone"))
        await expect(ben.page.get_by_role("log")).to_contain_text("Ann plays: sad trombone.")
        assert ann.complaints + ben.complaints == []
