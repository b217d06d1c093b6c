from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.person import WEB, chromium
from tests.live import LiveHere, server
from tests.page_sources import newer_than

expect.set_options(timeout=20_000)  # a busy machine is no bug


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of these tests share an event loop, and with it one Chromium: to start one takes longer than most of them."""
    for item in items:
        if Path(__file__).parent in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


CHANGED = newer_than(WEB / "dist" / "index.html")
"""Looked for when the tests are collected: nothing that is written while they run makes a difference to them."""


@pytest.fixture(scope="session", autouse=True)
def built() -> None:
    """The page as its sources say: a test of yesterday's build proves nothing. And nobody builds it while others look
    at it: that is done before, as `make test` does."""
    if CHANGED is not None:
        pytest.fail(f"{CHANGED.relative_to(WEB.parent)} is newer than the page: run `make web/dist/index.html`")


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
