from __future__ import annotations

import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.person import WEB, chromium
from tests.live import LiveHere, server

expect.set_options(timeout=20_000)  # a busy machine is no bug


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of these tests share an event loop, and with it one Chromium: to start one takes longer than most of them."""
    for item in items:
        if Path(__file__).parent in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session", autouse=True)
def built() -> None:
    """The page as its sources say: a test of yesterday's build proves nothing."""
    sources = [file for folder in ("src", "public", "table") for file in (WEB / folder).rglob("*") if file.is_file()]
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


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def started() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def browser(started: Browser) -> AsyncIterator[Browser]:
    """A browser with nothing open in it, before and after."""
    yield started
    for context in started.contexts:
        await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running
