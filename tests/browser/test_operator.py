"""The operator's page, and what people do about each other at a table."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio
from playwright.async_api import Browser, expect

from croupier.tables import error_log
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_accessibility import barriers
from tests.browser.test_company import say
from tests.live import LiveHere, server
from tests.operating import TOKEN, told


@pytest_asyncio.fixture(loop_scope="session")
async def operated(tmp_path: Path) -> AsyncIterator[LiveHere]:
    error_log.latest.clear()  # of other tests in this process
    async with server(tmp_path, bot_delay=0, operator_token=TOKEN) as running:
        yield running


async def operator(browser: Browser, live: LiveHere, **context: Any) -> Person:
    person = await Person.arrive(browser, "Op", live.http, "/operator", **context)
    await person.page.get_by_label("Token").fill(TOKEN)
    await person.press(person.button("^Open$"))
    await expect(person.text("as of")).to_be_visible()
    return person


async def test_an_operator_sees_everything_closes_a_table_and_bans_and_lifts(
    browser: Browser, operated: LiveHere
) -> None:
    live = operated
    ann = await Person.arrive(browser, "Ann", live.http)
    ben = await Person.arrive(browser, "Ben", live.http)
    await ben.join(await ann.open_table("Us"))
    op = await operator(browser, live, **DESKTOP)
    page = op.page
    await expect(page.get_by_text("Running for")).to_be_visible()
    assert await barriers(op) == []
    for view, there in (("People", "Ben"), ("Troubles", "Nothing."), ("Reports", "Nothing."), ("Bans", "Nothing.")):
        await op.press(page.get_by_role("navigation").get_by_role("button", name=view))
        await expect(page.get_by_role("region", name=view).get_by_text(there, exact=True)).to_be_visible()
        assert await barriers(op) == [], view
    # The person is banned, and out.
    await op.press(page.get_by_role("navigation").get_by_role("button", name="Tables"))
    row = page.get_by_role("listitem").filter(has=page.get_by_text("Ben", exact=True)).last
    await op.press(row.get_by_role("button", name="Ban person"))
    await page.get_by_label("Reason, for you").fill("rude")
    assert await barriers(op) == []
    await op.press(page.get_by_role("dialog").get_by_role("button", name="Ban", exact=True))
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(ben.page.get_by_role("status").get_by_text("You have been banned from this server")).to_be_visible()
    await expect(ann.page.get_by_role("log").get_by_text("Ben", exact=False).last).to_be_visible()
    await op.press(page.get_by_role("navigation").get_by_role("button", name="Bans"))
    await expect(page.get_by_text("rude")).to_be_visible()
    await op.press(page.get_by_role("button", name="Lift the ban"))
    await expect(page.get_by_role("region", name="Bans").get_by_text("Nothing.")).to_be_visible()
    # The table is closed, and whoever is there is told.
    await op.press(page.get_by_role("navigation").get_by_role("button", name="Tables"))
    await op.press(page.get_by_role("button", name="Close table"))
    assert await barriers(op) == []
    await op.press(page.get_by_role("button", name="Close table"))
    await expect(page.get_by_role("region", name="Tables").get_by_text("Nothing.")).to_be_visible()
    await expect(
        ann.page.get_by_role("heading", name="The operator of this server has closed the table.")
    ).to_be_visible()
    assert TOKEN not in json.dumps(await page.evaluate("({...localStorage})"))
    assert op.complaints == []


async def test_on_a_phone_it_fits_and_a_wrong_token_opens_nothing(browser: Browser, operated: LiveHere) -> None:
    op = await Person.arrive(browser, "Op", operated.http, "/operator", **PHONE)
    await op.page.get_by_label("Token").fill("not the token, by far")
    assert await barriers(op) == []
    await op.press(op.button("^Open$"))
    await expect(op.page.get_by_role("alert")).to_contain_text("This is for the operator of the server.")
    await op.press(op.button("^Forget the token"))
    await op.page.get_by_label("Token").fill(TOKEN)
    await op.press(op.button("^Open$"))
    await expect(op.page.get_by_text("Running for")).to_be_visible()
    for view in ("Overview", "Tables", "People", "Troubles", "Reports", "Bans"):
        await op.press(op.page.get_by_role("navigation").get_by_role("button", name=view))
        assert await op.fits(), view


async def test_somebody_is_blocked_and_reported_from_the_list_of_people(browser: Browser, operated: LiveHere) -> None:
    live = operated
    ann = await Person.arrive(browser, "Ann", live.http)
    ben = await Person.arrive(browser, "Ben", live.http)
    link = await ann.open_table("Us")
    await ben.join(link)
    await say(ben, "something rude")
    await expect(ann.page.get_by_role("log").get_by_text("something rude")).to_be_visible()
    more = ann.page.get_by_role("button", name="More about Ben").first
    await ann.press(more)
    assert await barriers(ann) == []
    await ann.press(ann.page.get_by_role("dialog").get_by_role("button", name="Report"))
    await ann.page.get_by_label("What is wrong?").fill("He is rude.")
    assert await barriers(ann) == []
    await ann.press(ann.page.get_by_role("dialog").get_by_role("button", name="Send"))
    await expect(ann.text("The operator will read it.")).to_be_visible()
    (report,) = (await told(live, "/api/operator/reports"))["reports"]
    assert (report["name"], report["why"]) == ("Ben", "He is rude.")
    assert [line["text"] for line in report["said"]] == ["something rude"]
    await more.focus()
    await ann.page.keyboard.press("Enter")  # keys are enough
    await ann.page.get_by_role("dialog").get_by_role("button", name="Block").focus()
    await ann.page.keyboard.press("Enter")
    await expect(ann.page.get_by_role("heading", name="Block Ben?")).to_be_visible()
    await ann.press(ann.page.get_by_role("dialog").get_by_role("button", name="Block"))
    await expect(ann.text("blocked by you")).to_be_visible()
    await expect(ann.page.get_by_role("log").get_by_text("something rude")).to_have_count(0)
    cleo = await Person.arrive(browser, "Cleo", live.http)
    await cleo.join(link)
    await say(ben, "after that")
    await expect(cleo.page.get_by_role("log").get_by_text("after that")).to_be_visible()
    await expect(ann.page.get_by_role("log").get_by_text("after that")).to_have_count(0)
    assert ann.complaints + cleo.complaints == []
