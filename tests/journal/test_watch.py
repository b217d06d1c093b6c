"""Whoever removes, replaces or cuts off the journal's file under a running server takes nobody's acknowledged move."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from croupier.journal.upkeep import back_up
from tests.client import Client, Refusal, client
from tests.live import LiveProcess, process
from tests.test_cli import run

Harm = Callable[[Path], object]


def part(journal: Path, name: str) -> Path:
    return journal.with_name(journal.name + name)


def remove_all(journal: Path) -> None:
    for file in journal.parent.glob("journal.sqlite*"):
        file.unlink()


def move_all(here: Path, there: Path) -> None:
    for file in here.glob("journal.sqlite*"):
        file.rename(there / file.name)


def replace(journal: Path) -> None:
    back_up(journal, journal.with_name("copy"))
    journal.with_name("copy").rename(journal)


def overwrite(journal: Path) -> None:
    back_up(journal, journal.with_name("copy"))
    shutil.copyfile(journal.with_name("copy"), journal)


def truncate(journal: Path) -> None:
    os.truncate(journal, 0)


def empty(journal: Path) -> None:
    journal.unlink()
    journal.touch()


def cut_off_the_log(journal: Path) -> None:
    os.truncate(part(journal, "-wal"), 0)


def cut_off_half_the_log(journal: Path) -> None:
    log = part(journal, "-wal")
    os.truncate(log, log.stat().st_size // 2)


async def ready(live: LiveProcess) -> tuple[int, str]:
    def ask() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(live.http + "/readyz", timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    return await asyncio.to_thread(ask)


async def until_ready(live: LiveProcess, status: int) -> str:
    while True:
        found, said = await ready(live)
        if found == status:
            return said
        await asyncio.sleep(0.05)


async def opened(ann: Client, game: str = "palace") -> None:
    await ann.ask("open", game=game, player="Ann", seats=4)


async def refused(ann: Client) -> None:
    """Whatever is to be written is refused, again and again."""
    for _ in range(3):
        with pytest.raises(Refusal) as caught:
            await ann.ask("add_bots")
        assert caught.value.code == "unavailable"


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (remove_all, "is gone"),
        (Path.unlink, "is gone"),
        (replace, "is another file than the one that was opened"),
        (empty, "is another file than the one that was opened"),
        (overwrite, "has been cut off or overwritten"),
        (truncate, "has been cut off or overwritten"),
        (cut_off_the_log, "-wal, which holds what was written last, has been cut off"),
        (cut_off_half_the_log, "-wal, which holds what was written last, has been cut off"),
    ],
)
async def test_nothing_is_acknowledged_that_is_not_in_the_journal(tmp_path: Path, harm: Harm, sentence: str) -> None:
    journal, log = tmp_path / "journal.sqlite", tmp_path / "log"
    async with process(tmp_path, log=log) as live, client(live.ws("/ws")) as ann:
        await opened(ann)
        assert await ready(live) == (200, "ready\n")
        harm(journal)
        await refused(ann)
        status, said = await ready(live)
        assert (status, sentence in said) == (503, True), said
        async with client(live.ws("/ws")) as ben:
            with pytest.raises(Refusal) as caught:
                await opened(ben)
            assert caught.value.code == "unavailable"
        assert await live.terminate() == 0
    told = [
        line
        for line in log.read_text().splitlines()
        if "moves are refused; " in line and "[error" in line and "table=" not in line
    ]
    assert len(told) == 1
    assert sentence in told[0]


async def test_it_is_noticed_also_while_nobody_plays(tmp_path: Path) -> None:
    async with process(tmp_path) as live:
        (tmp_path / "journal.sqlite").unlink()
        assert "is gone" in await until_ready(live, 503)


async def test_a_journal_that_is_put_back_is_gone_on_with(tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    async with process(tmp_path) as live, client(live.ws("/ws")) as ann:
        await opened(ann)
        move_all(tmp_path, aside)
        await refused(ann)
        move_all(aside, tmp_path)
        assert await until_ready(live, 200) == "ready\n"
        await ann.hear(lambda message: message["type"] == "resync")
        await ann.ask("add_bots")
        assert len((await ann.ask("see"))["sync"]["table"]["players"]) == 2
    assert run("check", "--data", str(tmp_path)).stdout == "1 table replayed, no faults\n"


@pytest.mark.parametrize("names", [["-wal"], ["-shm"], ["-wal", "-shm"]])
async def test_a_log_without_its_name_is_saved(tmp_path: Path, names: list[str]) -> None:
    """SQLite still has it open: what was acknowledged goes where it belongs, and the next move is written."""
    journal = tmp_path / "journal.sqlite"
    async with process(tmp_path) as live, client(live.ws("/ws")) as ann:
        await opened(ann)
        for bots in (1, 2):
            for name in names:
                part(journal, name).unlink()
            await ann.ask("add_bots")
            assert len((await ann.ask("see"))["sync"]["table"]["players"]) == 1 + bots
        assert await ready(live) == (200, "ready\n")
        await live.kill()
    assert run("check", "--data", str(tmp_path)).stdout == "1 table replayed, no faults\n"
    assert "2 of 4" not in run("table", "show", ann.table, "--data", str(tmp_path)).stdout
    assert "3 of 4" in run("table", "show", ann.table, "--data", str(tmp_path)).stdout


async def test_a_log_that_somebody_else_has_emptied_in_good_faith_is_no_harm(tmp_path: Path) -> None:
    async with process(tmp_path) as live, client(live.ws("/ws")) as ann:
        await opened(ann)
        with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert part(tmp_path / "journal.sqlite", "-wal").stat().st_size == 0
        await ann.ask("add_bots")
        assert await ready(live) == (200, "ready\n")


async def test_after_a_cut_what_is_left_of_the_journal_makes_sense(tmp_path: Path) -> None:
    """Nobody has copied the half of a log: a restart reads what is whole of it."""
    async with process(tmp_path) as live, client(live.ws("/ws")) as ann:
        await opened(ann)
        for _ in range(20):
            await ann.ask("configure", options={"turn_timer": 50})
        cut_off_half_the_log(tmp_path / "journal.sqlite")
        await refused(ann)
        await live.terminate()
    assert run("check", "--data", str(tmp_path)).returncode == 0
    async with process(tmp_path) as live, client(live.ws("/ws")) as ben:
        await opened(ben)


async def test_a_lock_that_was_removed_still_keeps_others_out(tmp_path: Path) -> None:
    async with process(tmp_path):
        (tmp_path / "journal.lock").unlink()
        second = run("serve", "--port", "0", "--data", str(tmp_path))
        assert second.returncode == 2
        assert second.stderr == f"croupier: the journal {tmp_path}/journal.sqlite is in use by another server\n"
