"""Plain HTTP: the API, health, metrics and the page."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from croupier.net.http import lan_address
from tests.client import client
from tests.live import LiveHere, server


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


async def get(url: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    def fetch() -> tuple[int, str]:
        try:
            request = urllib.request.Request(url, method=method, headers=headers)
            with urllib.request.urlopen(request, timeout=20) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    return await asyncio.to_thread(fetch)


async def get_json(url: str, **headers: str) -> Any:
    status, body = await get(url, **headers)
    assert status == 200
    return json.loads(body)


async def test_health_and_readiness(live: LiveHere) -> None:
    assert await get(live.http + "/healthz") == (200, "ok\n")
    assert await get(live.http + "/readyz") == (200, "ready\n")
    live.house.ready = False
    assert (await get(live.http + "/readyz"))[0] == 503


async def test_games(live: LiveHere) -> None:
    games = await get_json(live.http + "/api/games")
    assert ("palace", 2, 255) in [(game["name"], game["fewest"], game["most"]) for game in games]


async def test_tables_and_one_table(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", password="plum")
        tables = await get_json(live.http + "/api/tables")
        assert [(table["id"], table["locked"]) for table in tables] == [(ann.table, True)]
        assert await get_json(live.http + "/api/tables?game=chess") == []
        one = await get_json(live.http + f"/api/tables/{ann.table}")
        assert one["table"] == tables[0]
        assert (one["seq"], one["hash"], one["result"]) == (2, "", None)
        assert "plum" not in json.dumps(one)
        assert ann.token not in json.dumps(one)
        await ann.ask("add_bots")
        await ann.ask("start")
        assert len((await get_json(live.http + f"/api/tables/{ann.table}"))["hash"]) == 64
        await ann.ask("leave")
        await asyncio.sleep(0)
    status, body = await get(live.http + "/api/tables/0123")
    assert (status, json.loads(body)) == (404, {"error": "there is no such table"})


async def test_where_friends_on_the_network_find_the_server(tmp_path: Path) -> None:
    assert lan_address("127.0.0.1") is lan_address("localhost") is None
    assert (lan_address("192.0.2.7"), lan_address("2001:db8::7")) == ("192.0.2.7", "[2001:db8::7]")
    async with server(tmp_path, host="0.0.0.0") as live:
        reach = lan_address("0.0.0.0")
        told = reach and f"http://{reach}:{live.ports['http']}"
        assert await get_json(live.http + "/api/network") == {"address": told}
        # Who has come from elsewhere is not told about the server's own network.
        for host in ("cards.example", "192.0.2.7:80", "[", ""):
            assert await get_json(live.http + "/api/network", Host=host) == {"address": None}


async def test_metrics(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        _, text = await get(live.http + "/metrics")
    assert 'croupier_tables{game="palace",phase="waiting"} 1.0' in text
    assert "croupier_connections 1.0" in text
    assert "croupier_entries_total 2.0" in text


async def test_unknown_paths_and_methods(live: LiveHere) -> None:
    assert (await get(live.http + "/api/nothing"))[0] == 404
    assert (await get(live.http + "/api/tables", "POST"))[0] == 405
    assert (await get(live.http + "/../../etc/passwd"))[0] == 404


async def test_garbage_instead_of_http_disturbs_nobody(live: LiveHere) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", live.ports["http"])
    writer.write(b"\x16\x03\x01\x00\xa5 garbage\r\n\r\n")
    assert b"400" in await reader.read(200)
    writer.close()
    assert (await get(live.http + "/healthz"))[0] == 200
