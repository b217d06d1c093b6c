"""A browser and a client of Fortress' own protocol, over TCP, at one table to the end."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from playwright.async_api import Browser, expect

from tests.browser.person import DESKTOP, Person
from tests.browser.test_fortress import assert_no_secret_was_told, play, region
from tests.conformance.test_mixed_fortress import FortressClient
from tests.games.fortress.wire import BOB
from tests.live import server


async def test_a_browser_and_a_tcp_client_play_to_the_end(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32, listen=("fortress=127.0.0.1:0",)) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        await ann.open_table("Two castles", seats=2, game="fortress")
        old = await FortressClient.arrive(live.ports["fortress"], BOB, "Old client")
        played = asyncio.create_task(old.play())
        await ann.press(ann.button("^Play with Assault"))  # the game has begun by itself
        await play(ann, Random(3))
        end = await played
        winner = old.names[str(end["WINNER_ID"])]
        await expect(region(ann, "Result").get_by_role("listitem").first).to_contain_text(winner)
        assert old.names == {str(number): name for number, name in enumerate(["Ann", "Old client"])}
        assert_no_secret_was_told(ann)
        assert ann.complaints == []
        old.line.writer.transport.abort()
