"""The page about oneself: one person on two devices, one that is lost, what is kept, and nothing of it any more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_accessibility import barriers
from tests.browser.test_lobby import read_code
from tests.live import LiveHere
from tests.nodes.several import nodes


async def rename(person: Person, name: str) -> None:
    """And the server knows."""
    await expect(person.page.get_by_role("heading", name="Add a device")).to_be_visible()
    async with person.page.expect_response(lambda response: response.request.method == "PUT"):
        await person.page.get_by_label("Your name").fill(name)
        await person.page.get_by_label("Your name").blur()


async def scanned(ann: Person) -> str:
    """What a phone's camera makes of the code that adds a device."""
    await ann.page.goto("/me")
    await ann.press(ann.button("^Add a device$"))
    picture = ann.page.get_by_role("img", name="QR code that adds a device")
    size = int(str(await picture.get_attribute("viewBox")).split()[-1])
    return read_code(str(await picture.locator("path").get_attribute("d")), size)


async def add_phone(ann: Person, phone: Person) -> None:
    address = (await scanned(ann)).partition("/me")[2]
    await phone.page.goto(f"/me{address}")
    await expect(phone.text("Make this device one of yours?")).to_be_visible()
    assert "link=" not in phone.page.url, "it is out of sight at once"
    await phone.press(phone.button("^Yes, add this device"))
    await expect(phone.text("This device is one of yours now.").first).to_be_visible()


async def test_two_devices_are_one_person_with_their_name_and_their_seats(browser: Browser, tmp_path: Path) -> None:
    async with nodes(tmp_path) as (here, there):
        ann = await Person.arrive(browser, "Ann", here.http)
        phone = await Person.arrive(browser, "Guest", there.http, **PHONE)
        await ann.open_table("Ann's table")
        table = ann.page.url
        await ann.page.goto("/")
        await ann.press(ann.page.get_by_role("link", name="My page"))
        await rename(ann, "Annabelle")
        await add_phone(ann, phone)
        await expect(phone.page.get_by_label("Your name")).to_have_value("Annabelle")
        await expect(phone.text("this device")).to_be_visible()
        await phone.press(phone.page.get_by_role("link", name="To the lobby"))
        mine = phone.page.get_by_role("region", name="Your tables")
        await expect(mine).to_contain_text("Ann's table")
        await phone.press(mine.get_by_role("link", name="Return"))
        await expect(phone.text("One more player is needed")).to_be_visible()
        assert phone.seat == 0

        other = await Person.arrive(browser, "Ann's laptop", here.http)
        await add_phone(ann, other)
        await other.page.goto(table)
        await expect(other.text("One more player is needed")).to_be_visible()
        await other.page.reload()
        await expect(other.text("One more player is needed")).to_be_visible()
        assert other.seat == 0

        await phone.page.goto("/me")
        await rename(phone, "Belle")
        await ann.page.goto("/")
        await expect(ann.page.get_by_label("Your name")).to_have_value("Belle")
        assert ann.complaints + phone.complaints + other.complaints == []


async def test_a_code_can_be_typed_and_nothing_happens_unless_one_says_yes(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, "/me")
    phone = await Person.arrive(browser, "Guest", live.http, "/me", **PHONE)
    before = await phone.page.evaluate("localStorage['croupier.key']")
    await ann.press(ann.button("^Add a device$"))
    code = await ann.page.locator("output").inner_text()
    await phone.press(phone.button("^I have a code"))
    await phone.page.get_by_label("The code from your other device").fill(code.lower())
    await phone.press(phone.button("^Use the code"))
    await phone.press(phone.button("^No$"))
    await phone.page.reload()
    await expect(phone.text("You are known here by this browser alone")).to_be_visible()
    await phone.page.goto("/me#link=AAAAAAAA")
    await phone.press(phone.button("^Yes, add"))
    await expect(
        phone.page.get_by_role("status").filter(has_text="This code is not good, or no longer")
    ).to_be_visible()
    assert await phone.page.evaluate("localStorage['croupier.key']") == before


async def test_a_lost_device_is_signed_out_and_says_so(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, "/me")
    phone = await Person.arrive(browser, "Guest", live.http, "/me", **PHONE)
    await add_phone(ann, phone)
    await ann.page.reload()
    await ann.press(ann.button("^Rename .*Linux").last)
    await ann.page.get_by_label("What to call it").fill("My phone")
    await ann.press(ann.button("^Save"))
    await ann.press(ann.button("^Sign out My phone"))
    await expect(ann.text("Sign out My phone?")).to_be_visible()
    await ann.press(ann.button("^Yes, sign out"))
    await expect(phone.text("This device was signed out by its owner")).to_be_visible()
    await expect(ann.text("My phone")).to_have_count(0)
    await phone.page.reload()
    await expect(phone.text("You are known here by this browser alone")).to_be_visible()
    await phone.page.goto("/")
    await phone.play_against_bots("Palace")  # as somebody new, and none the worse for it


async def test_all_that_is_kept_can_be_taken_along_and_deleted(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, "/me")
    await rename(ann, "Annabelle")
    async with ann.page.expect_download() as download:
        await ann.press(ann.button("^Download it"))
    file = await (await download.value).path()
    assert json.loads(file.read_text())["person"]["name"] == "Annabelle"
    await ann.press(ann.button("^Delete me"))
    sure = ann.button("^Delete everything")
    await expect(sure).to_be_disabled()
    await ann.page.get_by_label("To go on, type").fill("Delete me")
    await ann.press(sure)
    await expect(ann.text("You are deleted.")).to_be_visible()
    for table in ("persons", "devices", "seats"):
        assert await live.house.journal.query(f"SELECT * FROM {table}") == []


@pytest.mark.parametrize("context", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_the_page_keeps_nobody_out(
    browser: Browser, live: LiveHere, tmp_path: Path, context: dict[str, Any]
) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, "/me", **context)
    await ann.press(ann.button("^Add a device$"))
    await ann.press(ann.button("^I have a code"))
    await ann.press(ann.button("^Delete me"))
    await expect(ann.page.get_by_role("img", name="QR code that adds a device")).to_be_visible()
    assert await ann.fits()
    assert await barriers(ann) == []
    french = await Person.arrive(browser, "Anne", live.http, "/me", **context, locale="fr")
    await expect(french.page.get_by_role("heading", name="Ma page")).to_be_visible()
    assert await french.fits()
    assert ann.complaints + french.complaints == []
