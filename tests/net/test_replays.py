"""Finished games over HTTP."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games import Catalogue
from tests.client import Client, client, play_out
from tests.live import LiveHere, Reply, request, server
from tests.toys import Bids


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, Catalogue({"bids": Bids()}, []), bot_delay=0) as running:
        yield running


async def get(live: LiveHere, path: str, **headers: str) -> Reply:
    return await request(live.ports["http"], "GET", f"/api/tables/{path}", b"", **headers)


async def get_json(live: LiveHere, path: str) -> Any:
    reply = await get(live, path)
    assert reply.status == 200, reply.body
    return json.loads(reply.body)


async def open_table(ann: Client) -> None:
    await ann.ask("open", game="bids", player="Ann", seats=2, avatar="owl")
    await ann.ask("add_bots")


async def play(ann: Client) -> None:
    """One game, to its end."""
    await ann.ask("start")
    await play_out(ann)


async def test_a_finished_game_can_be_watched_again_by_anybody_while_the_table_is_open(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await open_table(ann)
        await play(ann)
        found = await get_json(live, f"{ann.table}/games/1?seat=0")
        assert (found["seat"], found["open"], found["first"]) == (0, False, 0)
        assert found["about"]["game"] == "bids"
        assert sorted(player["avatar"] for player in found["about"]["players"]) == ["", "owl"]
        assert found["count"] == len(found["steps"]) > 2
        assert found["steps"][0]["view"]["hand"]
        spectator = await get_json(live, f"{ann.table}/games/1")
        assert spectator["seat"] is None
        assert not spectator["steps"][0]["view"]["hand"]
        later = await get_json(live, f"{ann.table}/games/1?seat=0&first=2")
        assert later["steps"] == found["steps"][2:]


async def test_and_when_it_is_closed(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await open_table(ann)
        await play(ann)
        before = await get_json(live, f"{ann.table}/games/1?open=1")
        await ann.ask("leave")
        assert ann.table not in live.house.rooms
        assert await get_json(live, f"{ann.table}/games/1?open=1") == before


async def test_a_game_that_is_being_played_is_nobodys_to_watch_again(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await open_table(ann)
        await play(ann)
        await ann.ask("start")
        for path in ("games/2", "games/2?open=1", "games/2/record", "games/3", "games/0"):
            reply = await get(live, f"{ann.table}/{path}")
            assert reply.status == 404
            assert json.loads(reply.body) == {"error": "that game has not been played to its end at this table"}
        assert (await get(live, f"{ann.table}/games/1")).status == 200


async def test_the_record_is_a_file_to_keep(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await open_table(ann)
        await play(ann)
        reply = await get(live, f"{ann.table}/games/1/record")
        assert reply.headers["content-disposition"] == f'attachment; filename="croupier-{ann.table}-1.json"'
        kept = json.loads(reply.body)
        assert kept["about"] == (await get_json(live, f"{ann.table}/games/1"))["about"]
        assert kept["log"][0]["entry"]["entry"] == "started"
        assert all(line["entry"]["move"] for line in kept["log"] if line["entry"]["entry"] == "moved")
        assert ann.token not in reply.body.decode()


async def test_who_can_unpack_gets_it_packed(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await open_table(ann)
        await play(ann)
        path = f"{ann.table}/games/1?open=1"
        packed = await get(live, path, **{"Accept-Encoding": "gzip, br"})
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == (await get(live, path)).body


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("0123/games/1", 404, "there is no such table"),
        ("{table}/games/1?seat=9", 404, "there was no such seat in that game"),
        ("{table}/games/1?seat=-1", 404, "there was no such seat in that game"),
        ("{table}/games/1?seat=9&language=fr", 404, "il n'y avait pas cette place dans la partie"),
        ("{table}/games/1?seat=ann", 400, "seat"),
        ("{table}/games/1?sitz=1", 400, "sitz"),
        ("{table}/games/one", 404, "Not Found"),
    ],
)
async def test_bad_requests_are_told_why(live: LiveHere, path: str, status: int, error: str) -> None:
    async with client(live.ws("/ws")) as ann:
        await open_table(ann)
        await play(ann)
        reply = await get(live, path.format(table=ann.table))
        assert reply.status == status
        assert error in json.loads(reply.body)["error"]
