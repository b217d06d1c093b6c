"""A game that is not installed any more, or not at every node: its tables are left alone, and go on when it is back."""

from __future__ import annotations

import asyncio
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from croupier.games import Catalogue, catalogue
from croupier.journal.postgres import PostgresJournal
from tests import services
from tests.client import Client, Refusal, client, play_out
from tests.live import NODES, request, server
from tests.toys import Bids

KNOWN = catalogue()
WITH = KNOWN._replace(games={**KNOWN.games, "bids": Bids()})
TABLES = 6


async def opened(ann: Client) -> str:
    """The code of the table."""
    code: str = (await ann.ask("open", game="bids", player="Ann"))["sync"]["table"]["code"]
    await ann.ask("add_bots", count=1)
    await ann.ask("start")
    return code


@pytest.mark.skipif(NODES > 0, reason="a journal in a file has one server")
async def test_a_table_goes_on_when_its_game_is_back(tmp_path: Path) -> None:
    async with server(tmp_path, WITH, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        code = await opened(ann)
        await ann.hear(lambda told: bool(told.get("moves")))
    with capture_logs() as logs:
        async with server(tmp_path) as live, client(live.ws("/ws?language=fr")) as ben:
            port = live.ports["http"]
            asked = [{"kind": "watch"}, {"kind": "return", "token": ann.token}, {"kind": "list"}]
            for table, asking in product((ann.table, code), asked):
                with pytest.raises(Refusal, match="le jeu de cette table, bids, n'est pas installé ici") as refused:
                    await ben.ask(**asking, table=table)
                assert refused.value.code == "unavailable"
            assert (await ben.ask("list"))["tables"] == []
            page = await request(port, "GET", f"/t/{ann.table}", accept="text/html")
            assert (page.status, b"The game of this table is not installed here." in page.body) == (404, True)
            replay = await request(port, "GET", f"/api/tables/{ann.table}/games/1")
            assert (replay.status, b"not installed here; it is kept as it is" in replay.body) == (503, True)
            await ben.ask("open", game="palace", player="Ben")  # nothing else suffers
    left = [line for line in logs if line["log_level"] == "warning"]
    assert [(line["event"], line["game"], line["tables"]) for line in left] == [
        ("tables of a game that is not installed here are left alone; they go on when it is", "bids", 1)
    ]
    async with server(tmp_path, WITH, bot_delay=0) as live, client(live.ws("/ws")) as ann_again:
        sync = (await ann_again.ask("return", table=ann.table, token=ann.token))["sync"]
        await ann_again.ask("play", move=sync["moves"][0])
        assert (await play_out(ann_again))["result"]


def shared() -> dict[str, Any]:
    return {"journal": services.database(), "bus": services.bus(), "bot_delay": 0}


async def test_a_node_without_the_game_leaves_its_tables_to_the_others(tmp_path: Path) -> None:
    house = shared()
    async with (
        server(tmp_path, WITH, **house) as able,
        server(tmp_path, **house) as other,
        client(able.ws("/ws")) as ann,
    ):
        code = await opened(ann)
        asked = [{"kind": "watch"}, {"kind": "return", "token": ann.token}, {"kind": "list"}]
        for table, asking in product((ann.table, code), asked):
            async with client(other.ws("/ws")) as ben:
                assert (await ben.ask("list"))["tables"] == []
                with pytest.raises(ConnectionClosed, match="the table goes on at another node; come back in a moment"):
                    await ben.ask(**asking, table=table)
        paths = ("/api/tables", "/api/tables?limit=9", "/api/tables?game=bids&limit=9")
        seen = [(await request(live.ports["http"], "GET", path)).body for path in paths for live in (able, other)]
        assert [ann.table.encode() in body for body in seen] == [True, False] * len(paths)
        assert (await play_out(ann))["result"]


async def until_closed(url: str) -> None:
    journal = await PostgresJournal.open(url)
    try:
        async with asyncio.timeout(60):
            while await journal.open_count():  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.1)
    finally:
        await journal.close()


async def test_what_falls_due_is_seen_to_by_a_node_that_has_the_game(tmp_path: Path) -> None:
    """Whatever comes first by the order of the nodes: about half of these tables would be the other's to look at."""
    house = {**shared(), "patience": 1, "restart_patience": 1}

    async def leave_tables(games: Catalogue) -> None:
        async with server(tmp_path, games, **house) as live:
            for _ in range(TABLES):
                async with client(live.ws("/ws")) as ann:
                    await opened(ann)

    await leave_tables(WITH)
    async with server(tmp_path, **house), server(tmp_path, WITH, **house):
        await until_closed(house["journal"])


async def test_tables_that_nobody_can_look_at_keep_nobody_from_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.tables.cluster.AT_ONCE", 1)
    house = {**shared(), "patience": 1, "restart_patience": 1}
    async with server(tmp_path, WITH, **house) as live, client(live.ws("/ws")) as ann:
        await opened(ann)
        table = ann.table
    async with server(tmp_path, WITH, **house) as live, client(live.ws("/ws")) as ben:
        await ben.ask("open", game="palace", player="Ben")
        await ben.ask("add_bots", count=1)
        await ben.ask("start")
        played = ben.table
    journal = await PostgresJournal.open(house["journal"])
    async with server(tmp_path, **house), asyncio.timeout(60):
        while played in await journal.positions([played]):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.1)
        assert table in await journal.positions([table])
    async with server(tmp_path, WITH, **house):
        await until_closed(house["journal"])
    await journal.close()
