"""Somebody alone against bots asks for a hint on the page, and does what it says."""

from __future__ import annotations

import asyncio
import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path

from playwright.async_api import Browser, expect

from croupier.games.palace import Palace
from croupier.kernel import Budget
from croupier.net.thinker import solve
from croupier.tables.thoughts import Answer, Question
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.sizes import troubles
from tests.browser.test_accessibility import barriers
from tests.browser.test_coup import open_coup, start
from tests.clock import ManualTime
from tests.live import LiveHere, server


class OnTheSpot:
    """Thinks at once, and here: a process of its own comes last, and on a busy machine that may be long after."""

    fallbacks = 0

    def ask(self, question: Question, answered: Callable[[Answer], None]) -> bool:
        found = solve({"palace": Palace()}, pickle.loads(question.problem), Budget(nodes=3))
        asyncio.get_running_loop().call_soon(answered, found)
        return True

    def cancel(self, question: Question) -> None:
        """It is too late for that."""


def hinted(person: Person) -> list[str]:
    """The moves that the server has suggested."""
    heard = [json.loads(frame) for frame in person.frames]
    return [message["label"] for message in heard if message["type"] == "hinted"]


async def test_the_move_that_is_suggested_is_made(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
    await open_coup(ann, bots=1)
    await start(ann)
    bulb = ann.button("^Hint$")
    await expect(bulb).to_be_enabled()
    await ann.press(bulb)
    line = ann.page.get_by_role("status").filter(has_text="Hint:")
    await expect(line).to_be_visible()
    (label,) = hinted(ann)
    await expect(line).to_contain_text(label.replace(" › ", ": "))
    ringed = ann.page.locator("main [data-ringed]")
    await expect(ringed.first).to_have_attribute("data-point", re.compile("^deed:"))
    assert await troubles(ann.page) == []
    moved = ann.moved
    await ann.press(ann.button("^Do it$"))
    await ann.until(lambda: ann.has_moved_since(moved))
    await expect(line).not_to_be_visible()
    await expect(ringed).to_have_count(0)
    assert ann.complaints == []


async def test_by_a_key_in_french_and_how_good_the_best_moves_are(browser: Browser, tmp_path: Path) -> None:
    clock = ManualTime()
    async with server(tmp_path, thinkers=0, time=clock) as live:
        live.house.thinkers = OnTheSpot()
        ann = await Person.arrive(browser, "Ann", live.http, locale="fr-FR", **DESKTOP)
        await ann.press(ann.page.get_by_role("article").filter(has_text="Palace").get_by_role("button", name="Contre"))
        await ann.until(lambda: ann.seat is not None)
        while ann.seat not in ann.awaited:
            await clock.to_pass(5)
        await expect(ann.button("^Conseil$")).to_be_enabled()
        await ann.page.keyboard.press("h")
        line = ann.page.get_by_role("status").filter(has_text="Conseil")
        await expect(line).to_contain_text(re.compile(r"gagne environ \d+ fois sur 100"))
        (label,) = hinted(ann)
        await expect(line).to_contain_text(label.replace(" › ", "\N{NARROW NO-BREAK SPACE}: "))
        ringed = ann.page.locator("main [data-ringed]")
        await expect(ringed).to_have_count(3)  # that are to be laid open
        for card in await ringed.all():
            assert str(await card.get_attribute("data-card")) in label  # this is what it means
        assert await barriers(ann) == []
        await ann.press(ann.page.get_by_role("button", name="Fermer").last)
        await expect(line).not_to_be_visible()
        await expect(ringed).to_have_count(0)


async def test_there_is_no_button_where_people_play(browser: Browser, live: LiveHere) -> None:
    ann, ben = [await Person.arrive(browser, name, live.http, **DESKTOP) for name in ("Ann", "Ben")]
    await open_coup(ann, ben)
    await start(ann, ben)
    await ann.knows_whose_turn_it_is()
    for person in (ann, ben):
        await expect(person.button("^Hint$")).to_have_count(0)
