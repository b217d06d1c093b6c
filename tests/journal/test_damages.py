"""A damaged journal: every command answers it with a sentence, ``check`` finds it, ``serve`` lives with what it can."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier import cli
from croupier.journal import JournalDown
from croupier.tables import error_log
from tests.chaos.test_faults import my_turn
from tests.client import Refusal, client
from tests.live import process, server
from tests.test_cli import run


class Base(NamedTuple):
    """A sound journal with three tables: two in the middle of a game, one closed."""

    data: Path
    hurt: str
    hurt_token: str
    healthy: str
    healthy_token: str


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    data = tmp_path_factory.mktemp("base")

    async def fill() -> Base:
        found: list[str] = []
        async with server(data, bot_delay=0) as live:
            for _ in range(2):
                async with client(live.ws("/ws")) as ann:
                    await ann.ask("open", game="palace", player="Ann", seats=2)
                    await ann.ask("add_bots")
                    await ann.ask("start")
                    await ann.ask("play", move=(await my_turn(ann))[0])
                    await my_turn(ann)
                    found += (ann.table, ann.token)
            async with client(live.ws("/ws")) as ann:
                await ann.ask("open", game="coup", player="Ann")
                await ann.ask("leave")
        return Base(data, *found)

    return asyncio.run(fill())


AT = "UPDATE entries SET at = {} WHERE table_id = '$' AND seq = 3"
ENTRY = "UPDATE entries SET entry = {} WHERE table_id = '$' AND seq = 3"
FIRST = "UPDATE entries SET entry = {} WHERE table_id = '$' AND seq = 1"


def entry(text: str) -> str:
    return ENTRY.format(f"CAST('{text}' AS BLOB)")


ONE_TABLE = {
    "a gap": "DELETE FROM entries WHERE table_id = '$' AND seq = 3",
    "no beginning": "DELETE FROM entries WHERE table_id = '$' AND seq = 1",
    "no log": "DELETE FROM entries WHERE table_id = '$'",
    "the latest time there is": AT.format(2**63 - 1),
    "the latest time there is, at the end": AT.replace("seq = 3", "seq = 5").format(2**63 - 1),
    "the first time of all": AT.format(-(2**63)),
    "a time in the year 2109": AT.format(2**42),
    "a negative time": AT.format(-1),
    "a time in words": AT.format("'soon'"),
    "half a millisecond": AT.format(1.5),
    "bytes for a time": AT.format("x'00'"),
    "a number in words": "UPDATE entries SET seq = 'x' WHERE table_id = '$' AND seq = 5",
    "a negative number": "UPDATE entries SET seq = -5 WHERE table_id = '$' AND seq = 1",
    "no JSON": ENTRY.format("'x'"),
    "no text": ENTRY.format("CAST(x'ff' AS TEXT)"),
    "a number for an entry": ENTRY.format(5),
    "no bytes": ENTRY.format("x''"),
    "depths": ENTRY.format("CAST('" + "[" * 5000 + "' AS BLOB)"),
    "an unknown entry": entry('{"entry":"danced"}'),
    "a list": entry("[]"),
    "nobody's seat": entry('{"entry":"left","seat":99}'),
    "a game of people who are not there": entry('{"entry":"started","order":[7,9],"seed":"AAAA"}'),
    "a move that can't be": entry('{"entry":"moved","seat":0,"move":{"move":"play","cards":["A♠"]}}'),
    "opened twice": ENTRY.format("(SELECT entry FROM entries WHERE table_id = '$' AND seq = 1)"),
    "closed and gone on": entry('{"entry":"closed","why":"idle"}'),
    "opened as another game": FIRST.format("CAST(replace(entry, '\"palace\"', '\"coup\"') AS BLOB)"),
    "opened as an unknown game": FIRST.format("CAST(replace(entry, '\"palace\"', '\"chess\"') AS BLOB)"),
    "listed as another game": "UPDATE tables SET game = 'coup' WHERE id = '$'",
    "listed as an unknown game": "UPDATE tables SET game = 'chess' WHERE id = '$'",
    "listed as bytes": "UPDATE tables SET game = x'00ff' WHERE id = '$'",
    "listed by bytes": "UPDATE tables SET id = x'00ff' WHERE id = '$'",
    "listed with a time in words": "UPDATE tables SET opened_at = 'soon' WHERE id = '$'",
    "listed with the latest time": f"UPDATE tables SET opened_at = {2**63 - 1} WHERE id = '$'",
    "listed as closed in words": "UPDATE tables SET closed_at = 'soon' WHERE id = '$'",
    "listed as closed": "UPDATE tables SET closed_at = opened_at WHERE id = '$'",
    "not listed": "DELETE FROM tables WHERE id = '$'",
}  # fmt: skip
"""What one table's log can suffer: the others don't."""

WHOLE = {
    "no secret": "DELETE FROM secret",
    "another secret": "INSERT INTO secret VALUES (randomblob(32))",
    "a secret in words": "UPDATE secret SET value = 'x'",
    "a short secret": "UPDATE secret SET value = x'00'",
    "no table of secrets": "DROP TABLE secret",
    "no table of entries": "DROP TABLE entries",
    "no table of tables": "DROP TABLE tables",
    "no table of hashes": "DROP TABLE checks",
    "no table of records": "DROP TABLE public",
    "another column": "ALTER TABLE entries RENAME COLUMN at TO time",
    "no version": "PRAGMA user_version = 0",
    "a negative version": "PRAGMA user_version = -1",
    "a later version": "PRAGMA user_version = 99",
}
"""What nobody can live with."""


def garbage(journal: Path) -> None:
    journal.write_bytes(b"this is not a database, and long enough to tell" * 100)


def half(journal: Path) -> None:
    journal.write_bytes(journal.read_bytes()[: journal.stat().st_size // 3])


def no_beginning(journal: Path) -> None:
    journal.write_bytes(b"\0" * 4096 + journal.read_bytes()[4096:])


def a_head_that_lies(journal: Path) -> None:
    whole = journal.read_bytes()
    journal.write_bytes(whole[:28] + b"\xff\xff\xff\xf0" + whole[32:])


def somebody_elses(journal: Path) -> None:
    journal.unlink()
    change(journal, "CREATE TABLE friends (name TEXT)")


def a_folder(journal: Path) -> None:
    journal.unlink()
    journal.mkdir()


FILES = [garbage, half, no_beginning, a_head_that_lies, somebody_elses, a_folder]


def change(journal: Path, statement: str) -> None:
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute(statement)
        connection.commit()


Damage = str | Callable[[Path], None]


@pytest.fixture
def damaged(base: Base, tmp_path: Path) -> Callable[[Damage], Path]:
    def harm(damage: Damage) -> Path:
        data = tmp_path / "data"
        shutil.copytree(base.data, data)
        if isinstance(damage, str):
            change(data / "journal.sqlite", damage.replace("$", base.hurt))
        else:
            damage(data / "journal.sqlite")
        return data

    return harm


class Answered(NamedTuple):
    code: int
    said: str
    complained: str


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Answered]:
    def ask(*arguments: str) -> Answered:
        monkeypatch.setattr(sys, "argv", ["croupier", *arguments])
        with pytest.raises(SystemExit) as end:
            cli.main()
        return Answered(int(end.value.code or 0), *capsys.readouterr())

    return ask


def answers(command: Callable[..., Answered], data: Path, table: str) -> Iterator[Answered]:
    """Every command that reads a journal, but ``serve``."""
    folder = ("--data", str(data))
    yield command("check", *folder)
    yield command("table", "list", *folder)
    yield command("table", "show", table, *folder)
    yield command("table", "show", table, "--json", *folder)
    yield command("backup", str(data / "copy.sqlite"), *folder)
    yield command("restore", str(data / "journal.sqlite"), "--data", str(data / "other"))


def in_one_sentence(answers: Iterator[Answered]) -> None:
    for code, _, complained in answers:
        assert code in (0, 1, 2)
        if code == 2:
            assert complained.startswith("croupier: ")
            assert complained.count("\n") == 1
        else:
            assert complained == ""


def test_nothing_is_wrong_with_it_before(base: Base, command: Callable[..., Answered], tmp_path: Path) -> None:
    shutil.copytree(base.data, tmp_path / "data")
    found = list(answers(command, tmp_path / "data", base.hurt))
    assert [answer.code for answer in found] == [0] * 6
    assert found[0].said == "3 tables replayed, no faults\n"


@pytest.mark.parametrize("damage", ONE_TABLE)
async def test_one_damaged_table_is_found_and_left_alone(
    base: Base, damaged: Callable[[Damage], Path], command: Callable[..., Answered], damage: str
) -> None:
    data = damaged(ONE_TABLE[damage])
    checked = command("check", "--data", str(data))
    assert checked.code == 1
    assert f"table {base.hurt}: " in checked.said
    in_one_sentence(answers(command, data, base.hurt))
    error_log.seen.clear()
    async with server(data) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        assert list(live.house.rooms) == [base.healthy]
        with pytest.raises(Refusal) as refused:
            await ben.ask("return", table=base.hurt, token=base.hurt_token)
        assert refused.value.code in ("unavailable", "no_such_table")
        await ann.ask("return", table=base.healthy, token=base.healthy_token)
        await ann.ask("say", text="still here")
        await ben.ask("open", game="palace", player="Ben")
        assert abs(live.house.now() - (await ben.ask("see"))["sync"]["table"]["opened_at"]) < 60_000
        assert live.house.journal.fault is None
        assert not error_log.seen["journal"]
    assert command("check", "--data", str(data)).code == 1


async def test_a_closed_table_that_is_listed_as_open_stays_closed(
    base: Base, damaged: Callable[[Damage], Path], command: Callable[..., Answered]
) -> None:
    data = damaged("UPDATE tables SET closed_at = NULL")
    assert "it is closed, and listed as if it were not\n3 tables" in command("check", "--data", str(data)).said
    async with server(data) as live:
        assert list(live.house.rooms) == [base.hurt, base.healthy]
        assert len(live.house.registry.left_alone) == 1


@pytest.mark.parametrize("damage", [*WHOLE, *FILES])
async def test_a_journal_that_nobody_can_live_with_stops_the_start(
    base: Base, damaged: Callable[[Damage], Path], command: Callable[..., Answered], damage: Damage
) -> None:
    data = damaged(WHOLE[damage] if isinstance(damage, str) else damage)
    assert command("check", "--data", str(data)).code == 1
    in_one_sentence(answers(command, data, base.hurt))
    with pytest.raises(JournalDown):
        async with server(data):
            pass


@pytest.mark.parametrize("damage", ["no secret", "no table of entries", garbage, a_folder])
def test_and_it_says_why(damaged: Callable[[Damage], Path], damage: Damage) -> None:
    data = damaged(WHOLE[damage] if isinstance(damage, str) else damage)
    started = run("serve", "--port", "0", "--data", str(data))
    assert (started.returncode, started.stdout) == (2, "")
    assert started.stderr.startswith("croupier: the journal ")
    assert started.stderr.count("\n") == 1


@pytest.mark.parametrize("damage", ["the latest time there is, at the end", "a gap"])
async def test_a_server_of_its_own_serves_the_rest(
    base: Base, damaged: Callable[[Damage], Path], damage: str, tmp_path: Path
) -> None:
    async with process(damaged(ONE_TABLE[damage]), log=tmp_path / "log") as live, client(live.ws("/ws")) as ann:
        await ann.ask("return", table=base.healthy, token=base.healthy_token)
        await ann.ask("say", text="still here")
        assert await live.terminate() == 0
    told = (tmp_path / "log").read_text()
    assert told.count("is left alone") == 1
    assert "Unreadable: entry " in told


ABSURD = {
    "away for ever": entry(f'{{"entry":"absent","seat":0,"until":{2**62}}}'),
    "a grace without end": entry(f'{{"entry":"resumed","until":{2**62},"absent_until":{2**62}}}'),
}


@pytest.mark.parametrize("damage", ABSURD)
async def test_times_without_sense_inside_an_entry_stop_nobody(
    base: Base, damaged: Callable[[Damage], Path], command: Callable[..., Answered], damage: str
) -> None:
    data = damaged(ABSURD[damage])
    in_one_sentence(answers(command, data, base.hurt))
    error_log.seen.clear()
    async with server(data) as live, client(live.ws("/ws")) as ann:
        await ann.ask("return", table=base.healthy, token=base.healthy_token)
        await ann.ask("say", text="still here")
        assert not error_log.seen["journal"]
        assert json.loads(await live.house.record(base.healthy) or b"")["table"]["phase"] == "playing"
