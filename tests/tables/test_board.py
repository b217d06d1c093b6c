"""The list of tables that people follow: told a few times a second, and only where something has changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest

from croupier.tables import board
from tests.client import Client, Json, client
from tests.live import LiveHere, request, server


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=1) as running:
        yield running


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The moment in which changes are gathered does not end before the test says so."""
    monkeypatch.setattr(board, "GATHERED", 1e6)


async def news(live: LiveHere, person: Client) -> list[Json]:
    """What they are told when the moment is over."""
    before = len(person.told)
    live.house.board._tell_all()
    await person.ask("list")
    return [message["table"] for message in person.told[before:] if message["type"] == "listed"]


async def test_changes_are_gathered_and_told_once(live: LiveHere, moment: None) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob, client(live.ws("/ws")) as eve:
        await eve.ask("follow")
        await ann.ask("open", game="palace", player="Ann", seats=4)
        await bob.ask("open", game="coup", player="Bob")
        for turns in range(40):
            await ann.ask("configure", options={"turn_timer": turns})
        await ann.ask("add_bots", count=3)
        await ann.ask("start")
        told = await news(live, eve)
        assert [(one["id"], one["phase"]) for one in told] == [(ann.table, "playing"), (bob.table, "waiting")]
        assert await news(live, eve) == []
        await ann.ask("leave")
        assert [one["id"] for one in await news(live, eve)] == [ann.table], "and so it goes on"


async def test_a_table_that_was_opened_and_closed_is_told_as_it_ended(live: LiveHere, moment: None) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as eve:
        await eve.ask("follow")
        await ann.ask("open", game="palace", player="Ann")
        await ann.ask("leave")
        assert [(one["id"], one["phase"]) for one in await news(live, eve)] == [(ann.table, "closed")]
        assert (await eve.ask("list"))["tables"] == []


async def test_what_the_list_does_not_show_is_no_news(live: LiveHere, moment: None) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as eve, client(live.ws("/ws")) as bob:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await eve.ask("follow")
        await ann.ask("say", text="hello")
        await ann.ask("configure", options={})
        await bob.ask("watch", table=ann.table)
        await bob.ask("leave")  # before anybody was told
        assert await news(live, eve) == []
        await bob.ask("watch", table=ann.table)
        assert [one["watchers"] for one in await news(live, eve)] == [1]


async def test_who_follows_in_between_is_told_how_it_ends(live: LiveHere, moment: None) -> None:
    """What is as it was before is news all the same for who has seen it meanwhile."""
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as eve, client(live.ws("/ws")) as bob:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await bob.ask("follow")
        await bob.ask("watch", table=ann.table)
        assert (await eve.ask("follow"))["tables"][0]["watchers"] == 1
        await bob.ask("leave")
        assert [one["watchers"] for one in await news(live, eve)] == [0]


async def test_all_who_follow_are_told_by_and_by(live: LiveHere) -> None:
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(client(live.ws("/ws"))) for _ in range(20)]
        for person in people:
            await person.ask("follow")
        await people[0].ask("open", game="palace", player="Ann")
        for person in people:
            assert (await person.hear())["table"]["name"] == "Ann's table"


async def test_nothing_is_told_before_it_is_in_the_journal(live: LiveHere, monkeypatch: pytest.MonkeyPatch) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as eve:
        await eve.ask("follow")
        house, held = live.house, list[object]()
        monkeypatch.setattr(house.journal, "append", held.append)
        await ann.socket.send(json.dumps({"type": "open", "game": "palace", "player": "Ann"}))
        while not held:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.001)
        await asyncio.sleep(2 * board.GATHERED)
        assert (await eve.ask("list"))["tables"] == []
        assert (await request(live.ports["http"], "GET", "/api/tables")).body == b"[]"
        assert eve.told == []
        monkeypatch.undo()
        house.journal.append(held[0])  # type: ignore[arg-type]
        assert (await eve.hear())["table"]["name"] == "Ann's table"


async def test_the_list_is_encoded_once_for_everybody(live: LiveHere, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = list[str]()

    def encode(summary: object) -> bytes:
        encoded.append(summary.id)  # type: ignore[attr-defined]
        return msgspec.json.encode(summary)

    monkeypatch.setattr(board, "_encode", encode)
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob, client(live.ws("/ws")) as eve:
        await ann.ask("open", game="palace", player="Ann")
        await bob.ask("open", game="coup", player="Bob")
        for _ in range(3):
            assert len((await eve.ask("list"))["tables"]) == 2
            assert len((await eve.ask("list", game="coup"))["tables"]) == 1
            assert [
                one["game"] for one in json.loads((await request(live.ports["http"], "GET", "/api/tables")).body)
            ] == [
                "palace",
                "coup",
            ]
        assert encoded == [ann.table, bob.table]
        await ann.ask("add_bots")
        await eve.ask("list")
        assert encoded == [ann.table, bob.table, ann.table]
        for number in range(100):
            assert (await eve.ask("list", game=f"no game {number}"))["tables"] == []
        assert len(live.house.board._lists) <= 3, "what there is not is not remembered"
