"""What a master would have done, in a replay in a real browser."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from croupier.games import catalogue
from croupier.kernel import Budget
from croupier.net import analyses, thinking
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_accessibility import barriers
from tests.browser.test_replay import arrive, position
from tests.diary import Diary
from tests.live import LiveHere, server


@pytest_asyncio.fixture(loop_scope="session")
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[LiveHere, str]]:
    """A server with a finished game of Palace, of which little is thought about each decision."""
    monkeypatch.setattr(analyses, "budget", lambda pieces: Budget(nodes=60))
    monkeypatch.setattr(thinking, "ANALYSTS", 1)
    diary = Diary(catalogue().games["palace"], 2, "0123456789abcdef", shown=False).play()
    async with server(tmp_path) as live:
        yield live, await diary.put_into(live.house)


async def test_what_a_master_would_have_done(browser: Browser, table: tuple[LiveHere, str]) -> None:
    live, id = table
    eve = await arrive(browser, live, f"/t/{id}/replay?seat=1", **DESKTOP)
    page = eve.page
    await eve.press(eve.button("^Analyse$"))
    await expect(page.get_by_role("combobox", name="Whose decisions")).to_have_value("1")
    graph = page.get_by_role("group", name="Chances over the game")
    await expect(graph).to_be_visible(timeout=60_000)
    decision = page.get_by_role("button", name=re.compile(r"^Step \d+, ")).first
    said = await decision.inner_text()
    step = int(re.findall(r"Step (\d+)", said)[0])
    await decision.press("Enter")
    await expect(position(page)).to_contain_text(f"{step} / ")
    await expect(decision).to_have_attribute("aria-current", "step")
    # The graph leads anywhere in the game; here, to its end.
    box = await graph.bounding_box()
    assert box is not None
    await graph.click(position={"x": box["width"] - 2, "y": 10})
    last = await page.get_by_role("slider", name="Step").get_attribute("max")
    await expect(position(page)).to_have_text(f"{int(last or 0) - 1} / {int(last or 0) - 1}")
    # What was found out is not asked for again when one has looked at the log.
    await eve.press(eve.button("^Log$"))
    await expect(page.get_by_role("log")).to_be_visible()
    await eve.press(eve.button("^Analyse$"))
    await expect(graph).to_be_visible()
    assert eve.complaints == []


async def test_on_a_phone_and_in_french(browser: Browser, table: tuple[LiveHere, str]) -> None:
    live, id = table
    eve = await Person.arrive(browser, "Eve", live.http, path=f"/t/{id}/replay?seat=0", **PHONE, locale="fr-FR")
    page = eve.page
    await eve.press(eve.button("^Journal$"))
    await eve.press(eve.button("^Analyser$"))
    moments = page.get_by_role("button", name=re.compile("^Étape"))
    await expect(page.get_by_text("Chance et adresse")).to_be_visible(timeout=60_000)
    assert await barriers(eve) == []
    await eve.press(moments.first)
    # What is looked at lies open, and not under the analysis.
    await expect(page.get_by_text("Chance et adresse")).to_be_hidden()
    assert eve.complaints == []
