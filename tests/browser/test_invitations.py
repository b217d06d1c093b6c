"""Tables that are not for everybody, and what brings friends there; and names that a game can't say."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, expect

from tests.browser.person import PHONE, Person
from tests.browser.test_lobby import read_code
from tests.client import client
from tests.live import LiveHere, process

FAST = ("--bot-delay", "0")
SECRET = "plum & <pear> #7 é"


async def test_an_invitation_carries_the_key(browser: Browser, tmp_path: Path) -> None:
    log = tmp_path / "log"
    async with process(tmp_path, *FAST, log=log) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        link = await ann.open_table("Us", password=SECRET)
        assert link.partition("#")[2] == "key=plum%20%26%20%3Cpear%3E%20%237%20%C3%A9"
        await expect(ann.text("The link contains the password")).to_be_visible()
        await ann.press(ann.button("^QR code"))
        code = ann.page.get_by_role("img", name="QR code of the link")
        modules = str(await code.locator("path").get_attribute("d"))
        size = int(str(await code.get_attribute("viewBox")).split()[-1])
        assert read_code(modules, size).partition("#")[2] == link.partition("#")[2]

        asked: list[str] = []
        ben.page.on("request", lambda request: asked.append(request.url))
        await ben.page.goto(link)
        await expect(ben.button("^Watch")).to_be_visible()
        assert ben.page.url == link.partition("#")[0], "it is out of sight at once"
        await ben.press(ben.button("^Watch"))
        await expect(ben.text("You are watching")).to_be_visible()
        handed_on = ben.page.get_by_label("Link to this table")
        await expect(handed_on).to_have_value(link)
        await ben.press(ben.button("^Take a seat"))
        await expect(ben.text("Waiting for Ann")).to_be_visible()
        await ben.page.reload()  # the seat is remembered, and so is the key
        await expect(handed_on).to_have_value(link)
        assert not any("plum" in url for url in asked)
        assert ann.complaints + ben.complaints == []
    assert "plum" not in log.read_text()


async def test_watching_takes_the_password(browser: Browser, live: LiveHere) -> None:
    async with client(live.ws("/ws")) as bea:
        await bea.ask("open", game="palace", player="Bea", seats=2, password="plum")
        await bea.ask("add_bots")
        await bea.ask("start")
        ann = await Person.arrive(browser, "Ann", live.http)
        await ann.page.goto(f"/t/{bea.table}")
        await ann.page.get_by_label("Password").fill("pear")
        await ann.press(ann.button("^Watch"))
        await expect(ann.page.get_by_role("alert")).to_have_text("That is not the table's password.")
        await ann.page.get_by_label("Password").fill("plum")
        await ann.press(ann.button("^Watch"))
        await expect(ann.button("^Leave")).to_be_visible()
        assert ann.complaints == []


async def test_a_table_only_for_those_with_the_link(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
    await ann.press(ann.button("^Open a table"))
    box = ann.page.get_by_label("Only with the link")
    await expect(box).to_have_accessible_description(
        "The table is not shown in the lobby: share its link or its code instead."
    )
    await box.check()
    await ann.press(ann.button("^Open the table"))
    link = await ann.page.get_by_label("Link to this table").input_value()
    await expect(ben.text("Nobody else has a table open")).to_be_visible()
    await ben.join(link)
    assert ann.complaints + ben.complaints == []


async def test_a_name_that_a_game_can_not_say(browser: Browser, live: LiveHere) -> None:
    async with client(live.ws("/ws")) as bea:
        await bea.ask("open", game="coup", player="Bea")
        zoe = await Person.arrive(browser, "Zoë O’Neil", live.http, **PHONE)
        await zoe.page.goto(f"/t/{bea.table}")
        field = zoe.page.get_by_label("Your name")
        await expect(field).to_have_accessible_description(
            "At this table you are called Zoe ONeil. A name is 1 to 20 letters, digits, _ and -, with single spaces."
        )
        await zoe.press(zoe.button("^Take a seat"))
        await expect(zoe.text("Waiting for Bea")).to_be_visible()
        assert (await bea.entry("joined"))["entry"]["name"] == "Zoe ONeil"
        assert zoe.complaints == []


async def test_a_name_that_nobody_may_have(browser: Browser, live: LiveHere) -> None:
    async with client(live.ws("/ws")) as bea:
        await bea.ask("open", game="palace", player="Bea")
        eve = await Person.arrive(browser, "BOT Ada", live.http)
        await eve.page.goto(f"/t/{bea.table}")
        await eve.press(eve.button("^Take a seat"))
        await expect(eve.page.get_by_role("alert")).to_have_text("Only bots and the server have such names.")
        await eve.page.get_by_label("Your name").fill("Ada")
        await eve.press(eve.button("^Take a seat"))
        await expect(eve.text("Waiting for")).to_be_visible()
