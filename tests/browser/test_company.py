"""Company that one would rather not have: the host sends it away or silences it, and everybody can stop listening."""

from __future__ import annotations

from playwright.async_api import Browser, expect

from tests.browser.person import PHONE, Person
from tests.browser.sizes import troubles_everywhere
from tests.client import client
from tests.live import LiveHere

SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 740}}


async def say(person: Person, text: str) -> None:
    await person.page.get_by_label("Say something").fill(text)
    await person.page.get_by_label("Say something").press("Enter")


async def test_the_host_sends_spectators_away_and_lets_them_back(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    ben = await Person.arrive(browser, "Ben", live.http)
    link = await ann.open_table("Us")
    await ben.page.goto(link)
    await ben.press(ben.button("^Watch"))
    await expect(ann.text("One person is watching.")).to_be_visible()
    await ann.press(ann.button("^Remove the spectators"))
    await expect(ben.page.get_by_role("heading", name="The host has sent the spectators away.")).to_be_visible()
    await expect(ann.text("Nobody may watch.")).to_be_visible()
    await ben.page.reload()
    await ben.press(ben.button("^Watch"))
    await expect(ben.page.get_by_role("alert")).to_have_text("The host lets nobody look on just now.")
    await ann.press(ann.button("^Let people watch"))
    await ben.press(ben.button("^Watch"))
    await expect(ben.text("You are watching")).to_be_visible()
    assert ann.complaints + ben.complaints == []


async def test_the_host_silences_somebody(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    ben = await Person.arrive(browser, "Ben", live.http)
    await ben.join(await ann.open_table("Us"))
    await expect(ben.button("^Silence")).to_have_count(0)
    silence = ann.page.get_by_role("button", name="Silence Ben for everybody")
    await expect(silence).to_have_attribute("aria-pressed", "false")
    await ann.press(silence)
    await expect(silence).to_have_attribute("aria-pressed", "true")
    await expect(ben.page.get_by_label("Say something")).to_be_disabled()
    await expect(ben.page.get_by_label("Say something")).to_have_attribute("placeholder", "The host has silenced you.")
    await ann.press(silence)
    await say(ben, "thank you")
    await expect(ann.page.get_by_role("log").get_by_text("thank you")).to_be_visible()
    assert ann.complaints + ben.complaints == []


async def test_anybody_can_stop_listening(browser: Browser, live: LiveHere) -> None:
    async with client(live.ws("/ws")) as bea, client(live.ws("/ws")) as eve:
        ann = await Person.arrive(browser, "Ann", live.http, **SMALL_PHONE)
        await bea.ask("open", game="palace", player="Bea")
        await eve.ask("join", table=bea.table, player="Eve")
        await ann.join(f"/t/{bea.table}")
        assert await troubles_everywhere(ann.page) == {}
        await ann.press(ann.page.get_by_role("button", name="Chat"))
        told = ann.page.get_by_role("log")
        await eve.ask("say", text="blah")
        await expect(told.get_by_text("blah")).to_be_visible()
        await ann.press(ann.page.get_by_role("tab", name="People"))
        ear = ann.page.get_by_role("tabpanel").get_by_role("button", name="Ignore Eve")
        await ann.press(ear)
        await expect(ear).to_have_attribute("aria-pressed", "true")
        await eve.ask("say", text="blah again")
        await bea.ask("say", text="ignore her")
        await ann.press(ann.page.get_by_role("tab", name="Log and chat"))
        await expect(told.get_by_text("ignore her")).to_be_visible()
        await expect(told.get_by_text("blah")).to_have_count(0)
        await ann.page.reload()  # it is remembered
        await ann.press(ann.page.get_by_role("button", name="Chat"))
        await eve.ask("say", text="still here")
        await bea.ask("say", text="well")
        await expect(told.get_by_text("well")).to_be_visible()
        await expect(told.get_by_text("still here")).to_have_count(0)
        assert ann.complaints == []
