"""Somebody else writes to a table's log: what came between is read, and the same request is decided again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.journal.reading import read_log
from croupier.tables import entries
from croupier.tables.entries import AnyEntry
from tests.client import Client, Refusal, client
from tests.live import LiveHere, server


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


class Elsewhere:
    """Another server with the same journal."""

    def __init__(self, file: Path, table: str) -> None:
        self._file = file
        self._table = table

    def write(self, *found: AnyEntry) -> None:
        """What it has decided at the table, between two entries of anybody else."""
        with closing(sqlite3.connect(self._file, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            last = connection.execute("SELECT MAX(seq), MAX(at) FROM entries WHERE table_id = ?", (self._table,))
            seq, at = last.fetchone()
            for number, entry in enumerate(found, seq + 1):
                values = (self._table, number, at, entries.encode(entry))
                connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", values)
            connection.execute("COMMIT")

    def log(self) -> list[AnyEntry]:
        return [entries.decode(record.entry) for record in read_log(self._file, self._table)]


async def opened(live: LiveHere, host: Client, tmp_path: Path, **fields: Any) -> Elsewhere:
    await host.ask("open", **{"game": "palace", "player": "Ann", "seats": 4} | fields)
    return Elsewhere(tmp_path / "journal.sqlite", host.table)


async def test_who_was_second_sits_beside_whoever_was_first(live: LiveHere, tmp_path: Path) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        elsewhere = await opened(live, ann, tmp_path)
        elsewhere.write(entries.Joined(1, "Cleo", token="c" * 64))
        joined = await ben.ask("join", table=ann.table, player="Ben")
        assert joined["sync"]["seat"] == 2
        assert [player["name"] for player in joined["sync"]["table"]["players"]] == ["Ann", "Cleo", "Ben"]
        await ann.entry("joined")
    names = [entry.name for entry in elsewhere.log() if isinstance(entry, entries.Joined)]
    assert names == ["Ann", "Cleo", "Ben"]


async def test_what_cannot_be_done_any_more_is_answered_as_the_rules_do(live: LiveHere, tmp_path: Path) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        elsewhere = await opened(live, ann, tmp_path, seats=2)
        elsewhere.write(entries.Joined(1, "Cleo", token="c" * 64))
        with pytest.raises(Refusal) as refusal:
            await ben.ask("join", table=ann.table, player="Ben")
        assert refusal.value.code == "full"


async def test_several_requests_under_way_are_all_decided_again_and_in_their_order(
    live: LiveHere, tmp_path: Path
) -> None:
    async with client(live.ws("/ws")) as ann:
        elsewhere = await opened(live, ann, tmp_path)
        elsewhere.write(entries.Joined(1, "Cleo", token="c" * 64))
        for request in (
            {"type": "configure", "id": 101, "options": {"turn_timer": 20}},
            {"type": "add_bots", "id": 102},
            {"type": "configure", "id": 103, "options": {"turn_timer": 30}},
        ):
            await ann.socket.send(json.dumps(request))
        for number in (101, 102, 103):
            await ann.reply(number)
        room = live.house.rooms[ann.table]
        assert room.table.options.turn_timer == 30
        assert [seat.name for seat in room.table.seats.values()][:2] == ["Ann", "Cleo"]
        assert len(room.table.seats) == 3
        assert not room.stale
    kinds = [type(entry).__name__ for entry in elsewhere.log()]
    assert kinds[:6] == ["Opened", "Joined", "Joined", "Configured", "Joined", "Configured"]


async def test_a_move_is_made_once_however_often_somebody_else_is_first(live: LiveHere, tmp_path: Path) -> None:
    async with client(live.ws("/ws")) as ann:
        elsewhere = await opened(live, ann, tmp_path, game="palace", seats=2)
        await ann.ask("add_bots")
        await ann.ask("start")
        sync = (await ann.ask("see"))["sync"]
        while not sync["moves"]:
            sync = (await ann.ask("see"))["sync"]
        for _ in range(3):
            elsewhere.write(entries.Silenced(None, True), entries.Silenced(None, False))
            await ann.ask("play", move=sync["moves"][0], key="once")
        log = elsewhere.log()
    assert sum(isinstance(entry, entries.Moved) and entry.key == "once" for entry in log) == 1


async def test_what_follows_something_lost_is_lost_too(live: LiveHere, tmp_path: Path) -> None:
    """Even where somebody else's entry has the number of the one that it follows."""
    async with client(live.ws("/ws")) as ann:
        elsewhere = await opened(live, ann, tmp_path)
        elsewhere.write(entries.Configured({"turn_timer": 10}))
        room = live.house.rooms[ann.table]
        first, second = room.record([entries.HandedOver(0)]), room.record([entries.Silenced(None, True)])
        assert first is not second
        await ann.ask("configure", options={"turn_timer": 20})
        assert not room.table.bench.silent
    assert [type(entry).__name__ for entry in elsewhere.log()] == ["Opened", "Joined", "Configured", "Configured"]
