"""Somebody at a browser, who does with the page what people do with it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Position,
    Request,
    Response,
    TimeoutError,
    async_playwright,
    expect,
)

WEB = Path(__file__).parents[2] / "web"
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
CORNER = Position(x=6, y=16)
"""Where a card can be seen when others lie on it."""
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
QUIET += ["--disable-sync", "--no-first-run"]


def chromium_path() -> str:
    """The system's own Chromium, so that nothing has to be downloaded."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert path, "there is no Chromium on this machine: run scripts/install-chromium"
    return path


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=QUIET)
        yield browser
        await browser.close()


class Person:
    """One browser of its own, with its own memory, and all that it was sent and complained about."""

    def __init__(self, name: str, context: BrowserContext, page: Page, touch: bool) -> None:
        self.name = name
        self.context = context
        self.page = page
        self._touch = touch
        self.frames: list[str] = []
        """What came over the WebSocket, in order."""
        self.complaints: list[str] = []
        """Errors on the console, uncaught ones, and requests that failed."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("requestfailed", self._failed)
        page.on("response", self._response)
        page.on("websocket", lambda socket: socket.on("framereceived", self._received))

    def _received(self, payload: str | bytes) -> None:
        self.frames.append(payload if isinstance(payload, str) else payload.decode())

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # who goes elsewhere does not wait for answers
            self.complaints.append(f"{request.url}: {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.url}: {response.status}")

    def facts(self) -> Iterator[dict[str, Any]]:
        """What was told about the table, with how it was found at first, which is of the same form."""
        for frame in self.frames:
            message = json.loads(frame)
            if message["type"] == "fact":
                yield {"events": (), "view": None, **message}
            elif message.get("sync"):
                yield {"events": (), **message["sync"]}

    @classmethod
    async def arrive(cls, browser: Browser, name: str, address: str, pace: float = 0, **context: Any) -> Person:
        opened = await browser.new_context(base_url=address, **(context or DESKTOP))
        opened.set_default_timeout(20_000)
        await opened.add_init_script(
            f"localStorage['croupier.name'] ??= JSON.stringify({name!r}); localStorage['croupier.pace'] ??= '{pace}'"
        )
        person = cls(name, opened, await opened.new_page(), bool(context.get("has_touch")))
        await person.page.goto("/")
        # The page loads its words after itself: who went on before would break that off, and hear of it.
        await person.page.locator("h1").first.wait_for()
        return person

    async def fits(self) -> bool:
        """Whether nothing sticks out of the page on the right."""
        return bool(await self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    async def watch_again(self) -> None:
        """From the end of a game to its replay, some steps of it, and to its end again."""
        page = self.page
        await self.press(page.get_by_role("link", name="Watch it again"))
        step = page.get_by_role("group", name="Replay", exact=True).locator("output")
        await expect(step).to_contain_text("0 / ")
        for number in range(1, 6):
            await self.press(self.button("^One step on"))
            await expect(step).to_contain_text(f"{number} / ")
        assert await self.fits()
        await page.keyboard.press("End")
        await expect(page.get_by_role("region", name="Result")).to_be_visible()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=re.compile(name))

    def text(self, text: str) -> Locator:
        return self.page.get_by_text(re.compile(text)).first

    async def press(self, target: Locator) -> None:
        await (target.tap() if self._touch else target.click())

    async def open_table(self, name: str = "", password: str = "", seats: int = 4, game: str = "palace") -> str:
        """Open a table from the lobby, and return the address to send to others."""
        await self.press(self.button("^Open a table"))
        await self.page.get_by_role("combobox", name="Game", exact=True).select_option(game)
        await self.page.get_by_label("Name of the table").fill(name)
        await self.page.get_by_label("Seats").fill(str(seats))
        await self.page.get_by_label("Password").fill(password)
        await self.press(self.button("^Open the table"))
        return await self.page.get_by_label("Link to this table").input_value()

    async def play_against_bots(self, game: str = "Palace") -> None:
        """A game with one click."""
        offer = self.page.get_by_role("article").filter(has=self.page.get_by_role("heading", name=game))
        await self.press(offer.get_by_role("button", name="Play against"))

    async def join(self, link: str) -> None:
        await self.page.goto(link)
        await self.press(self.button("^Take a seat"))
        await expect(self.page.get_by_role("button", name="Leave")).to_be_visible()

    async def play_palace(self, until: Locator | None = None, rounds: int = 10_000) -> None:
        """Make legal moves whenever it is our turn, until the game is over, or that is to be seen."""
        over = self.page.get_by_role("region", name="Result")
        goal = over if until is None else over.or_(until)
        bar = self.page.locator(".bar button.primary")
        for _ in range(rounds):
            await goal.or_(bar).first.wait_for(timeout=60_000)
            if await goal.count():
                return
            await self.palace_move()

    async def palace_move(self) -> None:
        """One move, if it is our turn still: what fits if anything does, and all cards of a rank at once."""
        page = self.page
        for name in ("^Lay these open", "^Turn one over"):
            ready = self.button(name)
            if await ready.count():
                await self._commit(ready)
                return
        cards = page.locator(".mine button.live")
        fitting = page.locator(".mine button.live:not(.unfit)")
        if not await self.try_press((fitting if await fitting.count() else cards).first, CORNER):
            return
        everything = self.button("^All ")
        if await everything.count():
            await self.try_press(everything)
        await self._commit(page.locator(".bar button.primary"))

    async def _commit(self, button: Locator) -> None:
        """Press the button that makes the move, and see it made: there is nothing to press then, or not yet."""
        if await self.try_press(button):
            with suppress(TimeoutError):  # two flips in a row look the same
                await self.page.locator(".bar button.primary:enabled").wait_for(state="hidden", timeout=500)

    async def try_press(self, target: Locator, position: Position | None = None) -> bool:
        """Press it, unless it is gone by then: a turn may end while we are looking, or the game."""
        try:
            press = target.tap if self._touch else target.click
            await press(timeout=2000, position=position)
            return True
        except TimeoutError:
            return False
