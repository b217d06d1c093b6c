"""The web client's types are those of the server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_generated_types_are_up_to_date(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "scripts/generate_types.py", str(tmp_path)], cwd=ROOT, check=True)
    committed = ROOT / "web" / "src" / "protocol"
    fresh = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert {file.name for file in committed.iterdir()} == set(fresh)
    stale = [name for name, text in fresh.items() if (committed / name).read_text() != text]
    assert not stale, "a struct has changed: run scripts/generate_types.py and commit web/src/protocol"
