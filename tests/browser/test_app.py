"""The page as an app: it can be installed, opens without a network, and never runs yesterday's code."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, async_playwright, expect

from croupier import server as croupier_server
from tests.browser.person import PHONE, QUIET, WEB, Person, chromium_path
from tests.live import process, server

FAST = ("--bot-delay", "0")


PATHS = """async () => {
    const requests = []
    for (const name of await caches.keys()) requests.push(...await (await caches.open(name)).keys())
    return requests.map((request) => new URL(request.url).pathname)
}"""


AT_WORK = """async () => {
    const { active } = await navigator.serviceWorker.ready
    const ready = () => active.state === 'activated' && navigator.serviceWorker.controller
    while (!ready()) await new Promise((on) => setTimeout(on, 50))
}"""


async def kept(page: Page, when: str = "paths.includes('/')") -> set[str]:
    """The paths of all that the service worker keeps, as soon as it is at work and that is so."""
    await page.evaluate(AT_WORK)
    await page.wait_for_function(f"async () => {{ const paths = await ({PATHS})(); return {when} }}")
    return set(await page.evaluate(PATHS))


async def test_the_page_opens_without_a_network_and_comes_back_by_itself(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        offer = ann.button("^Play against 3 bots").first
        await expect(offer).to_be_enabled()
        await kept(ann.page)
        await ann.context.set_offline(True)
        await ann.page.reload()
        await expect(ann.text("You are offline")).to_be_visible()
        await expect(offer).to_be_disabled()
        await expect(ann.text("The tables are shown as soon as there is a connection")).to_be_visible()
        # So does any other page of ours.
        await ann.page.goto("/t/somewhere")
        await expect(ann.text("You are offline")).to_be_visible()
        await ann.page.goto("/")
        await expect(ann.text("You are offline")).to_be_visible()

        await ann.page.evaluate("window.same = true")
        await ann.context.set_offline(False)
        await expect(ann.text("You are offline")).to_be_hidden()
        await ann.play_against_bots()
        await expect(ann.button("^Lay these open")).to_be_visible()
        assert await ann.page.evaluate("window.same")


async def test_a_page_of_which_something_gets_lost_on_its_way_comes_all_the_same(
    browser: Browser, tmp_path: Path
) -> None:
    """As on a phone that changes networks while it loads."""
    async with server(tmp_path) as live:
        context = await browser.new_context(base_url=live.http, service_workers="block")
        page, lost = await context.new_page(), set[str]()

        async def lose(route: Route) -> None:
            if len(lost) < 3 and route.request.url not in lost:
                lost.add(route.request.url)
                await route.abort("failed")
            else:
                await route.fallback()

        await page.route(re.compile(r"/assets/(?!start)"), lose)
        await page.goto("/")
        await expect(page.locator("h1").first).to_be_visible()
        assert len(lost) == 3


async def test_a_page_that_does_not_come_says_so_and_can_be_tried_again(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        context = await browser.new_context(base_url=live.http, service_workers="block")
        page = await context.new_page()
        await page.clock.install()  # it waits longer each time

        async def lose(route: Route) -> None:
            await route.abort("failed")

        await page.route(re.compile(r"/assets/(?!start)"), lose)
        await page.goto("/")
        again = page.get_by_role("alert").get_by_role("link", name="Try again")
        while not await again.is_visible():
            await page.clock.run_for(1000)
        await page.unroute_all()
        await again.click()
        await expect(page.locator("h1").first).to_be_visible()


async def test_a_server_that_is_gone_is_no_reason_for_an_empty_page(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await kept(ann.page)
        await live.kill()
    await ann.page.reload()
    await expect(ann.text("The server can't be reached")).to_be_visible()
    async with process(tmp_path, *FAST, "--port", str(live.ports["http"])):
        # It tries less and less often.
        await expect(ann.text("The server can't be reached")).to_be_hidden(timeout=20_000)
        await expect(ann.text("Nobody else has a table open")).to_be_visible()


async def test_what_the_server_says_is_never_kept(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        await kept(ann.page)
        await ann.page.reload()  # from now on everything passes by the service worker
        assert await ann.page.evaluate("navigator.serviceWorker.controller !== null")
        for path in (
            "/api/games",
            "/api/tables",
            "/healthz",
            "/palace",
            "/coup/v1/game",
            "/socket.io/?EIO=4&transport=polling",
        ):
            await ann.page.evaluate("path => fetch(path)", path)
        await ann.play_against_bots()
        await expect(ann.button("^Lay these open")).to_be_visible()
        found = await kept(ann.page, "paths.some((path) => path.includes('Page'))")
        assert all(path == "/" or path.startswith("/assets/") for path in found)


async def test_a_new_page_is_shown_at_once_and_the_old_one_forgotten(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page"
    shutil.copytree(WEB / "dist", page, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    monkeypatch.setattr(croupier_server, "PAGE", page)
    async with server(tmp_path / "data", bot_delay=0) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        old = await kept(ann.page)
        scripts = [path for path in old if path.endswith(".js")]
        assert scripts

        index = page / "index.html"
        (entry,) = re.findall(r'<script type="module"[^>]* src="(/assets/page-[^"]+)"', index.read_text())
        name = Path(entry).name
        (page / "assets" / name).rename(page / "assets" / "page-another.js")
        for file in (index, page / "files.json", *(page / "assets").glob("*.js")):
            file.write_text(file.read_text().replace(name, "page-another.js"))
        await ann.page.reload()
        assert (
            await ann.page.evaluate("[...document.querySelectorAll('script[type=module]')].at(-1).src")
            == f"{live.http}/assets/page-another.js"
        )
        await expect(ann.button("^Play against 3 bots").first).to_be_enabled()
        new = await kept(ann.page, f"!paths.includes('{entry}')")
        assert "/assets/page-another.js" in new
        assert ann.complaints == []


async def test_chromium_would_install_it(tmp_path: Path) -> None:
    """In a browser with a profile: nothing can be installed from private windows, which other tests have."""
    async with server(tmp_path / "data") as live, async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            tmp_path / "profile", executable_path=chromium_path(windows=True), args=QUIET
        )
        page = await context.new_page()
        await page.goto(live.http)
        await kept(page)
        devtools = await context.new_cdp_session(page)
        manifest: dict[str, Any] = await devtools.send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert manifest["url"] == f"{live.http}/manifest.webmanifest"
        found = await devtools.send("Page.getInstallabilityErrors")
        assert found["installabilityErrors"] == []
        await context.close()


async def test_an_address_that_leads_nowhere_leads_to_the_lobby(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        answer = await ann.page.goto("/nowhere/at/all")
        assert answer is not None
        assert answer.status == 404
        await expect(ann.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
        await ann.press(ann.page.get_by_role("link", name="To the lobby"))
        await expect(ann.button("^Open a table")).to_be_visible()
