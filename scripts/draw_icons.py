"""Draw the sizes of the web client's icon that browsers ask for, from web/public/icon.svg.

    python scripts/draw_icons.py

Run it when the drawing changes, and commit what it writes.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the tests know where Chromium is

from tests.browser.person import chromium

PUBLIC = Path(__file__).parents[1] / "web" / "public"
SIZES = (180, 192, 512)
"""For Apple's home screens; for Chromium's installation."""


async def main() -> None:
    drawing = (PUBLIC / "icon.svg").read_text()
    async with chromium() as browser:
        for size in SIZES:
            page = await browser.new_page(viewport={"width": size, "height": size})
            await page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawing}")
            await page.screenshot(path=PUBLIC / f"icon-{size}.png")
            await page.close()


if __name__ == "__main__":
    asyncio.run(main())
