"""Hearts, the game of the examples that has a page of its own, as a package: its wheel, and from its folder. Its rules
and the laws that it keeps are in its own tests."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from tests.example_pages import ROOT, build
from tests.installing import build as build_wheel


def test_its_wheel_brings_its_page_along(tmp_path: Path) -> None:
    build("hearts")
    built = build_wheel(ROOT / "examples" / "hearts", tmp_path)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = {name.partition("/")[2] for name in packed.namelist() if name.startswith("croupier_hearts/")}
        page = packed.read("croupier_hearts/page/page.js").decode()
    assert {"page/page.js", "emblem.svg", "rules.md", "rules.fr.md", "fr.json", "rules.py"} <= names
    assert "import(" not in page and "from'./" not in page, "it is one file"


def test_in_a_terminal_from_its_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "croupier.cli", "play", "hearts", "--game", "croupier_hearts:game", "--pace", "0"]
    folder = ROOT / "examples" / "hearts"
    played = subprocess.run(command, cwd=folder, input="q\n", capture_output=True, text=True, timeout=60)
    assert played.returncode == 0, played.stderr
    assert "passing to the left" in played.stdout
