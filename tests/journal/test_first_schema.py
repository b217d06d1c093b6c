"""A journal that the first Croupier wrote is read, brought up to date and gone on with by today's."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from croupier.journal.schema import MIGRATIONS
from tests.client import client
from tests.live import server
from tests.test_cli import run

FIRST = Path(__file__).parent / "first_schema.sql"
TABLE = "3580814b45238f72a825ebaf1af5b30"
ANN, BEN = "59bde4652e9ba056486b48b4587a7298", "961b88c3684af3b8bbd271d2ab39ff65"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as journal:
        journal.executescript(FIRST.read_text())
    return tmp_path


def version(data: Path) -> int:
    with closing(sqlite3.connect(data / "journal.sqlite")) as journal:
        return int(journal.execute("PRAGMA user_version").fetchone()[0])


async def test_a_journal_of_the_first_schema_is_brought_up_to_date_and_played_on(data: Path) -> None:
    assert version(data) == 1
    async with server(data) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        assert version(data) == len(MIGRATIONS)
        await ben.ask("return", table=TABLE, token=BEN)
        sync = (await ann.ask("return", table=TABLE, token=ANN))["sync"]
        assert [player["name"] for player in sync["table"]["players"]] == ["Ann", "Ben"]
        assert sync["view"]["coins"] == [5, 5]
        assert [card["card"] for card in sync["view"]["cards"][0]] == ["captain", "duke"]
        await ann.ask("play", move={"move": "propose", "action": "income"})
        assert (await ann.ask("see"))["sync"]["view"]["coins"] == [6, 5]
    assert run("check", "--data", str(data)).stdout == "2 tables replayed, no faults\n"


def test_a_journal_of_the_first_schema_can_be_checked_and_copied_as_it_is(data: Path, tmp_path: Path) -> None:
    """Before anybody has started today's server on it."""
    assert run("check", "--data", str(data)).stdout == "2 tables replayed, no faults\n"
    assert run("backup", str(tmp_path / "copy.sqlite"), "--data", str(data)).returncode == 0
    assert version(data) == 1
