"""People who look for a game at several nodes at the same moment are brought together all the same."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from croupier.games import catalogue
from croupier.journal import Append, Statement
from croupier.tables import seeking
from tests.client import Client, Json, client
from tests.clock import ManualTime
from tests.live import LiveHere
from tests.nodes.several import cluster, nodes

ROUNDS = 12


async def come(stack: AsyncExitStack, running: Sequence[LiveHere], count: int) -> list[Client]:
    """So many, spread over the nodes."""
    ways = [running[number % len(running)].ws("/ws?views=1") for number in range(count)]
    return list(await asyncio.gather(*(stack.enter_async_context(client(way)) for way in ways)))


def too_few(tables: Sequence[Json]) -> Counter[str]:
    """By game, the tables at which people wait in vain."""
    games = catalogue().games
    waiting = [table for table in tables if table["phase"] == "waiting"]
    return Counter(table["game"] for table in waiting if len(table["players"]) < games[table["game"]].seats[0])


@pytest.mark.parametrize("seed", range(ROUNDS))
async def test_of_many_at_the_same_moment_nobody_waits_alone_while_somebody_else_does(
    tmp_path: Path, seed: int
) -> None:
    dice = Random(seed)
    async with nodes(tmp_path, 2 + seed % 2, time=ManualTime(), message_rate=0) as running, AsyncExitStack() as stack:
        people = await come(stack, running, dice.randint(2, 17))
        games = [dice.choice(["palace", "fortress", "coup"][: 1 + seed % 3]) for _ in people]

        async def seek(number: int) -> None:
            for _ in range(dice.choice((0, 0, 1, 5))):
                await asyncio.sleep(0)
            await people[number].ask("seek", game=games[number], player=f"P{number}")

        with capture_logs() as logs:
            await asyncio.gather(*(seek(number) for number in range(len(people))))
        assert not [line for line in logs if line["log_level"] == "error"], logs
        listings = [(await each.ask("list"))["tables"] for each in people[: len(running)]]
        for tables in listings:
            assert all(count == 1 for count in too_few(tables).values()), tables
            assert sum(len(table["players"]) for table in tables) == len(people)
        for game, count in Counter(games).items():
            most = 2 if game == "fortress" else seeking.USUAL_SEATS
            assert sum(table["game"] == game for table in listings[0]) == -(-count // most), "as few tables as it takes"


async def test_who_opens_a_table_second_sits_down_at_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have read the list of tables before the other's was in it."""
    async with nodes(tmp_path, time=ManualTime()) as running, AsyncExitStack() as stack:
        ann, ben = await come(stack, running, 2)
        held: list[Callable[[], None]] = []
        both = asyncio.Event()

        def hold_back(append: Callable[[Append], None], batch: Append) -> None:
            """The first table of each node, until the other has one, too."""
            if batch.opens is None or both.is_set():
                append(batch)
                return
            held.append(partial(append, batch))
            if len(held) == len(running):
                both.set()

        for node in running:
            journal = node.house.journal
            monkeypatch.setattr(journal, "append", partial(hold_back, journal.append))
        asking = [
            asyncio.create_task(each.ask("seek", game="palace", player=name))
            for each, name in ((ann, "Ann"), (ben, "Ben"))
        ]
        await both.wait()
        for write in held:
            write()
        first, second = [reply["sync"]["table"] for reply in await asyncio.gather(*asking)]
        assert first["id"] == second["id"]
        assert sum(cluster(node).lost_races for node in running) > 0


async def test_a_number_that_was_given_away_keeps_nobody_from_playing(tmp_path: Path) -> None:
    """Nodes of the release before know of no numbers: where one of them writes something about a table, its number is
    free again, and another table may have it by now."""
    async with nodes(tmp_path, time=ManualTime()) as running, AsyncExitStack() as stack:
        ann, ben, cleo = await come(stack, running, 3)
        await ann.ask("seek", game="palace", player="Ann")
        journal = running[0].house.journal

        def given_away() -> Any:
            yield Statement("UPDATE names SET table_id = 'another' WHERE name = $1", ("seekers/palace/1",))

        await journal.transact(given_away())
        await ben.ask("seek", game="palace", player="Ben")
        await cleo.ask("seek", game="palace", player="Cleo")
        assert ann.table == ben.table == cleo.table
        assert await ann.entry("countdown_begun")
        assert sum(cluster(node).lost_races for node in running) > 0
