from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import asyncpg
import pytest

from croupier.journal import Journal
from croupier.journal.postgres import PostgresJournal
from croupier.journal.sqlite import SqliteJournal
from tests.journal.settled import Settled
from tests.services import database


class Journals:
    """Journals of one kind in one place: each that is opened sees what the others have written."""

    def __init__(self, where: Path | str) -> None:
        Settled.order = []
        self._where = where
        self._opened: list[Journal] = []

    async def open(self, news: Callable[[str | None], None] | None = None) -> Journal:
        if isinstance(self._where, Path):
            journal: Journal = SqliteJournal(self._where, news=news)
        else:
            journal = await PostgresJournal.open(self._where, news=news)
        self._opened.append(journal)
        return journal

    async def run(self, statement: str) -> None:
        """As somebody else would, behind the journal's back."""
        if isinstance(self._where, Path):
            with closing(sqlite3.connect(self._where)) as connection:
                connection.execute(statement)
                connection.commit()
        else:
            other = await asyncpg.connect(self._where)
            await other.execute(statement)
            await other.close()

    async def close(self) -> None:
        for journal in self._opened:
            await journal.close()


@pytest.fixture(params=["sqlite", "postgres"])
async def journals(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Journals]:
    journals = Journals(tmp_path / "journal.sqlite" if request.param == "sqlite" else database())
    yield journals
    await journals.close()


@pytest.fixture
async def any_journal(journals: Journals) -> Journal:
    return await journals.open()


@pytest.fixture
def url() -> str:
    return database()


@pytest.fixture
async def shared(url: str) -> AsyncIterator[PostgresJournal]:
    journal = await PostgresJournal.open(url)
    yield journal
    await journal.close()


@pytest.fixture
async def other(url: str, shared: PostgresJournal) -> AsyncIterator[PostgresJournal]:
    """Another node's."""
    journal = await PostgresJournal.open(url)
    yield journal
    await journal.close()
