"""What a move takes of the system: reads, writes and SQL statements, at a real server with sockets and a disk.

As in ``test_work.py``, and in the same file: no count may grow by more than a few percent.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from croupier.journal import connecting, sqlite
from tests import live
from tests.client import client
from tests.test_work import check

MOVES, SEATS = 60, 4
SEED = bytes(32).hex()


async def played(where: live.Live, count: Callable[[], int]) -> float:
    """What each move of a game of Palace adds to a count. One is made at a time, the next one when everybody has heard
    of the last: so no two share what could serve both."""
    async with AsyncExitStack() as stack:
        host, *others = players = [await stack.enter_async_context(client(where.ws("/ws"))) for _ in range(SEATS)]
        await host.ask("open", game="palace", player="P0", seats=SEATS)
        for number, other in enumerate(others, start=1):
            await other.ask("join", table=host.table, player=f"P{number}")
        await host.ask("start")
        told = [await player.entry("started") for player in players]
        before = count()
        for _ in range(MOVES):
            mover, moves = next((players[n], fact["moves"]) for n, fact in enumerate(told) if fact.get("moves"))
            await mover.ask("play", move=moves[0])
            told = [await player.entry("moved") for player in players]
        return (count() - before) / MOVES


async def test_a_move_takes_no_more_reads_and_writes_than_it_did(tmp_path: Path) -> None:
    async with live.process(tmp_path, "--test-mode", "--test-seed", SEED) as server:

        def calls() -> int:
            lines = Path(f"/proc/{server.pid}/io").read_text().splitlines()
            counts = dict(line.split(": ") for line in lines)
            return int(counts["syscr"]) + int(counts["syscw"])

        check("palace: reads and writes of the system", {"calls of the system": await played(server, calls)})


async def test_a_move_takes_no_more_statements_than_it_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statements: list[str] = []

    def traced(*how: Any) -> sqlite3.Connection:
        connection = connecting.connect(*how)
        connection.set_trace_callback(statements.append)
        return connection

    monkeypatch.setattr(sqlite, "connect", traced)
    async with live.server(tmp_path, test_seed=SEED) as server:
        check("palace: the journal", {"statements": await played(server, lambda: len(statements))})
