"""Somebody at a browser, who does with the page what people do with it."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
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

from tests.clock import ManualTime

WEB = Path(__file__).parents[2] / "web"
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
LOOKED_AT = 8
"""How many moves of a game are made with a look at what may lie in the way of each press."""
CORNER = Position(x=6, y=16)
"""Where a card can be seen when others lie on it."""
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}

AT_REST: dict[str, Any] = {"reduced_motion": "reduce"}
MOTION: dict[str, Any] = {"reduced_motion": "no-preference"}
"""For tests of what moves on the page: others need not wait for it."""

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
QUIET += ["--disable-sync", "--no-first-run"]


def chromium_path(windows: bool = False) -> str:
    """The system's own Chromium, so that nothing has to be downloaded.

    Where it is also there without its ``windows``, that one will do, unless a test is about them: it is the same for
    a page, and takes less than half the time to open one.
    """
    whole = ("chromium", "chromium-browser", "google-chrome")
    found = filter(None, map(shutil.which, whole if windows else ("chromium-headless-shell", *whole)))
    path = next(found, None)
    assert path, "there is no Chromium on this machine: run scripts/install-chromium"
    return path


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=QUIET)
        yield browser
        await browser.close()


_PALACE_CARD = """() => {
  if (document.querySelector('.bar button.primary:enabled')) return ''  // there is nothing to choose, or all is chosen
  const fitting = '.mine button.live:not(.unfit)'
  return document.querySelector(fitting) ? fitting : '.mine button.live'
}"""


LATE_REPLIES = """window.WebSocket = class extends WebSocket {
  set onmessage(heard) {
    super.onmessage = (message) => setTimeout(heard, JSON.parse(message.data).type === 'reply' ? 300 : 0, message)
  }
}"""
"""The page is told of its own moves well before their requests are answered."""


class Person:
    """One browser of its own, with its own memory, and all that it was sent and complained about."""

    def __init__(self, name: str, context: BrowserContext, page: Page, touch: bool) -> None:
        self.name = name
        self.context = context
        self.page = page
        self._touch = touch
        self.frames: list[str] = []
        """What came over the WebSocket, in order."""
        self._messages: list[dict[str, Any]] = []
        """The same, read."""
        self.seat: int | None = None
        self.awaited: Sequence[int] = ()
        """The seats that the game waits for, by the latest that we were told; so all of these."""
        self.over = False
        self.seq = 0
        self.hasty = False
        """Whether to press without a look at what may lie in the way. That look takes longer than the move, and is for
        the beginning of a game: its long rest can do without."""
        self._moves: Counter[int] = Counter()
        """By seat, as we were told of them."""
        self._news = asyncio.Event()
        self.complaints: list[str] = []
        """Errors on the console, uncaught ones, and requests that failed."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("requestfailed", self._failed)
        page.on("response", self._response)
        page.on("websocket", lambda socket: socket.on("framereceived", self._received))

    def _received(self, payload: str | bytes) -> None:
        self.frames.append(payload if isinstance(payload, str) else payload.decode())
        self._news.set()
        message = json.loads(self.frames[-1])
        self._messages.append(message)
        fact = message["type"] == "fact"
        told = message if fact else message.get("sync")
        if told is None:
            return
        if not fact or "seat" in told:
            self.seat = told["seat"]
        self.awaited = told.get("awaited", ())
        self.seq = told["seq"]
        entry = told.get("entry", {})
        if told.get("result") is not None:
            self.over = True
        elif not fact or entry.get("entry") in ("started", "reopened"):  # who leaves afterwards changes nothing
            self.over = False
        if entry.get("entry") == "moved":
            self._moves[entry["seat"]] += 1

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
        for message in self._messages:
            if message["type"] == "fact":
                yield {"events": (), "view": None, **message}
            elif message.get("sync"):
                yield {"events": (), **message["sync"]}

    @property
    def to_move(self) -> bool:
        """Whether the game waits for us."""
        return self.seat in self.awaited

    @property
    def moved(self) -> int:
        """How many moves of ours we have been told of; others may move while ours is under way."""
        return 0 if self.seat is None else self._moves[self.seat]

    def has_moved_since(self, moved: int) -> bool:
        return self.moved > moved

    async def until(self, happened: Callable[[], bool], patience: float = 60) -> None:
        """Wait for what we are told to come to this."""
        async with asyncio.timeout(patience):
            while not happened():
                self._news.clear()
                await self._news.wait()

    async def news(self, since: int, patience: float = 60) -> None:
        """Wait to be told what came after that."""
        await self.until(lambda: self.seq > since, patience)

    async def knows_whose_turn_it_is(self) -> None:
        """The page says that it is our turn exactly when the server says so."""
        await expect(self.page).to_have_title(re.compile("^● Your turn" if self.to_move else "^(?!● Your turn)"))

    async def play_at_leisure(self, time: ManualTime, move: Callable[[], Awaitable[object]]) -> int:
        """Alone against bots to the end of the game; two minutes go by before each move, and nobody plays for us.

        ``move`` makes one by the page, whatever it may be. Returns how many there were.
        """
        thoughts = 0
        while True:
            await self.until(lambda: self.over or self.to_move)
            if self.over:
                break
            await time.to_pass(120)
            await self.page.evaluate("1")  # all that was sent before has arrived
            if not self.to_move:  # the page has done what was no choice; if anybody else had, it is found below
                continue
            thoughts += 1
            before = self.seq
            await move()
            with suppress(asyncio.TimeoutError):  # a move may take more than one press
                await self.news(before, 2)
        for entry in (fact.get("entry", {}) for fact in self.facts()):
            assert entry.get("entry") not in ("expired", "stood_in", "absent"), entry
            assert not (entry.get("entry") == "moved" and entry["seat"] == self.seat and entry.get("bot")), entry
        return thoughts

    async def shows(self, enough: Callable[[], bool]) -> None:
        """Wait until enough has come over the WebSocket, and the page shows it."""
        await self.until(enough)
        await self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    @classmethod
    async def arrive(
        cls,
        browser: Browser,
        name: str,
        address: str,
        path: str = "/",
        pace: float = 0,
        script: str = "",
        **context: Any,
    ) -> Person:
        """At the page of that path; ``script`` runs on each before the page's own. With ``MOTION``, things move."""
        context = AT_REST | (context or DESKTOP)
        opened = await browser.new_context(base_url=address, **context)
        opened.set_default_timeout(20_000)
        await opened.add_init_script(
            f"localStorage['croupier.name'] ??= JSON.stringify({name!r}); localStorage['croupier.pace'] ??= '{pace}'"
        )
        if script:
            await opened.add_init_script(script)
        person = cls(name, opened, await opened.new_page(), bool(context.get("has_touch")))
        await person.page.goto(path)
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
            await self.press(self.button("^One step forward"))
            await expect(step).to_contain_text(f"{number} / ")
        assert await self.fits()
        await page.keyboard.press("End")
        await expect(page.get_by_role("region", name="Result")).to_be_visible()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=re.compile(name))

    def text(self, text: str) -> Locator:
        return self.page.get_by_text(re.compile(text)).first

    async def press(self, target: Locator) -> None:
        await self._press(target)

    async def _press(self, target: Locator, position: Position | None = None, within: float | None = None) -> None:
        if self.hasty:
            await target.dispatch_event("click", timeout=within)
        else:
            await (target.tap if self._touch else target.click)(timeout=within, position=position)

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

    async def play_palace(self, rounds: int = 10_000) -> None:
        """Make legal moves whenever it is our turn, until the game is over; in a hurry after the first ones."""
        for made in range(rounds):
            await self.until(lambda: self.over or self.to_move)
            if self.over:
                break
            self.hasty = made >= LOOKED_AT
            before = self.moved
            await self.press_for_palace()
            await self.until(partial(self.has_moved_since, before))
        self.hasty = False

    async def palace_move(self) -> None:
        """One move, as soon as it is our turn."""
        await self.press_for_palace()
        with suppress(TimeoutError):  # two flips in a row look the same
            await self.page.locator(".bar button.primary:enabled").wait_for(state="hidden", timeout=500)

    async def press_for_palace(self) -> None:
        """What fits if anything does, and all cards of a rank at once."""
        await self.page.locator(".mine.turn .bar button.primary").wait_for(timeout=60_000)
        card = await self.page.evaluate(_PALACE_CARD)
        if card:
            await self._press(self.page.locator(card).first, CORNER)
            everything = self.page.locator(".bar button.ghost")
            if await everything.count():
                await self._press(everything)
        await self._press(self.page.locator(".bar button.primary"))

    async def try_press(self, target: Locator, position: Position | None = None, within: float = 2000) -> bool:
        """Press it, unless it is gone by then: a turn may end while we are looking, or the game."""
        try:
            await self._press(target, position, within)
            return True
        except TimeoutError:
            return False
