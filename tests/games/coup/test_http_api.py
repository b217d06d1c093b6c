"""Making and finding tables of Coup by plain HTTP, in both versions of its protocol."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from croupier.games.coup.dialect import http_api
from tests.client import client
from tests.games.coup.wire import Hall, hall
from tests.live import Reply, request


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


def told(reply: Reply) -> Any:
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["access-control-allow-origin"] == "*"
    return json.loads(reply.body)


@pytest.mark.parametrize(("path", "ruleset"), [("/v1/game", "note"), ("/v2/game", "official"), ("/game", "official")])
@pytest.mark.parametrize("body", [b"", b"{}", b" \n"])
async def test_c83_d1_a_new_table(here: Hall, path: str, ruleset: str, body: bytes) -> None:
    reply = await here.ask("POST", path, body)
    assert reply.status == 200
    found = told(reply)
    assert re.fullmatch("[0-9a-z]{5}", found["gameCode"])
    assert found.get("ruleset") == ("note" if path == "/v1/game" else None)
    (room,) = here.house.rooms.values()
    options = room.table.options
    assert (options.ruleset, options.auto_kick_ms) == (ruleset, 0 if path == "/v1/game" else 300_000)
    assert (room.table.capacity, room.table.code) == (6, found["gameCode"])


async def test_options(here: Hall) -> None:
    given = {
        "ruleset": "official",
        "maxPlayers": 3,
        "confirmPolicy": "all",
        "minWaitMs": 0,
        "responseTimeoutMs": 1000,
        "choiceTimeoutMs": 600000,
        "turnTimeoutMs": 0,
        "autoKickMs": 10000,
        "requireToken": True,
        "sounds": False,
    }
    for version in (1, 2):
        table = await here.table(version, **given)
        room = here.house.registry.by_code["coup", table.code]
        options = room.table.options
        found = {name: getattr(options, field) for name, field in http_api.OPTIONS.items()}
        assert found | {"maxPlayers": room.table.capacity} == given


BAD: list[Any] = [
        b"{", b"[]", b"null", b"7", b'"x"', b"\xff", b"[" * 4000,
        {"nonsense": 1}, {"min_wait_ms": 5}, {"ruleset": "x"}, {"ruleset": None}, {"maxPlayers": 1}, {"maxPlayers": 7},
        {"maxPlayers": "3"}, {"maxPlayers": True}, {"maxPlayers": 3.5}, {"confirmPolicy": "any"}, {"minWaitMs": -1},
        {"minWaitMs": 60001}, {"minWaitMs": "5"}, {"minWaitMs": True}, {"responseTimeoutMs": 999},
        {"responseTimeoutMs": 600001}, {"choiceTimeoutMs": 1}, {"turnTimeoutMs": 999}, {"autoKickMs": 9999},
        {"autoKickMs": 3600001}, {"requireToken": 1}, {"sounds": "yes"},
        {"minWaitMs": 6000, "responseTimeoutMs": 5000},
]  # fmt: skip


@pytest.mark.parametrize("path", ["/v1/game", "/v2/game"])
async def test_bad_options(here: Hall, path: str) -> None:
    for body in BAD:
        reply = await here.ask("POST", path, body)
        assert reply.status == 400, body
        assert list(told(reply)) == ["error"]
    assert not here.house.rooms


async def test_complaints_spell_options_as_they_were_sent(here: Hall) -> None:
    for body in ({"minWaitMs": -1}, {"autoKickMs": 9999}, {"minWaitMs": 6000, "responseTimeoutMs": 5000}):
        error = told(await here.ask("POST", "/v1/game", body))["error"]
        assert all(name in error for name in body)
        assert "_" not in error


async def test_too_long(here: Hall) -> None:
    assert (await here.ask("POST", "/v1/game", b" " * 4096)).status == 200
    for size in (4097, 300_000):
        reply = await here.ask("POST", "/v1/game", b" " * size)
        assert reply.status == 413
        assert list(told(reply)) == ["error"]


async def test_too_many(here: Hall) -> None:
    with patch.object(http_api, "MOST_TABLES", 2):
        for _ in range(2):
            await here.table()
        for path in ("/v1/game", "/v2/game"):
            reply = await here.ask("POST", path)
            assert (reply.status, told(reply)) == (503, {"error": "too many games"})


async def test_lists(here: Hall) -> None:
    assert told(await here.ask("GET", "/v1/games")) == {"games": []}
    waiting = await here.lobby(2)
    await here.lobby(2, maxPlayers=2)  # full
    await here.playing(2)
    empty = await here.table(2, maxPlayers=3)
    assert told(await here.ask("GET", "/v1/games")) == {
        "games": [
            {"gameCode": waiting.code, "phase": "PRE_GAME", "players": 2, "maxPlayers": 6, "ruleset": "note"},
            {"gameCode": empty.code, "phase": "PRE_GAME", "players": 0, "maxPlayers": 3, "ruleset": "official"},
        ]
    }
    for path in ("/v2/games", "/games", "/games?x=1"):
        assert told(await here.ask("GET", path)) == {"games": [waiting.code, empty.code]}
    async with client(here.live.ws("/ws")) as native:  # its table has a code too, but not one with a password
        await native.ask("open", game="coup", player="Hanna")
        await (other := native).ask("open", game="coup", player="Hanna", password="plum")
        listed = {table["code"]: table["locked"] for table in (await other.ask("list"))["tables"]}
    found = set(told(await here.ask("GET", "/v2/games"))["games"])
    assert found <= {code for code, locked in listed.items() if not locked}


async def test_unknown_paths(here: Hall) -> None:
    for path in ("/nowhere", "/v1/nowhere", "/v3/game", "/v1/game/x", "/favicon.ico"):
        for method in ("GET", "POST", "OPTIONS"):
            assert (await here.ask(method, path)).status == 404


async def test_wrong_methods(here: Hall) -> None:
    for method, path in (
        ("GET", "/v1/game"), ("PUT", "/v2/game"), ("DELETE", "/game"), ("POST", "/v1/games"), ("PATCH", "/games"),
    ):  # fmt: skip
        reply = await here.ask(method, path)
        assert reply.status == 405
        assert list(told(reply)) == ["error"]
        assert reply.headers["allow"].split(", ")[0] in ("GET", "POST")
    assert not here.house.rooms


async def test_c83_preflight(here: Hall) -> None:
    for path in ("/v1/game", "/v2/game", "/v2/games", "/game", "/games"):
        reply = await here.ask("OPTIONS", path)
        assert reply.status == 200
        assert reply.headers["access-control-allow-origin"] == "*"
        assert reply.headers["access-control-allow-methods"] == "GET,HEAD,PUT,PATCH,POST,DELETE"
        assert reply.headers["access-control-allow-headers"] == "*"


async def test_where_only_websockets_are_served(here: Hall) -> None:
    for path in ("/", "/v1", "/v2/ws", "/ws?username=ann"):
        assert (await here.ask("GET", path)).status == 426


async def test_on_the_shared_port(here: Hall) -> None:
    port = here.live.ports["http"]
    for path, status in (("/coup/v1/game", 200), ("/coup/v2/game", 200), ("/coup/game", 200), ("/coup/x", 404)):
        assert (await request(port, "POST", path)).status == status
    assert len(told(await request(port, "GET", "/coup/v2/games"))["games"]) == 3
    assert (await request(port, "GET", "/coup")).status == 426
    assert (await request(port, "POST", "/v1/game")).status in (404, 405)  # that is not Coup's own port
