"""The lobby: finding a table, opening one, asking others to it, and finding back."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from playwright.async_api import Browser, Locator, expect

from croupier.games import catalogue
from croupier.net.http import lan_address
from tests.browser.person import DESKTOP, PHONE, Person
from tests.client import client
from tests.live import process

FAST = ("--bot-delay", "0")
SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 740}}
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def offer(person: Person, game: str) -> Locator:
    return person.page.get_by_role("article").filter(has=person.page.get_by_role("heading", name=game))


def rows(person: Person, way: str) -> Locator:
    return person.page.get_by_role("link", name=re.compile(f"^{way}: "))


def summaries(person: Person) -> Sequence[dict[str, Any]]:
    """Every state of the table that was told."""
    return [fact["table"] for fact in person.facts() if fact.get("table")]


async def fits(person: Person) -> bool:
    """Whether nothing sticks out sideways."""
    wide = "document.documentElement.scrollWidth <= innerWidth"
    dialog = "[...document.querySelectorAll('dialog[open]')].every(d => d.scrollWidth <= d.clientWidth)"
    return bool(await person.page.evaluate(f"{wide} && {dialog}"))


# Playing at once.


@pytest.mark.parametrize("game", catalogue().games.values(), ids=lambda game: game.name)
async def test_any_game_with_one_click(browser: Browser, tmp_path: Path, game: Any) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        await ann.press(offer(ann, game.title).get_by_role("button", name="Play against"))
        await expect(ann.button("^Leave")).to_be_visible()
        table = next(table for table in summaries(ann) if table["phase"] == "playing")
        assert [player["name"] for player in table["players"] if not player.get("bot")] == ["Ann"]
        assert {player["bot"] for player in table["players"] if player.get("bot")} == {next(iter(game.bots))}
        assert table["seats"] == len(table["players"]) == min(4, game.seats[-1])
        assert ann.complaints == []


async def test_the_strength_of_the_bots_is_chosen_and_remembered(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        strength = ann.page.get_by_label("Strength of the bots in Coup")
        assert await strength.locator("option").all_inner_texts() == ["Strong", "Medium", "Easy"]
        await strength.select_option(label="Medium")
        await ann.page.reload()
        await expect(strength).to_have_value("honest")
        await ann.press(offer(ann, "Coup").get_by_role("button", name="Play against 3 bots"))
        await expect(ann.button("^Leave")).to_be_visible()
        assert [player.get("bot") for player in summaries(ann)[-1]["players"]].count("honest") == 3
        assert ann.complaints == []


# Finding a table.


async def test_the_list_is_filtered_and_the_filters_are_remembered(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        chip = ann.page.get_by_role("radio")
        async with client(live.ws("/ws")) as bea, client(live.ws("/ws")) as cem, client(live.ws("/ws")) as dot:
            await bea.ask("open", game="palace", player="Bea", name="Bea's palace")
            await cem.ask("open", game="coup", player="Cem", name="Cem's court", seats=3)
            await dot.ask("open", game="coup", player="Dot", name="Dot's court", seats=2)
            await dot.ask("add_bots")
            await dot.ask("start")
            await expect(rows(ann, "Join")).to_have_count(2)
            await expect(rows(ann, "Watch")).to_have_count(1)

            await chip.and_(ann.page.get_by_label("To watch")).check()
            await expect(rows(ann, "Watch")).to_have_count(1)
            await expect(rows(ann, "Join")).to_have_count(0)
            await chip.and_(ann.page.get_by_label("To join")).check()
            await chip.and_(ann.page.get_by_label("Coup")).check()
            await expect(rows(ann, "Join")).to_have_count(1)
            await expect(ann.page.get_by_role("link", name="Join: Cem's court")).to_be_visible()

            await ann.page.reload()
            await expect(chip.and_(ann.page.get_by_label("Coup"))).to_be_checked()
            await expect(rows(ann, "Join")).to_have_count(1)
            await expect(rows(ann, "Watch")).to_have_count(0)

            # The list is alive: the last seat is taken, and what is left is to be found with one press.
            await cem.ask("add_bots", count=2)
            await expect(ann.text("No table is like that just now, but 3 others are open")).to_be_visible()
            await ann.press(ann.button("^Show them all"))
            await expect(rows(ann, "Join")).to_have_count(1)
            await expect(rows(ann, "Watch")).to_have_count(2)
        assert ann.complaints == []


async def test_a_table_is_found_by_its_code(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live, client(live.ws("/ws")) as bea:
        code = (await bea.ask("open", game="palace", player="Bea"))["sync"]["table"]["code"]
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        field = ann.page.get_by_label("Code of a table")
        await field.fill("-----")
        await field.press("Enter")
        await expect(ann.text("There is no table of that code")).to_be_visible()
        await field.fill(code.upper())  # as phones like to write it
        await field.press("Enter")
        await expect(ann.page.get_by_role("heading", name="Bea's table").last).to_be_visible()
        assert ann.page.url == f"{live.http}/t/{bea.table}"


# Opening one.


async def test_a_table_with_a_password_and_bots(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **SMALL_PHONE)
        await ann.press(ann.page.get_by_role("button", name="With friends: Cambia"))
        form = ann.page.get_by_role("dialog", name="Open a table")
        await expect(form.get_by_role("combobox", name="Game", exact=True)).to_have_value("cambia")
        await form.get_by_label("Name of the table").fill("Secret society")
        await form.get_by_label("Bots at once").fill("2")
        await form.get_by_label("Strength of these bots").select_option("random")
        await expect(form.get_by_text("Forgets everything at once and makes any move.")).to_be_visible()
        await form.get_by_label("Password").fill("plum")
        await ann.press(form.get_by_text("Rules of this table"))
        cards = form.get_by_label("Penalty cards")
        await expect(cards).to_have_accessible_description("How many cards a wrong snap costs.")
        await cards.fill("3")
        await cards.blur()
        await expect(cards).to_have_accessible_description(re.compile("Usually 2"))
        await ann.press(form.get_by_role("button", name="Open the table"))
        await expect(ann.button("^Send BOT")).to_have_count(2)
        table = summaries(ann)[-1]
        assert [player.get("bot") for player in table["players"]] == [None, "random", "random"]
        assert (table["options"]["penalty_draw_count"], table["locked"]) == (3, True)

        await ben.press(ben.page.get_by_role("link", name="Join: Secret society"))
        await expect(ben.text("Penalty cards: 3")).to_be_visible()
        await ben.page.get_by_label("Password").fill("pear")
        await ben.press(ben.button("^Take a seat"))
        await expect(ben.page.get_by_role("alert")).to_have_text("That is not the table's password.")
        await ben.page.get_by_label("Password").fill("plum")
        await ben.press(ben.button("^Take a seat"))
        await expect(ben.text("Waiting for Ann")).to_be_visible()
        assert ann.complaints + ben.complaints == []


async def test_a_table_by_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        keys = ann.page.keyboard
        opener = ann.page.get_by_role("button", name="With friends: Palace")
        await opener.focus()
        await keys.press("Enter")
        await expect(ann.page.get_by_role("dialog")).to_be_visible()
        await keys.press("Escape")
        await expect(ann.page.get_by_role("dialog")).to_be_hidden()
        await expect(opener).to_be_focused()
        await keys.press("Enter")
        await expect(ann.page.get_by_role("combobox", name="Game", exact=True)).to_be_focused()
        await keys.press("Tab")
        await keys.type("Typed")
        await keys.press("Enter")
        await expect(ann.page.get_by_role("heading", name="Typed")).to_be_visible()
        assert ann.complaints == []


# Asking others to it.


def read_code(svg_path: str, size: int) -> str:
    """What a phone's camera would make of a QR code: its dark modules are squares of a path."""
    scale = 4
    pixels = bytearray(b"\xff" * (size * scale) ** 2)
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", svg_path):
        for row in range(int(y) * scale, (int(y) + 1) * scale):
            start = row * size * scale + int(x) * scale
            pixels[start : start + scale] = bytes(scale)
    image = memoryview(bytes(pixels)).cast("B", shape=[size * scale, size * scale])
    (found,) = zxingcpp.read_barcodes(image)
    return str(found.text)


async def test_a_link_and_its_qr_code_bring_others_from_the_network(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST, "--host", "0.0.0.0") as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        link = await ann.open_table("Round one")
        assert link == ann.page.url
        field = ann.page.get_by_label("Link to this table")
        await expect(ann.text("This link works on this computer only")).to_be_visible()
        lan = lan_address("0.0.0.0")
        if lan is not None:  # else there is no network, and it says so
            await ann.press(ann.page.get_by_role("button", name=f"Use http://{lan}:"))
            await expect(ann.text("This link works on this computer only")).to_be_hidden()
            await expect(field).to_have_value(link.replace("127.0.0.1", lan))
        await ann.press(ann.button("^QR code"))
        code = ann.page.get_by_role("img", name="QR code of the link")
        modules = await code.locator("path").get_attribute("d")
        assert modules is not None
        size = int(str(await code.get_attribute("viewBox")).split()[-1])
        read = read_code(modules, size)
        assert read == await field.input_value()

        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        await ben.join(read)
        await expect(ann.text("Ben sits down")).to_be_visible()
        assert ann.complaints + ben.complaints == []


async def test_a_server_for_this_computer_alone_says_so(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST, "--host", "127.0.0.1") as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await ann.open_table()
        await expect(ann.text("the server can't be reached from the network")).to_be_visible()


# Who one is, and where one sits.


async def test_a_picture_is_chosen_and_seen_by_others(browser: Browser, tmp_path: Path) -> None:
    def picture(person: Person, name: str) -> Locator:
        return person.page.locator("main li").filter(has_text=name).locator("[data-picture]")

    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        await ann.press(ann.button("^Your picture"))
        await expect(ann.page.get_by_role("dialog").get_by_role("radio", checked=True)).to_be_focused()
        await ann.page.get_by_role("radio", name="Owl").focus()
        await ann.page.keyboard.press("ArrowRight")
        await expect(ann.page.get_by_role("radio", name="Bear")).to_be_checked()
        await ann.page.keyboard.press("Enter")
        await expect(ann.button("^Your picture: Bear")).to_be_visible()
        link = await ann.open_table()
        await ben.join(link)
        await expect(picture(ben, "Ann")).to_have_attribute("data-picture", "bear")
        own = str(await picture(ben, "Ben").get_attribute("data-picture"))
        await expect(picture(ann, "Ben")).to_have_attribute("data-picture", own)

        # Another one, and back to the same seat.
        await ann.press(ann.page.get_by_role("link", name="To the lobby"))
        await ann.press(ann.button("^Your picture"))
        await ann.page.get_by_role("radio", name="Fox").check()
        await ann.press(ann.button("^Done"))
        await ann.press(rows(ann, "Return"))
        await expect(picture(ben, "Ann")).to_have_attribute("data-picture", "fox")
        assert ann.complaints + ben.complaints == []


async def test_your_tables_are_found_again_after_closing_the_browser(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST, "--test-mode", "--test-first", "0") as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await ann.play_against_bots()
        await expect(ann.button("^Lay these open")).to_be_visible()
        await ann.page.goto("/")
        await ann.open_table("For later", game="faraway")
        memory: Any = await ann.context.storage_state()
        await ann.context.close()

        ann = await Person.arrive(browser, "Somebody", live.http, **PHONE, storage_state=memory)
        await expect(ann.page.get_by_label("Your name")).to_have_value("Ann")
        mine = ann.page.get_by_role("region", name="Your tables").get_by_role("listitem")
        await expect(mine).to_have_count(2)
        await expect(mine.nth(0)).to_contain_text("Your turn · Palace")
        await expect(mine.nth(1)).to_contain_text("Waiting for players · Faraway · 1 of 4 seats taken")
        await expect(rows(ann, "Watch")).to_have_count(0)  # they are not among the tables of others as well
        await ann.press(mine.nth(0).get_by_role("link"))
        await expect(ann.button("^Lay these open")).to_be_visible()

        # Who gives up a seat has it no more.
        await ann.page.goto("/")
        await ann.press(ann.page.get_by_role("link", name="Return: For later"))
        await ann.press(ann.button("^Leave"))
        await ann.press(ann.page.get_by_role("dialog").get_by_role("button", name="Leave"))
        await expect(mine).to_have_count(1)
        assert ann.complaints == []


async def test_your_tables_tell_when_a_game_is_over(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live, client(live.ws("/ws")) as bea:
        ann = await Person.arrive(browser, "Ann", live.http)
        await ann.open_table(game="coup", seats=2)
        table = ann.page.url.rpartition("/")[2]
        await bea.ask("join", table=table, player="Bea")
        await ann.press(ann.button("^Start the game"))
        await expect(ann.page.get_by_role("region", name="Your cards")).to_be_visible()
        await ann.page.goto("/")
        mine = ann.page.get_by_role("region", name="Your tables").get_by_role("listitem")
        await expect(mine).to_have_count(1)
        await bea.ask("leave")
        await expect(mine).to_contain_text("Game over")


# On every screen, for everybody.


async def test_nothing_sticks_out_of_a_small_phone(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live, client(live.ws("/ws")) as bea:
        name = "A name as long as a name of a table may be, and not a letter"[:60]
        await bea.ask("open", game="coup", player="W" * 40, name=name, password="plum")
        ann = await Person.arrive(browser, "Ann", live.http, **SMALL_PHONE)
        await expect(rows(ann, "Join")).to_have_count(1)
        assert await fits(ann)
        await ann.press(ann.button("^Your picture"))
        assert await fits(ann)
        await ann.press(ann.button("^Done"))
        await ann.press(ann.button("^Open a table"))
        await ann.press(ann.page.get_by_text("Rules of this table"))
        assert await fits(ann)
        await ann.press(ann.button("^Never mind"))
        await ann.press(rows(ann, "Join"))
        await expect(ann.button("^Take a seat")).to_be_visible()
        assert await fits(ann)
        await ann.page.goto("/")
        await ann.open_table(name)
        await ann.press(ann.button("^QR code"))
        await expect(ann.page.get_by_role("img", name="QR code of the link")).to_be_visible()
        assert await fits(ann)
        assert ann.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_lobby_is_for_everybody(browser: Browser, tmp_path: Path, scheme: str) -> None:
    """Names and states for screen readers and enough contrast, by the rules of WCAG 2.2 AA."""

    async def faults() -> list[str]:
        await ann.page.add_script_tag(path=AXE)
        found = await ann.page.evaluate(
            "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
        )
        return [f"{fault['id']}: {[node['html'] for node in fault['nodes']]}" for fault in found["violations"]]

    async with process(tmp_path, *FAST) as live, client(live.ws("/ws")) as bea:
        await bea.ask("open", game="coup", player="Bea", password="plum")
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP, color_scheme=scheme)
        await ann.play_against_bots()
        await expect(ann.button("^Leave")).to_be_visible()
        await ann.page.goto("/")
        await expect(rows(ann, "Join")).to_have_count(1)
        await expect(rows(ann, "Return")).to_have_count(1)
        assert await faults() == []
        await ann.press(ann.button("^Your picture"))
        assert await faults() == []
        await ann.press(ann.button("^Done"))
        await ann.press(ann.button("^Open a table"))
        await ann.page.get_by_label("Bots at once").fill("1")
        await ann.press(ann.page.get_by_text("Rules of this table"))
        assert await faults() == []
        await ann.press(ann.button("^Never mind"))
        await ann.press(rows(ann, "Join"))
        await expect(ann.button("^Take a seat")).to_be_visible()
        assert await faults() == []
        await ann.page.goto("/")
        await ann.open_table("Round one")
        await ann.press(ann.button("^Add a bot"))
        await ann.press(ann.button("^QR code"))
        await expect(ann.page.get_by_role("img", name="QR code of the link")).to_be_visible()
        assert await faults() == []
        assert json.dumps(ann.complaints) == "[]"
