"""People at tables of Cambia: slow ones, hasty ones, and what they are told about whose turn it is."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Browser, expect

from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_cambia import move, open_cambia, start
from tests.clock import ManualTime
from tests.live import LiveHere, server

TWO_MINUTES = 120
SAYS = """(expected) => {
  const ours = Boolean(document.querySelector('.felt .mine.turn'))
  const title = document.title.startsWith('● Your turn')
  const others = [...document.querySelectorAll('.other.active')].map((other) => Number(other.dataset.seat))
  const same = [ours, ...others.sort()].join() === [expected[0], ...expected.slice(1).sort()].join()
  return same && ours === title
}"""
"""Whether the page says that it is our turn or not, wherever it says so, and whom else the game waits for."""


async def caught_up(person: Person, live: LiveHere, table: str) -> Sequence[int]:
    """Wait until the person has heard of everything, and say whom the server awaits."""
    while True:
        last = list(person.facts())[-1]
        if last["seq"] == live.house.rooms[table].table.seq:
            return list(last.get("awaited", ()))
        await asyncio.sleep(0.01)


async def test_alone_against_bots_nobody_is_played_for(browser: Browser, tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time, bot_delay=0.1, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        table = await open_cambia(ann, bots=2)
        await start(ann)
        over = ann.page.get_by_role("region", name="Result")
        ours = ann.page.locator(".felt .mine.turn")
        call = ann.button("^Cambia…")
        thoughts = turns = 0
        while not await over.count():
            if 0 not in await caught_up(ann, live, table):
                await time.to_pass(2)  # bots think
                continue
            await expect(ours).to_be_visible()
            await time.to_pass(TWO_MINUTES)
            if 0 not in await caught_up(ann, live, table):
                continue  # a bot has snapped meanwhile, and owes a card; that nobody played for us is seen at the end
            await expect(ann.page.locator(".felt [role=timer]")).to_have_count(0)
            thoughts += 1
            turns += await call.count()
            if turns > 3 and await call.count():
                await call.click()
                await ann.button("^Call Cambia!").click()
            else:
                await move(ann)
            await caught_up(ann, live, table)
        entries = [fact["entry"] for fact in ann.facts() if "entry" in fact]
        assert thoughts  # how many there are, and whether we could have called, is the bots' luck
        assert [entry for entry in entries if entry["entry"] == "expired" and entry.get("by") is None] == [
            {"entry": "expired", "clock": "gathering"}
        ]
        assert not [entry for entry in entries if entry["entry"] == "moved" and entry["seat"] == 0 and entry.get("bot")]
        assert ann.complaints == []


async def test_the_page_says_your_turn_exactly_when_the_server_awaits_us(browser: Browser, tmp_path: Path) -> None:
    time = ManualTime()
    dice = random.Random(14)
    async with server(tmp_path, time=time, bot_delay=0.1, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        table = await open_cambia(ann, ben, bots=2, First_look="5", Time_for_a_turn="0")
        await start(ann, ben)
        over = ann.page.get_by_role("region", name="Result")
        seen: set[tuple[bool, ...]] = set()
        for _ in range(30):
            for seat, person in enumerate((ann, ben)):
                awaited = await caught_up(person, live, table)
                if await over.count():
                    break
                await person.page.wait_for_function(SAYS, arg=[seat in awaited, *[n for n in awaited if n != seat]])
            if await over.count():
                break
            seen.add(tuple(seat in awaited for seat in range(4)))
            movers = [person for seat, person in enumerate((ann, ben)) if seat in awaited]
            if dice.random() < 0.25:  # somebody snaps out of turn, right or wrong
                hasty = dice.choice((ann, ben))
                await hasty.page.keyboard.press("s")
                await hasty.page.keyboard.press("1")
            elif movers:
                await move(dice.choice(movers))
            else:
                await time.to_pass(3)
        assert {(True, False, False, False), (False, True, False, False), (False, False, True, False)} <= seen
        assert ann.complaints + ben.complaints == []
