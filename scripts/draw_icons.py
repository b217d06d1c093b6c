"""Draw the sizes of the web client's icon that browsers ask for, from web/public/icon.svg; and from every game's emblem
the picture that goes with a link to one of its tables, which can't be a drawing.

    python scripts/draw_icons.py

Run it when a drawing changes, and commit what it writes.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the tests know where Chromium is

from playwright.async_api import Browser

from tests.browser.person import chromium

WEB = Path(__file__).parents[1] / "web"
PUBLIC = WEB / "public"
SIZES = (180, 192, 512)
"""For Apple's home screens; for Chromium's installation."""
PREVIEW = (1200, 630)
"""What those who show previews of links ask for."""


async def main() -> None:
    icon = (PUBLIC / "icon.svg").read_text()
    async with chromium() as browser:
        for size in SIZES:
            await draw(browser, icon, (size, size), PUBLIC / f"icon-{size}.png")
        for emblem in sorted(WEB.glob("src/games/*/emblem.svg")):
            await draw(browser, emblem.read_text(), PREVIEW, emblem.with_name("preview.jpg"))


async def draw(browser: Browser, drawing: str, size: tuple[int, int], file: Path) -> None:
    """As large as it has to be to cover all of it."""
    width, height = size
    page = await browser.new_page(viewport={"width": width, "height": height})
    style = "body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }"
    await page.set_content(f"<style>{style}</style>{drawing}")
    await page.locator("svg").first.evaluate("svg => svg.setAttribute('preserveAspectRatio', 'xMidYMid slice')")
    await page.screenshot(path=file, quality=85 if file.suffix == ".jpg" else None)
    await page.close()


if __name__ == "__main__":
    asyncio.run(main())
