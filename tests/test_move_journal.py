"""A journal in PostgreSQL on the command line, and the way of a journal there and back."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from croupier.journal import JournalDown, postgres_schema
from croupier.journal.places import open_store
from croupier.journal.postgres import PostgresJournal
from croupier.journal.reading import list_tables, read_rows
from croupier.journal.stores import RELATIONS
from services.postgres import Postgres
from tests.services import database, shared
from tests.test_cli import run

RECORDED = sorted((Path(__file__).parent / "corpus" / "journals").glob("*.sqlite"))


@pytest.fixture(params=RECORDED, ids=lambda path: path.stem)
def recorded(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """As the server of that time has written it."""
    return Path(shutil.copy(request.param, tmp_path / "journal.sqlite"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return Path(shutil.copy(RECORDED[-1], tmp_path / "journal.sqlite"))


@pytest.fixture
def url() -> str:
    return database()


def said(*arguments: str) -> str:
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*arguments: str) -> str:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("croupier: ") and done.stderr.count("\n") == 1
    return done.stderr[len("croupier: ") : -1]


def everything(journal: Path) -> dict[str, list[object]]:
    return {relation: list(read_rows(journal, relation, columns)) for relation, columns in RELATIONS.items()}


def count(url: str, relation: str) -> str:
    return Postgres(shared("postgres")).run(f"SELECT count(*) FROM {relation}", url.rpartition("/")[2])


def test_there_and_back_a_journal_is_the_same_byte_for_byte(recorded: Path, url: str, tmp_path: Path) -> None:
    assert said("move-journal", str(recorded), url) == "5 logs copied and compared\n"
    assert said("move-journal", url, str(tmp_path / "back.sqlite")) == "5 logs copied and compared\n"
    found, expected = everything(tmp_path / "back.sqlite"), everything(recorded)
    assert found == expected
    assert [len(found[relation]) for relation in ("tables", "secret")] == [5, 1]
    assert len(found["entries"]) > 100
    assert {path.name for path in tmp_path.iterdir()} == {"journal.sqlite", "journal.lock", "back.sqlite"}


def test_what_is_said_of_a_journal_is_the_same_wherever_it_is(recorded: Path, url: str, tmp_path: Path) -> None:
    said("move-journal", str(recorded), url)
    here, there = ("--data", str(tmp_path)), ("--journal", url)
    assert said("check", *there) == said("check", *here) == "5 tables replayed, no faults\n"
    assert said("table", "list", *there) == said("table", "list", *here)
    for listing in list_tables(recorded, live=False):
        assert said("table", "show", listing.id[:12], *there) == said("table", "show", listing.id, *here)
    assert said("table", "show", listing.id, "--json", *there) == said("table", "show", listing.id, "--json", *here)


def test_a_backup_of_it_is_a_file_that_can_be_restored(file: Path, url: str, tmp_path: Path) -> None:
    said("move-journal", str(file), url)
    copy, data = tmp_path / "copy.sqlite", tmp_path / "restored"
    line = said("backup", str(copy), "--journal", url)
    assert line == said("backup", str(tmp_path / "other.sqlite"), "--data", str(tmp_path)).replace("other", "copy")
    said("restore", str(copy), "--data", str(data))
    assert everything(data / "journal.sqlite") == everything(file)
    assert refused("backup", str(copy), "--journal", url) == f"{copy} already exists"


async def test_open_tables_that_were_moved_go_on_and_are_looked_at_soon(file: Path, url: str) -> None:
    await asyncio.to_thread(said, "move-journal", str(file), url)
    journal = await PostgresJournal.open(url)
    open_ones = {listing.id for listing in list_tables(file, live=True)}
    assert set(await journal.due(1, 100)) == open_ones
    assert {id: piece.records[-1].seq for id in open_ones async for piece in journal.logs({id: 0})} == (
        await journal.positions(list(open_ones))
    )
    await journal.close()


def test_what_is_damaged_is_found_in_a_database_too(file: Path, url: str) -> None:
    said("move-journal", str(file), url)
    postgres, name = Postgres(shared("postgres")), url.rpartition("/")[2]
    (one, two, *_) = sorted(listing.id for listing in list_tables(file, live=False))
    postgres.run(f"UPDATE entries SET entry = 'x' WHERE table_id = '{one}' AND seq = 2", name)
    postgres.run(f"DELETE FROM tables WHERE id = '{two}'", name)
    done = run("check", "--journal", url)
    assert done.returncode == 1
    first, second, summary = done.stdout.splitlines()
    assert first == f"table {two}: it is not in the list of tables"
    assert second.startswith(f"table {one}: its log can't be re")
    assert summary == "5 tables replayed, 2 faults"
    postgres.run("UPDATE tables SET seq = seq - 1", name)
    assert "is damaged: the last entry of " in refused("move-journal", url, str(file.with_name("new")))
    assert not file.with_name("new").exists()


# Where it is refused, nothing is done.


def test_nothing_is_overwritten(file: Path, url: str, tmp_path: Path) -> None:
    shown = url.partition("://")[0] + "://" + url.rpartition("@")[2]
    said("move-journal", str(file), url)
    before = everything(file)
    assert refused("move-journal", str(file), url) == f"the journal {shown} is not empty"
    assert refused("move-journal", url, str(file)) == f"{file} already exists"
    assert everything(file) == before


def test_what_is_no_journal_is_not_moved(file: Path, url: str, tmp_path: Path) -> None:
    shown = url.partition("://")[0] + "://" + url.rpartition("@")[2]
    assert refused("move-journal", str(tmp_path / "none"), url) == f"there is no journal {tmp_path}/none"
    assert refused("move-journal", str(tmp_path), url) == f"there is no journal {tmp_path}"
    assert refused("move-journal", url, str(tmp_path / "new")) == f"there is no journal at {shown}"
    assert refused("check", "--journal", url) == f"there is no journal at {shown}"
    assert "is not a journal: a journal is a file, or" in refused("move-journal", str(file), "mysql://localhost/house")
    assert "is not a journal: a journal is a file, or" in refused("check", "--journal", "mysql://localhost/house")
    nowhere = refused("move-journal", str(file), "postgresql://nobody:secret@127.0.0.1:1/house")
    assert nowhere.startswith("the journal postgresql://127.0.0.1:1/house can't be written: ")
    (tmp_path / "notes").write_text("these are no tables")
    assert "is not a journal" in refused("move-journal", str(tmp_path / "notes"), url)
    assert not (tmp_path / "new").exists()


def test_who_has_not_what_it_takes_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(JournalDown, match=r"pip install 'croupier\[cluster\]'"):
        open_store("postgresql://localhost/house")


async def test_a_journal_in_use_is_not_moved(file: Path, url: str, tmp_path: Path) -> None:
    journal = await PostgresJournal.open(url)

    async def live() -> None:
        while True:
            await journal.attendance.beat("n1", b"", False)
            await asyncio.sleep(0.5)

    await journal.attendance.beat("n1", b"", False)
    node = asyncio.create_task(live())
    try:
        for source, target in ((str(file), url), (url, str(tmp_path / "new"))):
            said = await asyncio.to_thread(refused, "move-journal", source, target)
            assert said.endswith("is in use: stop its nodes first")
    finally:
        node.cancel()
        await asyncio.wait([node])
        await journal.close()


def test_half_a_journal_is_never_moved(file: Path, url: str, tmp_path: Path) -> None:
    """The last of its logs has an entry that is none."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE entries SET entry = 'text' WHERE table_id = (SELECT max(table_id) FROM entries)")
        connection.commit()
    assert "can't be written" in refused("move-journal", str(file), url)
    for relation in ("tables", "entries"):
        assert count(url, relation) == "0"
    assert int(Postgres(shared("postgres")).run("SELECT version FROM schema", url.rpartition("/")[2])) == len(
        postgres_schema.MIGRATIONS
    )
