"""kill -9 while people look for a game: they wait on, at the same table, and it begins with those who come back."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from tests.client import Client, client
from tests.live import LiveProcess, process


async def test_who_waits_for_others_waits_on_after_a_kill(tmp_path: Path) -> None:
    flags = ("--test-mode", "--test-clock-speed", "20")
    async with AsyncExitStack() as stack:

        async def comes(live: LiveProcess) -> Client:
            return await stack.enter_async_context(client(live.ws("/ws?views=1")))

        async with process(tmp_path, *flags) as live:
            port = str(live.ports["http"])
            ann, ben = await comes(live), await comes(live)
            for somebody, name in ((ann, "Ann"), (ben, "Ben")):
                await somebody.ask("seek", game="palace", player=name)
            assert await ann.entry("countdown_begun")
            await live.kill()
        async with process(tmp_path, *flags, "--port", port) as live:
            again = await comes(live)
            sync = (await again.ask("return", table=ann.table, token=ann.token))["sync"]
            assert sync["table"]["phase"] == "waiting" and "starts_at" not in sync["table"]
            cleo = await comes(live)
            found = (await cleo.ask("seek", game="palace", player="Cleo"))["sync"]["table"]
            assert found["id"] == ann.table, "nobody opens another one for those who are on their way back"
            assert [player["name"] for player in found["players"]] == ["Ann", "Ben", "Cleo"]
            started = await again.entry("started")
            assert len(started["entry"]["order"]) == 2, "Ben has not come back"
