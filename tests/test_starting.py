"""What somebody reads who starts the server: the lines that matter, and no others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from croupier.commands.serving import announce
from croupier.config import load
from croupier.games import catalogue
from tests.toys import Bids

ROOT = Path(__file__).parents[1]


def test_what_the_server_says_when_it_is_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = catalogue()
    games = known._replace(
        games={**known.games, "bids": Bids()},
        sources={"bids": "croupier-bids 1.2"},
        left_out=["the games of the package x 1 are left out: it is not a game"],
    )
    ports = {"http": 8080, "fortress": 3789, "fortress-lan": 3980}
    with capture_logs() as logs:
        announce(load({"host": "192.0.2.7", "data": str(tmp_path)}), games, ports)
    assert [line["event"] for line in logs] == games.left_out
    assert (
        capsys.readouterr().out
        == f"""\
Croupier 0.1.0 is open:
  on this machine http://localhost:8080/
  on phones       http://192.0.2.7:8080/ and on other machines in your network
  data            {tmp_path}
  other ports     3789 fortress, 3980 fortress-lan
                  for programs made for these games; the page doesn't need them, and --no-game-ports turns them off
  also here       Bids, croupier-bids 1.2
Ctrl-C stops it; games continue the next time.
"""
    )


def test_only_what_there_is_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "postgresql://ann:plum@host/house"
    announce(load({"host": "127.0.0.1", "journal": secret}), catalogue(), {"http": 8080})
    said = capsys.readouterr().out
    assert [line[:17].strip() for line in said.splitlines()[1:-1]] == ["on this machine", "journal"]
    assert "plum" not in said


def quietly(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    script = f". {ROOT}/scripts/apt.sh; quietly work {command}"
    return subprocess.run(["bash", "-euc", script], cwd=folder, capture_output=True, text=True)


def test_what_installing_says_is_read_only_where_it_fails(tmp_path: Path) -> None:
    done = quietly("sh -c 'echo much; echo more >&2'", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / ".cache" / "work.log").read_text() == "much\nmore\n"
    done = quietly("sh -c 'echo much; exit 3'", tmp_path)
    assert done.returncode == 3
    assert done.stdout.startswith("much\n")
    assert "what it said is above, and in .cache/work.log" in done.stdout
