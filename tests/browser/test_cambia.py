"""People play Cambia in a real browser, against a real server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from playwright.async_api import Browser, Locator, expect

from croupier.games.cambia.dialect import ids
from croupier.kernel import Rig
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.sizes import SIZES, troubles_everywhere
from tests.conformance.test_mixed_cambia import in_lobby, play
from tests.games.cambia import wire
from tests.games.cambia.wire import ANN, BEN, Hall, stacked
from tests.live import LiveHere, server

PRIVATE = ("first_look", "drew", "peeked", "revealed")
SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 640}}


async def open_cambia(host: Person, *guests: Person, seats: int = 4, bots: int = 0, **options: str) -> str:
    """A table of Cambia with these guests, and as many bots; its options are chosen by their titles."""
    link = await host.open_table(seats=seats, game="cambia")
    for title, value in options.items():
        await host.page.get_by_role("combobox", name=re.compile(f"^{title.replace('_', ' ')}")).select_option(value)
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
    for name in ("^I have seen them", "^Throw it away", "^Draw$", "^Swap them"):
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
    ours = person.page.locator(".felt .mine.turn")
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


async def points(rows: Locator) -> list[int]:
    """What the result says of these people."""
    return [int(text.split()[0].replace("−", "-")) for text in await rows.locator("b").all_inner_texts()]


async def test_two_people_and_a_bot_play_a_game_to_its_end_and_another(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        ben = await Person.arrive(browser, "Ben", live.http, **DESKTOP)
        await open_cambia(ann, ben, bots=1, First_look="0")
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
            assert await points(row) == [sum(values)]
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
        await open_cambia(ann, ben, First_look="10", Time_for_a_turn="60")
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
        log = ann.page.get_by_role("log")
        await expect(log).to_contain_text("You look at your card 3.")
        await expect(log).to_contain_text("Ben swaps their own card 2 and your card 4.")
        await expect(log).to_contain_text("You give Ben a card.")
        await expect(log).to_contain_text("Ben takes 2 penalty cards.")
        await expect(log).not_to_contain_text(re.compile("(looks? at|draws?) [^.]*[♣♦♥♠]"))

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
        end = "Cambia with 7, and nobody had less."
        await expect(ann.page.get_by_role("region", name="The cards")).to_contain_text(f"You called {end}")
        await expect(ben.page.get_by_role("region", name="The cards")).to_contain_text(f"Ann called {end}")
        assert ann.complaints + ben.complaints == []


async def test_a_snap_is_two_taps_on_one_card_or_two_keys(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        live.house.time = Hall(live).time
        stack(live, "5♦", "Q♦", "3♦", "4♦")
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        await open_cambia(ann, ben, First_look="0")
        await start(ann, ben)

        # The second half of a double click on "Draw" does not throw away what nobody has seen yet.
        await ann.button("^Draw$").dblclick()
        await expect(status(ann)).to_have_text("The 5 of diamonds: for which card?")
        await act(ann, "^Throw it away")
        await expect(status(ann)).to_have_text("Ben is to play")
        snap = await ben.button("^Snap a 5").bounding_box()  # where the thumb is
        assert snap is not None
        assert PHONE["viewport"]["height"] * 2 / 3 < snap["y"] < PHONE["viewport"]["height"] - snap["height"]
        # Ann has a 5 as card 1: it is lifted, let be, lifted again, and snapped with the same key.
        await ann.page.keyboard.press("1")
        await expect(card(ann, "your card 1", "Snap")).to_be_visible()
        await ann.page.keyboard.press("Escape")
        await expect(card(ann, "your card 1", "Lift")).to_be_visible()
        await ann.page.keyboard.press("1")
        await ann.page.keyboard.press("1")
        await expect(own(ann)).to_have_count(3)
        await expect(ann.text("You snap the 5 of hearts!")).to_be_visible()

        # Ben throws a Queen, and Ann has another: S and its number.
        await draw_and_throw(ben)
        await act(ben, "^Skip")
        await expect(status(ann)).to_have_text("Your turn")
        await ann.page.keyboard.press("s")
        await ann.page.keyboard.press("1")
        await expect(own(ann)).to_have_count(2)

        # A thumb taps a card twice; a tap beside puts it down in between.
        await draw_and_throw(ann)
        await ben.press(card(ben, "your card 3", "Lift"))
        await ben.press(ben.page.locator(".news"))
        await ben.press(card(ben, "your card 3", "Lift"))
        await ben.press(card(ben, "your card 3", "Snap"))
        await expect(own(ben)).to_have_count(3)
        await expect(ben.text("You snap the 3 of hearts!")).to_be_visible()

        # From card to card with the arrows, also to those of others.
        await ann.page.keyboard.press("s")
        await ann.page.keyboard.press("ArrowRight")
        await expect(card(ann, "your card 1", "Snap")).to_be_focused()
        await ann.page.keyboard.press("ArrowLeft")
        await expect(card(ann, "Ben’s card 3", "Snap")).to_be_focused()
        assert ann.complaints + ben.complaints == []


async def test_where_one_snap_counts_nobody_is_offered_a_second(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        stack(live, "5♦", "4♦")
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http)
        await ann.open_table(game="cambia")
        await ann.page.get_by_role("combobox", name="First look").select_option("0")
        await ann.page.get_by_label("One snap for each card").check()
        await ben.join(ann.page.url)
        await start(ann, ben)
        await draw_and_throw(ann)
        await expect(ben.button("^Snap a 5")).to_be_enabled()
        await ann.page.keyboard.press("s")
        await ann.page.keyboard.press("1")
        await expect(ben.button("^Too late to snap")).to_be_disabled()
        await draw_and_throw(ben)
        await expect(ann.button("^Snap a 4")).to_be_enabled()


# On screens of every size.


async def test_eight_have_everything_in_reach_on_every_screen(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        live.house.settings = replace(live.house.settings, rig=Rig(orders={"first": [0]}))
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP, color_scheme="dark")
        await open_cambia(ann, seats=8, bots=7, First_look="10")
        await start(ann)
        assert await troubles_everywhere(ann.page) == {}
        await act(ann, "^I have seen them")
        await expect(status(ann)).to_have_text("Your turn")
        await ann.page.keyboard.press("s")
        await expect(ann.page.get_by_role("button", name=re.compile("^Snap .*card"))).to_have_count(32)
        assert await troubles_everywhere(ann.page) == {}
        await ann.page.keyboard.press("Escape")
        for cards in (6, 8, 10, 12):  # there is no 8 among the own cards but for those unseen
            await ann.page.keyboard.press("s")
            await ann.press(own(ann).first)
            await expect(own(ann)).to_have_count(cards)
        await act(ann, "^Draw$")
        assert await troubles_everywhere(ann.page) == {}
        for size in SIZES.values():
            await ann.page.set_viewport_size(size)
            # What is needed in a hurry does not even have to be scrolled to.
            for needed in (ann.button("^Throw it away"), ann.button("^Snap an 8"), own(ann).first, own(ann).last):
                await expect(needed).to_be_in_viewport(ratio=1)
            await ann.page.keyboard.press("s")
            await expect(card(ann, "Gus’s card 4", "Snap")).to_be_in_viewport(ratio=1)
            await ann.page.keyboard.press("Escape")
        assert ann.complaints == []


async def test_nothing_is_marked_by_colour_alone(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        stack(live, "5♦")
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP, forced_colors="active")
        ben = await Person.arrive(browser, "Ben", live.http, **DESKTOP, forced_colors="active")
        await open_cambia(ann, ben, First_look="0")
        await start(ann, ben)
        await act(ann, "^Draw$")

        async def outlined(what: Locator) -> bool:
            return bool(await what.evaluate("(one) => getComputedStyle(one).outlineStyle !== 'none'"))

        assert await outlined(card(ann, "your card 1", "Replace"))
        assert await outlined(ann.page.locator(".mine .status"))
        assert await outlined(ben.page.get_by_role("group", name="Ann", exact=True))
        assert not await outlined(ben.page.locator(".mine .status"))


# With clients of the game's own protocols.


async def test_a_browser_and_clients_of_both_dialects_play_to_the_end(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        table = await open_cambia(ann, seats=3, First_look="0")
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
        assert sorted(await points(rows)) == sorted(scores.values())
        for name, id in (("Note", note.id), ("Web", web.id)):
            assert await points(rows.filter(has_text=name)) == [scores[id]]
        assert_no_secret_was_told(ann)
        assert ann.complaints == []
        await here.leave()
