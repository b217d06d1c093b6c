"""Palace's protocol promises its clients that there is no rate limit: a flood is answered, and nobody else notices."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from websockets.asyncio.client import connect

from tests.client import client, play_out
from tests.live import server

MANY = 5000


async def test_thousands_of_requests_are_all_answered_while_another_table_plays_on(tmp_path: Path) -> None:
    async with (
        server(tmp_path, bot_delay=0, message_rate=0) as live,  # she is quick herself, and her protocol has a limit
        connect(live.ws("/palace")) as flooder,
        client(live.ws("/ws")) as ann,
    ):
        await ann.ask("open", game="palace", player="Ann")
        await ann.ask("add_bots", count=3)
        await ann.ask("start")

        async def flood() -> None:
            for _ in range(MANY):
                await flooder.send(b'"ListLobbies"')

        async def answers() -> int:
            count = 0
            while count < MANY:
                assert "ListLobbiesResponse" in json.loads(await flooder.recv())
                count += 1
            return count

        _, answered, end = await asyncio.gather(flood(), answers(), play_out(ann))
        assert answered == MANY
        assert end["table"]["games"] == 1
