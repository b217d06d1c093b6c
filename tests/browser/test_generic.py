"""The page of a game that has none of its own: Crazy Eights, the toy, and others whose own page is taken away."""

from __future__ import annotations

import asyncio
import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import croupier_crazy_eights as crazy_eights_package
import msgspec
import pytest
from croupier_crazy_eights import game as crazy_eights
from playwright.async_api import Browser, Locator, Position, expect

from croupier.games import Catalogue
from croupier.games.cambia import Cambia
from croupier.games.coup import Coup
from croupier.games.palace import Palace
from croupier.kernel.cards import DECK
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.sizes import troubles_everywhere
from tests.browser.test_accessibility import barriers, tab_to
from tests.browser.test_french import LISTEN, SHARED, split
from tests.client import Client, client
from tests.live import server
from tests.page_sources import SOURCES, texts
from tests.pairs import Pairs
from tests.toys import Bids, State

ONE_HAND = "0"
FRENCH_WORDS = Path(crazy_eights_package.__file__).parent / "fr.json"
FRENCH: dict[str, Any] = {**PHONE, "locale": "fr-FR"}


def named(game: type[Any], name: str) -> Any:
    """The same game by another name, so that nobody has a page for it."""
    return type(game.__name__, (game,), {"name": name, "title": name.title(), "__module__": game.__module__})()


def games(*some: Any) -> Catalogue:
    return Catalogue({game.name: game for game in some}, [])


EIGHTS = games(crazy_eights, Bids())


async def open_eights(host: Person) -> str:
    """A table for one hand; its address."""
    link = await host.open_table("Eights", seats=2, game="crazy-eights")
    await host.page.get_by_label("Points to win").select_option(ONE_HAND)
    return link


def cards(person: Person) -> Locator:
    """Those in hand that can be played."""
    return person.page.locator(".hand button:enabled")


async def touch(person: Person, card: Locator) -> None:
    """Others may lie on all of it but its corner."""
    assert await person.try_press(card, Position(x=13, y=26), within=20_000)


def deeds(person: Person) -> Locator:
    return person.page.get_by_role("group", name="Your moves").get_by_role("button", name=re.compile("^(?!Back)"))


async def tap(person: Person) -> None:
    """A card that fits, and a suit if it is an eight; else a card from the stock."""
    await expect(cards(person).or_(deeds(person)).first).to_be_visible()
    if not await cards(person).count():
        stock = person.page.get_by_role("button", name=re.compile("^Stock"))
        await person.press(stock if await stock.count() else deeds(person).first)
        return
    card = cards(person).first
    eight = (await card.get_attribute("data-card") or "").startswith("8")
    await touch(person, card)
    if eight:
        await expect(deeds(person)).to_have_count(4)
        await person.press(deeds(person).filter(has_text="hearts"))


async def play(person: Person) -> int:
    """Until the game is over; how many moves were made."""
    made = 0
    while True:
        await person.until(lambda: person.over or person.to_move)
        if person.over:
            return made
        await person.knows_whose_turn_it_is()
        before = person.moved
        await tap(person)
        await person.until(partial(person.has_moved_since, before))
        made += 1


async def test_two_people_play_crazy_eights_by_taps(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, EIGHTS, test_seed="31" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        eve = await Person.arrive(browser, "Eve", live.http)
        link = await open_eights(ann)
        await ben.join(link)
        await ann.press(ann.button("^Start the game"))
        await expect(ann.page.get_by_role("group", name="Your hand").get_by_role("button")).to_have_count(7)
        await expect(ben.page.get_by_role("group", name="Ann").get_by_text("7 cards")).to_be_attached()
        await expect(ben.page.get_by_role("group", name="Stock: 37 cards")).to_be_visible()
        await ann.press(ann.page.get_by_role("tab", name="Rules"))
        await expect(ann.page.get_by_role("heading", name="The end of a hand")).to_be_visible()
        await eve.page.goto(link)
        await eve.press(eve.button("^Watch"))
        await expect(eve.page.get_by_role("group", name="Ben")).to_be_visible()
        await expect(eve.page.get_by_role("group", name="Your hand")).to_have_count(0)
        made = await asyncio.gather(play(ann), play(ben))
        assert min(made) > 3
        for person in (ann, ben, eve):
            await expect(person.page.get_by_role("region", name="Result")).to_be_visible()
            assert await person.fits()
        assert all(not (fact["view"] or {}).get("hand") for fact in eve.facts())
        # Whose clock it is, and what has happened, come from the frame.
        assert any(fact.get("clocks") for fact in ann.facts())
        await ann.press(ann.page.get_by_role("link", name="Watch it again"))
        await expect(ann.page.get_by_role("group", name="Replay", exact=True)).to_be_visible()
        await ann.press(ann.button("^One step forward"))
        await ann.press(ann.page.get_by_label("Open cards"))
        await expect(ann.page.get_by_role("group", name="Ben").get_by_role("img").first).to_be_visible()
        assert await cards(ann).count() == 0
        assert ann.complaints + ben.complaints + eve.complaints == []


async def test_an_eight_asks_for_a_suit_and_can_be_put_back(browser: Browser, tmp_path: Path) -> None:
    own = ["8♥", "2♣", "3♣", "4♦", "5♦", "6♠", "7♠"]
    deck = [*(card for card in DECK if card not in own), *own]  # dealt from the end
    async with server(tmp_path, EIGHTS, bot_delay=0, test_orders={"deck": deck}) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        await open_eights(ann)
        await ann.press(ann.button("^Add a bot"))
        await ann.press(ann.button("^Start the game"))
        await ann.until(lambda: ann.to_move)
        eights = ann.page.locator('.hand button[data-card="8♥"]')
        await touch(ann, eights.first)
        await expect(eights.first).to_have_attribute("aria-pressed", "true")
        assert [await deed.inner_text() for deed in await deeds(ann).all()] == [
            "♣ clubs",
            "♦ diamonds",
            "♥ hearts",
            "♠ spades",
        ]
        assert await troubles_everywhere(ann.page) == {}
        assert await barriers(ann) == []
        await ann.press(ann.button("^Back"))
        await expect(deeds(ann)).to_have_count(0)
        await expect(eights.first).to_be_focused()
        await eights.first.press("Enter")
        await expect(deeds(ann).first).to_be_focused()
        await ann.page.keyboard.press("Escape")
        await expect(eights.first).to_be_focused()
        await touch(ann, eights.first)
        await ann.press(deeds(ann).filter(has_text="spades"))
        await expect(
            ann.page.get_by_role("group", name="On the table").get_by_role("img", name="spades", exact=True)
        ).to_be_visible()
        assert ann.complaints == []


async def test_a_whole_hand_by_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, EIGHTS, bot_delay=0, test_seed="35" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await open_eights(ann)
        assert await tab_to(ann, ann.button("^Add a bot"))
        await ann.page.keyboard.press("Enter")
        assert await tab_to(ann, ann.button("^Start the game"))
        await ann.page.keyboard.press("Enter")
        while True:
            await ann.until(lambda: ann.over or ann.to_move)
            if ann.over:
                break
            before = ann.moved
            await expect(cards(ann).or_(deeds(ann)).first).to_be_visible()
            assert await tab_to(ann, cards(ann) if await cards(ann).count() else deeds(ann))
            eight = await ann.page.evaluate("document.activeElement.dataset.card?.startsWith('8')")
            await ann.page.keyboard.press("Enter")
            if eight:
                await expect(deeds(ann).first).to_be_focused()
                await ann.page.keyboard.press("Enter")
            await ann.until(partial(ann.has_moved_since, before))
        await expect(ann.page.get_by_role("region", name="Result")).to_be_visible()
        assert ann.complaints == []


@pytest.mark.parametrize("size", ["phone", "desktop"])
async def test_it_keeps_nobody_out_at_any_size(browser: Browser, tmp_path: Path, size: str) -> None:
    async with server(tmp_path, EIGHTS, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **(PHONE if size == "phone" else DESKTOP))
        await ann.page.get_by_label("Number of bots in Crazy Eights").select_option("6")
        await ann.play_against_bots("Crazy Eights")
        for looked in range(4):
            await ann.until(lambda: ann.over or ann.to_move)
            if ann.over:
                assert looked, "it was over before it began"
                break
            await expect(cards(ann).or_(deeds(ann)).first).to_be_visible()
            assert await troubles_everywhere(ann.page) == {}
            assert await barriers(ann) == []
            before = ann.moved
            await tap(ann)
            await ann.until(partial(ann.has_moved_since, before))
        assert ann.complaints == []


async def test_a_french_browser_shows_no_english(browser: Browser, tmp_path: Path) -> None:
    """Nothing in Ann's hand fits on what Ben plays. She draws an eight, and names a suit."""
    own = ["2♥", "3♥", "4♥", "5♥", "6♥", "7♥", "9♥"]
    bens = ["Q♣", "2♦", "3♦", "4♦", "5♦", "6♦", "7♦"]
    top = ["8♠", "K♣", *bens, *own]  # dealt from the end
    deck = [*(card for card in DECK if card not in top), *top]
    async with (
        server(tmp_path, EIGHTS, test_orders={"deck": deck}) as live,
        client(live.ws("/ws")) as host,
        client(live.ws("/ws")) as ben,
    ):
        ann = await Person.arrive(browser, "Ann", live.http, **FRENCH)
        await host.ask("open", game="crazy-eights", player="Ann", seats=2)
        await ben.ask("join", table=host.table, player="Ben")
        await host.ask("start")
        await ben.ask("play", move={"move": "play", "card": "Q♣"})
        seat = {"table": host.table, "token": host.token, "game": "crazy-eights", "name": "", "at": 0}
        kept = json.dumps({host.table: seat})
        await ann.page.evaluate("kept => localStorage.setItem('croupier.seats', kept)", kept)
        await ann.context.add_init_script(LISTEN)
        await ann.page.goto(f"/t/{host.table}")
        await ann.press(ann.button("^Piocher une carte"))
        await touch(ann, ann.page.locator('[data-card="8♠"]'))
        await ann.press(ann.button("^♥ cœur$"))
        await expect(ann.page.get_by_role("img", name="cœur", exact=True)).to_be_visible()
        heard = split(*await ann.page.evaluate("[...said]"))
        words = json.loads(FRENCH_WORDS.read_text())
        english = split(*words) | split(*_words("en"))
        french = split(*words.values()) | split(*_words("fr"))
        assert heard & (english - french) == set()
        assert {"pioche", "pile", "couleur", "piocher", "jouer", "carreau", "pique", "main"} <= heard
        assert ann.complaints == []


def _words(language: str) -> list[str]:
    folders = (*SHARED, SOURCES / "generic" / "words")
    return [text for folder in folders for text in texts((folder / f"{language}.ts").read_text())]


# Games that say nothing about how they look.


async def test_the_toy_is_played_by_taps(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, games(Bids()), bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        await ann.press(ann.button("^Play against 3 bots"))
        for left in (4, 3, 2, 1):
            await ann.until(lambda: ann.to_move)
            await expect(ann.page.get_by_role("group", name="Your hand").get_by_role("button")).to_have_count(left)
            before = ann.moved
            await touch(ann, cards(ann).first)
            await ann.until(partial(ann.has_moved_since, before))
        await expect(ann.page.get_by_role("region", name="Result")).to_be_visible()
        assert ann.complaints == []


async def test_several_cards_are_chosen_and_then_played(browser: Browser, tmp_path: Path) -> None:
    """Palace on the page of any game: there are moves of one card and of two."""
    async with server(tmp_path, games(named(Palace, "castle")), bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        await ann.play_against_bots("Castle")
        await ann.until(lambda: ann.to_move)
        hand = ann.page.get_by_role("group", name="Your hand").get_by_role("button")
        await expect(hand).to_have_count(6)
        for place in (0, 1, 2):  # to lay face up
            await touch(ann, hand.nth(place))
            await expect(hand.nth(place)).to_have_attribute("aria-pressed", "true")
        chosen = [await hand.nth(place).get_attribute("data-card") or "" for place in (0, 1, 2)]
        assert await troubles_everywhere(ann.page) == {}
        before = ann.moved
        await ann.press(deeds(ann))
        await ann.until(partial(ann.has_moved_since, before))
        await ann.until(lambda: ann.to_move)
        last = [fact for fact in ann.facts() if fact["view"]][-1]
        assert sorted(last["view"]["face_up"][ann.seat or 0]) == sorted(chosen)
        made = 0
        while made < 12 and not ann.over:
            await expect(cards(ann).or_(deeds(ann)).first).to_be_visible()
            before = ann.moved
            confirmed = True
            if await cards(ann).count():
                confirmed = await cards(ann).first.get_attribute("aria-pressed") is not None
                await touch(ann, cards(ann).first)
            if confirmed:
                await ann.press(deeds(ann).first)
            await ann.until(partial(ann.has_moved_since, before))
            await ann.until(lambda: ann.over or ann.to_move)
            made += 1
        assert ann.complaints == []


@pytest.mark.parametrize("size", ["phone", "desktop"])
async def test_what_there_is_to_look_at_is_looked_at_and_the_game_goes_on(
    browser: Browser, tmp_path: Path, size: str
) -> None:
    """Cambia on the page of any game: alone against bots, nothing but the person ends the first look."""
    async with server(tmp_path, games(named(Cambia, "memory")), bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **(PHONE if size == "phone" else DESKTOP))
        await ann.play_against_bots("Memory")
        facts = ann.page.locator(".facts")
        await expect(facts).to_have_text("Round 1Discard pile 8Remember 6Remember A")  # and none of the house rules
        await ann.press(ann.button("^Go on$"))
        await expect(facts.get_by_text("Remember")).to_have_count(0)
        await expect(deeds(ann)).to_have_text(
            [re.compile("^Draw a card"), re.compile("^Call Cambia"), "Snap …"], use_inner_text=True
        )
        assert await troubles_everywhere(ann.page) == {}
        # Sixteen cards to snap: whose first, and then which. Who comes by keyboard goes on there, and back.
        for step, said, choices in (("Snap …", "Snap", 4), ("Ada's …", "Snap › Ada's", 4)):
            assert await tab_to(ann, deeds(ann).filter(has_text=step))
            await ann.page.keyboard.press("Enter")
            await expect(ann.page.get_by_role("status").get_by_text(said, exact=True)).to_be_visible()
            await expect(deeds(ann)).to_have_count(choices)
            await expect(deeds(ann).first).to_be_focused()
        await ann.page.keyboard.press("Escape")
        await expect(deeds(ann).filter(has_text="Bo's …")).to_be_visible()
        await ann.press(ann.button("^Back"))
        await ann.press(deeds(ann).filter(has_text="Draw a card"))
        await expect(deeds(ann).filter(has_text="Throw it away")).to_be_visible()
        assert await troubles_everywhere(ann.page) == {}
        assert await barriers(ann) == []
        assert ann.complaints == []


INCOME = {"move": "propose", "action": "income"}


@pytest.mark.parametrize("size", ["phone", "desktop"])
async def test_whoever_a_move_names_is_tapped(browser: Browser, tmp_path: Path, size: str) -> None:
    """Coup on the page of any game: with two coins there is one thing to do to Ben, with three there are two."""
    async with server(tmp_path, games(named(Coup, "putsch"), Bids()), test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **(PHONE if size == "phone" else DESKTOP))
        link = await ann.open_table("Putsch", seats=2, game="putsch")
        async with client(live.ws("/ws?views=1")) as ben:
            await ben.ask("join", table=link.rpartition("/")[2], player="Ben")
            await ann.press(ann.button("^Start the game"))
            ben_s = ann.page.get_by_role("group", name="Ben", exact=True)
            aim = ben_s.get_by_role("button", name="Choose Ben")
            await until_income(ann, ben)
            await expect(deeds(ann).filter(has_text="Assassinate")).to_be_visible()
            await expect(aim).to_have_attribute("aria-pressed", "false")
            assert await troubles_everywhere(ann.page) == {}
            assert await barriers(ann) == []
            await ann.press(aim)
            await expect(deeds(ann)).to_have_count(2)
            await expect(aim).to_have_attribute("aria-pressed", "true")
            await ann.press(ann.button("^Back"))
            await expect(aim).to_be_focused()
            await ann.page.keyboard.press("Enter")
            await expect(deeds(ann).first).to_be_focused()
            assert await barriers(ann) == []
            await ann.page.keyboard.press("Escape")
            await expect(aim).to_be_focused()
            await ann.press(aim)
            await ann.press(deeds(ann).filter(has_text="Steal"))
            told = await ben.hear(lambda told: (told.get("view") or {}).get("action") == "steal")
            assert told["view"]["target"] == told["view"]["seat"]
            await expect(aim).to_have_count(0)
        assert ann.complaints == []


async def until_income(ann: Person, ben: Client) -> None:
    """Both take what they can have without asking, until Ann has three coins and it is her turn."""
    while True:
        before = await ann.page.get_by_role("group", name="Ann", exact=True).inner_text()
        if "3" in before and ann.to_move:
            return
        if ann.to_move:
            moved = ann.moved
            await ann.press(deeds(ann).filter(has_text="Income"))
            await ann.until(partial(ann.has_moved_since, moved))
        else:
            await ben.ask("play", move=INCOME)
            await ann.until(lambda: ann.to_move)


async def test_moves_that_are_too_many_to_list_are_filled_in(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, games(Pairs()), bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        await ann.press(ann.button("^Play against 3 bots"))
        hand = ann.page.get_by_role("group", name="Your hand").get_by_role("button")
        lay = ann.page.get_by_role("form", name="lay").get_by_role("button")
        await expect(hand).to_have_count(13)
        for chosen, number in enumerate((0, 5, 12)):  # cards are chosen in the hand
            await expect(lay).to_have_text(f"Lay ({chosen} of 3)")
            await expect(lay).to_be_disabled()
            await touch(ann, hand.nth(number))
        await expect(hand.nth(1)).to_be_disabled()
        await touch(ann, hand.nth(5))
        await touch(ann, hand.nth(1))
        assert await troubles_everywhere(ann.page) == {}
        await ann.press(lay)
        give = ann.page.get_by_role("form", name="give")
        done = give.get_by_role("button", name="Give", exact=True)
        await ann.press(give.get_by_role("button", name="Ada"))
        await give.get_by_label("Points").fill("21")
        await expect(done).to_be_disabled()
        await give.get_by_label("Points").fill("20")
        assert await troubles_everywhere(ann.page) == {}
        assert await barriers(ann) == []
        await ann.press(done)
        await expect(ann.page.get_by_role("region", name="Result")).to_be_visible()
        people = ann.page.get_by_role("listitem").filter(has_text="points")
        await expect(people.filter(has_text="Ann").filter(has_text="host")).to_be_visible()  # the match goes on
        await expect(people.filter(has_text="Ann").filter(has_text="team 1")).to_be_visible()
        await ann.press(ann.page.get_by_role("button", name="Sit here").first)
        await expect(people.filter(has_text="Ann").filter(has_text="team 2")).to_be_visible()
        assert ann.complaints == []


class Notations(Bids):
    """A game that shows cards as others write them."""

    name, title = "notations", "Notations"

    def view(self, state: State, seat: int | None) -> Any:
        return Shown(("T♥", "Qs", "D10", "JK", "Duke"), "A♠", ("2♣", None), "As you like")


class Shown(msgspec.Struct, frozen=True):
    hand: tuple[str, ...]
    upcard: str
    led: tuple[str | None, ...]
    motto: str


Notations.View = Shown


async def test_cards_are_drawn_in_every_notation(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, games(Notations()), bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await ann.page.get_by_label("Number of bots in Notations").select_option("1")
        await ann.press(ann.button("^Play against a bot"))
        hand = ann.page.get_by_role("group", name="Your hand")
        await expect(hand.get_by_role("img")).to_have_count(4)
        drawn = [await card.get_attribute("aria-label") for card in await hand.get_by_role("img").all()]
        assert drawn == ["10 of hearts", "Queen of spades", "10 of diamonds", "Joker"]
        await expect(hand.get_by_text("Duke")).to_be_visible()
        await expect(
            ann.page.get_by_role("group", name="Upcard").get_by_role("img", name="Ace of spades")
        ).to_be_visible()
        await expect(ann.page.get_by_text("As you like")).to_be_visible()  # which is no ace
        assert await ann.page.get_by_role("img", name="2 of clubs").count() == 1, "in front of whoever led"
        assert ann.complaints == []


async def test_every_game_has_an_emblem_that_tells_it_apart(browser: Browser, tmp_path: Path) -> None:
    names = ["crazy-nines", "crazy-tens", "hearts", "spades", "whist", "rummy", "go-fish", "war", "oh-hell", "euchre"]
    async with server(tmp_path, games(*(named(Bids, name) for name in names)), bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await expect(ann.page.get_by_role("article")).to_have_count(len(names))
        drawings = await ann.page.locator("article img").evaluate_all("found => found.map(image => image.src)")
        assert len(set(drawings)) == len(names)
        assert await ann.page.locator("article img").evaluate_all("found => found.every(image => image.naturalWidth)")
        assert ann.complaints == []
