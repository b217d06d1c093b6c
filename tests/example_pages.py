"""The pages of the examples, which are not in the repository."""

from __future__ import annotations

import fcntl
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def build(example: str) -> Path:
    """``page.js`` of an example, as its sources and the library say; made by one worker, while the others wait."""
    folder = ROOT / "examples" / example
    page = folder / f"croupier_{example}" / "page" / "page.js"
    sources = [ROOT / "web" / "dist" / "index.html", *(file for file in (folder / "web").iterdir() if file.is_file())]
    sources += (folder / "web" / "words").iterdir()
    with (ROOT / "examples" / example / "pyproject.toml").open() as locked:
        fcntl.flock(locked, fcntl.LOCK_EX)
        if not page.exists() or page.stat().st_mtime < max(file.stat().st_mtime for file in sources):
            subprocess.run([ROOT / "scripts" / "build-example", f"examples/{example}"], cwd=ROOT, check=True)
    return page
