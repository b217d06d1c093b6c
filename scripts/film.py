"""Film the web client: from the lobby to a game of Palace against bots, for the README and the docs' front page.

    python scripts/film.py [docs/images/film.webp]

It is filmed in slow motion, from a server of its own with fixed luck, and shown at the usual pace: so the picture is
smooth whatever else the machine does.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from base64 import b64decode
from collections.abc import Sequence
from contextlib import AsyncExitStack
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))  # the tests know how to start a server and to use the page

from PIL import Image
from playwright.async_api import CDPSession, Locator, Position, expect

from tests.browser.person import MOTION, Person, chromium
from tests.live import server

FILM = Path(__file__).parents[1] / "docs" / "images" / "film.webp"
SEED = "11" * 32
SCREEN: dict[str, Any] = {"viewport": {"width": 880, "height": 640}, "color_scheme": "light"}
SLOWER = 5
"""So many times as slow as it is shown."""
BOT_DELAY = 0.07
"""As the server counts it: bots are a little quicker than they usually are."""
MOVES = 3
SCROLLS = 10
"""Frames, each so many pixels further, until the last game of the lobby is well in sight."""
SCROLL = 40
PER_SECOND = 20
"""Frames of the film."""
LAST = 1800
"""How long the last one is shown, in milliseconds."""
QUALITY = 72

POINTER = """addEventListener('DOMContentLoaded', () => {
  const arrow = '<path d="M5 2v17l4.5-4.2 2.9 6.7 3-1.3-2.9-6.6H19z" fill="#111" stroke="#fff" stroke-width="1.5"/>'
  const pointer = document.createElement('div')
  pointer.innerHTML = `<svg width="26" height="26" viewBox="0 0 24 24">${arrow}</svg>`
  Object.assign(pointer.style, {
    position: 'fixed', inset: '0 auto auto 0', zIndex: 99, pointerEvents: 'none', translate: '440px 420px',
    transition: 'translate 0.45s ease-in-out', filter: 'drop-shadow(0 2px 3px #0006)',
  })
  document.documentElement.append(pointer)
  addEventListener('mousemove', (e) => (pointer.style.translate = `${e.clientX - 5}px ${e.clientY - 2}px`), true)
})"""
"""Pictures of a page have no pointer of their own."""


class Frame(NamedTuple):
    at: float
    """In seconds, of the film."""
    picture: bytes


class Camera:
    """Takes a picture of a page whenever it looks otherwise."""

    def __init__(self, devtools: CDPSession) -> None:
        self._devtools = devtools
        self._frames: list[Frame] = []

    async def start(self) -> None:
        await self._devtools.send("Animation.enable")
        await self._devtools.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWER})
        self._devtools.on("Page.screencastFrame", self._keep)
        await self._devtools.send("Page.startScreencast", {"format": "png"})

    async def stop(self) -> list[Frame]:
        self._devtools.remove_listener("Page.screencastFrame", self._keep)
        await self._devtools.send("Page.stopScreencast")
        return self._frames

    async def _keep(self, told: dict[str, Any]) -> None:
        self._frames.append(Frame(told["metadata"]["timestamp"] / SLOWER, b64decode(told["data"])))
        await self._devtools.send("Page.screencastFrameAck", {"sessionId": told["sessionId"]})


class Actor(Person):
    """Shows where they are going to press, and looks at what has come of it."""

    async def _press(self, target: Locator, position: Position | None = None, within: float | None = None) -> None:
        await target.hover(position=position)
        await asyncio.sleep(0.5 * SLOWER)
        await target.click(position=position)
        await asyncio.sleep(0.1 * SLOWER)


async def shoot() -> list[Frame]:
    """The lobby, and the first moves of a game."""
    async with AsyncExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        live = await stack.enter_async_context(server(data, bot_delay=BOT_DELAY * SLOWER, test_seed=SEED, test_first=0))
        browser = await stack.enter_async_context(chromium())
        robin = await Actor.arrive(browser, "Robin", live.http, pace=SLOWER, script=POINTER, **SCREEN, **MOTION)
        await robin.page.wait_for_load_state("networkidle")
        camera = Camera(await robin.context.new_cdp_session(robin.page))
        await camera.start()
        await asyncio.sleep(0.8 * SLOWER)
        for _ in range(SCROLLS):
            await robin.page.mouse.wheel(0, SCROLL)
            await asyncio.sleep(SLOWER / PER_SECOND)
        await robin.play_against_bots("Palace")
        await expect(robin.page.locator(".felt")).to_be_visible()
        await robin.press(robin.button("^Lay these open"))
        await robin.play_palace(rounds=MOVES)
        await robin.until(lambda: robin.to_move)
        await asyncio.sleep(0.5 * SLOWER)
        return await camera.stop()


def cut(frames: Sequence[Frame]) -> tuple[list[Image.Image], list[int]]:
    """So many frames a second and no more, and how long each is shown."""
    shown = {int((frame.at - frames[0].at) * PER_SECOND): frame for frame in frames}
    ticks = sorted(shown)
    pictures = [Image.open(BytesIO(shown[tick].picture)).convert("RGB") for tick in ticks]
    return pictures, [(after - tick) * 1000 // PER_SECOND for tick, after in pairwise(ticks)] + [LAST]


def main(film: Path) -> None:
    (first, *others), lengths = cut(asyncio.run(shoot()))
    first.save(film, save_all=True, append_images=others, duration=lengths, loop=0, quality=QUALITY, method=6)
    size = film.stat().st_size
    sys.stdout.write(f"{film}: {len(lengths)} frames, {sum(lengths) / 1000:.1f} s, {size / 1e6:.2f} MB\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FILM)
