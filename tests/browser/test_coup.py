"""People play Coup in a real browser, against a real server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, TimeoutError, expect

from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.sizes import troubles_everywhere
from tests.client import Client, client
from tests.clock import ManualTime
from tests.live import server

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


DECK = ["duke", "contessa", "captain", "assassin", "ambassador", "duke", "contessa", "captain", "duke", "assassin"]
DECK += ["ambassador", "contessa", "captain", "assassin", "ambassador"]
"""In twos, as people sit down: Ann, who is the second, gets Captain and Assassin."""
HOST = "Bartholomew"
OTHERS = ("Abd ar-Rahman", "Cleopatra VII", "Dee", "Maximilian-Alexander")
ANN = 1


@asynccontextmanager
async def among(
    browser: Browser, data: Path, others: int, options: dict[str, Any], **context: Any
) -> AsyncIterator[tuple[Person, dict[int, Client]]]:
    """Ann at her page, in a game with so many others, whose moves the test makes; they are found by their seats."""
    async with AsyncExitStack() as stack:
        live = await stack.enter_async_context(server(data, test_orders={"deck": DECK}, message_rate=0))
        peers = [await stack.enter_async_context(client(live.ws("/ws"))) for _ in range(others)]
        host = peers[0]
        await host.ask("open", game="coup", player=HOST, seats=6, options=options)
        ann = await Person.arrive(browser, "Ann", live.http, **context)
        await ann.join(f"/t/{host.table}")
        for peer, name in zip(peers[1:], OTHERS, strict=False):
            await peer.ask("join", table=host.table, player=name)
        await host.ask("start")
        await expect(ann.page.locator(".felt")).to_be_visible()
        yield ann, {0: host, **dict(enumerate(peers[1:], ANN + 1))}


async def do(peer: Client, move: str, **more: Any) -> None:
    await peer.ask("play", move={"move": move, **more})


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
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        await open_coup(ann, ben, bots=1)
        # The cards are dealt as people sit down.
        before = await hand(ann)
        await start(ann, ben)
        assert await hand(ann) == before
        await asyncio.gather(play(ann, Random(1)), play(ben, Random(2)))
        for person in (ann, ben):
            rows = person.page.get_by_role("region", name="Result").get_by_role("listitem")
            await expect(rows).to_have_count(3)
            await expect(rows.filter(has_text=person.name)).to_have_count(1)
            # What decided it, and everybody's cards.
            end = person.page.get_by_role("region", name="How it ended")
            await expect(end.get_by_role("heading")).to_contain_text(re.compile("^(You win|.+ wins) with "))
            await expect(end.locator("p")).to_contain_text("last card, the ")
            await expect(end.get_by_role("img")).to_have_count(6)
        for reader in (ann, ben):
            assert_no_secret_was_told(reader)

        await expect(ben.text("Waiting for Ann to start another game")).to_be_visible()
        for person in (ann, ben):
            await person.watch_again()
            await person.press(person.page.get_by_role("link", name="To the table"))
        # One press, and the next game has begun for everybody, the bot included.
        await ann.press(ann.button("^Play again"))
        for person in (ann, ben):
            await expect(person.page.locator(".felt .other")).to_have_count(2)
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
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **SMALL_PHONE)
        ben = await Person.arrive(browser, "Ben", live.http)
        await open_coup(ann, ben, An_action_goes_ahead="wait", At_the_earliest_after="0")
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
        await expect(ben.page.get_by_role("log")).to_contain_text("You call BS")
        assert ann.complaints + ben.complaints == []


async def first_of(*people: Person) -> Person:
    """Who has cards to choose from."""
    waits = {asyncio.create_task(person.page.locator(".hand button").first.wait_for()): person for person in people}
    done, others = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for other in others:
        other.cancel()
    return waits[done.pop()]


async def test_u13_with_ten_coins_one_is_told_that_only_a_coup_is_left(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **SMALL_PHONE)
        ben = await Person.arrive(browser, "Ben", live.http)
        await open_coup(ann, ben, An_action_goes_ahead="wait", At_the_earliest_after="0")
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
    async with server(tmp_path, bot_delay=0) as live:
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
    async with server(tmp_path, bot_delay=0) as live:
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
        for person in (ann, ben, cleo):
            await expect(person.page.locator(".felt .other")).to_have_count(2)
        assert ann.complaints + ben.complaints + cleo.complaints == []


# Sounds.


async def test_a_sound_is_heard_by_all_but_those_who_want_peace(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http)
        await open_coup(ann, ben)
        await start(ann, ben)
        sound = ben.page.get_by_role("button", name="Sound", exact=True)
        await ben.press(sound)
        await ben.page.reload()
        await expect(sound).to_have_attribute("aria-pressed", "false")
        await ann.press(ann.button("^Make a sound"))
        await ann.press(ann.button("^Sad trombone"))
        await expect(ben.page.get_by_role("log")).to_contain_text("Ann plays “Sad trombone”.")
        assert ann.complaints + ben.complaints == []


# On every screen.


async def test_with_six_everything_is_within_reach_on_every_screen(browser: Browser, tmp_path: Path) -> None:
    async with among(browser, tmp_path, 5, {"ruleset": "official"}) as (ann, others):
        page = ann.page
        own = page.get_by_role("group", name="Your hand")

        async def everybody_passes() -> None:
            for peer in others.values():
                await do(peer, "allow", to="action")

        await do(others[0], "propose", action="income")
        await expect(actions(ann).first).to_be_visible()
        assert await troubles_everywhere(page) == {}
        # Held sideways, a phone shows cards and actions at once: nothing has to be looked for.
        await page.set_viewport_size({"width": 844, "height": 390})
        for part in (own, page.locator(".deeds"), page.get_by_text("What do you do?")):
            await expect(part).to_be_in_viewport(ratio=1)
        await ann.press(ann.button("^Steal"))
        await expect(page.get_by_role("group", name="Targets")).to_be_visible()
        assert await troubles_everywhere(page) == {}
        await ann.press(ann.button("^Back"))
        await ann.press(ann.button("^Exchange"))
        await expect(page.get_by_text("Waiting for Abd ar-Rahman and 4 others")).to_be_visible()
        await everybody_passes()
        await expect(page.locator(".hand button")).to_have_count(4)
        assert await troubles_everywhere(page) == {}
        await ann.press(ann.button("^Keep"))
        await expect(page.get_by_text("Waiting for Abd ar-Rahman")).to_be_visible()
        for seat in range(2, 6):
            await do(others[seat], "propose", action="income")

        # What strikes us is said at once, and in red; how long we have stands beside it.
        await do(others[0], "propose", action="assassinate", target=ANN)
        alarm = page.get_by_role("alert").filter(has_text="Bartholomew claims Assassin to assassinate you")
        await expect(alarm).to_contain_text("It would cost you a card")
        await expect(page.locator(".status").get_by_text(re.compile(r"^\d+ s$"))).to_be_visible()
        assert await troubles_everywhere(page) == {}
        for size in ({"width": 844, "height": 390}, {"width": 360, "height": 640}):
            await page.set_viewport_size(size)  # type: ignore[arg-type]
            for part in (alarm, own, answer(ann, "Allow"), answer(ann, "Contessa")):
                await expect(part).to_be_in_viewport(ratio=1)
        await ann.press(answer(ann, "Allow"))
        for seat in range(2, 6):
            await do(others[seat], "allow", to="action")
        # Everybody has let it pass: it goes ahead by itself.
        await expect(page.get_by_role("alert").filter(has_text="The assassin has struck!")).to_be_visible()
        assert await troubles_everywhere(page) == {}
        assert ann.complaints == []


async def test_without_colours_marks_are_left(browser: Browser, tmp_path: Path) -> None:
    """Where a system has its own few colours, shadows and backgrounds are gone: there are outlines and signs."""
    async with among(browser, tmp_path, 2, {}, **DESKTOP, forced_colors="active") as (ann, others):
        page = ann.page
        outline = "element => getComputedStyle(element).outlineStyle"
        await do(others[0], "propose", action="tax")
        assert await page.locator(".mine .status").evaluate(outline) == "solid"
        assert await page.get_by_role("group", name="Bartholomew").evaluate(outline) == "solid"
        await expect(page.get_by_role("group", name="Abd ar-Rahman")).to_contain_text("…")
        await do(others[2], "allow", to="action")
        await expect(page.get_by_role("group", name="Abd ar-Rahman")).to_contain_text("✓")


# Whose word is awaited.


ASKS = re.compile("What do you|Choose|Against whom|You must stage|You can go ahead|Your (action|block)$")


async def asked(person: Person) -> tuple[bool, bool, bool]:
    """Whether the page says that the game waits for us: by its looks, in words, and in its title."""
    words = await person.page.locator(".felt .mine").get_by_role("status").inner_text()
    marked = await person.page.locator(".felt .mine.turn").count()
    return bool(marked), bool(ASKS.match(words)), "Your turn" in await person.page.title()


@pytest.mark.parametrize("options", [{}, {"ruleset": "official", "confirm_policy": "wait", "min_wait_ms": 0}], ids=str)
async def test_it_is_our_turn_when_the_server_says_so(
    browser: Browser, tmp_path: Path, options: dict[str, Any]
) -> None:
    luck = Random(5)
    positions = {True: 0, False: 0}
    async with among(browser, tmp_path, 3, options) as (ann, others):
        bar = ann.page.locator(".bar button:enabled:not(.quiet)")
        while True:
            syncs = {seat: (await peer.ask("see"))["sync"] for seat, peer in others.items()}
            now = syncs[0]
            if now["result"]:
                break
            seq = now["seq"]
            await ann.shows(lambda seq=seq: any(fact["seq"] == seq for fact in ann.facts()))  # type: ignore[misc]
            ours = ANN in now["awaited"]
            assert await asked(ann) == (ours, ours, ours), now
            positions[ours] += 1
            mover = luck.choice(now["awaited"])
            if mover != ANN:
                await others[mover].ask("play", move=luck.choice(syncs[mover]["moves"]))
                continue
            heard = len(ann.frames)
            if await ann.page.locator(".hand button").count():
                await ann.press(ann.page.locator(".hand button").last)
            await ann.press(bar.nth(luck.randrange(await bar.count())))
            if not await ann.page.locator(".targets").count():
                await ann.shows(lambda heard=heard: len(ann.frames) > heard)  # type: ignore[misc]
        await expect(ann.page.get_by_role("region", name="Result")).to_be_visible()
        assert min(positions.values()) > 5, "a game in which nothing was asked proves nothing"
        assert ann.complaints == []


async def test_when_it_may_go_ahead_that_is_said(browser: Browser, tmp_path: Path) -> None:
    options = {"confirm_policy": "wait", "min_wait_ms": 1500}
    async with among(browser, tmp_path, 1, options) as (ann, others):
        await do(others[0], "propose", action="income")
        await ann.press(ann.button("^Tax"))
        said = ann.page.locator(".felt .mine").get_by_role("status")
        await expect(said).to_have_text("Your action")
        await expect(said).to_have_text("You can go ahead now")
        await ann.press(answer(ann, "Go ahead"))
        await expect(ann.page.get_by_role("log")).to_contain_text("You take tax: 3 coins.")
        assert ann.complaints == []


# Alone against bots.


async def test_alone_nobody_is_played_for(browser: Browser, tmp_path: Path) -> None:
    """Somebody who thinks for two minutes before every move."""
    time = ManualTime()
    async with server(tmp_path, time=time, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await open_coup(ann, bots=2)
        await start(ann)
        bar = ann.page.locator(".bar button:enabled:not(.quiet)")
        over = ann.page.get_by_role("region", name="Result")
        out = ann.page.get_by_text("You are out", exact=True)
        moves = 0
        while True:
            await over.or_(out).or_(bar).or_(ann.page.locator(".hand button")).first.wait_for()
            if await over.or_(out).count():
                break
            heard = len(ann.frames)
            await time.to_pass(120)
            assert len(ann.frames) == heard, "something was done while Ann was thinking"
            if await ann.page.locator(".hand button").count():
                await ann.press(ann.page.locator(".hand button").last)
            aiming = await ann.page.locator(".targets").count()
            await ann.press(bar.last)
            if aiming or not await ann.page.locator(".targets").count():
                moves += 1
                await ann.shows(lambda heard=heard: len(ann.frames) > heard)  # type: ignore[misc]
        entries = [fact["entry"] for fact in ann.facts() if "entry" in fact]
        assert not [entry for entry in entries if entry["entry"] in ("expired", "stood_in")]
        own = [entry for entry in entries if entry["entry"] == "moved" and entry["seat"] == 0]
        assert len(own) == moves > 2 and not any(entry.get("bot") for entry in own)
        await expect(over).to_be_visible(timeout=30_000)
        assert ann.complaints == []
