"""``croupier new``: what it makes is a package that can be installed, passes its own tests and is played."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from croupier.cli import main
from tests.client import client, play_out
from tests.installing import ROOT, environment
from tests.live import process


def new(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "croupier.cli", "new", *arguments], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    new("hearts", "--into", folder)
    return folder / "croupier-hearts"


@pytest.fixture(scope="module")
def python(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of an environment with both wheels, and nothing else."""
    return environment(tmp_path_factory.mktemp("installed"), ROOT, made)


def test_its_own_tests_pass_as_it_is_installed(made: Path, python: Path, tmp_path: Path) -> None:
    shutil.copytree(made / "tests", tmp_path / "tests")
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio", "tests"]
    env = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}  # for pytest
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout


async def test_it_is_found_and_played_where_it_is_installed(python: Path, tmp_path: Path) -> None:
    command = [str(python.with_name("croupier")), "games"]
    listed = await asyncio.to_thread(subprocess.check_output, command, cwd=tmp_path, text=True)
    assert "from croupier-hearts 0.1.0\n" in listed
    ours = f"import croupier; assert croupier.__file__.startswith({str(python.parents[1])!r}), croupier.__file__"
    async with (
        process(tmp_path, "--bot-delay", "0", python=python, sabotage=ours) as live,
        client(live.ws("/ws?language=fr")) as ann,
    ):
        (hearts,) = [game for game in ann.welcome["games"] if game["name"] == "hearts"]
        assert hearts["title"] == "Hearts"
        assert hearts["about"].startswith("La plus haute carte")
        assert hearts["rules"] == "/api/games/hearts/rules?language=fr"
        await ann.ask("open", game="hearts", player="Ann")
        await ann.ask("add_bots", count=3)
        await ann.ask("start")
        result = (await play_out(ann))["result"]
        assert sum(result["scores"]) == 5


def test_the_wheel_can_make_another(made: Path, python: Path, tmp_path: Path) -> None:
    subprocess.run([python.with_name("croupier"), "new", "hearts", "--into", tmp_path], check=True)
    again = tmp_path / "croupier-hearts"
    ours = {path.relative_to(made): path for path in made.rglob("*.*") if "_cache" not in str(path)}
    theirs = {path.relative_to(again): path.read_text() for path in again.rglob("*.*")}
    assert theirs
    assert {name: path.read_text() for name, path in ours.items() if name in theirs} == theirs


@pytest.mark.parametrize("command", ["ruff check --select E,F,I,B,UP,SIM --line-length 120 .", "mypy --strict ."])
def test_what_is_made_passes_the_linters(made: Path, command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command.split()], cwd=made, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_name_is_filled_in_everywhere(tmp_path: Path) -> None:
    new("crazy-nines", "--into", tmp_path)
    (folder,) = tmp_path.iterdir()
    assert folder.name == "croupier-crazy-nines"
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert not [path for path in files if "sample" in f"{path.relative_to(folder)} {path.read_text()}".lower()]
    rules = (folder / "croupier_crazy_nines" / "rules.py").read_text()
    assert "class CrazyNinesGame(Game[" in rules
    assert 'name = "crazy-nines"' in rules
    assert 'title = "Crazy Nines"' in rules


@pytest.mark.parametrize("name", ["crazy-nines", "game", "state", "play", "class"])
def test_whatever_it_is_called_it_can_be_played(name: str, tmp_path: Path) -> None:
    new(name, "--into", tmp_path)
    command = [sys.executable, "-m", "croupier.cli", "play", name, "--game", f"croupier_{name.replace('-', '_')}"]
    played = subprocess.check_output(command, cwd=tmp_path / f"croupier-{name}", input="1\n" * 5, text=True)
    assert "── The end ──" in played


@pytest.mark.parametrize("name", ["Hearts", "2hearts", "hearts!", "he arts", "../hearts", "", "-hearts", "a--b"])
def test_a_bad_name_is_one_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = fails(monkeypatch, capsys, "--into", str(tmp_path), "--", name)
    rules = "use lowercase letters, digits and dashes, as in 'crazy-eights'"
    assert said == f"croupier: {name!r} is not a valid game name: {rules}\n"
    assert not list(tmp_path.iterdir())


def test_nor_does_it_take_a_name_of_ours_or_the_place_of_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = fails(monkeypatch, capsys, "palace", "--into", str(tmp_path))
    assert said == "croupier: there is a game 'palace' already: it is built in\n"
    (tmp_path / "croupier-hearts").mkdir()
    said = fails(monkeypatch, capsys, "hearts", "--into", str(tmp_path))
    assert said == f"croupier: {tmp_path}/croupier-hearts already exists\n"
    (tmp_path / "file").touch()
    said = fails(monkeypatch, capsys, "hearts", "--into", str(tmp_path / "file"))
    assert said == f"croupier: {tmp_path}/file/croupier-hearts can't be written: Not a directory\n"


def fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    monkeypatch.setattr(sys, "argv", ["croupier", "new", *arguments])
    with pytest.raises(SystemExit) as done:
        main()
    assert done.value.code == 2
    return capsys.readouterr().err
