"""The page that a game from elsewhere brings along: what it is handed, and what becomes of one that does not work."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from croupier.plugins import catalogue
from tests.browser.person import Person
from tests.browser.test_lobby import MOVES
from tests.example_pages import build_component
from tests.live import LiveHere, server
from tests.packages import INIT, RULES, installed
from tests.test_plugins import site as site  # a fixture

README = (Path(__file__).parents[2] / "web" / "table" / "README.md").read_text()
PLAIN = re.findall(r"^```js\n(.*?)^```", README, re.MULTILINE | re.DOTALL)[0]
"""The page without any library, as the library's own README has it."""

Serving = Callable[[str], AbstractAsyncContextManager[LiveHere]]


@pytest.fixture
def serving(site: Path, tmp_path: Path) -> Serving:
    """A server with a game whose page is this."""

    @asynccontextmanager
    async def serve(page: str) -> AsyncIterator[LiveHere]:
        installed(site, files={"__init__.py": INIT, "rules.py": RULES, "page/page.js": page})
        async with server(tmp_path / "data", catalogue(), bot_delay=0) as live:
            yield live

    return serve


async def begin(browser: Browser, live: LiveHere) -> Person:
    ann = await Person.arrive(browser, "Ann", live.http)
    await ann.play_against_bots("Bids")
    await expect(ann.page).to_have_url(re.compile("/t/"))
    return ann


async def test_a_page_without_any_library(browser: Browser, serving: Serving) -> None:
    """Ten lines of JavaScript: played with, watched, and watched again."""
    async with serving(PLAIN) as live:
        ann = await begin(browser, live)
        bids = ann.page.locator("main").get_by_role("button", name=re.compile('"move":"bid"'))
        dora = await Person.arrive(browser, "Dora", live.http, ann.page.url.removeprefix(live.http))
        await dora.press(dora.button("^Watch"))
        await expect(dora.page.get_by_role("button", name="Leave")).to_be_visible()
        while not ann.over:
            await expect(ann.page.locator("main")).to_contain_text("your turn")
            before = ann.moved
            await bids.first.dispatch_event("click")
            await ann.until(lambda: ann.has_moved_since(before) and (ann.over or ann.to_move))  # noqa: B023
        await expect(ann.page.get_by_role("region", name="Result")).to_be_visible()
        await ann.watch_again()
        await ann.page.keyboard.press("Home")
        await expect(ann.page.locator("main")).to_contain_text(re.compile(r"^\s*\d,\d,\d,\d\s*$"))
        await expect(bids).to_have_count(0)
        assert ann.complaints == dora.complaints == []


HANDED = """
export default {
  mount(target, table) {
    window.seen = { table }
    const state = document.body.dataset
    state.mounted = '1'
    const end = table.subscribe(() => {
      if (table.events.length && table.view !== window.view) state.moved = '1'
    })
    return { destroy: () => { end(); state.destroyed = '1' } }
  },
}
"""


async def test_what_a_page_is_handed(browser: Browser, serving: Serving) -> None:
    async with serving(HANDED) as live:
        ann = await begin(browser, live)
        await expect(ann.page.locator("body[data-mounted]")).to_be_attached()
        about = """() => {
          const { table } = seen
          return [table.language, table.reducedMotion, table.seat, table.replayed, table.awaited, table.name(0),
                  table.players.length, table.number, table.options.seconds, table.view.hand.length,
                  table.waitingFor.includes(0)]
        }"""
        assert await ann.page.evaluate(about) == ["en", True, 0, False, True, "Ann", 4, 1, 10, 4, True]
        assert await ann.page.evaluate("Math.abs(seen.table.now() - Date.now()) < 60000")
        kept = "() => { window.view = seen.table.view; window.moves = seen.table.moves }"
        await ann.page.evaluate(kept)
        await ann.press(ann.page.get_by_label("Say something"))
        await ann.page.keyboard.type("hello")
        await ann.page.keyboard.press("Enter")
        await expect(ann.page.get_by_role("log")).to_contain_text("hello")
        assert await ann.page.evaluate("view === seen.table.view && moves === seen.table.moves"), "words change nothing"
        assert await ann.page.evaluate("seen.table.play(seen.table.moves[0])")
        await expect(ann.page.locator("body[data-moved]")).to_be_attached()
        assert await ann.page.evaluate("seen.table.play({ move: 'bid', card: 77 })") is False
        refused = re.compile(r"^You do not have that card|was faster")  # bots bid at the same time
        await expect(ann.page.locator(".notice")).to_contain_text(refused)
        await ann.press(ann.page.get_by_role("link", name="To the lobby"))
        await expect(ann.page.locator("body[data-destroyed]")).to_be_attached()


BROKEN = {
    "it does not load": "import './nothing-here.js'",
    "it is no JavaScript": "export default {",
    "it has no page": "export const page = 1",
    "it throws when it is mounted": "export default { mount() { throw new Error('no luck') } }",
    "it throws later": "export default { mount(target, table) { table.subscribe(() => { throw new Error('no luck') }); "
    "setTimeout(() => table.play(table.moves[0])); return { destroy() { throw new Error('and again') } } } }",
    "it gives up": "export default { mount(target, table) { table.fail(new Error('no luck')); "
    "return { destroy() {} } } }",
}


COMPONENTS = {
    "it throws at once": "<script>const { table } = $props(); const hand = table.view.cards.hand</script><p>{hand}</p>",
    "it throws later": """
<script>
  const { table } = $props()
  const points = $derived(table.view.points.reduce((sum, more) => sum + more))
</script>

{#if points}<p>{points.nothing.there}</p>{:else}<button onclick={() => table.play(table.moves[0])}>Bid</button>{/if}
""",
}


@pytest.mark.parametrize("how", COMPONENTS)
async def test_a_component_that_fails(browser: Browser, serving: Serving, tmp_path: Path, how: str) -> None:
    async with serving(build_component(tmp_path / "web", COMPONENTS[how])) as live:
        ann = await begin(browser, live)
        if how == "it throws later":
            await ann.press(ann.button("^Bid$"))
        await expect(ann.page.get_by_role("alert").filter(has_text="Here is the plain one.")).to_be_visible()
        await expect(ann.page.get_by_role("button", name="Leave")).to_be_visible()


@pytest.mark.parametrize("how", BROKEN)
async def test_a_page_that_does_not_work_takes_nothing_with_it(browser: Browser, serving: Serving, how: str) -> None:
    async with serving(BROKEN[how]) as live:
        ann = await begin(browser, live)
        alert = ann.page.get_by_role("alert").filter(has_text="Here is the plain one.")
        await expect(alert).to_be_visible()
        await ann.until(lambda: ann.to_move)
        before = ann.moved
        await ann.press(ann.page.locator(MOVES).first)
        await ann.until(lambda: ann.has_moved_since(before))
        await expect(alert).to_be_visible()
        await ann.press(ann.page.get_by_role("tab", name="People"))
        await expect(ann.page.get_by_role("tabpanel")).to_contain_text("Ann")
