"""What tests read at a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from croupier.client import Happening, Table, TooLate
from croupier.client.entries import Synced
from croupier.journal.reading import read_log
from croupier.tables import entries

PATIENCE = 60
"""Seconds after which a test fails that waits for something."""


async def until(table: Table, wanted: Callable[[Happening], bool]) -> Happening:
    """The next happening of this kind; those before it are passed over."""
    async with asyncio.timeout(PATIENCE):
        async for happening in table:
            if wanted(happening):
                return happening
    raise AssertionError(f"it did not happen, and the table is {table.gone}")


async def until_entry(table: Table, kind: type) -> Happening:
    return await until(table, lambda happening: isinstance(happening.entry, kind))


async def until_awaited(table: Table) -> None:
    """Nothing to read, and the game waits for a move."""
    if table.unread or not table.awaited:
        await until(table, lambda happening: not table.unread and table.awaited)


async def until_end(table: Table) -> list[Happening]:
    """All that is left to read."""
    async with asyncio.timeout(PATIENCE):
        return [happening async for happening in table]


async def play_out(table: Table, choose: Callable[[Table], Any] = lambda table: table.moves[0]) -> list[Happening]:
    """Move whenever it is awaited, until the game is over; returns all that was read."""
    read = []
    async with asyncio.timeout(PATIENCE):
        while True:
            if table.awaited:
                with suppress(TooLate):
                    await table.play(choose(table))
            read.append(await anext(table))
            if read[-1].result is not None:
                return read


async def become(condition: Callable[[], bool]) -> None:
    """Wait until it is so."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - nobody would say so
            await asyncio.sleep(0.01)


def in_order(read: list[Happening]) -> bool:
    """Whether each number follows the one before, but where the table was seen as a whole. What is not in the log has
    the number of what it came after."""
    seq = None
    for happening in read:
        if isinstance(happening.entry, Synced):
            seq = happening.seq
        elif seq is None or happening.seq not in (seq, seq + 1):
            return False
        seq = happening.seq
    return True


def moves_in_journal(folder: Path, table: str) -> list[tuple[str, Any]]:
    """All moves of people in the log of a table: who made each, and what it was."""
    names: dict[int, str] = {}
    joined: dict[int, str] = {}
    made = []
    for record in read_log(folder / "journal.sqlite", table):
        match entries.decode(record.entry):
            case entries.Joined(seat, name):
                joined[seat] = name
            case entries.Started(order):
                names = {seat: joined[before] for seat, before in enumerate(order)}
                joined = dict(names)
            case entries.Left(seat):
                joined.pop(seat, None)
            case entries.Moved(seat, move, bot=False):
                made.append((names[seat], move))
    return made
