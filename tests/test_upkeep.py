"""Backup, restore and check of a journal: on the command line, beside a running server."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.client import client, play_out
from tests.live import process
from tests.test_cli import run


async def played(data: Path, *flags: str) -> str:
    """A finished game of Palace, and another table that waits. Returns the first one's id."""
    async with process(data, "--bot-delay", "0", *flags) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=3)
        await ann.ask("add_bots", count=2)
        await ann.ask("start")
        await play_out(ann)
        async with client(live.ws("/ws")) as ben:
            await ben.ask("open", game="coup", player="Ben")
        backed_up = run("backup", str(data / "copy.sqlite"), "--data", str(data))
        assert (backed_up.returncode, backed_up.stderr) == (0, "")
        assert "2 tables, 2 of them open" in backed_up.stdout
        assert run("check", "--data", str(data)).stdout == "2 tables replayed, no faults\n"
        return ann.table


async def test_backup_restore_and_check(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "data" / "copy.sqlite"
    table = await played(data)
    assert run("check", "--data", str(data)).stdout == "2 tables replayed, no faults\n"
    other = tmp_path / "other"
    assert run("restore", str(copy), "--data", str(other)).stdout == f"{other} now contains what was in {copy}\n"
    assert run("check", "--data", str(other)).stdout == "2 tables replayed, no faults\n"
    again = run("restore", str(copy), "--data", str(other))
    (aside,) = other.glob("journal-until-*.sqlite")
    assert again.stdout == f"{other} now contains what was in {copy}; its previous contents are in {aside}\n"
    async with process(other) as live, client(live.ws("/ws")) as ann:
        assert (await ann.ask("watch", table=table))["sync"]["table"]["games"] == 1


async def test_nobody_else_may_write_a_journal_in_use(tmp_path: Path) -> None:
    async with process(tmp_path, "--port", "0"):
        assert run("backup", str(tmp_path / "copy"), "--data", str(tmp_path)).returncode == 0
        sentence = f"croupier: the journal {tmp_path}/journal.sqlite is in use by another server\n"
        assert run("restore", str(tmp_path / "copy"), "--data", str(tmp_path)).stderr == sentence
        second = run("serve", "--port", "0", "--data", str(tmp_path))
        assert (second.returncode, second.stderr) == (2, sentence)


def change(journal: Path, statement: str) -> None:
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("UPDATE checks SET hash = 'x'", "after entry"),
        ("DELETE FROM entries WHERE table_id = '{}' AND seq > 5", "which was written"),
        ("DELETE FROM entries WHERE table_id = '{}' AND seq = 3", "entry 3 is missing"),
        ("UPDATE entries SET entry = 'x' WHERE table_id = '{}' AND seq = 2", "can't be read"),
        ("UPDATE tables SET game = 'chess' WHERE id = '{}'", "a log of 'palace', and listed as one of 'chess'"),
        ("DELETE FROM entries WHERE table_id = '{}'", "its log is empty"),
    ],
)
async def test_check_finds(finished: tuple[Path, str], tmp_path: Path, statement: str, complaint: str) -> None:
    data, table = finished
    shutil.copytree(data, tmp_path / "data")
    change(tmp_path / "data" / "journal.sqlite", statement.format(table))
    done = run("check", "--data", str(tmp_path / "data"))
    fault, summary = done.stdout.splitlines()
    assert fault.startswith(f"table {table}: ") and complaint in fault
    assert (done.returncode, summary) == (1, "2 tables replayed, 1 fault")


async def test_a_damaged_file_is_noticed(finished: tuple[Path, str], tmp_path: Path) -> None:
    data, _ = finished
    (tmp_path / "journal.sqlite").write_bytes((data / "journal.sqlite").read_bytes()[:-5000])
    done = run("check", "--data", str(tmp_path))
    assert done.returncode == 1
    assert "damaged" in done.stdout or "no journal" in done.stdout
    refused = run("restore", str(tmp_path / "journal.sqlite"), "--data", str(tmp_path / "new"))
    assert refused.returncode == 2
    assert not (tmp_path / "new" / "journal.sqlite").exists()


def test_a_backup_overwrites_nothing(finished: tuple[Path, str], tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("!")
    done = run("backup", str(tmp_path / "precious"), "--data", str(finished[0]))
    assert (done.returncode, done.stderr) == (2, f"croupier: {tmp_path}/precious already exists\n")
    assert (tmp_path / "precious").read_text() == "!"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    data = tmp_path_factory.mktemp("finished")
    return data, asyncio.run(played(data))
