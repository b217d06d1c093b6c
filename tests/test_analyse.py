"""``croupier analyse``: a record in, and what a master makes of it out."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from croupier.games import catalogue
from croupier.tables.records import keep
from tests.diary import Diary
from tests.test_cli import run

QUICK = ("--nodes", "20", "--processes", "1")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    game = catalogue().games["palace"]
    file = tmp_path / "record.json"
    file.write_bytes(msgspec.json.encode(keep("t", game, Diary(game, 2, shown=False).play().log, 1)))
    return file


def test_the_same_seed_says_the_same(record: Path) -> None:
    first, second = (run("analyse", str(record), "--seat", "Ben", "--json", *QUICK) for _ in range(2))
    assert first.returncode == 0, first.stderr
    found = json.loads(first.stdout)
    assert found["name"] == "Ben"
    assert found["decisions"]
    assert json.loads(second.stdout) == found


def test_for_people(record: Path) -> None:
    done = run("analyse", "-", "--language", "fr", *QUICK, typed=record.read_text())
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Ann's table · Palace · ")
    assert "Décisions de " in done.stdout
    assert "Étape" in done.stdout


def test_what_is_wrong_is_said_in_a_sentence(record: Path, tmp_path: Path) -> None:
    done = run("analyse", str(record), "--seat", "Zoe", *QUICK)
    assert done.returncode == 2
    assert done.stderr.startswith("croupier: nobody in this game has the seat 'Zoe'; there were ")
    other = json.loads(record.read_text())
    other["log"] = other["log"][:1] + other["log"][4:]
    record.write_text(json.dumps(other))
    done = run("analyse", str(record), *QUICK)
    assert done.returncode == 2
    assert "croupier verify says what is wrong with it" in done.stderr
    record.write_text("{}")
    done = run("analyse", str(record), *QUICK)
    assert (done.returncode, "this is no record of a game" in done.stderr) == (2, True)
