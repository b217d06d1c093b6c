from __future__ import annotations

import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.browser.person import chromium

WEB = Path(__file__).parents[2] / "web"


@pytest.fixture(scope="session", autouse=True)
def built() -> None:
    """The page as its sources say: a test of yesterday's build proves nothing."""
    sources = [file for folder in ("src", "public") for file in (WEB / folder).rglob("*") if file.is_file()]
    sources += (WEB.parent / "src").glob("croupier/games/*/*.json")  # cards, which the page shows
    sources += (WEB.parent / "docs" / "games").glob("*.md")  # rules, likewise
    sources += [WEB / name for name in ("index.html", "package-lock.json", "vite.config.ts", "svelte.config.js")]
    page = WEB / "dist" / "index.html"
    if page.exists() and page.stat().st_mtime >= max(file.stat().st_mtime for file in sources):
        return
    npm = shutil.which("npm")
    if npm is None:
        pytest.fail("web/dist is missing or older than web/src, and there is no npm to build it: run `make web/dist`")
    if not (WEB / "node_modules").is_dir():
        subprocess.run([npm, "ci"], cwd=WEB, check=True)
    subprocess.run([npm, "run", "build"], cwd=WEB, check=True)


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as started:
        yield started
