"""What people have played, as the page shows it: their own page, that of others, the best, and a table's evening."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from croupier.people import projection
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_accessibility import barriers
from tests.client import client, play_out
from tests.live import LiveHere, server
from tests.nodes.several import nodes
from tests.persons.test_people_api import duels
from tests.persons.test_projection import over
from tests.persons.test_scorekeeping import IDS, KEYS, gathered, play

SMALLEST = {**PHONE, "viewport": {"width": 360, "height": 640}}
SIDEWAYS = {**PHONE, "viewport": {"width": 740, "height": 360}}


def script(name: str) -> str:
    """Somebody who has that key."""
    return f"localStorage['croupier.key'] ??= '\"{KEYS[name]}\"'"


async def three(browser: Browser, *houses: LiveHere) -> list[Person]:
    about = [("Ann", DESKTOP), ("Ben", PHONE), ("Cleo", DESKTOP)]
    return [
        await Person.arrive(browser, name, houses[n % len(houses)].http, script=script(name), **context)
        for n, (name, context) in enumerate(about)
    ]


async def leave(person: Person) -> None:
    await person.press(person.button("^Leave"))
    await person.press(person.page.get_by_role("dialog").get_by_role("button", name="Leave"))


async def sit_down(host: Person, *guests: tuple[Person, LiveHere]) -> None:
    link = await host.open_table(seats=3, game="coup")
    await expect(host.page.get_by_label("Counts for ratings")).to_be_checked()
    for guest, house in guests:
        await guest.join(house.http + "/t/" + link.rpartition("/")[2])
        await expect(guest.text("Games here count for ratings")).to_be_visible()
    await host.press(host.button("^Start the game"))
    for person in (host, *(guest for guest, _ in guests)):
        await expect(person.page.locator(".felt")).to_be_visible()


@pytest.mark.parametrize("count", [1, 2], ids=["one server", "two nodes"])
async def test_three_people_play_two_games_and_their_pages_know(browser: Browser, tmp_path: Path, count: int) -> None:
    """Ann wins the first, since the others leave; and Ben the second."""
    async with AsyncExitStack() as stack:
        if count == 1:
            houses = [await stack.enter_async_context(server(tmp_path, bot_delay=0))]
        else:
            houses = await stack.enter_async_context(nodes(tmp_path, bot_delay=0))
        ann, ben, cleo = await three(browser, *houses)
        await sit_down(ann, (ben, houses[-1]), (cleo, houses[0]))
        await leave(cleo)
        await leave(ben)
        await expect(ann.text(r"Your rating: \+\d+")).to_be_visible()
        assert await ann.fits()
        await ann.page.goto("/")
        await ben.page.goto("/")
        await sit_down(ben, (ann, houses[0]))
        await leave(ann)
        await expect(ben.text(r"Your rating: \+\d+")).to_be_visible()
        assert await ben.fits() and await barriers(ben) == []

        # From the table to one's own page, and from there to that of somebody else.
        await ben.press(ben.page.get_by_role("link", name="Ben").first)
        await expect(ben.page.get_by_role("heading", level=1)).to_have_text("Ben")
        await expect(ben.page.get_by_role("heading", name="My games")).to_be_visible()
        rows = ben.page.get_by_role("row")
        await expect(rows.nth(1)).to_have_text(re.compile(r"Coup\s*1\d\d\d ± \d+\s*provisional\s*1\s*1\s*0"))
        games = ben.page.get_by_role("link", name=re.compile("Watch it again: Coup"))
        await expect(games).to_have_count(2)
        await ben.page.get_by_label("Every result").select_option("won")
        await expect(games).to_have_count(1)
        await ben.press(ben.page.get_by_role("link", name="Ann").first)
        await expect(ben.page.get_by_role("heading", name="You and Ann")).to_be_visible()
        await expect(ben.page.get_by_label("Coup: you were ahead 1 times, and behind 1 times")).to_have_text("1 : 1")
        await expect(games).to_have_count(2)
        await ben.press(games.last)
        await expect(ben.page.get_by_role("group", name="Replay", exact=True)).to_be_visible()
        assert ann.complaints + ben.complaints + cleo.complaints == []


async def test_an_evening_of_a_table(browser: Browser, live: LiveHere) -> None:
    """Two games of people at one table; who looks in sees who has won what."""
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        table = await gathered((ann, "Ann"), (ben, "Ben"))
        await play(ann, ben)
        await ann.ask("reopen")
        await ben.ask("join", table=table, player="Ben")
        await play(ann, ben)
        cleo = await Person.arrive(browser, "Cleo", live.http, f"/t/{table}", script=script("Cleo"))
        await cleo.press(cleo.button("^Watch"))
        await expect(cleo.text(r"Won here tonight: Ann\s2")).to_be_visible()
        assert cleo.complaints == []


async def test_who_takes_the_seat_of_somebody_who_has_left_has_not_played_their_game(
    browser: Browser, live: LiveHere
) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        table = await gathered((ann, "Ann"), (ben, "Ben"), game="palace", seats=2)
        cleo = await Person.arrive(browser, "Cleo", live.http, f"/t/{table}", script=script("Cleo"))
        await cleo.press(cleo.button("^Watch"))
        await ann.ask("start")
        await asyncio.gather(play_out(ann), play_out(ben))
        result = cleo.page.get_by_role("region", name="Result")
        await expect(result.get_by_role("heading")).to_have_text(re.compile(r"^(Ann|Ben) won\.$"))
        told = await result.inner_text()
        await ben.ask("leave")
        await cleo.press(cleo.button("^Take a seat"))
        await expect(cleo.text("Waiting for Ann to start another game")).to_be_visible()
        assert await result.inner_text() == told
        await cleo.page.reload()
        await expect(cleo.text("Waiting for Ann to start another game")).to_be_visible()
        await expect(result.get_by_role("heading")).to_have_text(told.splitlines()[0])
        assert await result.inner_text() == told
        assert cleo.complaints == []


async def test_who_is_best_is_a_press_away_and_leads_to_people(browser: Browser, live: LiveHere) -> None:
    await live.house.journal.transact(over(duels(100)))
    await projection.catch_up(live.house.journal)
    for context in (DESKTOP, SMALLEST, SIDEWAYS):
        ben = await Person.arrive(browser, "Ben", live.http, script=script("Ben"), **context)
        card = ben.page.get_by_role("article").filter(has=ben.page.get_by_role("heading", name="Coup"))
        await ben.press(card.get_by_role("button", name="Rules: Coup"))
        await ben.press(ben.page.get_by_role("link", name="Who is best?"))
        await expect(ben.page.get_by_role("heading", level=1)).to_have_text("The best at Coup")
        leaders = ben.page.get_by_role("main").get_by_role("listitem")
        await expect(leaders).to_have_count(3)
        await expect(leaders.first).to_contain_text(re.compile(r"1\.\s*Ann\s*\d{4} ± \d+\s*60 games"))
        assert await ben.fits() and await barriers(ben) == []
        await ben.press(ben.page.get_by_role("link", name="Ann"))
        await expect(ben.page.get_by_role("heading", name="You and Ann")).to_be_visible()
        await expect(ben.text("20 : 20")).to_be_visible()
        games = ben.page.get_by_role("main").locator("ol > li")
        await expect(games).to_have_count(20)
        await ben.press(ben.button("^More"))
        await expect(games).to_have_count(40)
        await ben.page.get_by_label("Only those with me").check()
        await expect(games).to_have_count(20)
        await expect(games.filter(has_text="Cleo")).to_have_count(0)
        assert await ben.fits() and await barriers(ben) == []
        assert ben.complaints == []
        await ben.context.close()


async def test_what_is_not_there_is_said(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, "/leaders/coup")
    await expect(ann.text("Nobody has played enough games yet")).to_be_visible()
    await ann.page.goto("/people/nobody")
    await expect(ann.page.get_by_role("alert")).to_have_text("Nothing is known of such a person.")
    assert await barriers(ann) == []


async def test_in_french(browser: Browser, live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await gathered((ann, "Ann"), (ben, "Ben"))
        await play(ann, ben)
    await projection.catch_up(live.house.journal)
    ben_page = await Person.arrive(
        browser, "Ben", live.http, f"/people/{IDS['Ben']}", script=script("Ben"), locale="fr", **PHONE
    )
    await expect(ben_page.page.get_by_role("heading", name="Mes parties")).to_be_visible()
    await expect(ben_page.text("perdue")).to_be_visible()
    await expect(ben_page.text("provisoire")).to_be_visible()
    await ben_page.page.goto("/people/nobody")
    await expect(ben_page.page.get_by_role("alert")).to_contain_text("On ne sait rien d'une telle personne")


async def test_who_opens_a_table_says_whether_it_counts(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    await ann.press(ann.button("^Open a table"))
    counts = ann.page.get_by_label("Counts for ratings")
    await expect(counts).to_be_checked()
    await ann.page.get_by_label("Password").fill("plum")
    await expect(counts).not_to_be_checked()
    await counts.check()
    await ann.press(ann.button("^Open the table"))
    await expect(ann.page.get_by_label("Counts for ratings")).to_be_checked()
    assert live.house.summaries()[0].lobby.rated
    await ann.page.get_by_label("Counts for ratings").uncheck()
    async with asyncio.timeout(20):
        while live.house.summaries()[0].lobby.rated:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.02)
    assert ann.complaints == []
