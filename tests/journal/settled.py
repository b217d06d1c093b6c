"""Appends that tell a test what became of them."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from croupier.journal import Append, Journal, Record


class Awaited(Append):
    """An append that can be waited for."""

    def __init__(self, table: str, records: list[Record], opens: str | None, closes: bool) -> None:
        super().__init__(table, records, opens, closes)
        self.outcome: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

    def settled(self, error: Exception | None) -> None:
        self.outcome.set_result(error)


class Settled(Awaited):
    """Some entries or other, whose order is remembered."""

    order: ClassVar[list[Append]] = []

    def __init__(self, table: str, seqs: range, opens: str | None = None, closes: bool = False) -> None:
        super().__init__(table, [Record(seq, 1000 + seq, b"{%d}" % seq) for seq in seqs], opens, closes)

    def settled(self, error: Exception | None) -> None:
        Settled.order.append(self)
        super().settled(error)


async def read(journal: Journal, table: str) -> list[Record]:
    return [record async for piece in journal.logs({table: 0}) for record in piece.records]
