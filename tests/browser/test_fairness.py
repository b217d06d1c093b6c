"""The page checks a deal by itself: what is right is said to be, and whatever was changed on the way is seen."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Route, expect

from croupier.games import catalogue
from croupier.kernel import Rig
from croupier.tables import entries
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_accessibility import barriers
from tests.browser.test_replay import arrive, controls, finished
from tests.diary import SEED, Diary
from tests.live import LiveHere
from tests.test_fair_deals import vectors_of_the_page

Json = dict[str, Any]
GAMES = sorted(catalogue().games)
RECORD, STEPS = re.compile(r"/games/1/record\?"), re.compile(r"/games/1\?")
OTHER_SEED = bytes(32)


def outcome(person: Person) -> Locator:
    return person.page.get_by_role("dialog", name="Check the deal").get_by_role("status")


async def check(person: Person) -> Locator:
    await person.press(person.button("^Check the deal$").first)
    return outcome(person)


async def doctor(person: Person, which: re.Pattern[str], how: Callable[[Json], object]) -> None:
    """Somebody between the server and the browser changes an answer."""

    async def changed(route: Route) -> None:
        response = await route.fetch()
        found = await response.json()
        before = json.dumps(found)
        how(found)
        assert json.dumps(found) != before
        await route.fulfill(response=response, json=found)

    await person.context.route(which, changed)


def hash_of(seed: bytes) -> str:
    return hashlib.sha256(seed).hexdigest()


@pytest.mark.parametrize("game", GAMES)
async def test_a_right_deal_of_every_game(browser: Browser, live: LiveHere, game: str) -> None:
    table = await finished(live, game)
    eve = await arrive(browser, live, f"/t/{table}/replay", **DESKTOP)
    told = await check(eve)
    await expect(told).to_contain_text("The deal is right.")
    await expect(told).to_contain_text("This browser was not there.")
    await expect(told).to_contain_text(hash_of(SEED))
    await expect(told).to_contain_text(re.compile("[1-9][0-9]* shuffles? .*worked out again here"))
    await expect(told).to_contain_text(re.compile("[1-9][0-9]* places in the replay compared"))
    await expect(told).to_contain_text(f"croupier verify {live.http}/t/{table}/replay?game=1")
    await expect(told.locator(".wrong")).to_have_count(0)
    assert eve.complaints == []


async def test_each_game_of_a_table_has_its_own_seed(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'coup', games=2)}/replay", **DESKTOP)
    told = await check(eve)
    await expect(told).to_contain_text(hash_of(SEED[1:] + b"!"))
    await eve.page.keyboard.press("Escape")
    await eve.page.get_by_role("combobox", name="Game").select_option("1")
    await eve.page.wait_for_url("**/replay?game=1")
    await check(eve)
    await expect(told).to_contain_text(hash_of(SEED))
    await expect(told).to_contain_text("The deal is right.")


async def test_the_page_draws_as_the_published_vectors_do(browser: Browser, live: LiveHere) -> None:
    vectors = vectors_of_the_page()
    assert bytes.fromhex(vectors["seed"]) == SEED

    def drawn(record: Json) -> None:
        record["log"][0].update(draws=vectors["draws"], whence=[])

    eve = await arrive(browser, live, f"/t/{await finished(live, 'faraway')}/replay", **DESKTOP)
    await doctor(eve, RECORD, drawn)
    told = await check(eve)
    await expect(told).to_contain_text("The deal is right.")
    await expect(told).to_contain_text("2 shuffles and 15 numbers worked out again here")
    await expect(told).to_contain_text("Nothing that the replay shows could be compared.")


# On every screen, by keys, and for those who hear it.


async def test_on_a_phone_from_the_result(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'palace')}/replay", **PHONE)
    await eve.page.keyboard.press("End")
    await expect(eve.page.get_by_role("region", name="Result")).to_be_visible()
    told = await check(eve)
    await expect(told).to_contain_text("The deal is right.")
    assert await eve.fits()
    assert await barriers(eve) == []
    await eve.press(eve.page.get_by_role("dialog").get_by_role("button", name="Close"))
    await expect(told).to_be_hidden()


async def test_by_keyboard(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'palace')}/replay", **DESKTOP)
    button = eve.button("^Check the deal$")
    await button.focus()
    await eve.page.keyboard.press("Enter")
    await expect(outcome(eve)).to_contain_text("The deal is right.")
    await eve.page.keyboard.press("ArrowRight")  # goes nowhere while this is being read
    await expect(controls(eve.page).locator("output")).to_contain_text("0 / ")
    await eve.page.keyboard.press("Escape")
    await expect(outcome(eve)).to_be_hidden()
    await expect(button).to_be_focused()
    assert await barriers(eve) == []


async def test_in_french(browser: Browser, live: LiveHere) -> None:
    eve = await Person.arrive(
        browser, "Eve", live.http, path=f"/t/{await finished(live, 'cambia')}/replay", locale="fr-FR", **PHONE
    )
    await eve.page.get_by_role("group", name="Rediffusion", exact=True).wait_for()
    await eve.page.keyboard.press("End")
    await eve.press(eve.button("^Vérifier la donne$").first)
    told = eve.page.get_by_role("dialog", name="Vérifier la donne").get_by_role("status")
    await expect(told).to_contain_text("La donne est juste.")
    await expect(told).to_contain_text("2 mélanges et 8 nombres recalculés ici")
    await expect(told).to_contain_text("10 endroits comparés")
    await doctor(eve, RECORD, lambda record: record["log"][0]["draws"][-1]["out"].reverse())
    await eve.page.keyboard.press("Escape")
    await eve.press(eve.button("^Vérifier la donne$").first)
    await expect(told).to_contain_text("La donne n'est pas juste.")
    await expect(told).to_contain_text("Dans le mélange «\u00a0deck\u00a0», à la place 1")


async def test_where_the_browser_has_no_cryptography_of_its_own(browser: Browser, live: LiveHere) -> None:
    """As on every phone in a network at home: without TLS there is no ``crypto.subtle``."""
    table = await finished(live, "palace")
    context = await browser.new_context(base_url="http://croupier.example")

    async def forward(route: Route) -> None:
        response = await route.fetch(url=route.request.url.replace("http://croupier.example", live.http))
        await route.fulfill(response=response)

    await context.route("http://croupier.example/**", forward)
    await context.route_web_socket(re.compile("croupier.example"), lambda socket: None)
    eve = Person("Eve", context, await context.new_page(), False)
    await eve.page.goto(f"/t/{table}/replay")
    assert await eve.page.evaluate("[isSecureContext, crypto.subtle === undefined]") == [False, True]
    await expect(await check(eve)).to_contain_text("The deal is right.")


# What this browser has seen itself.


async def played(browser: Browser, live: LiveHere) -> tuple[Person, str]:
    """Somebody who has been there from the start to the end, and the table's id."""
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
    return ann, link.rsplit("/", 1)[1]


async def test_whoever_was_there_remembers_the_hash(browser: Browser, live: LiveHere) -> None:
    ann, _ = await played(browser, live)
    await expect(await check(ann)).to_contain_text("the hash that this browser was shown when the game began.")
    assert ann.complaints == []


async def test_a_server_that_tells_of_another_seed_afterwards_is_caught(browser: Browser, live: LiveHere) -> None:
    """Even if all that it says fits together, so that nobody else could know."""
    ann, table = await played(browser, live)
    other = await finished(live, "faraway")
    eve = await Person.arrive(browser, "Eve", live.http)

    async def swapped(route: Route) -> None:
        await route.fulfill(response=await route.fetch(url=route.request.url.replace(table, other)))

    for person in (ann, eve):
        await person.context.route(re.compile(f"/api/tables/{table}/games/1"), swapped)
        await person.page.goto(f"/t/{table}/replay")
        await expect(controls(person.page)).to_be_visible()
    told = await check(ann)
    await expect(told.locator(".wrong")).to_contain_text("The deal is not right.")
    await expect(told).to_contain_text("this browser was shown the hash")
    await expect(told).to_contain_text(f"That of the seed is {hash_of(SEED)}")
    await expect(await check(eve)).to_contain_text("The deal is right.")


# What somebody has changed on the way.


def other_seed(record: Json) -> None:
    record["about"]["seed"] = f"ff{record['about']['seed'][2:]}"


def other_seed_and_hash(record: Json) -> None:
    other_seed(record)
    record["log"][0]["entry"]["pledge"] = hash_of(bytes.fromhex(record["about"]["seed"]))


def other_card_dealt(replay: Json) -> None:
    if replay["open"]:
        replay["steps"][0]["view"]["open_hands"][1][2] = "joker"


def swapped_cards(replay: Json) -> None:
    """Between two hands: all cards are there, and none twice."""
    hands = replay["steps"][0]["view"]["open_hands"]
    hands[0][0], hands[1][-1] = hands[1][-1], hands[0][0]


def other_cards_shuffled(record: Json) -> None:
    out = record["log"][0]["draws"][1]["out"]
    out[0], out[1] = out[1], out[0]


@pytest.mark.parametrize(
    ("which", "how", "said"),
    [
        (RECORD, other_seed, "The server says that it showed the hash"),
        (RECORD, other_seed_and_hash, "The server says that it showed the hash"),  # the replay still shows the old one
        (RECORD, other_cards_shuffled, "In the shuffle “deck”, the 1st is .* in the record and .* by the seed"),
        (RECORD, lambda record: record["log"][0]["draws"].pop(), "The replay shows .* at .*, and by the seed it is"),
        (RECORD, lambda record: record["log"][0]["draws"].pop(0), "In the shuffle “deck”"),
        (RECORD, lambda record: record["log"][0]["entry"]["order"].reverse(), "People do not sit where"),
        (RECORD, lambda record: record["about"]["result"]["placings"].reverse(), "is of another game"),
        (RECORD, lambda record: record.pop("log"), "makes no sense"),
        (RECORD, lambda record: record["log"][0].update(draws=[{"draw": "number", "below": 0, "out": 0}]), "no sense"),
        (STEPS, other_card_dealt, "The replay shows joker at “open hands › (Ann|Ben) › 3”, and by the seed it is"),
        (STEPS, swapped_cards, "The replay shows .* at “open hands › .*, and by the seed it is"),
        (STEPS, lambda replay: replay["steps"].pop(0), "The replay shows – at .*, and by the seed it is"),
    ],
)
async def test_what_is_changed_on_the_way_is_seen(
    browser: Browser, live: LiveHere, which: re.Pattern[str], how: Callable[[Json], object], said: str
) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'palace')}/replay", **DESKTOP)
    await doctor(eve, which, how)
    told = await check(eve)
    await expect(told.locator(".wrong")).to_contain_text("The deal is not right.")
    await expect(told).to_contain_text(re.compile(said))
    await expect(told).not_to_contain_text("The deal is right.")
    assert await barriers(eve) == []
    assert eve.complaints == []


async def test_a_table_whose_luck_was_fixed(browser: Browser, live: LiveHere) -> None:
    diary = Diary(catalogue().games["faraway"], 2, "0123456789abcdef", shown=False)
    diary.happens(entries.Started((0, 1), SEED, Rig(shuffle=False)))
    eve = await arrive(browser, live, f"/t/{await diary.finish().put_into(live.house)}/replay", **DESKTOP)
    told = await check(eve)
    await expect(told).to_contain_text("The deal is not right.")
    await expect(told).to_contain_text("A test on the server, or a lesson, has fixed the luck of this game")


async def test_a_line_that_is_gone_is_no_verdict(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, live, f"/t/{await finished(live, 'palace')}/replay", **DESKTOP)
    await eve.context.route(RECORD, lambda route: route.abort())
    told = await check(eve)
    await expect(told).to_contain_text("The deal could not be checked.")
    await expect(told.locator(".wrong, .right")).to_have_count(0)
    await eve.context.unroute(RECORD)
    await eve.page.keyboard.press("Escape")
    await expect(await check(eve)).to_contain_text("The deal is right.")
