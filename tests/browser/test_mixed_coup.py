"""A person at the page, and a client of each version of Coup's own protocol, at one table."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser, expect

from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_coup import open_coup, play, start
from tests.conformance.test_mixed_coup import assert_same_end, joined
from tests.live import request, server


@pytest.mark.parametrize("ruleset", ["note", "official"])
async def test_c90_a_browser_and_both_versions_play_to_the_end(browser: Browser, tmp_path: Path, ruleset: str) -> None:
    luck = Random(1)
    async with server(tmp_path, test_seed="33" * 32) as live:
        hanna = await Person.arrive(browser, "Hanna", live.http, **(DESKTOP if ruleset == "note" else PHONE))
        await open_coup(hanna, After_a_wrong_call_of_BS=ruleset, Time_to_answer="5000")
        (table,) = json.loads((await request(live.ports["http"], "GET", "/api/tables")).body)
        async with joined(live, table["code"], luck, speed=1) as (first, second):
            await start(hanna)
            await asyncio.gather(play(hanna, luck), first.play(), second.play())
            rows = hanna.page.get_by_role("region", name="Result").get_by_role("listitem")
            await expect(rows).to_have_count(3)
            await expect(rows.first).to_contain_text(first.winner)
        end = next(fact for fact in hanna.facts() if fact.get("result"))
        assert_same_end(end, first, second)
        moved = {fact["entry"]["seat"] for fact in hanna.facts() if fact.get("entry", {}).get("entry") == "moved"}
        assert moved == {0, 1, 2}
        assert hanna.complaints == []
