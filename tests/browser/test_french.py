"""Somebody whose browser is French sees no English at a game's own table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser, expect

from tests.browser.person import PHONE, Person
from tests.client import client
from tests.live import server
from tests.page_sources import LIBRARY, SOURCES, texts

GAMES: dict[str, dict[str, int]] = {
    "palace": {"turn_timer": 0},
    "coup": {"min_wait_ms": 0, "turn_timeout_ms": 0},
    "cambia": {"pre_game_sec": 0, "turn_timer_sec": 0},
    "faraway": {"action_timeout": 0},
}
"""Those whose pages are translated, with options by which nobody has to wait or to hurry."""
PRESSES = 60
SHARED = (LIBRARY / "words",)

# All that is or was to be seen or heard at the table: bots move while nobody looks.
LISTEN = """
const said = (window.said = new Set())
function listen() {
  for (const table of document.querySelectorAll('[data-phase]')) {
    const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) said.add(walker.currentNode.data)
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const element of table.querySelectorAll(`[${name}]`)) said.add(element.getAttribute(name))
  }
}
new MutationObserver(listen).observe(document, { subtree: true, childList: true, characterData: true })
"""

# Any button of the game; when a window is open, one in there.
PRESS = """
luck => {
  const all = [...document.querySelectorAll('[data-phase] button:enabled')]
  const seen = all.filter((button) => button.checkVisibility())
  const within = seen.filter((button) => button.closest('dialog'))
  const buttons = within.length ? within : seen
  buttons[Math.floor(luck * buttons.length)]?.click()
}
"""


def words(language: str, game: str) -> set[str]:
    """Everything that is said in a language, word for word."""
    folders = (*SHARED, SOURCES / "games" / game / "words")
    return split(*(text for folder in folders for text in texts((folder / f"{language}.ts").read_text())))


def split(*said: str) -> set[str]:
    return {word.lower() for text in said for word in re.findall(r"[^\W\d_]{3,}", text)}


async def sit_down(person: Person, address: str, game: str) -> None:
    """At a table with two bots, or as many as can play, where the game has begun."""
    async with client(f"{address}/ws") as host:
        seats = min(3, next(one["most"] for one in host.welcome["games"] if one["name"] == game))
        await host.ask("open", game=game, player=person.name, seats=seats, options=GAMES[game])
        await host.ask("add_bots", count=seats - 1)
        await host.ask("start")
        seat = {"table": host.table, "token": host.token, "game": game, "name": "", "at": 0}
        kept = json.dumps({host.table: seat})
        await person.page.evaluate("kept => localStorage.setItem('croupier.seats', kept)", kept)
        await person.page.goto(f"/t/{host.table}")
        await expect(person.page.locator("[data-phase]")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
async def test_a_french_browser_shows_no_english(browser: Browser, tmp_path: Path, game: str) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE, locale="fr-FR")
        await ann.context.add_init_script(LISTEN)
        await sit_down(ann, live.ws(""), game)
        dice = Random(1)
        for _ in range(PRESSES):
            await ann.page.evaluate(PRESS, dice.random())
            await ann.page.wait_for_timeout(50)  # time for bots and for what is drawn
        said = await ann.page.evaluate("[...said]")
        heard = split(*(text for text in said if not text.startswith("BOT ")))
        english, french = words("en", game), words("fr", game)
        assert heard & (english - french) == set()
        assert len(heard & (french - english)) > 10, "the game has hardly said anything"
        assert await ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert ann.complaints == []
