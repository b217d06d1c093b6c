"""Appends that tell a test what became of them."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from croupier.journal import Append, Journal, Record


class Settled(Append):
    """An append that remembers what became of it, and in which order."""

    order: ClassVar[list[Append]] = []

    def __init__(self, table: str, seqs: range, opens: str | None = None, closes: bool = False) -> None:
        super().__init__(table, [Record(seq, 1000 + seq, b"{%d}" % seq) for seq in seqs], opens, closes)
        self.outcome: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

    def settled(self, error: Exception | None) -> None:
        Settled.order.append(self)
        self.outcome.set_result(error)


async def read(journal: Journal, table: str) -> list[Record]:
    return [record async for piece in journal.logs({table: 0}) for record in piece.records]
