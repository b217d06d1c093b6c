"""Somebody whose browser is French sees no English around the games, either: lobby, door, tables, results, replays."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

import croupier
from croupier.games import catalogue
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_french import split
from tests.client import client, play_out
from tests.live import LiveHere
from tests.page_sources import LIBRARY, SOURCES, texts

GAME = "palace"
FRENCH: dict[str, Any] = {"locale": "fr-FR"}
BOTS = re.compile(r"BOT \w+|" + "|".join(re.escape(bot) for game in catalogue().games.values() for bot in game.bots))
"""They are called the same everywhere."""

LISTEN = """
() => {
  const said = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest('noscript')) said.push(walker.currentNode.data)
  for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt'])
    for (const element of document.body.querySelectorAll(`[${name}]`)) said.push(element.getAttribute(name))
  return [document.title, ...said]
}
"""
CUT = """
() => [...document.querySelectorAll('button, .button')]
  .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.textContent.trim())
"""


def words(language: str) -> set[str]:
    """Everything that the frame, the game and the server say in a language, word for word."""
    page = (LIBRARY / "words", SOURCES / "words", SOURCES / "games" / GAME / "words")
    said = [text for folder in page for path in folder.rglob(f"{language}.ts") for text in texts(path.read_text())]
    code = Path(croupier.__file__).parent
    for folder in (code / "tables", code / "games" / GAME):
        translated: dict[str, str] = json.loads((folder / "fr.json").read_bytes())
        said += translated.keys() if language == "en" else translated.values()
    return split(*said)


async def is_french(person: Person) -> None:
    """What can be read or heard now is, and there is room for it."""
    said = [BOTS.sub("", text) for text in await person.page.evaluate(LISTEN)]
    heard = split(*(text for text in said if text != "English"))
    english, french = words("en"), words("fr")
    assert heard & (english - french) == set()
    assert len(heard & (french - english)) > 5, "hardly anything is said"
    assert await person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await person.page.evaluate(CUT) == []


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_the_lobby_and_a_table_that_waits(browser: Browser, live: LiveHere, screen: dict[str, Any]) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **screen, **FRENCH)
    ben = await Person.arrive(browser, "Ben", live.http, **screen, **FRENCH)
    await expect(ann.page.get_by_role("article").first).to_be_visible()
    await is_french(ann)
    await ann.press(ann.page.get_by_role("button", name="Ouvrir une table"))
    await ann.page.get_by_role("combobox", name="Jeu", exact=True).select_option(GAME)
    await ann.page.get_by_label("Places").fill("300")
    await ann.page.get_by_role("spinbutton", name="Robots").fill("1")
    await ann.page.locator("summary").click()
    await is_french(ann)
    await ann.page.get_by_label("Places").fill("3")
    await ann.press(ann.button("^Ouvrir la table"))
    await ann.press(ann.button("^Code QR"))
    await expect(ann.page.get_by_role("heading", name="La table d'Ann")).to_be_visible()
    await is_french(ann)

    await expect(ben.page.get_by_role("link", name="Rejoindre")).to_be_visible()
    await is_french(ben)
    await ben.press(ben.page.get_by_role("link", name="Rejoindre"))
    await expect(ben.button("^Prendre place")).to_be_visible()
    await is_french(ben)
    await ben.press(ben.button("^Regarder"))
    await expect(ben.text("^Vous regardez")).to_be_visible()
    await is_french(ben)
    await ben.press(ben.button("^Prendre place"))
    await expect(ben.text("^On attend Ann")).to_be_visible()
    await expect(ann.text("Tout le monde est là")).to_be_visible()
    await is_french(ann)
    assert ann.complaints == ben.complaints == []


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_a_finished_game_and_its_replay(browser: Browser, live: LiveHere, screen: dict[str, Any]) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **screen, **FRENCH)
    async with client(live.ws("/ws")) as host:
        await host.ask("open", game=GAME, player="Ann", name="Table", seats=2)
        await host.ask("add_bots")
        await host.ask("start")
        await play_out(host)
        kept = {"table": host.table, "token": host.token, "game": GAME, "name": "", "at": 0}
        seats = json.dumps({host.table: kept})
        await ann.page.evaluate("seats => localStorage.setItem('croupier.seats', seats)", seats)
    await ann.page.goto(f"/t/{host.table}")
    await expect(ann.page.get_by_role("region", name="Résultat")).to_be_visible()
    await is_french(ann)
    await ann.press(ann.page.get_by_role("link", name="Revoir la partie"))
    controls = ann.page.get_by_role("group", name="Rediffusion")
    await expect(controls).to_be_visible()
    await is_french(ann)
    await ann.page.keyboard.press("End")
    await expect(controls.locator("output")).to_have_text("Résultat")
    await is_french(ann)
    await ann.page.goto(f"/t/{host.table}/replay?game=7")
    await expect(ann.text("^Cette partie n'a pas été jouée")).to_be_visible()


async def test_at_a_table_the_side_is_french_and_so_is_the_door_out(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **PHONE, **FRENCH)
    await ann.press(ann.page.get_by_role("article").filter(has_text="Palace").get_by_role("button", name="Contre"))
    await expect(ann.page.locator("[data-phase]")).to_be_visible()
    await ann.press(ann.button("^Journal"))
    for side in ("Joueurs", "Journal"):
        await ann.press(ann.page.get_by_role("tab", name=side))
        await is_french(ann)
    await ann.press(ann.page.get_by_role("tab", name="Règles"))
    await expect(ann.page.get_by_role("region", name="Règles")).to_contain_text("se défaire de toutes ses cartes")
    await ann.press(ann.page.get_by_role("tab", name="Journal"))
    await ann.press(ann.button("^Fermer"))
    await ann.press(ann.button("^Quitter"))
    await expect(ann.page.get_by_role("heading", name="Quitter la table")).to_be_visible()
    await is_french(ann)


async def test_the_language_is_chosen_and_remembered(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **PHONE, **FRENCH)
    await expect(ann.button("^Français")).to_have_attribute("aria-pressed", "true")
    await ann.press(ann.button("^English"))
    await expect(ann.page.get_by_role("button", name="Play against 3 bots").first).to_be_visible()
    await ann.page.reload()
    await expect(ann.text("^Card games with friends and bots")).to_be_visible()
    await ann.press(ann.button("^Français"))
    await expect(ann.text("^Jeux de cartes")).to_be_visible()
    assert await ann.page.locator("html").get_attribute("lang") == "fr"
