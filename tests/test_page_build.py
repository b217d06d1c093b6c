"""The page is built before its tests, and never by them: others may be looking at it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.page_sources import WEB, newer_than

ROOT = WEB.parent
SOURCES = (
    "web/src/App.svelte",
    "web/public/icon.svg",
    "web/client/src/client.ts",
    "web/table/vite.js",
    "docs/games/palace.md",
    "web/index.html",
    "web/tsconfig.json",
)
ALSO = ("web/package-lock.json", "web/vite.config.ts", "web/svelte.config.js", "web/table/README.md")


def tree(folder: Path) -> Path:
    """Some sources, and a page that is as new as they are."""
    for name in (*SOURCES, *ALSO, "src/croupier/games/faraway/cards.json", "web/dist/index.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
        os.utime(folder / name, (1000, 1000))
    return folder / "web" / "dist" / "index.html"


@pytest.mark.parametrize("name", [*SOURCES, "src/croupier/games/faraway/cards.json"])
def test_a_source_that_has_changed_is_named(tmp_path: Path, name: str) -> None:
    page = tree(tmp_path)
    assert newer_than(page, tmp_path / "web") is None
    os.utime(tmp_path / name, (2000, 2000))
    assert newer_than(page, tmp_path / "web") == tmp_path / name
    page.unlink()
    assert newer_than(page, tmp_path / "web") is not None


def test_what_only_people_read_is_no_source(tmp_path: Path) -> None:
    page = tree(tmp_path)
    os.utime(tmp_path / "web" / "table" / "README.md", (2000, 2000))
    assert newer_than(page, tmp_path / "web") is None


def test_make_builds_it_before_the_tests() -> None:
    plan = ["make", "--dry-run", "--what-if=web/src/App.svelte", "test"]
    steps = subprocess.run(plan, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert steps.index("scripts/build-page") < steps.index("pytest")
