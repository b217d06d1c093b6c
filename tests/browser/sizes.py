"""Whether all that can be done on a page is within reach, on screens of every size.

``troubles(page)`` looks at what people would look at: does anything stick out of the page, can everything that can be
pressed be brought into sight by scrolling, and does something lie on top of it then?
"""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Page, ViewportSize

SIZES: dict[str, ViewportSize] = {
    "small phone": {"width": 360, "height": 640},
    "phone": {"width": 390, "height": 844},
    "phone held sideways": {"width": 844, "height": 390},
    "tablet": {"width": 820, "height": 1180},
    "laptop": {"width": 1280, "height": 800},
    "laptop at 200 %": {"width": 640, "height": 400},
    "large screen": {"width": 1920, "height": 1080},
}

_LOOK = Path(__file__).with_suffix(".js").read_text()


async def troubles(page: Page) -> list[str]:
    """What is wrong with the page at its present size."""
    found: list[str] = await page.evaluate(_LOOK)
    return found


_AT_REST = """
async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  await frame()
  await frame()
  const finite = (motion) => motion.effect?.getComputedTiming().endTime < 2000
  await Promise.all(document.getAnimations().filter(finite).map((motion) => motion.finished.catch(() => undefined)))
  await frame()
}
"""


async def resize(page: Page, size: ViewportSize) -> None:
    """Another screen; and all that follows from it comes to rest."""
    await page.set_viewport_size(size)
    await page.evaluate(_AT_REST)


async def troubles_everywhere(page: Page) -> dict[str, list[str]]:
    """What is wrong, by the names of the sizes at which something is; the page is left as large as it was."""
    before = page.viewport_size
    found = {}
    for name, size in SIZES.items():
        await resize(page, size)
        if wrong := await troubles(page):
            found[name] = wrong
    if before is not None:
        await page.set_viewport_size(before)
    return found
