"""The page is there soon, also on a slow line: what a first visit has to fetch, and when it asks for it."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, Request, Route, WebSocket, expect

from croupier.client import Client
from croupier.games import catalogue
from tests.live import LiveHere

CODE = 130_000
LOBBY = 65_000
"""All that a lobby has to have before anything is shown."""
FONTS = 60_000
"""In bytes, as they are sent."""


@pytest.mark.parametrize("game", sorted(catalogue().games))
async def test_the_first_visit_of_a_table(browser: Browser, live: LiveHere, game: str) -> None:
    """Somebody follows a link to a game that is being played, and looks on. What the page fetches later, for when
    there is no network, keeps nobody waiting, and is not counted."""
    async with Client(live.http) as one, Client(live.http) as two:
        ann = await one.open(game, player="Ann", seats=2)
        await two.join(ann.id, player="Ben")
        await ann.start()
        context = await browser.new_context(base_url=live.http, service_workers="block")
        page = await context.new_page()
        fetched: list[Request] = []
        page.on("requestfinished", lambda request: fetched.append(request))
        await page.goto(f"/t/{ann.id}")
        await page.get_by_role("button", name="Watch").click()
        await expect(page.locator(".felt, .map")).to_be_visible()
        await page.wait_for_load_state("networkidle")
    sizes = {one.url: (await one.sizes())["responseBodySize"] for one in fetched}
    code = {url: size for url, size in sizes.items() if url.endswith((".js", ".css"))}
    fonts = {url: size for url, size in sizes.items() if url.endswith(".woff2")}
    assert code and fonts
    assert sum(code.values()) <= CODE, code
    assert sum(fonts.values()) <= FONTS, fonts


@pytest.mark.parametrize(("locale", "chosen", "spoken"), [("en", None, "en"), ("fr", None, "fr"), ("en", "fr", "fr")])
async def test_what_is_asked_for_first_is_asked_for_while_the_page_is_on_its_way(
    browser: Browser, live: LiveHere, locale: str, chosen: str | None, spoken: str
) -> None:
    """The words and the connection, which is the only one; and what the server says meanwhile is heard."""
    context = await browser.new_context(base_url=live.http, locale=locale)
    if chosen:
        await context.add_init_script(f"localStorage['croupier.language'] = '\"{chosen}\"'")
    page = await context.new_page()
    connections: list[WebSocket] = []
    welcomed, words = asyncio.Event(), asyncio.Event()

    def connected(connection: WebSocket) -> None:
        connections.append(connection)
        connection.on("framereceived", lambda _: welcomed.set())

    async def late(route: Route) -> None:
        await welcomed.wait()
        await words.wait()
        await route.continue_()

    page.on("websocket", connected)
    page.on("request", lambda request: words.set() if f"/assets/{spoken}-" in request.url else None)
    await page.route("**/assets/page-*.js", late)
    await page.goto("/")
    await expect(page.locator("html")).to_have_attribute("lang", spoken)
    await expect(page.get_by_role("button", name="Palace").first).to_be_visible()
    assert len(connections) == 1
    assert f"language={spoken}" in connections[0].url
    await context.close()


async def test_a_first_visit_takes_few_files(browser: Browser, live: LiveHere) -> None:
    """On a slow line each one is another journey, and what comes with it keeps the rest waiting."""
    context = await browser.new_context(base_url=live.http, service_workers="block")
    page = await context.new_page()
    loaded: list[Request] = []
    page.on("requestfinished", lambda request: loaded.append(request))
    await page.route_web_socket("**/ws?*", lambda _: None)  # what has been read goes on to a table, which takes others
    await page.goto("/")
    await expect(page.get_by_role("button", name="Palace").first).to_be_visible()
    code = {one.url: (await one.sizes())["responseBodySize"] for one in loaded if one.url.endswith((".js", ".css"))}
    assert len(code) == 5, code  # the start, the page, its style, the phrases, and the words
    assert sum(code.values()) <= LOBBY, code
    await context.close()


@pytest.mark.parametrize(("where", "besides"), [("/", 0), ("/t/{table}", 2)])
async def test_what_one_came_for_is_shown_before_the_server_is_asked(
    browser: Browser, live: LiveHere, where: str, besides: int
) -> None:
    """No file waits until another has come. And a connection takes two journeys: this one stays silent."""
    async with Client(live.http) as client:
        ann = await client.open("palace", player="Ann", seats=2)
        context = await browser.new_context(base_url=live.http)
        page = await context.new_page()
        asked: list[str] = []
        complete = asyncio.Event()

        def count(request: Request) -> None:
            asked.append(request.url)
            if sum("/assets/table-" in url for url in asked) == besides:
                complete.set()

        async def later(route: Route) -> None:
            await complete.wait()
            await route.continue_()

        page.on("request", count)
        await page.route("**/assets/page-*.js", later)
        await page.route_web_socket("**/ws?*", lambda _: None)
        await page.goto(where.format(table=ann.id))
        await expect(page.get_by_text("Ann", exact=True)).to_be_visible()
        await expect(page.get_by_text("Get rid of all your cards").first).to_be_visible()
        assert sum("/assets/table-" in url for url in asked) == besides
        assert not [url for url in asked if "/api/" in url]
        await context.close()
