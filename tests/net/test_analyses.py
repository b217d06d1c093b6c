"""The teacher over HTTP: in lines, in turn, and only as long as somebody waits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games import catalogue
from croupier.kernel import Budget
from croupier.net import analyses, thinking
from tests.client import PATIENCE, client
from tests.diary import Diary
from tests.live import LiveHere, request, server

PALACE = catalogue().games["palace"]


@pytest.fixture
async def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LiveHere]:
    monkeypatch.setattr(analyses, "budget", lambda pieces: Budget(nodes=20))
    monkeypatch.setattr(thinking, "ANALYSTS", 1)  # each takes a moment to start
    async with server(tmp_path, bot_delay=0) as running:
        yield running


async def finished(live: LiveHere) -> str:
    return await Diary(PALACE, 3, "0123456789abcdef", shown=False).play().put_into(live.house)


async def lines(live: LiveHere, path: str, **headers: str) -> list[Any]:
    reply = await request(live.ports["http"], "GET", f"/api/tables/{path}", b"", **headers)
    assert reply.status == 200, reply.body
    assert reply.headers["content-type"].startswith("application/x-ndjson")
    return [json.loads(line) for line in reply.body.splitlines()]


async def test_how_far_it_is_and_what_has_come_of_it(live: LiveHere) -> None:
    table = await finished(live)
    path = f"{table}/games/1/analysis?seat=1"
    (*progress, last), others = await asyncio.gather(lines(live, path), lines(live, path))
    assert others[-1] == last, "it is found out once for all who ask"
    steps = [line.get("done", 0) for line in progress]
    assert steps[0] == 0
    assert steps == sorted(steps)
    found = last["analysis"]
    assert found["seat"] == 1
    assert {line["of"] for line in progress} == {len(found["decisions"]) + 1}
    assert found["told"][0].startswith(f"Decisions of {found['name']}")
    # What has been found out is kept, and told in any language.
    (french,) = await lines(live, f"{path}&language=fr")
    assert french["analysis"]["told"][0].startswith("Décisions de ")
    assert [each["cost"] for each in french["analysis"]["decisions"]] == [each["cost"] for each in found["decisions"]]
    for query, status, said in (
        ("?seat=3", 404, "there was no such seat in that game"),
        ("?seat=-1", 404, "there was no such seat in that game"),
        ("", 400, "missing required field `seat`"),
        ("?seat=Ann", 400, "Expected `int`"),
        ("?seat=0&language=fr&x=1", 400, "unknown field `x`"),
    ):
        reply = await request(live.ports["http"], "GET", f"/api/tables/{table}/games/1/analysis{query}")
        assert (reply.status, said in json.loads(reply.body)["error"]) == (status, True), reply.body


async def test_a_game_that_is_being_played_is_not_analysed(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        await ann.ask("start")
        reply = await request(live.ports["http"], "GET", f"/api/tables/{ann.table}/games/1/analysis?seat=0")
        assert reply.status == 404


class Listening:
    """Somebody who has asked, and reads as it comes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def begin(cls, live: LiveHere, path: str) -> Listening:
        reader, writer = await asyncio.open_connection(live.host, live.ports["http"])
        writer.write(f"GET /api/tables/{path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        found = cls(reader, writer)
        await found.until(b'"of"')
        return found

    async def until(self, what: bytes) -> None:
        async with asyncio.timeout(PATIENCE):
            while what not in (read := await self.reader.readline()):
                assert read, "the connection is closed"


async def test_one_at_a_time_for_an_address_and_none_for_somebody_who_has_gone(
    live: LiveHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A study that would take for ever is in nobody's way once its only listener has hung up."""
    monkeypatch.setattr(analyses, "budget", lambda pieces: Budget(nodes=1 << 40))
    monkeypatch.setattr(analyses, "AT_ONCE", 2)
    table = await finished(live)
    somebody = await Listening.begin(live, f"{table}/games/1/analysis?seat=0")
    other = await request(live.ports["http"], "GET", f"/api/tables/{table}/games/1/analysis?seat=1")
    assert (other.status, other.headers["retry-after"]) == (503, "5")
    somebody.writer.close()
    monkeypatch.setattr(analyses, "budget", lambda pieces: Budget(nodes=20))
    async with asyncio.timeout(PATIENCE):
        while (await request(live.ports["http"], "GET", f"/api/tables/{table}/games/1/analysis?seat=1")).status == 503:  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # until the server has seen that they are gone
    found = await lines(live, f"{table}/games/1/analysis?seat=1")
    assert "analysis" in found[-1]
    # That was the second one. A third is too much just now; but what is known is free.
    third = await request(live.ports["http"], "GET", f"/api/tables/{table}/games/1/analysis?seat=2")
    assert (third.status, "too many" in json.loads(third.body)["error"]) == (503, True)
    assert await lines(live, f"{table}/games/1/analysis?seat=1") == found[-1:]


async def test_a_server_without_thinkers_analyses_nothing(tmp_path: Path) -> None:
    async with server(tmp_path, thinkers=0) as live:
        path = f"/api/tables/{await finished(live)}/games/1/analysis?seat=0&language=fr"
        reply = await request(live.ports["http"], "GET", path)
    assert (reply.status, json.loads(reply.body)["error"]) == (503, "ce serveur n'analyse pas les parties")
