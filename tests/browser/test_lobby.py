"""The lobby: finding a table, opening one, asking others to it, and finding back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
import zxingcpp
from playwright.async_api import Browser, Locator, expect

from croupier.games import Catalogue, catalogue
from croupier.kernel import Bot, Dice, Move, RandomBot, option
from croupier.net.addresses import lan_address
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.sizes import troubles_everywhere
from tests.client import client
from tests.live import server
from tests.toys import Bids

SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 740}}
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def offer(person: Person, game: str) -> Locator:
    return person.page.get_by_role("article").filter(has=person.page.get_by_role("heading", name=game))


def rows(person: Person, way: str) -> Locator:
    return person.page.get_by_role("link", name=re.compile(f"^{way}: "))


MOVES = ".hand button:enabled, [role=group][aria-label='Your moves'] button:enabled"
"""What can be pressed to make a move, on the page of any game."""


def summaries(person: Person) -> Sequence[dict[str, Any]]:
    """Every state of the table that was told: whole, or what had changed."""
    told: list[dict[str, Any]] = []
    for fact in person.facts():
        if fact.get("table"):
            told.append(fact["table"])
        elif fact.get("changes"):
            told.append(_changed(told[-1], fact["changes"]))
    return told


def _changed(table: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    now = {**table, **changes.get("fields", {})}
    for name in changes.get("unset", ()):
        now.pop(name, None)
    for what, gone in (("players", "left"), ("cast", "uncast")):
        new = {player["seat"]: player for player in changes.get(what, ())}
        away = {*new, *changes.get(gone, ())}
        rows = [*(player for player in table[what] if player["seat"] not in away), *new.values()]
        now[what] = sorted(rows, key=lambda player: player["seat"])
    return now


async def fits(person: Person) -> bool:
    """Whether nothing sticks out sideways."""
    wide = "document.documentElement.scrollWidth <= innerWidth"
    dialog = "[...document.querySelectorAll('dialog[open]')].every(d => d.scrollWidth <= d.clientWidth)"
    return bool(await person.page.evaluate(f"{wide} && {dialog}"))


# Playing at once.


@pytest.mark.parametrize("game", catalogue().games.values(), ids=lambda game: game.name)
async def test_any_game_with_one_click(browser: Browser, tmp_path: Path, game: Any) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        await ann.press(offer(ann, game.title).get_by_role("button", name="Play against"))
        await expect(ann.button("^Leave")).to_be_visible()
        table = next(table for table in summaries(ann) if table["phase"] == "playing")
        assert [player["name"] for player in table["players"] if not player.get("bot")] == ["Ann"]
        easy = [name for name, bot in game.bots.items() if bot.strength == "easy"]
        assert {player["bot"] for player in table["players"] if player.get("bot")} == {easy[0]}
        assert table["seats"] == len(table["players"]) == min(4, game.seats_for(game.Options())[-1])
        assert ann.complaints == []


async def test_the_strength_of_the_bots_is_chosen_and_remembered(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        strength = ann.page.get_by_label("Strength of the bots in Coup")
        kinds = ["Easy", "Easy (random)", "Medium", "Strong", "Master"]
        assert await strength.locator("option").all_inner_texts() == kinds
        await expect(strength).to_have_value("greenhorn")
        await strength.select_option(label="Medium")
        await ann.page.reload()
        await expect(strength).to_have_value("honest")
        await ann.press(offer(ann, "Coup").get_by_role("button", name="Play against 3 bots"))
        await expect(ann.button("^Leave")).to_be_visible()
        assert [player.get("bot") for player in summaries(ann)[-1]["players"]].count("honest") == 3
        assert ann.complaints == []


class Rules(msgspec.Struct, frozen=True):
    """Options as games should have them."""

    seconds: Annotated[int, option("Time for a bid", ge=0, le=600, unit="s", zero="no limit")] = 60
    ties: Annotated[
        Literal["lot", "none"],
        option("Equal bids", "Who takes the point.", labels={"lot": "are decided by lot", "none": "nobody wins"}),
    ] = "lot"
    match: Annotated[bool, option("Match", "Several games.")] = False
    games: Annotated[int, option("Games", "Of a match.", ge=1, le=9, when={"match": True})] = 3
    crowd: Annotated[Literal["small", "large"], option("Table")] = "small"
    secret: Annotated[bool, option("Tokens everywhere", hidden=True)] = False


class Sharp(Bot):
    name = "sharp"
    about = "Bids the highest card."
    strength = "strong"

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Move:
        return max(moves, key=lambda move: move.card)  # type: ignore[no-any-return]


class Club(Bids):
    """A quick game with all kinds of options, for few or for more."""

    name, title = "club", "Club"
    bots: Mapping[str, type[Bot]] = {"sharp": Sharp, "random": RandomBot}

    def seats_for(self, options: Any) -> range:
        return range(2, 7 if options.crowd == "large" else 5)


Club.Options = Rules
CLUB = Catalogue({"club": Club()}, [])


async def bid_to_the_end(person: Person) -> None:
    moves = person.page.locator(MOVES)
    result = person.page.get_by_role("region", name="Result")
    while True:
        await expect(moves.first.or_(result)).to_be_visible()
        if await result.count():
            return
        await person.try_press(moves.first)


def bots(person: Person) -> list[str]:
    """The kinds of bots at the table."""
    return [player["bot"] for player in summaries(person)[-1]["players"] if player.get("bot")]


async def test_the_first_game_is_against_easy_bots_and_then_it_asks(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, CLUB, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        crowd = ann.page.get_by_label("Number of bots in Club")
        assert await crowd.locator("option").all_inner_texts() == ["1", "2", "3"]
        await crowd.select_option("2")
        await ann.press(ann.button("^Play against 2 bots"))
        await bid_to_the_end(ann)
        assert bots(ann) == ["random", "random"]
        await expect(ann.text("Were the bots too easy")).to_be_visible()
        await ann.press(ann.button("^Yes, stronger ones"))
        await expect(ann.text("The bots will be stronger from now on")).to_be_visible()

        # One press, and the next game begins, with as many bots as before.
        await ann.press(ann.button("^Play again"))
        await expect(ann.page.locator(MOVES).first).to_be_visible()
        assert bots(ann) == ["sharp", "sharp"]
        await bid_to_the_end(ann)
        await expect(ann.button("^Play again")).to_be_visible()
        await expect(ann.text("Were the bots too easy")).to_be_hidden()
        await ann.press(ann.button("^Play again"))
        await expect(ann.page.locator(MOVES).first).to_be_visible()
        assert bots(ann) == ["sharp", "sharp"]

        await ann.page.goto("/")
        await expect(ann.button("^Play against 2 bots")).to_be_enabled()
        await expect(ann.page.get_by_label("Strength of the bots in Club")).to_have_value("sharp")
        assert ann.complaints == []


async def test_options_are_in_words_for_players(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, CLUB, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **SMALL_PHONE)
        await ann.press(ann.button("^Open a table"))
        form = ann.page.get_by_role("dialog", name="Open a table")
        await ann.press(form.get_by_text("Rules of this table"))
        time = form.get_by_label("Time for a bid")
        choices = await time.locator("option").all_inner_texts()
        assert choices[:2] == ["No limit", "5 seconds"]
        assert {"1 minute", "90 seconds", "10 minutes"} <= set(choices)
        assert await form.get_by_label("Equal bids").locator("option").all_inner_texts() == [
            "Are decided by lot",
            "Nobody wins",
        ]
        await expect(form.get_by_label("Tokens everywhere")).to_have_count(0)
        await expect(form.get_by_label(re.compile("^Games"))).to_have_count(0)
        await form.get_by_label("Match").check()
        await form.get_by_label(re.compile("^Games")).fill("5")
        await time.select_option("No limit")

        # How many can play depends on them.
        await expect(form.get_by_text("2 to 4 can play")).to_be_visible()
        await form.get_by_label("Seats").fill("6")
        await expect(form.get_by_text("Club is for 2 to 4: there will be 4.")).to_be_visible()
        await form.get_by_label(re.compile("^Table")).select_option("large")
        await expect(form.get_by_text("2 to 6 can play")).to_be_visible()
        await ann.press(form.get_by_role("button", name="Open the table"))
        await expect(ann.page.get_by_label("Link to this table")).to_be_visible()
        table = summaries(ann)[-1]
        assert table["seats"] == 6
        assert (table["options"]["seconds"], table["options"]["match"], table["options"]["games"]) == (0, True, 5)

        # Who comes is told what is unusual, and can't choose.
        await ben.page.goto(ann.page.url)
        await expect(ben.text("Time for a bid: no limit · Match: on · Games: 5 · Table: Large")).to_be_visible()
        await ben.press(ben.button("^Take a seat"))
        await ben.press(ben.page.locator("summary"))
        await expect(ben.page.get_by_role("definition").first).to_have_text("no limit")
        await expect(ben.page.get_by_label("Time for a bid")).to_have_count(0)
        await ann.page.get_by_label("Time for a bid").select_option("1 minute")
        await expect(ben.page.get_by_role("definition").first).to_have_text("1 minute")
        assert ann.complaints + ben.complaints == []


# The waiting room, and another game.


async def test_the_waiting_room_says_what_is_played_and_whom_one_waits_for(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        cat = await Person.arrive(browser, "Cat", live.http)
        link = await ann.open_table(game="cambia")
        for person in (ann, ben):
            if person is ben:
                await ben.join(link)
            await expect(person.page.get_by_role("heading", name="Cambia")).to_be_visible()
        await expect(ben.text("Waiting for Ann to start the game")).to_be_visible()
        await ann.press(ann.page.get_by_role("button", name="Send Ben away"))
        await expect(ben.text("The host has sent you away")).to_be_visible()
        await expect(ann.text("One more player is needed")).to_be_visible()
        await cat.join(link)
        await expect(ann.text("1 more|Free seats stay empty")).to_be_visible()
        assert "--host" not in await cat.page.inner_text("body")
        assert ann.complaints + cat.complaints == []


async def test_one_press_of_the_host_and_everybody_plays_again(browser: Browser, tmp_path: Path) -> None:
    """In a game, too, whose table is opened anew for each."""
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        link = await ann.open_table(game="coup", seats=3)
        await ben.join(link)
        await ann.press(ann.button("^Start the game"))
        cards = [person.page.get_by_role("region", name="Your cards") for person in (ann, ben)]
        for hand in cards:
            await expect(hand).to_be_visible()
        await ann.press(ann.page.get_by_role("tab", name="People"))
        await ann.press(ann.page.get_by_role("button", name="Send Ben away"))  # out of the game, not of the table
        await expect(ann.button("^Play again")).to_be_visible()
        await expect(ben.text("Waiting for Ann to start another game")).to_be_visible()
        await ann.press(ann.button("^Play again"))
        for hand in cards:
            await expect(hand).to_be_visible()
        await ben.until(lambda: summaries(ben)[-1]["phase"] == "playing")  # cards are there before, in this game
        assert [table["phase"] for table in summaries(ben)[-2:]] == ["waiting", "playing"]

        # Or first there is room for others; who has left has no seat any more.
        await ben.press(ben.button("^Leave"))
        await ben.press(ben.page.get_by_role("dialog").get_by_role("button", name="Leave"))
        await expect(ann.text("One more player is needed")).to_be_visible()
        await ann.press(ann.button("^Open the table again"))
        await expect(ann.page.get_by_role("heading", name="Coup")).to_be_visible()
        await expect(ann.text("1 of 3 seats taken")).to_be_visible()
        await expect(rows(ben, "Join")).to_have_count(1)
        mine = ann.page.get_by_role("region", name="Your tables").get_by_role("listitem")
        await ann.page.goto("/")
        await expect(mine).to_contain_text("Waiting for players")
        assert ann.complaints + ben.complaints == []


# Finding a table.


async def test_the_list_is_filtered_and_the_filters_are_remembered(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
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
            await expect(ann.text("No table matches just now, but 3 others are open")).to_be_visible()
            await ann.press(ann.button("^Show them all"))
            await expect(rows(ann, "Join")).to_have_count(1)
            await expect(rows(ann, "Watch")).to_have_count(2)
        assert ann.complaints == []


async def test_a_table_that_everybody_has_gone_from_is_not_offered(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as cem:
        ann = await Person.arrive(browser, "Ann", live.http)
        await cem.ask("open", game="coup", player="Cem", name="Cem's court")
        async with client(live.ws("/ws")) as bea:
            table = await bea.ask("open", game="palace", player="Bea", name="Bea's palace")
            await expect(rows(ann, "Join")).to_have_count(2)
        await expect(rows(ann, "Join")).to_have_count(1)
        await expect(ann.page.get_by_role("link", name="Bea's palace")).to_have_count(0)
        async with client(live.ws("/ws")) as bea:
            await bea.ask("return", table=table["sync"]["table"]["id"], token=table["token"])
            await expect(ann.page.get_by_role("link", name="Join: Bea's palace")).to_be_visible()
        assert ann.complaints == []


async def test_a_table_is_found_by_its_code(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as bea:
        code = (await bea.ask("open", game="palace", player="Bea"))["sync"]["table"]["code"]
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        field = ann.page.get_by_label("Code of a table")
        await field.fill("-----")
        await field.press("Enter")
        await expect(ann.text("There is no table with that code")).to_be_visible()
        await field.fill(code.upper())  # as phones like to write it
        await field.press("Enter")
        await expect(ann.page.get_by_role("heading", name="Bea's table").last).to_be_visible()
        assert ann.page.url == f"{live.http}/t/{bea.table}"


# Opening one.


async def test_a_table_with_a_password_and_bots(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **SMALL_PHONE)
        await ann.press(ann.page.get_by_role("button", name="With friends: Cambia"))
        form = ann.page.get_by_role("dialog", name="Open a table")
        await expect(form.get_by_role("combobox", name="Game", exact=True)).to_have_value("cambia")
        await form.get_by_label("Name of the table").fill("Secret society")
        await form.get_by_label("Bots from the start").fill("2")
        await form.get_by_label("Strength of these bots").select_option("random")
        await expect(form.get_by_text("Forgets everything at once and makes any move.")).to_be_visible()
        await form.get_by_label("Password").fill("plum")
        await ann.press(form.get_by_text("Rules of this table"))
        cards = form.get_by_label("Penalty cards")
        await expect(cards).to_have_accessible_description("For a wrong snap.")
        await cards.select_option("3")
        await expect(cards).to_have_accessible_description(re.compile("Usually: 2"))
        await ann.press(form.get_by_role("button", name="Open the table"))
        await expect(ann.button("^Send .* away")).to_have_count(2)
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
    async with server(tmp_path, bot_delay=0) as live:
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
    async with server(tmp_path, host="0.0.0.0") as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        link = await ann.open_table("Round one")
        assert link == ann.page.url
        field = ann.page.get_by_label("Link to this table")
        await expect(ann.text("This link works only on this computer")).to_be_visible()
        lan = lan_address("0.0.0.0")
        if lan is not None:  # else there is no network, and it says so
            await ann.press(ann.page.get_by_role("button", name=f"Use http://{lan}:"))
            await expect(ann.text("This link works only on this computer")).to_be_hidden()
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
    async with server(tmp_path, host="127.0.0.1") as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await ann.open_table()
        await expect(ann.text("the server can't be reached from the network")).to_be_visible()
        assert "--host" not in await ann.page.inner_text("body")


# Who one is, and where one sits.


async def test_a_picture_is_chosen_and_seen_by_others(browser: Browser, tmp_path: Path) -> None:
    def picture(person: Person, name: str) -> Locator:
        return person.page.locator("main li").filter(has_text=name).locator("[data-picture]")

    async with server(tmp_path, bot_delay=0) as live:
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
    async with server(tmp_path, bot_delay=0, test_first=0) as live:
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
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as bea:
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


async def test_a_table_whose_game_is_not_installed_any_more_hides_none_of_your_others(
    browser: Browser, tmp_path: Path
) -> None:
    known = catalogue()
    seats: dict[str, Any] = {}
    async with server(tmp_path, known._replace(games={**known.games, "bids": Bids()})) as live:
        for at, game in enumerate(["palace", "bids"]):
            async with client(live.ws("/ws")) as ann:
                await ann.ask("open", game=game, player="Ann")
                seats[ann.table] = {"table": ann.table, "token": ann.token, "game": game, "name": game, "at": at}
    async with server(tmp_path) as live:
        script = f"localStorage['croupier.seats'] ??= {json.dumps(json.dumps(seats))}"
        ann_again = await Person.arrive(browser, "Ann", live.http, script=script)
        mine = ann_again.page.get_by_role("region", name="Your tables").get_by_role("listitem")
        await expect(mine).to_have_count(1)
        await expect(mine).to_contain_text("Palace")
        assert list(json.loads(await ann_again.page.evaluate("localStorage['croupier.seats']"))) == list(seats), "kept"


# On every screen, for everybody.


async def test_nothing_sticks_out_of_a_small_phone(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as bea:
        name = "A name as long as a name of a table may be, and not a letter"[:60]
        await bea.ask("open", game="faraway", player="W" * 40, name=name, password="plum")
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
        await ann.page.evaluate(AXE.read_text())  # as a script of the page it would not be let in
        found = await ann.page.evaluate(
            "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
        )
        return [f"{fault['id']}: {[node['html'] for node in fault['nodes']]}" for fault in found["violations"]]

    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as bea:
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
        await ann.page.get_by_label("Bots from the start").fill("1")
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


async def test_everything_is_within_reach_on_every_screen(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as bea:
        await bea.ask("open", game="faraway", player="بياتريس", name="طاولة", password="plum")
        ann = await Person.arrive(browser, "Ann", live.http)
        await expect(rows(ann, "Join")).to_have_count(1)
        assert await troubles_everywhere(ann.page) == {}
        await ann.press(rows(ann, "Join"))
        await expect(ann.button("^Take a seat")).to_be_visible()
        assert await troubles_everywhere(ann.page) == {}
        await ann.page.goto("/")
        await ann.open_table(game="cambia", seats=8)
        for count in range(1, 7):
            await ann.press(ann.button("^Add a bot"))
            await expect(ann.button("^Send .* away")).to_have_count(count)
        assert await troubles_everywhere(ann.page) == {}
        assert ann.complaints == []


async def test_what_is_chosen_can_be_seen_without_colours_of_ours(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP, forced_colors="active")
        chip = ann.page.locator(".chip")
        borders = await chip.evaluate_all("chips => chips.map((chip) => getComputedStyle(chip).borderWidth)")
        chosen = await chip.evaluate_all("chips => chips.map((chip) => chip.matches(':has(:checked)'))")
        assert len(set(borders)) == 2
        assert [border == borders[0] for border in borders] == chosen
