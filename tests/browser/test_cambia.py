"""People play Cambia in a real browser, against a real server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from playwright.async_api import Browser, Locator, expect

from croupier.games.cambia import ids
from croupier.kernel import Rig
from tests.browser.person import DESKTOP, PHONE, Person
from tests.conformance.test_mixed_cambia import in_lobby, play
from tests.games.cambia import wire
from tests.games.cambia.wire import ANN, BEN, Hall, stacked
from tests.live import LiveHere, server

PRIVATE = ("first_look", "drew", "peeked", "revealed")
SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 640}}


async def open_cambia(host: Person, *guests: Person, seats: int = 4, bots: int = 0, **options: str) -> str:
    """A table of Cambia with these guests, and as many bots; its options are filled in by their titles."""
    link = await host.open_table(seats=seats, game="cambia")
    for title, value in options.items():
        field = host.page.get_by_label(re.compile(f"^{title.replace('_', ' ')}"))
        await field.fill(value)
        await field.blur()
    for guest in guests:
        await guest.join(link)
        await expect(host.page.get_by_role("listitem").filter(has_text=guest.name)).to_be_visible()
    for count in range(bots):
        await host.press(host.button("^Add a bot"))
        await expect(host.page.get_by_role("button", name="Send BOT")).to_have_count(count + 1)
    return link.rpartition("/")[2]


async def start(host: Person, *guests: Person) -> None:
    await host.press(host.button("^Start the game"))
    for person in (host, *guests):
        await expect(person.page.locator(".felt")).to_be_visible()


def stack(live: LiveHere, *draws: str) -> None:
    """Ann begins, with the hands that are known from the protocol's tests, and these cards are drawn."""
    deck = stacked((ANN, BEN), "10♥", *draws)
    live.house.settings = replace(live.house.settings, rig=Rig(orders={"deck": deck, "first": [0]}))


def card(person: Person, name: str, does: str = "") -> Locator:
    """One of the cards in hands, such as "your card 1"; as a button that does something, or as what it is."""
    role: Any = "button" if does else "img"
    return person.page.get_by_role(role, name=re.compile(f"^({does}) ?{name}(,|$)", re.IGNORECASE))


def own(person: Person) -> Locator:
    """The own cards, whatever can be done with them."""
    return person.page.get_by_role("group", name="Your cards").locator(".bare[data-card]")


def status(person: Person) -> Locator:
    return person.page.get_by_role("region", name="Your cards").get_by_role("status")


def open_cards(person: Person) -> Locator:
    """The cards in hands that show their faces."""
    return person.page.locator(".felt .lying.open")


async def act(person: Person, name: str) -> None:
    await person.press(person.page.get_by_role("group", name="Actions").get_by_role("button", name=re.compile(name)))


async def all_see(*seen: Awaitable[None]) -> None:
    """What is to be seen for a moment only has to be looked for at once."""
    await asyncio.gather(*seen)


async def draw_and_throw(person: Person) -> None:
    await act(person, "^Draw$")
    await act(person, "^Throw it away")


def assert_no_secret_was_told(reader: Person) -> None:
    """Every face that was sent lies open, was shown to the reader alone, or was turned over in the end."""
    shown = 0
    for fact in reader.facts():
        view: dict[str, Any] | None = fact["view"]
        if view is None:
            continue
        seat, over = view["seat"], view["phase"] == "over"
        held, choice = view["held"], view["choice"]
        assert held is None or held["face"] is None or held["seat"] == seat or held["source"] == "discardpile", fact
        assert choice is None or not choice["faces"] or choice["seat"] == seat, fact
        assert view["outcome"] is None or over, fact
        assert not view["shown"] or view["phase"] == "pregame", fact
        assert {one["id"] for one in view["shown"]} <= set(view["players"][seat]["hand"] if view["shown"] else ()), fact
        for event in fact["events"]:
            private = (
                event["event"] in ("first_look", "peeked", "revealed", "drew") and event.get("source") != "discardpile"
            )
            if private and (event.get("face") or event.get("faces") or event.get("cards")):
                assert event["seat"] == seat, event
                shown += 1
        assert fact.get("seed") is None or over, "the luck of a game that is not over"
    assert shown


# A whole game.


async def move(person: Person) -> None:
    """Do something that can be done, if there is anything: it may be gone before we get to it."""
    page = person.page
    for name in ("^Throw it away", "^Draw$", "^Swap them"):
        if await (button := person.button(name)).count():
            await person.try_press(button)
            return
    for does in ("Give", "Look at"):
        if await (cards := page.get_by_role("button", name=re.compile(f"^{does} "))).count():
            await person.try_press(cards.first)
            return
    cards = page.get_by_role("button", name=re.compile("^Choose "))
    if await cards.count() > 1:
        await person.try_press(cards.first)
        await person.try_press(cards.last)


async def play_out(person: Person, turns: int = 3, rounds: int = 10_000) -> None:
    """Play on, call Cambia after so many turns, and see the game to its end."""
    over = person.page.get_by_role("region", name="Result")
    call = person.button("^Cambia…")
    ours = person.page.locator(".mine.turn")
    for _ in range(rounds):
        await over.or_(ours).first.wait_for(timeout=60_000)
        if await over.count():
            return
        if await call.count():
            turns -= 1
            if turns < 0 and await person.try_press(call):
                await person.try_press(person.button("^Call Cambia!"))
                continue
        await move(person)


async def test_two_people_and_a_bot_play_a_game_to_its_end_and_another(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        ben = await Person.arrive(browser, "Ben", live.http, **DESKTOP)
        await open_cambia(ann, ben, bots=1, First_look_lasts="1")
        await start(ann, ben)
        await asyncio.gather(play_out(ann), play_out(ben))
        rows = ann.page.get_by_role("region", name="Result").get_by_role("listitem")
        await expect(rows).to_have_count(3)
        # All cards are turned over, and their values add up to what the result says.
        hands = ann.page.get_by_role("region", name="The cards").get_by_role("listitem")
        await expect(hands).to_have_count(3)
        for row, hand in zip(await rows.all(), await hands.all(), strict=True):
            values = [int(value.replace("−", "-")) for value in await hand.locator(".cards small").all_inner_texts()]
            assert values or await hand.get_by_text("no cards").count()
            await expect(row.locator("b")).to_have_text(str(sum(values)))
        for person in (ann, ben):
            assert_no_secret_was_told(person)
            await person.watch_again()
            await person.press(person.page.get_by_role("link", name="To the table"))
        await ann.press(ann.button("^Play again"))
        for person in (ann, ben):
            await expect(person.page.locator(".felt")).to_be_visible()
        assert ann.complaints + ben.complaints == []


# What a hand of cards lets one do.


async def test_a_look_is_over_after_a_moment_and_a_snap_takes_a_tap_or_two(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        time = live.house.time = Hall(live).time
        stack(live, "7♠", "K♣", "8♦", "3♦", "4♦", "6♣", "2♦")
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **SMALL_PHONE)
        await open_cambia(ann, ben, First_look_lasts="10", Turn_timer="60")
        await start(ann, ben)

        # The first look: two of the own cards and nobody else's; then all lie face down.
        await expect(card(ann, "your card 1, 5 of hearts")).to_be_visible()
        await expect(card(ann, "your card 2, Queen of clubs")).to_be_visible()
        await expect(card(ben, "your card 1, King of diamonds")).to_be_visible()
        await expect(open_cards(ann)).to_have_count(2)
        await expect(status(ann)).to_have_text("Remember these cards!")
        await time.to_pass(10)
        await expect(status(ann)).to_have_text("Your turn")
        await expect(open_cards(ann)).to_have_count(0)
        await expect(open_cards(ben)).to_have_count(0)

        # A 7: a look at an own card, which turns back by itself.
        await draw_and_throw(ann)
        await card(ann, "your card 3", "Look at").press("Enter")
        await all_see(
            expect(status(ann)).to_have_text("It is the 2 of spades"),
            expect(open_cards(ann)).to_have_count(1),
            expect(card(ben, "Ann’s card 3, looked at", "Lift")).to_be_visible(),
        )
        await expect(open_cards(ben)).to_have_count(0)
        await expect(open_cards(ann)).to_have_count(0)
        await expect(status(ann)).to_have_text("Ben is to play")

        # A King: two cards, then the question whether to swap them.
        await draw_and_throw(ben)
        await ben.press(card(ben, "your card 2", "Choose"))
        await expect(status(ben)).to_have_text("And the other card?")
        await ben.press(card(ben, "Ann’s card 4", "Choose"))
        await expect(status(ben)).to_have_text("The 8 of clubs and the 9 of diamonds")
        await expect(open_cards(ben)).to_have_count(2)
        await expect(open_cards(ann)).to_have_count(0)
        await act(ben, "^Swap them")
        await all_see(
            expect(card(ann, "your card 4, swapped", "Lift")).to_be_visible(),
            expect(ann.text("Ben swaps Ben’s card 2 and your card 4")).to_be_visible(),
        )
        await expect(open_cards(ben)).to_have_count(0)

        # An 8, and a snap of another while there is something else to do: with the keyboard.
        await draw_and_throw(ann)
        await expect(status(ann)).to_have_text("Look at one of your cards")
        await ann.page.keyboard.press("s")
        await expect(status(ann)).to_have_text("Tap the card to snap")
        await ann.page.keyboard.press("Escape")
        await expect(status(ann)).to_have_text("Look at one of your cards")
        await ann.page.keyboard.press("s")
        await card(ann, "your card 4", "Snap").press("Enter")
        await expect(own(ann)).to_have_count(3)
        await expect(ann.text("You snap the 8 of clubs!")).to_be_visible()
        await act(ann, "^Skip")

        # A snap from another hand, and the card that is given for it.
        await draw_and_throw(ben)
        await act(ann, "^Snap a 3")
        await ann.press(card(ann, "Ben’s card 3", "Snap"))
        await expect(status(ann)).to_have_text("Tap a card to give Ben")
        await expect(own(ben)).to_have_count(3)
        await ann.press(card(ann, "your card 2", "Give"))
        await expect(card(ben, "your card 3, new", "Lift")).to_be_visible()
        await expect(own(ann)).to_have_count(2)
        await expect(own(ben)).to_have_count(4)

        # A card that was lifted before takes one tap. This one is wrong: all see it, and Ben gets two more.
        await ben.press(card(ben, "your card 1", "Lift"))
        assert await ben.fits()
        await expect(ben.button("^Snap it!")).to_be_in_viewport(ratio=1)
        await act(ben, "^Snap it!")
        await all_see(
            expect(card(ann, "Ben’s card 1, King of diamonds", "Lift")).to_be_visible(),
            expect(card(ben, "your card 1, King of diamonds", "Lift")).to_be_visible(),
        )
        await expect(own(ben)).to_have_count(6)
        await expect(open_cards(ann)).to_have_count(0)
        # Nothing remembers for them what they were shown.
        await expect(ann.page.get_by_role("log")).to_contain_text("looks at")
        await expect(ann.page.get_by_role("log")).not_to_contain_text(re.compile("(looks at|draws) [^.]*[♣♦♥♠]"))

        # Cambia takes two presses, and gives Ben a last turn.
        await act(ann, "^Cambia…")
        await act(ann, "^Not yet")
        await act(ann, "^Cambia…")
        await act(ann, "^Call Cambia!")
        await expect(status(ben)).to_have_text("Your last turn")
        await expect(ben.page.get_by_role("group", name="Ann", exact=True)).to_contain_text("Cambia!")
        await expect(card(ann, "your card 1")).to_be_visible()  # locked: there is nothing to do with it
        await draw_and_throw(ben)
        for person in (ann, ben):
            cards = person.page.get_by_role("region", name="The cards").get_by_role("listitem")
            await expect(cards.first).to_contain_text("called Cambia")
            await expect(cards.first.locator(".sum")).to_have_text("7")
            assert_no_secret_was_told(person)
        assert ann.complaints + ben.complaints == []


async def test_eight_at_a_small_phone_have_the_snap_in_reach(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=1) as live:
        ann = await Person.arrive(
            browser, "Ann", live.http, **SMALL_PHONE, reduced_motion="reduce", color_scheme="dark"
        )
        await open_cambia(ann, seats=8, bots=7, First_look_lasts="0")
        await start(ann)
        snap = ann.button("^Snap")
        await expect(snap).to_be_in_viewport(ratio=1)
        await expect(own(ann).last).to_be_in_viewport(ratio=1)
        assert await ann.fits()
        await ann.press(snap)
        await expect(card(ann, "Ada’s card 1", "Snap")).to_be_in_viewport(ratio=1)
        # Everybody else's cards can be snapped as well.
        await expect(ann.page.get_by_role("button", name=re.compile("^Snap .*card"))).to_have_count(32)
        assert ann.complaints == []


# With clients of the game's own protocols.


async def test_a_browser_and_clients_of_both_dialects_play_to_the_end(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        table = await open_cambia(ann, seats=3, First_look_lasts="0")
        live.ports["cambia"] = live.ports["http"]
        here = Hall(live)
        lobby = ids.lobby_id(table)
        note, web = [
            wire.Person(here, (await here.ask("POST", "/cambia/user/guest", body={"username": name})).json)
            for name in ("Note", "Web")
        ]
        note.lobby = await here.socket(f"/cambia/lobby/ws/{lobby}", note, "lobby")
        both = await here.socket(f"/cambia/ws/{lobby}", web, "cambia")
        await in_lobby(both, "lobby_state")
        for name in ("Note", "Web"):
            await expect(ann.page.get_by_role("listitem").filter(has_text=name)).to_be_visible()
        await ann.press(ann.button("^Start the game"))
        game = (await in_lobby(note.lobby, "game_start"))["game_id"]
        note.game = await here.socket(f"/cambia/game/ws/{game}", note, "game")
        _, first, second = await asyncio.gather(play_out(ann, 3), play(note.game, note.id), play(both, web.id))

        # All three were told the same end, each in its own words.
        scores = first["payload"]["scores"]
        assert second["payload"]["scores"] == scores
        rows = ann.page.get_by_role("region", name="Result").get_by_role("listitem")
        await expect(rows).to_have_count(3)
        assert sorted(int(text) for text in await rows.locator("b").all_inner_texts()) == sorted(scores.values())
        for name, id in (("Note", note.id), ("Web", web.id)):
            await expect(rows.filter(has_text=name).locator("b")).to_have_text(str(scores[id]))
        assert_no_secret_was_told(ann)
        assert ann.complaints == []
        await here.leave()
