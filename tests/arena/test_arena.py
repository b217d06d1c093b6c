"""``croupier arena``: real processes, from the flags to the tables and files at the end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "examples" / "bots"
HEARTS = f"{ROOT}{os.pathsep}{ROOT / 'examples' / 'hearts'}"
HERE = "tests.arena.bots"


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "croupier.cli", "arena", *map(str, arguments)]


def arena(*arguments: str | Path, folder: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), cwd=folder, capture_output=True, text=True, timeout=120, env={**os.environ, **env}
    )


def played(file: Path) -> list[dict[str, Any]]:
    """The games of a file of results, without how long they took."""
    games = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    for game in games:
        game.pop("seconds", None)
    return games


@pytest.mark.parametrize(
    ("game", "bot", "seats"),
    [
        ("palace", "low-and-steady", 2),
        ("palace", "random", 4),
        ("cambia", "elephant", 3),
        ("coup", "believer", 4),
        ("faraway", "look-ahead", 2),
        ("fortress", "warden", 2),
    ],
)
def test_a_bot_is_exactly_as_good_as_itself(game: str, bot: str, seats: int, tmp_path: Path) -> None:
    """From every side of a deal it plays the same game."""
    file = tmp_path / "results"
    done = arena(game, bot, bot, "--games", str(6 * seats), "--seats", str(seats), "--results", file)
    assert done.returncode == 0, done.stderr
    games = played(file)
    assert len(games) == 6 * seats
    for deal in range(6):
        shares = [one["won"] for one in games if one["deal"] == deal]
        assert len(shares) == seats
        assert sum(shares) == pytest.approx(1)
    assert f"{100 / seats:.1f} %" in done.stdout
    assert f"{bot} (2)" in done.stdout


@pytest.mark.parametrize("flags", [["--sprt", "0.5,0.9"], ["--games", "30"]])
def test_killed_and_started_again_it_comes_out_as_if_nothing_had_happened(flags: list[str], tmp_path: Path) -> None:
    match = ["cambia", "elephant", "magpie", "random", "--games", "60", "--seed", "7", *flags]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    through = arena(*match, "--results", whole)
    running = subprocess.Popen(command(*match, "--results", parts), cwd=ROOT, stdout=subprocess.DEVNULL)
    while not parts.exists() or len(parts.read_bytes().splitlines()) < 6:
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait()
    lines = parts.read_bytes().splitlines(keepends=True)
    parts.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])  # and the disk had not taken all of it
    again = arena(*match, "--results", parts, "--processes", "1")
    assert again.returncode == through.returncode == 0, again.stderr
    assert played(parts) == played(whole)
    assert again.stdout.split("ms a move")[0] == through.stdout.split("ms a move")[0]


def test_a_search_with_a_seed_and_a_number_of_nodes_is_the_same_each_time(tmp_path: Path) -> None:
    match = ["palace", f"{HERE}:Looks", "random", "--games", "6", "--nodes", "2"]
    for name, seed, processes in (("one", "1", "1"), ("two", "1", "3"), ("other", "2", "1")):
        done = arena(*match, "--seed", seed, "--results", tmp_path / name, "--processes", processes)
        assert done.returncode == 0, done.stderr
        assert "failed" not in done.stdout
    assert played(tmp_path / "one") == played(tmp_path / "two") != played(tmp_path / "other")


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("Raises", "KeyError: 'no idea' (bots.py, line 16)"),
        ("Dies", "it ended the process with exit code 3"),
        ("Sleeps", "it took more than 1 s for an answer"),
        ("Cheats", "it chose a move that it was not offered: all your cards"),
    ],
)
def test_a_bot_that_fails_has_lost_by_name(bot: str, sentence: str) -> None:
    done = arena("palace", f"{HERE}:{bot}", "low-and-steady", "--games", "4", "--patience", "1")
    assert done.returncode == 0
    assert f"{HERE}:{bot} failed in 4 of 4 games, and lost them: {sentence}." in done.stdout
    assert f"{HERE}:{bot} against low-and-steady      4          0.0 %" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_bots_of_all_kinds_play_each_other(tmp_path: Path) -> None:
    program = f"node {BOTS / 'anything.js'}"
    picture = tmp_path / "plot.svg"
    bots = ["believer", str(BOTS / "cautious.py"), program]
    flags: list[str | Path] = ["--seats", "3", "--option", "ruleset=official", "--interject", "--plot", picture]
    done = arena("coup", *bots, "--games", "6", *flags)
    assert (done.returncode, done.stderr) == (0, "")
    assert "failed" not in done.stdout
    labels = [text.text for text in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")]
    for first in bots:
        for second in bots:
            assert (f"{first} against 2 {second}" in labels) == (first != second)


def test_games_from_elsewhere_and_forms(tmp_path: Path) -> None:
    done = arena("hearts", "careful", "random", "--games", "4", "--game", "croupier_hearts:game", PYTHONPATH=HEARTS)
    assert done.returncode == 0, done.stderr
    assert "Hearts for 4: 1 deals, each played from all 4 sides" in done.stdout
    assert "careful against 3 random" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess", "a", "b"], "there is no game 'chess'; known: cambia, coup, faraway, fortress, palace"),
        (["palace", "random"], "a tournament takes two bots at least"),
        (
            ["palace", "random", "x"],
            "Palace has no bot 'x'; known: low-and-steady, chancellor, by-number, spendthrift, random",
        ),
        (["palace", "random", "no.such:Bot"], "there is no module 'no', neither installed nor in this folder"),
        (["palace", "random", "./nothing x"], "'./nothing x' can't be started: there is no program './nothing'"),
        (
            ["fortress", "random", "random", "--seats", "3"],
            "Fortress is for 2 players with these options, and not for 3",
        ),
        (["palace", "random", "random", "--option", "x"], "option: 'x' is not of the form NAME=VALUE"),
        (["palace", "random", "random", "--option", "x=1"], "option: palace has no option 'x'; known: turn_timer"),
        (
            ["palace", "random", "random", "--sprt", "0.5"],
            "--sprt: '0.5' is not of the form LOW,HIGH, such as 0.5,0.55",
        ),
        (
            ["palace", "random", "random", "--sprt", "0.6,0.5"],
            "--sprt: expected two shares from 0 to 1, the lower one first, not '0.6,0.5'",
        ),
        (["palace", "random", "random", "--plot", "nowhere/x.svg"], "nowhere/x.svg can't be written"),
        (
            ["palace", "random", "random", "--ray", "127.0.0.1:1"],
            "--ray: there is no Ray at 127.0.0.1:1: Connection refused",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    done = arena(*arguments, folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"croupier: {sentence}\n")


def test_results_of_another_tournament_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "results"
    match: list[str | Path] = ["palace", "low-and-steady", "random", "--games", "2", "--results", file]
    assert arena(*match).returncode == 0
    before = file.read_bytes()
    done = arena(*match, "--seed", "2")
    assert (done.returncode, file.read_bytes()) == (2, before)
    assert done.stderr == f"croupier: {file} is of another tournament: there, seed is 1, and not 2\n"


def test_on_ray_it_comes_out_the_same(tmp_path: Path) -> None:
    """A real one, of two workers."""
    match = ["palace", "low-and-steady", f"{HERE}:Dies", "random", "--games", "4"]
    here, there = tmp_path / "here", tmp_path / "there"
    for file, flags in ((here, []), (there, ["--ray", "local", "--processes", "2"])):
        done = arena(*match, "--results", file, *flags)
        assert done.returncode == 0, done.stderr
    assert played(there) == played(here)
