"""What was told of a closed table is ready when somebody asks; and no log is ever in memory as a whole."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.games import catalogue
from croupier.journal import Append, Record
from croupier.journal.sqlite import SqliteJournal
from croupier.net import worker
from croupier.tables import entries, error_log
from croupier.tables.logbook import fold
from croupier.tables.public import public_record
from croupier.tables.table import Table
from tests.client import client, play_out
from tests.live import LiveHere, request, server

CHAT = entries.encode(entries.Said(0, "Ann", "x" * 5000))
LINES = 4_000


def kept(data: Path, table: str) -> bytes | None:
    with closing(sqlite3.connect(data / "journal.sqlite")) as connection:
        row = connection.execute("SELECT record FROM public WHERE table_id = ?", (table,)).fetchone()
        return None if row is None else bytes(row[0])


def forget(data: Path, table: str) -> None:
    """As if a Croupier had written the journal that kept no such records."""
    with closing(sqlite3.connect(data / "journal.sqlite")) as connection:
        connection.execute("DELETE FROM public WHERE table_id = ?", (table,))
        connection.commit()


async def get(live: LiveHere, table: str) -> Any:
    reply = await request(live.ports["http"], "GET", f"/api/tables/{table}")
    assert reply.status == 200, reply.body
    return reply.body


async def closed(live: LiveHere) -> str:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as eve:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        await eve.ask("watch", table=ann.table)
        await ann.ask("start")
        await play_out(ann)
        await ann.ask("leave")
        return ann.table


async def test_a_closed_tables_record_is_sent_as_it_was_written_down(tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        table = await closed(live)
        body = await get(live, table)
        assert body == kept(tmp_path, table)
        found = json.loads(body)
        assert (found["table"]["phase"], found["table"]["games"], len(found["hash"])) == ("closed", 1, 64)
        records = [record async for piece in live.house.journal.logs({table: 0}) for record in piece.records]
        again = Table(table, live.house.games["palace"])
        fold(again, records)
        assert public_record(again) == body, "it is what the log says"
    async with server(tmp_path) as live:
        assert await get(live, table) == body


async def test_one_that_was_closed_before_such_records_were_kept_is_worked_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        table = await closed(live)
        body = await get(live, table)
    forget(tmp_path, table)
    async with server(tmp_path) as live:
        assert set(await asyncio.gather(*(get(live, table) for _ in range(10)))) == {body}
        while kept(tmp_path, table) is None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        assert kept(tmp_path, table) == body
        monkeypatch.setattr(worker.Job, "__init__", None)  # nothing is worked out any more
        assert await get(live, table) == body


async def fill(data: Path, tables: int, closes: bool) -> list[str]:
    """Tables with a long chat in their logs, as they were once written."""
    journal = SqliteJournal(data / "journal.sqlite", "OFF")
    game, ids = catalogue().games["palace"], [f"{number:032x}" for number in range(tables)]
    for id in ids:
        table, records = Table(id, game), list[Record]()
        found: list[entries.AnyEntry] = [
            entries.Opened("palace", "Long talks", 2, {}),
            entries.Joined(0, "Ann", token="t" + id),
        ]
        for entry in found:
            table.apply(entry, 1_700_000_000_000)
            records.append(Record(table.seq, table.at, entries.encode(entry)))
        records += [Record(table.seq + line, table.at, CHAT) for line in range(1, LINES)]
        end = [Record(records[-1].seq + 1, table.at, entries.encode(entries.Closed("idle")))] if closes else []
        journal.append(Append(id, [*records, *end], "palace", closes))
    await journal.close()
    return ids


async def test_a_long_log_is_never_in_memory_as_a_whole(tmp_path: Path) -> None:
    """A start with tables of 20 MB each, and then each of them read again."""
    ids = await fill(tmp_path, 2, closes=False)
    tracemalloc.start()
    try:
        async with server(tmp_path) as live:
            assert list(live.house.rooms) == ids
            for room in live.house.rooms.values():
                room.mark_stale()
            while any(room.stale for room in live.house.rooms.values()):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
            _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10_000_000


async def test_asking_for_closed_tables_with_long_logs_costs_no_memory(tmp_path: Path) -> None:
    (id,) = await fill(tmp_path, 1, closes=True)
    tracemalloc.start()
    try:
        async with server(tmp_path) as live:
            bodies = await asyncio.gather(*(get(live, id) for _ in range(24)))
            _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(set(bodies)) == 1
    assert json.loads(bodies[0])["seq"] == LINES + 2
    assert most < 10_000_000


async def test_a_table_that_can_not_be_read_is_said_to_be_so(tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        table = await closed(live)
    forget(tmp_path, table)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as connection:
        connection.execute("DELETE FROM entries WHERE table_id = ? AND seq = 3", (table,))
        connection.commit()
    error_log.seen.clear()
    async with server(tmp_path) as live:
        for path in (table, f"{table}/games/1"):
            reply = await request(live.ports["http"], "GET", f"/api/tables/{path}")
            assert reply.status == 503
            assert json.loads(reply.body) == {"error": "the table can't be read any more; it is kept as it is"}
    assert not error_log.seen.total()
