"""``croupier check-game``, as somebody meets it who writes a game."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "croupier.cli", "check-game", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)


def test_a_game_of_ours_by_its_name() -> None:
    done = run("coup", "--games", "2", "--seats", "3")
    assert (done.returncode, done.stderr) == (0, "")
    first, *laws = done.stdout.splitlines()
    assert first.startswith("Coup keeps the laws: 2 games of 3 players, 2 sets of options.")
    names = ["secrecy", "liveness", "refusals", "replay", "words", "numbers"]
    assert [line.split(":")[0].strip() for line in laws] == names


@pytest.mark.parametrize("content", ["class Mine(Bids): pass", "class Mine(Bids): pass\ngame = Mine()"])
def test_a_game_from_a_folder(content: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        f"import sys; sys.path.append({str(ROOT)!r})\nfrom tests.toys import Bids\n{content}\n"
    )
    done = run("mine:Mine" if "game" not in content else "mine", "--games", "1", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Bids keeps the laws: 1 game of 2 players, 1 set of options." in done.stdout


def test_what_is_broken_is_said_and_can_be_played_again() -> None:
    done = run("tests.toys:LeakyView", "--games", "20", "--seed", "5")
    assert (done.returncode, done.stderr) == (1, "")
    what, when, remedy, again, command = done.stdout.splitlines()
    assert what.startswith("Bids: a spectator can tell the real state from an imagined one: view.has_bid[")
    assert when.startswith("  when:   after ")
    assert remedy.startswith("  to do:  `view` may show only what this seat may know.")
    assert again.startswith("  again:  laws.position(game, ")
    _, _, *arguments = command.removeprefix("  or:").split()
    assert run(*arguments).stdout == done.stdout


def test_what_the_docs_show_is_what_one_gets() -> None:
    page = (ROOT / "docs" / "write-your-own-game.md").read_text()
    done = run("tests.toys:LeakyView", "--games", "1", "--seed", "7")
    assert f"```text\n{done.stdout}```" in page


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "there is no game 'chess', and no module of that name in this folder; known: cambia, coup, "),
        (["no.such:Thing"], "no.such:Thing: there is no module 'no', neither installed nor in "),
        (["tests.toys:Nothing"], "tests.toys:Nothing: the module tests.toys has no 'Nothing'"),
        (["tests.toys:Options"], "tests.toys:Options: it is not a game: "),
        (
            ["croupier.kernel:Game"],
            "croupier.kernel:Game: Game is not a complete game: it has no awaited, ",
        ),
        (["palace", "--seats", "1"], "Palace is not for 1 player"),
        (["palace", "--games", "0"], "Invalid value for '--games': 0 is not in the range x>=1."),
        (["palace", "--seed", "x"], "Invalid value for '--seed': 'x' is not a valid integer range."),
        ([], "Missing argument 'GAME'."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_bad_argument(arguments: list[str], sentence: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"croupier: {sentence}")
    assert done.stderr.count("\n") == 1


def test_the_name_of_a_package_leads_to_its_module(tmp_path: Path) -> None:
    (tmp_path / "croupier_bids.py").write_text("")
    for name in ("bids", "croupier-bids"):
        done = run(name, folder=tmp_path)
        assert done.returncode == 2
        assert done.stderr.endswith("; did you mean croupier_bids?\n")


def test_a_game_for_two_or_four_is_not_called_one_for_three(tmp_path: Path) -> None:
    (tmp_path / "pairs.py").write_text(
        f"import sys; sys.path.append({str(ROOT)!r})\nfrom tests.toys import Bids\n"
        "class Pairs(Bids):\n    seats = range(2, 5, 2)\ngame = Pairs()\n"
    )
    done = run("pairs", "--games", "8", folder=tmp_path)
    assert "8 games of 2 or 4 players" in done.stdout, done.stdout + done.stderr


def test_whoever_looks_on_sees_how_far_it_is() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "croupier.cli", "check-game", "tests.toys:Bids", "--games", "3"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs) as running:
        os.close(theirs)
        assert running.stdout is not None
        assert running.stdout.read().startswith(b"Bids keeps the laws")
    shown = os.read(ours, 4096).decode()
    os.close(ours)
    assert [line.split(",")[0] for line in shown.split("\r")[1:4]] == [
        "1 games played",
        "2 games played",
        "3 games played",
    ]
    assert shown.endswith("\r\033[K")
