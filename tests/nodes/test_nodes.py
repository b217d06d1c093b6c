"""People of one table at several nodes."""

from __future__ import annotations

from pathlib import Path

from tests.client import client
from tests.nodes.several import nodes


async def test_two_nodes_one_table(tmp_path: Path) -> None:
    async with nodes(tmp_path) as (one, two), client(one.ws("/ws")) as ann, client(two.ws("/ws")) as bob:
        opened = await ann.ask("open", game="palace", player="Ann", seats=2)
        await bob.ask("join", table=ann.table, player="Bob")
        assert (await ann.entry("joined"))["entry"]["name"] == "Bob"
        await bob.ask("say", text="hello")
        assert (await ann.entry("said"))["entry"]["text"] == "hello"
        await ann.ask("start")
        await bob.entry("started")
        assert opened["sync"]["table"]["id"] == bob.table
