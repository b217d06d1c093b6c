"""The page under the policy that it is sent with: everything of it works, and nothing that was smuggled in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from croupier.games import catalogue
from tests.browser.person import DESKTOP, Person
from tests.browser.test_app import kept
from tests.browser.test_replay import finished
from tests.games.cambia.wire import hall
from tests.live import LiveHere

GAMES = catalogue().games

LISTEN = """
    addEventListener('securitypolicyviolation', (event) => {
        const seen = JSON.parse(localStorage.violations ?? '[]')
        seen.push(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`)
        localStorage.violations = JSON.stringify(seen)
    })
"""


async def arrive(browser: Browser, name: str, address: str, **context: Any) -> Person:
    """Somebody whose browser keeps account of whatever the policy forbids, from page to page."""
    return await Person.arrive(browser, name, address, script=LISTEN, **context)


@asynccontextmanager
async def elsewhere(folder: Path, html: str = "") -> AsyncIterator[str]:
    """Another server on this machine, with one page: its address."""
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text(f"<!doctype html><title>elsewhere</title>{html}")
    serve = partial(SimpleHTTPRequestHandler, directory=str(folder / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as other:
        running = asyncio.create_task(asyncio.to_thread(other.serve_forever))
        try:
            yield f"http://127.0.0.1:{other.server_port}/"
        finally:
            await asyncio.to_thread(other.shutdown)
            await running


async def forbidden(page: Page) -> list[str]:
    found: list[str] = await page.evaluate("JSON.parse(localStorage.violations ?? '[]')")
    return found


@pytest.mark.parametrize("name", GAMES)
async def test_nothing_of_the_page_is_forbidden(browser: Browser, live: LiveHere, name: str) -> None:
    """Lobby, waiting room, QR code, a table in play, its chat, the rules; by night; and the service worker at work."""
    ann = await arrive(browser, "Ann", live.http)
    page = ann.page
    await ann.open_table(name="<b style='color:red'>Ann's</b>", seats=min(3, GAMES[name].seats[-1]), game=name)
    await ann.press(ann.button("^QR code"))
    await expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    await page.keyboard.press("Escape")
    await ann.press(ann.button("^Add").first)
    await ann.press(ann.button("^Start the game"))
    await ann.until(lambda: any(fact.get("view") for fact in ann.facts()))
    await page.emulate_media(color_scheme="dark")
    await page.get_by_label("Say something").fill("<img src=x onerror=alert(1)>")
    await page.keyboard.press("Enter")
    await expect(ann.text("<img src=x onerror")).to_be_visible()
    await ann.press(page.get_by_role("tab", name="Rules"))
    await expect(page.get_by_role("heading", level=1, name=GAMES[name].title).last).to_be_visible()
    await kept(page)
    assert await forbidden(page) == []
    assert ann.complaints == []


@pytest.mark.parametrize("name", GAMES)
async def test_nothing_of_a_replay_is_forbidden(browser: Browser, live: LiveHere, name: str) -> None:
    table = await finished(live, name)
    eve = await arrive(browser, "Eve", live.http, path=f"/t/{table}/replay", **DESKTOP, color_scheme="dark")
    for _ in range(3):
        await eve.press(eve.button("^One step forward"))
    await eve.page.keyboard.press("End")
    await expect(eve.page.get_by_role("region", name="Result")).to_be_visible()
    async with eve.page.expect_download() as started:
        await eve.press(eve.page.get_by_role("link", name="Download the record"))
    assert (await (await started.value).failure()) is None
    assert await forbidden(eve.page) == []
    assert eve.complaints == []


async def test_an_address_that_leads_nowhere_is_under_the_same_policy(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, "Eve", live.http)
    await eve.page.goto("/nowhere")
    await expect(eve.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    assert await forbidden(eve.page) == []


async def test_what_is_smuggled_in_does_nothing(browser: Browser, live: LiveHere) -> None:
    eve = await arrive(browser, "Eve", live.http)
    page = eve.page
    await page.evaluate("""() => {
        const put = (html) => {
            document.body.append(document.createRange().createContextualFragment(html))
        }
        put('<script>window.got = "a script"</script>')
        put('<img src="/nowhere.png" onerror="window.got = `a handler`">')
        put('<a id="bait" href="javascript:window.got = `a link`">here</a>')
        put('<p id="dyed" style="color: rgb(1, 2, 3)">x</p><style>#dyed { background: rgb(4, 5, 6) }</style>')
        put('<base href="https://evil.example/">')
        put('<script src="https://evil.example/x.js"></script>')
        put('<iframe src="/healthz"></iframe>')
        document.querySelector('#bait').click()
    }""")
    wanted = {"script-src-elem", "script-src-attr", "style-src-attr", "style-src-elem", "base-uri", "frame-src"}
    await page.wait_for_function("count => JSON.parse(localStorage.violations ?? '[]').length >= count", arg=8)
    found = {line.partition(":")[0] for line in await forbidden(page)}
    assert wanted <= found, found
    assert await page.evaluate("window.got") is None
    colours = "(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(dyed))"
    assert not {"rgb(1, 2, 3)", "rgb(4, 5, 6)"} & set(await page.evaluate(colours))
    assert await page.evaluate("document.baseURI") == live.http + "/"
    for elsewhere in ("fetch('https://evil.example/')", "fetch('http://127.0.0.1:1/')"):
        assert await page.evaluate(f"{elsewhere}.then(() => 'sent', () => 'kept')") == "kept"
    assert "connect-src" in {line.partition(":")[0] for line in await forbidden(page)}


async def test_no_other_page_shows_ours_in_a_frame(browser: Browser, live: LiveHere, tmp_path: Path) -> None:
    async with elsewhere(tmp_path, f'<iframe src="{live.http}/"></iframe>') as address:
        page = await browser.new_page()
        await page.goto(address)
        await page.wait_for_load_state("networkidle")
        (frame,) = page.frames[1:]
        assert await frame.locator("#app").count() == 0


async def test_a_page_on_another_port_does_not_sit_down_as_the_visitor(browser: Browser, tmp_path: Path) -> None:
    """To the browser both are one site, so it sends the cookie along, ``SameSite`` or not."""
    async with hall(tmp_path / "data") as here, elsewhere(tmp_path) as address:
        ours = f"127.0.0.1:{here.live.ports['http']}"
        context = await browser.new_context()
        page = await context.new_page()
        await page.goto(f"http://{ours}/healthz")
        ann = await page.evaluate("fetch('/cambia/user/guest', { method: 'POST' }).then((answer) => answer.json())")
        lobby = await page.evaluate("fetch('/cambia/lobby/create', { method: 'POST' }).then((answer) => answer.json())")
        assert lobby["hostUserID"] == ann["id"], "the cookie is there, and counts"
        told = f"""new Promise((tell) => {{
            const socket = new WebSocket('ws://{ours}/cambia/lobby/ws/{lobby["id"]}', 'lobby')
            socket.onmessage = ({{ data }}) => tell(JSON.parse(data))
        }})"""
        assert (await page.evaluate(told))["your_is_host"]
        other = await context.new_page()
        await other.goto(address)
        found = await other.evaluate(told)
        assert not found["your_is_host"]
        assert found["your_id"] != ann["id"]
        me = await page.evaluate("fetch('/cambia/user/me').then((answer) => answer.json())")
        assert me["id"] == ann["id"], "nor has it taken the visitor's cookie away"


async def test_following_a_link_does_not_make_the_visitor_somebody_else(browser: Browser, tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        eve = await here.guest("Eve")
        page = await browser.new_page()
        await page.goto(f"{here.live.http}/cambia/user/guest?token={eve.token}")
        assert await page.context.cookies() == []
