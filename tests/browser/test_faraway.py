"""People play Faraway in a real browser, against a real server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, expect

from croupier.games.faraway.cards import REGIONS_WITH_CLUE
from croupier.games.faraway.scoring import explained
from tests.browser.person import DESKTOP, LATE_REPLIES, LOOKED_AT, PHONE, Person
from tests.browser.sizes import resize, troubles_everywhere
from tests.browser.test_replay import finished
from tests.client import client
from tests.clock import ManualTime
from tests.conformance.test_faraway_mixed_table import Visitor, same_game
from tests.live import LiveHere, server
from tests.socketio_clients import node_client, python_client

SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 640}}
FINE = "^(Play|Keep|Take) [0-9]+$"


async def open_faraway(host: Person, seats: int = 3) -> str:
    return await host.open_table("Far away", seats=seats, game="faraway")


async def add_bots(host: Person, count: int) -> None:
    for bots in range(1, count + 1):
        await host.press(host.button("^Add a bot"))
        await expect(host.page.get_by_role("button", name="Send BOT")).to_have_count(bots)


def live(person: Person) -> Locator:
    """The cards there are to choose from."""
    return person.page.locator(".card.live")


async def move(person: Person) -> None:
    """One choice that nothing comes before, with a look at what lies in the way unless there have been some already."""
    person.hasty = person.moved >= LOOKED_AT
    if not (await person.try_press(live(person).first) and await person.try_press(person.button(FINE))):
        await person.page.keyboard.press("Escape")  # what can't be chosen any more is shown large
    person.hasty = False


def no_choice(fact: dict[str, Any]) -> bool:
    """A single sanctuary is on offer: the page keeps it by itself."""
    return [one["move"] for one in fact.get("moves", ())] == ["choose"]


async def play(person: Person, rounds: int = 60) -> None:
    """Choose whenever there is a choice, until the game is over: there are 23 choices to make, at most."""
    for _ in range(rounds):
        await person.until(lambda: person.over or person.to_move)
        if person.over:
            await expect(person.page.get_by_role("region", name="Result")).to_be_visible()
            return
        before = person.moved
        *_, latest = person.facts()
        if not no_choice(latest):
            await move(person)
        with suppress(asyncio.TimeoutError):  # the page may still have shown what was before: once more
            await person.until(partial(person.has_moved_since, before), 2)


# A whole game.


async def test_two_people_and_a_bot_make_the_journey_and_the_way_back_and_who_watches_learns_no_secrets(
    browser: Browser, tmp_path: Path
) -> None:
    async with server(tmp_path, bot_delay=0) as running:
        ann = await Person.arrive(browser, "Ann", running.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", running.http, **PHONE)
        link = await open_faraway(ann)
        await ben.join(link)
        await add_bots(ann, 1)
        await ann.press(ann.button("^Start the game"))

        await expect(ann.text("Choose a region for your journey")).to_be_visible()
        eve = await Person.arrive(browser, "Eve", running.http, **PHONE)
        await eve.page.goto(link)
        await eve.press(eve.button("^Watch"))
        await expect(eve.text("You are watching")).to_be_visible()

        # One has chosen, the other not: nobody but the one can see what.
        await move(ann)
        await expect(ann.text("Chosen. Waiting for Ben")).to_be_visible()
        await expect(ann.page.get_by_role("group", name="Your journey").get_by_role("button")).to_have_count(1)
        of_ann = ben.page.get_by_role("group", name="Ann’s journey")
        await expect(of_ann.get_by_role("img", name="Place 1: chosen, face down")).to_be_visible()
        await expect(of_ann.get_by_role("button")).to_have_count(0)
        await move(ben)
        await expect(of_ann.get_by_role("button", name=re.compile("^Place 1: Region [0-9]+"))).to_be_visible()
        await expect(ben.page.get_by_role("list", name="Order of choosing").get_by_role("listitem")).to_have_count(3)

        await asyncio.gather(play(ann), play(ben))
        for person in (ann, ben):
            rows = person.page.get_by_role("region", name="Result").get_by_role("listitem")
            await expect(rows).to_have_count(3)
            await walk_back(person)
        way = eve.page.get_by_role("region", name="The way back")
        await expect(way.get_by_role("group", name="Whose journey").get_by_role("button")).to_have_count(3)
        for person in (ann, ben, eve):
            assert_no_secret_was_told(person)
        assert eve.complaints == []
        await eve.context.close()
        for person in (ann, ben):
            await person.watch_again()

        # And once more. The result is still there when the page is loaded anew.
        for person in (ann, ben):
            await person.page.goto(link)
            await expect(person.page.get_by_role("region", name="The way back")).to_be_visible()
        await ann.press(ann.button("^Play again"))
        for person in (ann, ben):
            await expect(person.text("Choose a region for your journey")).to_be_visible()
            await move(person)
        assert ann.complaints + ben.complaints == []


async def test_alone_against_bots_there_is_no_hurry(browser: Browser, tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time, bot_delay=0) as live_here:
        ann = await Person.arrive(browser, "Ann", live_here.http)
        await open_faraway(ann)
        await add_bots(ann, 2)
        await ann.press(ann.button("^Start the game"))
        assert await ann.play_at_leisure(time, lambda: move(ann)) >= 15, "eight regions played, seven taken"
        await walk_back(ann)
        assert ann.complaints == []


async def test_it_is_our_turn_when_the_server_waits_for_us(browser: Browser, tmp_path: Path) -> None:
    """At every position of a random game; and whom it waits for else is said by name."""
    dice = Random(7)
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live_here, AsyncExitStack() as stack:
        ann = await Person.arrive(browser, "Ann", live_here.http, **PHONE)
        await open_faraway(ann)
        others = {}
        for name in ("Bob", "Cleo"):
            other = await stack.enter_async_context(client(live_here.ws("/ws")))
            await other.ask("join", table=ann.page.url.rsplit("/", 1)[-1], player=name)
            others[name] = other
        await ann.press(ann.button("^Start the game"))
        moves: dict[str, list[Any]] = {}
        for name, other in others.items():
            started = await other.entry("started")
            moves[name] = started.get("moves", [])
        seats = {other.seat: name for name, other in others.items()}
        await ann.until(lambda: ann.awaited != ())
        status = ann.page.locator(".bar .status")
        while not ann.over:
            before = ann.seq
            *_, latest = ann.facts()
            if no_choice(latest):
                await ann.news(before)
                continue
            waiting = [seats[seat] for seat in ann.awaited if seat in seats]
            await ann.knows_whose_turn_it_is()
            if ann.to_move:
                await expect(status).to_have_text(
                    re.compile("^(Choose a region|Keep one|You have found|Take a region)")
                )
                await expect(ann.page.locator(".tray.turn")).to_be_visible()
            else:
                for name in ("Bob", "Cleo"):
                    named = expect(status)
                    await (named.to_contain_text(name) if name in waiting else named.not_to_contain_text(name))
                await expect(ann.page.locator(".tray.turn")).to_be_hidden()
            chosen = dice.choice([*waiting, *(["Ann"] if ann.to_move else [])])
            if chosen == "Ann":
                await move(ann)
            else:
                await others[chosen].ask("play", move=dice.choice(moves[chosen]))
            await ann.news(before)
            for name, other in others.items():
                await other.ask("list")
                while other.behind:
                    told = await other.hear()
                    if told["type"] == "fact":
                        moves[name] = told.get("moves", [])
        assert ann.complaints == []


async def test_a_card_that_is_looked_at_may_be_taken_away(browser: Browser, tmp_path: Path) -> None:
    """It has the focus then, and is shown large."""
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as running:
        ann = await Person.arrive(browser, "Ann", running.http)
        table = (await open_faraway(ann, seats=2)).rsplit("/", 1)[-1]
        async with client(running.ws("/ws")) as bob:
            await bob.ask("join", table=table, player="Bob")
            await ann.press(ann.button("^Start the game"))
            started = await bob.entry("started")
            await ann.until(lambda: ann.to_move)
            *_, latest = ann.facts()
            highest = max(one["card"] for one in latest["moves"])
            await ann.press(ann.page.locator(f".card.live[data-card='{highest}']"))
            await ann.press(ann.button(FINE))
            await ann.until(lambda: not ann.to_move)
            await bob.ask("play", move=min(started["moves"], key=lambda move: int(move["card"])))
            offer: list[dict[str, Any]] = []
            while not offer or offer[0]["move"] != "take":
                offer = (await bob.entry("moved")).get("moves", [])
            shop = ann.page.get_by_role("region", name="Shop").locator(f"[data-card='{offer[0]['card']}']")
            await ann.page.keyboard.press("Tab")
            await shop.focus()
            await expect(ann.page.locator(".peek")).to_be_visible()
            await bob.ask("play", move=offer[0])
            await expect(shop).to_have_count(0)
            await expect(ann.text("Take a region from the shop")).to_be_visible()
        assert ann.complaints == []


STATUSES_SHOWN = """window.statusesShown = new Set()
new MutationObserver(() => statusesShown.add(document.querySelector('.status')?.textContent))
  .observe(document, { subtree: true, childList: true, characterData: true })"""
"""The page remembers each status line it has shown: some are there for a moment only."""


@pytest.mark.parametrize(("pace", "script"), [(2, ""), (0, LATE_REPLIES)], ids=["slowly", "at once"])
async def test_a_single_sanctuary_is_shown_and_kept_by_itself(
    browser: Browser, tmp_path: Path, pace: float, script: str
) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as running:
        ann = await Person.arrive(browser, "Ann", running.http, pace=pace, script=f"{STATUSES_SHOWN}\n{script}")
        await open_faraway(ann, seats=2)
        await add_bots(ann, 1)
        await ann.press(ann.button("^Start the game"))
        await ann.until(lambda: ann.to_move)
        while not any(no_choice(fact) for fact in ann.facts()):
            # Upwards, and by no clue: so that there will be one sanctuary to be found.
            *_, latest = ann.facts()
            last = max(latest["view"]["rows"][ann.seat], default=-1)
            cards = [one["card"] for one in latest["moves"]]
            best = min(cards, key=lambda card: (card < last, card in REGIONS_WITH_CLUE, card))
            before = ann.seq
            await ann.try_press(ann.page.locator(f".card.live[data-card='{best}']:not(.selected)"))
            await ann.try_press(ann.button("^(Play|Take) [0-9]+$"))
            with suppress(asyncio.TimeoutError):  # the page shows things slowly: it may not have been there yet
                await ann.news(before, 2)
            await ann.until(lambda: ann.over or ann.to_move)
            assert not ann.over, "no single sanctuary was found in the whole game"
        log = ann.page.get_by_role("log")
        await expect(log).to_contain_text("You find a sanctuary.")
        await expect(log).to_contain_text(re.compile("You keep sanctuary [0-9]+"))
        await expect(ann.text("Take a region from the shop").or_(ann.text("takes a region"))).to_be_visible()
        shown = await ann.page.evaluate("[...statusesShown]")
        assert "You have found a sanctuary" in shown or not pace
        assert ann.complaints == []


async def test_a_browser_and_two_clients_of_socketio_play_to_the_end(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as running:
        ann = await Person.arrive(browser, "Ann", running.http, **DESKTOP)
        await open_faraway(ann)
        code = next(fact["table"]["code"] for fact in ann.facts())
        async with python_client(running.http) as bob, node_client(running.http) as carl:
            await carl.happens("connect")
            visitors = [Visitor(bob), Visitor(carl)]
            for visitor in visitors:
                await visitor.join(code)
            for client in (bob, carl):  # they have no names here but those of their connections
                await expect(ann.text(f"Guest {client.id[:4]}")).to_be_visible()
            await ann.press(ann.button("^Start the game"))
            others = asyncio.gather(*(visitor.play() for visitor in visitors))
            _, ends = await asyncio.gather(play(ann), others)

        # All three were told the same game, each in their own words.
        told = [fact for fact in ann.facts() if fact.get("entry", {}).get("entry") in ("started", "moved")]
        for visitor in visitors:
            assert len(told) == len(visitor.states)
            for step, fact in enumerate(told, start=1):
                same_game(fact["view"], visitor.states[step])
        assert ends[0]["score"] == ends[1]["score"]
        assert ends[0]["users"][1:] == [bob.id, carl.id]
        totals = sorted((score["total"] for score in ends[0]["score"]), reverse=True)
        rows = ann.page.get_by_role("region", name="Result").get_by_role("listitem")
        for row, total in zip(await rows.all(), totals, strict=True):
            await expect(row.locator("b")).to_have_text(re.compile(f"^{total} points?$"))
        await walk_back(ann)
        assert_no_secret_was_told(ann)
        assert ann.complaints == []


async def walk_back(person: Person) -> None:
    """Step by step, the points that are shown add up to the result."""
    way = person.page.get_by_role("region", name="The way back")
    result = person.page.get_by_role("region", name="Result").get_by_role("listitem").filter(has_text=person.name)
    points = (await result.locator("b").inner_text()).removesuffix("s").removesuffix(" point")
    total = way.locator(".total")
    await expect(total).to_have_text(f"Total {points}")
    await expect(way.locator(".list li")).not_to_have_count(0)

    await person.press(way.get_by_role("button", name="Step by step"))
    await expect(total).to_have_text("So far 0")
    journey = way.get_by_role("group", name="The journey")
    for step in range(1, 9):
        await person.press(way.get_by_role("button", name="Next region"))
        shown = [int(text) for text in await journey.locator(".points").all_inner_texts() if text]
        assert len(shown) == step
        await expect(total).to_have_text(f"So far {sum(shown)}")
    await person.press(way.get_by_role("button", name="Sanctuaries"))
    await expect(total).to_have_text(f"Total {points}")
    await person.press(way.get_by_role("button", name="All at once"))
    assert await fits(person)


def assert_no_secret_was_told(reader: Person) -> None:
    """In nothing that came over the wire is a card that the reader could not know of at that moment.

    A region is known from the shop, from the rows, or from the own hand; a sanctuary when it was offered to the reader
    or kept by anybody. What the server says is walked through entirely: nothing hides in a field nobody reads.
    """
    regions: set[int] = set()
    sanctuaries: set[int] = set()
    facts = 0
    for fact in reader.facts():
        view = fact["view"]
        if view is None:
            continue
        facts += 1
        me = view["seat"]
        over = view["phase"] == "end"
        for event in fact["events"]:
            match event:
                case {"event": "played", "seat": seat, "card": card}:
                    assert (card is not None) == (seat == me), event
                    regions.update([card] if seat == me else [])
                case {"event": "revealed", "cards": cards}:
                    regions.update(card for card in cards if card is not None)
                case {"event": "offered", "seat": seat, "cards": cards}:
                    assert bool(cards) == (seat == me), event
                    sanctuaries.update(cards)
                case {"event": "chose", "card": card}:
                    sanctuaries.add(card)
                case {"event": "round_began", "shop": shop}:
                    regions.update(shop)
        if me is not None:
            regions.update(view["hands"][me])
        if not regions.issuperset(view["shop"]):
            assert view["turn"] == 0, "the first shop is told by the view alone"
            regions.update(view["shop"])
        if over:
            break
        for seat, (hand, row, offer) in enumerate(zip(view["hands"], view["rows"], view["offers"], strict=True)):
            if seat != me:
                assert set(hand) <= {None} and set(offer) <= {None}, view
            chosen_in_secret = view["phase"] == "play" and seat != me
            assert len(row) == view["turn"] + (not chosen_in_secret and (view["phase"] != "play" or view["done"][seat]))
        assert regions >= known(view, "rows", "shop", "discarded", "hands"), view
        assert sanctuaries >= known(view, "sanctuaries", "offers"), view
        assert view["region_deck"] is None and view["sanctuary_deck"] is None
        assert not view["scores"] and not view["ranking"] and not view["winners"]
        # In words, and in what may be done: nothing else either.
        for line in fact.get("story", ()):
            assert "chooses region" not in line, "only what we choose ourselves is told at once: “You choose …”"
        for one in fact.get("moves", ()):
            assert one["card"] in (sanctuaries if one["move"] == "choose" else regions)
        entry = fact.get("entry", {})
        if entry.get("entry") == "moved" and entry["seat"] != me:
            assert entry.get("move", {}) in ({}, None) or "card" not in entry["move"], entry
    assert facts > 30


def known(view: dict[str, Any], *fields: str) -> set[int]:
    return {card for field in fields for card in flat(view[field]) if card is not None}


def flat(cards: Iterable[Any]) -> Iterable[int | None]:
    for card in cards:
        if isinstance(card, list):
            yield from flat(card)
        else:
            yield card


# On any screen, in any way.


async def fits(person: Person) -> bool:
    """Nothing sticks out at the side."""
    width = person.page.viewport_size
    assert width is not None
    widest = await person.page.evaluate("Math.max(innerWidth, document.documentElement.scrollWidth)")
    return bool(widest <= width["width"])


async def test_on_the_smallest_phone_everything_is_in_reach_and_can_be_looked_at(
    browser: Browser, tmp_path: Path
) -> None:
    async with server(tmp_path, bot_delay=0) as running:
        ann = await Person.arrive(browser, "Ann", running.http, **SMALL_PHONE)
        await open_faraway(ann, seats=6)
        await add_bots(ann, 5)
        await ann.press(ann.button("^Start the game"))
        hand = ann.page.get_by_role("group", name="Your hand").get_by_role("button")
        await expect(hand).to_have_count(3)
        for card in await hand.all():
            await expect(card).to_be_in_viewport(ratio=1)
        await expect(ann.button("^Choose a card")).to_be_in_viewport(ratio=1)
        shop = ann.page.get_by_role("region", name="Shop").get_by_role("button")
        await expect(shop).to_have_count(7)
        for card in await shop.all():
            await expect(card).to_be_in_viewport(ratio=1)
        assert await fits(ann)

        # What can't be chosen now is shown large, in words; so is anything that a finger rests on.
        await ann.press(shop.first)
        large = ann.page.get_by_role("dialog", name=re.compile("^Region [0-9]+$"))
        await expect(large).to_contain_text("Biome")
        await ann.press(large.get_by_role("button", name="Close"))
        await expect(large).to_be_hidden()
        await hand.first.dispatch_event("contextmenu")
        await expect(large).to_be_visible()
        await ann.page.keyboard.press("Escape")
        await expect(large).to_be_hidden()
        await expect(hand.first).to_have_attribute("aria-pressed", "false")

        # What is said of a card that is chosen is said to the end, and nothing moves because of it.
        bar = ann.page.locator("div.bar")
        before = await bar.bounding_box()
        for card in await hand.all():
            await ann.press(card)
            await expect(card).to_have_attribute("aria-pressed", "true")
            assert await bar.locator(".hint").evaluate("hint => hint.scrollHeight <= hint.clientHeight")
            assert await bar.bounding_box() == before

        await ann.press(hand.last)
        await move(ann)
        await expect(ann.page.get_by_role("group", name="Your journey").get_by_role("button")).to_have_count(1)
        assert ann.complaints == []


async def test_seven_have_everything_in_reach_on_screens_of_every_size(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as running:
        ann = await Person.arrive(browser, "Ann", running.http)
        looked_at: set[str] = set()
        while looked_at != {"play", "sanctuary", "shop"}:  # not every game brings sanctuaries to choose from
            async with client(running.ws("/ws")) as host:
                await host.ask("open", game="faraway", player="Ann", seats=7, options={"card_set": "full"})
                await host.ask("add_bots", count=6, bot="rising")
                await host.ask("start")
                seat = {"table": host.table, "token": host.token, "game": "faraway", "name": "", "at": 0}
                await ann.page.evaluate(
                    "seat => (localStorage['croupier.seats'] = JSON.stringify({[seat.table]: seat}))", seat
                )
            ann.over = False
            await ann.page.goto(f"/t/{seat['table']}")
            await look_at_every_phase(ann, looked_at)
        assert ann.complaints == []


async def test_three_others_are_in_sight_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as running:
        ann = await Person.arrive(browser, "Ann", running.http, **PHONE)
        await ann.play_against_bots("Faraway")
        others = ann.page.get_by_role("group", name="The others").get_by_role("group").and_(ann.page.locator(".other"))
        await expect(others).to_have_count(3)
        for width, height in ((390, 844), (375, 812), (360, 780)):
            await resize(ann.page, {"width": width, "height": height})
            await expect(others.last).to_be_in_viewport(ratio=0.99)  # to a fraction of a pixel


async def test_on_a_short_phone_the_button_needs_no_scrolling(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as running:
        ann = await Person.arrive(browser, "Ann", running.http, **PHONE)
        await ann.play_against_bots("Faraway")
        await expect(ann.button("^Choose a card")).to_be_visible()
        for width, height in ((320, 568), (375, 553)):
            await resize(ann.page, {"width": width, "height": height})
            await expect(ann.button("^Choose a card")).to_be_in_viewport(ratio=1)


async def test_the_shop_has_room_for_all_its_cards_after_somebody_has_left(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as running, client(running.ws("/ws")) as ben:
        ann = await Person.arrive(browser, "Ann", running.http, **PHONE)
        link = await open_faraway(ann, seats=4)
        await ben.ask("join", table=link.rpartition("/")[2], player="Ben")
        await add_bots(ann, 2)
        await ann.press(ann.button("^Start the game"))
        shop = ann.page.get_by_role("region", name="Shop").locator(".cards > *")
        await expect(shop).to_have_count(5)
        await ben.ask("leave")
        await expect(ann.page.get_by_role("group", name="Ben")).to_have_count(0)
        await expect(shop).to_have_count(5)
        assert await shop.evaluate_all(WITHIN)


WITHIN = """(cards) => {
  const all = cards[0].closest('section').getBoundingClientRect()
  return cards.every((card) => {
    const { left, right } = card.getBoundingClientRect()
    return left >= all.left && right <= all.right
  })
}"""


async def look_at_every_phase(ann: Person, looked_at: set[str]) -> None:
    """Up the regions by those with a clue, until every phase was seen or the game is over."""
    while looked_at != {"play", "sanctuary", "shop"}:
        await ann.until(lambda: ann.over or ann.to_move)
        if ann.over:
            return
        *_, latest = ann.facts()
        view, before = latest["view"], ann.moved
        if not no_choice(latest):
            await expect(live(ann)).to_have_count(len(latest["moves"]))
            if view["phase"] not in looked_at and view["turn"] >= 1:
                assert await troubles_everywhere(ann.page) == {}
                looked_at.add(view["phase"])
            cards = [one["card"] for one in latest["moves"]]
            last = max(view["rows"][ann.seat], default=-1)
            best = min(cards, key=lambda card: (card < last, card not in REGIONS_WITH_CLUE, card))
            await ann.press(ann.page.locator(f".card.live[data-card='{best}']"))
            await ann.press(ann.button(FINE))
        await ann.until(partial(ann.has_moved_since, before))


async def test_a_round_by_keyboard_and_a_reload_in_it(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as running:
        ann = await Person.arrive(browser, "Ann", running.http)
        await open_faraway(ann, seats=2)
        await add_bots(ann, 1)
        await ann.button("^Start the game").press("Enter")
        for verb in ("Play", "Take"):
            card = live(ann).first
            await expect(card).to_be_visible()
            await card.press("Space")
            await expect(card).to_have_attribute("aria-pressed", "true")
            await ann.button(f"^{verb} [0-9]+$").press("Enter")
            await expect(ann.button(f"^{verb} [0-9]+$")).to_be_hidden()
            await ann.page.reload()
        await expect(ann.page.get_by_role("group", name="Round 2 of 8")).to_be_visible()
        await expect(ann.page.get_by_role("group", name="Your hand").get_by_role("button")).to_have_count(3)
        await expect(ann.page.get_by_role("group", name="Your journey").get_by_role("button")).to_have_count(1)
        assert ann.complaints == []


# What one plans by.


async def test_a_laid_region_says_that_its_quest_is_fulfilled_exactly_when_the_scoring_does(
    browser: Browser, live: LiveHere
) -> None:
    path = f"/t/{await finished(live, 'faraway')}/replay?seat=0&step=34"
    eve = await Person.arrive(browser, "Eve", live.http, path=path, **DESKTOP)
    journeys = eve.page.get_by_role("group", name=re.compile("journey$"))
    await expect(journeys).to_have_count(2)
    said: set[bool] = set()
    for row, kept, quests, worth in await journeys.evaluate_all(LAID):
        score = explained(row, kept)
        assert quests == {str(one.card): one.quest for one in score.walk if one.quest is not None}
        assert worth in (None, score.total)  # the others' is not shown
        said.update(quests.values())
    assert said == {False, True}
    assert eve.complaints == []


LAID = """journeys => journeys.map((journey) => {
  const cards = (from) => [...from.querySelectorAll('[data-card]')]
  const about = journey.closest('.mine, .other')
  const quests = cards(journey).map(({ dataset: { card, quest } }) => [card, quest === 'fulfilled', quest])
  const worth = about.querySelector('.worth b')
  return [
    cards(journey).map((card) => Number(card.dataset.card)),
    cards(about.querySelector('.kept')).map((card) => Number(card.dataset.card)),
    Object.fromEntries(quests.filter(([, , quest]) => quest)),
    worth && Number(worth.textContent),
  ]
})"""
"""What lies in each of them, by the page: regions, sanctuaries, whether quests are fulfilled, and its worth so far."""
