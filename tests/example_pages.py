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


def build_component(folder: Path, component: str) -> str:
    """A page out of one component, as an author would write it."""
    build("hearts")  # whose packages it is built with
    files = {
        "package.json": '{"type": "module"}',
        "vite.config.js": "import { pageConfig } from '@croupier/table/vite'\nexport default pageConfig()",
        "page.ts": "import { definePage } from '@croupier/table'\n"
        "import Page from './Page.svelte'\nexport default definePage(Page)",
        "Page.svelte": component,
    }
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "node_modules").symlink_to(ROOT / "examples" / "hearts" / "web" / "node_modules")
    subprocess.run(["node_modules/.bin/vite", "build", "--logLevel", "warn"], cwd=folder, check=True)
    return (folder / "page" / "page.js").read_text()
