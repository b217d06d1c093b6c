"""People play in a real browser, against a real server."""

from __future__ import annotations

import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, WebSocketRoute, expect

from tests.browser.person import PHONE, Person
from tests.live import process, server

FAST = ("--bot-delay", "0")
SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 640}}
CARD = re.compile("(?:10|[2-9JQKA])[♣♦♥♠]")


async def quick_game(person: Person) -> None:
    """A game against bots, with one click; it is our turn when this returns."""
    await person.play_against_bots()
    await expect(person.button("^Lay these open")).to_be_visible()


async def hand(person: Person) -> list[str | None]:
    cards = person.page.get_by_role("group", name="Your hand").get_by_role("button")
    await expect(cards.first).to_be_visible()
    return [await card.get_attribute("data-card") for card in await cards.all()]


def assert_no_secret_was_told(reader: Person, holder: Person) -> None:
    """No card that the holder had in hand, or turned over, was sent to the reader before everybody could see it.

    With four players there is only one of every card, so that a card's sign tells which one is meant.
    """
    private: set[str] = set()
    public: dict[str, int] = {}
    for fact in holder.facts():
        view = fact["view"] or {}
        open_cards = chain(*view.get("face_up", ()), view.get("pile", ()), view.get("last_cards", ()))
        for card in chain(open_cards, CARD.findall(json.dumps(fact["events"], ensure_ascii=False))):
            public.setdefault(card, fact["seq"])
        private |= set(view.get("hand", ()))
    assert len(private) >= 6
    for fact in reader.facts():
        for card in mentioned(fact) & private - set((fact["view"] or {}).get("hand", ())):
            assert public.get(card, fact["seq"] + 1) <= fact["seq"], f"{card} was told too early: {fact}"
        for event in fact["events"]:
            if event["event"] == "flipped":  # nobody has known this one before
                assert public[event["card"]] == fact["seq"]


def mentioned(fact: dict[str, Any]) -> set[str]:
    return set(CARD.findall(json.dumps(fact, ensure_ascii=False)))


# Losing the way, and finding it again.


async def test_who_reloads_the_page_is_in_the_same_seat(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **SMALL_PHONE)
        await quick_game(ann)
        await ann.palace_move()
        await expect(ann.button("^Choose a card")).to_be_visible()
        before = await hand(ann)
        await ann.page.reload()
        assert await hand(ann) == before
        await expect(ann.button("^Choose a card")).to_be_visible()
        # On the smallest phone, nothing sticks out, and the button is in reach.
        assert await ann.fits()
        await expect(ann.button("^Choose a card")).to_be_in_viewport(ratio=1)
        await ann.palace_move()
        assert ann.complaints == []


async def test_the_page_comes_back_by_itself_when_the_server_does(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await quick_game(ann)
        address = ann.page.url
        before = await hand(ann)
        await live.kill()
        await expect(ann.text("The connection is lost")).to_be_visible()
    async with process(tmp_path, *FAST, "--port", str(live.ports["http"])):
        await expect(ann.text("The connection is lost")).to_be_hidden(timeout=20_000)
        assert ann.page.url == address
        assert await hand(ann) == before
        await ann.palace_move()
        await expect(ann.button("^Choose a card")).to_be_visible()


async def test_after_a_gap_the_page_asks_how_things_are(browser: Browser, tmp_path: Path) -> None:
    """One message is swallowed on the way: the page notices and catches up."""
    swallowed: list[str] = []
    asked: list[str] = []

    def tamper(socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()

        def down(message: str | bytes) -> None:
            if not swallowed and '"bot":true' in str(message):
                swallowed.append(str(message))
            else:
                socket.send(message)

        def up(message: str | bytes) -> None:
            if '"see"' in str(message):
                asked.append(str(message))
            there.send(message)

        there.on_message(down)
        socket.on_message(up)

    # Ann leads, so that other bots move after the one whose move is lost.
    async with server(tmp_path, bot_delay=0, test_first=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await ann.page.route_web_socket("**/ws*", tamper)
        await ann.page.reload()
        await quick_game(ann)
        await ann.palace_move()
        await expect(ann.button("^Choose a card")).to_be_visible()
        assert swallowed and asked
        assert len(await hand(ann)) == 6


async def test_a_seat_follows_the_page_that_was_opened_last(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await quick_game(ann)
        before = await hand(ann)
        other = await ann.context.new_page()
        await other.goto(ann.page.url)
        await expect(ann.text("You are playing on another page")).to_be_visible()
        await ann.press(ann.button("^Play on this page"))
        assert await hand(ann) == before
        await expect(other.get_by_text("You are playing on another page")).to_be_visible()
        assert ann.complaints == []


# Coming in.


async def test_a_wrong_password_keeps_people_out(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        link = await ann.open_table("Secret society", password="plum")
        await ben.press(ben.page.get_by_role("link", name="Join: Secret society"))
        await ben.page.get_by_label("Password").fill("pear")
        await ben.press(ben.button("^Take a seat"))
        await expect(ben.page.get_by_role("alert")).to_have_text("That is not the table's password.")
        await ben.page.get_by_label("Password").fill("plum")
        await ben.press(ben.button("^Take a seat"))
        await expect(ben.text("Waiting for Ann")).to_be_visible()
        assert ben.page.url == link.partition("#")[0]
        assert ann.complaints + ben.complaints == []


async def test_a_spectator_sees_the_table_but_no_hand(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        eve = await Person.arrive(browser, "Eve", live.http, **PHONE)
        await quick_game(ann)
        await eve.page.goto(ann.page.url)
        await expect(eve.text("The game has begun")).to_be_visible()
        await eve.press(eve.button("^Watch"))
        await expect(eve.page.get_by_role("group", name="Ann")).to_be_visible()
        await expect(eve.page.get_by_role("region", name="Your cards")).to_have_count(0)
        for _ in range(3):
            await ann.palace_move()
            await expect(ann.page.locator(".bar button.primary")).to_be_visible()
        assert_no_secret_was_told(eve, ann)
        assert all(not (fact["view"] or {}).get("hand") and not fact.get("moves") for fact in eve.facts())
        assert ann.complaints + eve.complaints == []


async def test_the_lobby_is_up_to_date_and_knows_your_tables(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http)
        await expect(ben.text("Nobody else has a table open")).to_be_visible()
        await ann.open_table("Round one")
        await expect(ben.page.get_by_role("link", name="Join: Round one")).to_be_visible()
        await ann.press(ann.page.get_by_role("link", name="To the lobby"))
        await ann.press(ann.page.get_by_role("link", name="Return: Round one"))
        await expect(ann.button("^Start the game")).to_be_visible()
        await ann.press(ann.button("^Leave"))
        await ann.press(ann.page.get_by_role("dialog").get_by_role("button", name="Leave"))
        await expect(ben.text("Nobody else has a table open")).to_be_visible()
        await expect(ann.text("Nobody else has a table open")).to_be_visible()
        assert ann.complaints + ben.complaints == []


async def test_the_host_rules_the_waiting_room(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http)
        cat = await Person.arrive(browser, "Cat", live.http)
        link = await ann.open_table("Court", seats=3)
        await ben.join(link)
        await cat.join(link)
        await cat.page.get_by_label("Say something").fill("Hello everybody")
        await cat.page.get_by_label("Say something").press("Enter")
        await expect(ben.page.get_by_role("log")).to_contain_text("Cat Hello everybody")

        await ann.page.get_by_label("Time for a turn").select_option("30")
        chosen = ben.page.locator("dl > div").filter(has_text="Time for a turn").locator("dd")
        await expect(chosen).to_have_text("30 seconds")
        await expect(ben.page.get_by_label("Time for a turn")).to_have_count(0)

        await ann.press(ann.button("^Send Cat away"))
        await expect(cat.text("The host has sent you away")).to_be_visible()
        await ann.press(ann.button("^Make host"))
        await ben.page.get_by_label("Kind of bot").select_option("random")
        await ben.press(ben.button("^Add a bot"))
        await ben.press(ben.button("^Start the game"))
        await expect(ann.page.get_by_role("region", name="Your cards")).to_be_visible()
        assert ann.complaints + ben.complaints + cat.complaints == []


async def test_a_link_to_nowhere_says_so(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await ann.page.goto("/t/nowhere")
        await expect(ann.text("There is no such table")).to_be_visible()
        await ann.press(ann.page.get_by_role("link", name="To the lobby").last)
        await expect(ann.button("^Play against 3 bots").first).to_be_enabled()


# Other ways to play.


async def test_a_move_by_keyboard(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await quick_game(ann)
        await ann.button("^Lay these open").press("Enter")
        await expect(ann.button("^Choose a card")).to_be_visible()
        card = ann.page.get_by_role("group", name="Your hand").get_by_role("button").first
        await card.press("Space")
        await expect(card).to_have_attribute("aria-pressed", "true")
        await ann.page.locator(".bar button.primary").press("Enter")
        await expect(ann.page.get_by_role("log")).to_contain_text("You play")
        assert ann.complaints == []
