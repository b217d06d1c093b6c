"""The web client's types are those of the server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_generated_types_are_up_to_date(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "scripts/generate_types.py", str(tmp_path)], cwd=ROOT, check=True)
    folders = (ROOT / "web" / "src" / "protocol", ROOT / "web" / "client" / "src" / "protocol")
    committed = {file.name: file.read_text() for folder in folders for file in folder.iterdir()}
    fresh = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert set(committed) == set(fresh)
    stale = [name for name, text in fresh.items() if committed[name] != text]
    assert not stale, f"a struct has changed: run scripts/generate_types.py and commit {stale}"


def test_both_packages_have_the_same() -> None:
    client, table = (ROOT / "web" / package / "src" / "protocol" / "native.ts" for package in ("client", "table"))
    assert client.read_text() == table.read_text()
