"""Games count soon after their end, whoever crashes in between."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from croupier.people import identity
from tests.client import Client, Json, client
from tests.live import LiveHere, process, server

KEYS = {name: f"the long key of {name}" for name in ("Ann", "Ben", "Cleo")}
IDS = {name: identity.person_of(key) for name, key in KEYS.items()}
NEVER = "from croupier.people import projection\nasync def no(journal): pass\nprojection.catch_up = no"
"""As if the server were killed each time before it can let a game count."""


async def gathered(*players: tuple[Client, str], game: str = "coup", **wish: Any) -> str:
    """They say who they are and sit down at a table, the first as its host."""
    (host, name), *others = players
    for player, called in players:
        await player.ask("identify", key=KEYS[called])
    table: str = (await host.ask("open", game=game, player=name, **wish))["sync"]["table"]["id"]
    for player, called in others:
        await player.ask("join", table=table, player=called, password=wish.get("password", ""))
    return table


async def play(host: Client, *leavers: Client) -> None:
    """A game in which all others leave, one after the other; the host wins."""
    await host.ask("start")
    for player in leavers:
        await player.ask("leave")
    await host.hear(lambda message: message.get("result") is not None)


async def counted(live: LiveHere, games: int) -> list[tuple[Any, ...]]:
    """What is known of people when so many games have counted."""
    async with asyncio.timeout(20):
        while (await live.house.journal.query("SELECT count(*) FROM finished WHERE rank IS NOT NULL"))[0][0] < games:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return await live.house.journal.query("SELECT person, mu, games FROM ratings ORDER BY mu DESC")


async def test_a_game_counts_as_soon_as_it_is_over(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await gathered((ann, "Ann"), (ben, "Ben"))
        await play(ann, ben)
        (first, second) = await counted(live, 1)
        assert (first[0], second[0]) == (IDS["Ann"], IDS["Ben"]), "who left has lost"
        assert first[2] == second[2] == 1


async def test_among_friends_nothing_counts_unless_the_host_says_so(tmp_path: Path) -> None:
    wishes: list[Json] = [{"password": "plum"}, {"listed": False}, {"rated": False}, {"listed": False, "rated": True}]
    async with server(tmp_path) as live:
        for number, wish in enumerate(wishes, start=1):
            async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
                await gathered((ann, "Ann"), (ben, "Ben"), **wish)
                await play(ann, ben)
                assert len(await counted(live, number)) == (2 if wish.get("rated") else 0)


async def test_what_a_crash_has_left_over_counts_at_the_next_start_and_once(tmp_path: Path) -> None:
    for sabotage in (NEVER, NEVER, ""):
        async with process(tmp_path, sabotage=sabotage) as live:
            async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
                await gathered((ann, "Ann"), (ben, "Ben"))
                await play(ann, ben)
            await live.kill()
        with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as journal:
            uncounted = journal.execute("SELECT count(*) FROM finished WHERE rank IS NULL").fetchone()[0]
            assert not sabotage or uncounted > 0
    for _ in range(2):
        async with server(tmp_path) as here:
            assert [row[2] for row in await counted(here, 3)] == [3, 3]
            rows = await here.house.journal.query("SELECT person, count(*) FROM played GROUP BY person")
            assert sorted(rows) == sorted((IDS[name], 3) for name in ("Ann", "Ben"))
