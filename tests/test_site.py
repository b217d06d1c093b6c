"""The documentation as a site: built by the real MkDocs, no link leads nowhere, and nothing comes from another host."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from services.processes import LOOPBACK
from tests.browser.person import chromium

ROOT = Path(__file__).parents[1]
HOST = "http://site"
"""Where the site is, for its links."""


def build(config: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """As `make docs` does it."""
    made = subprocess.run(["make", "--dry-run", "docs"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (arguments,) = re.findall(r"bin/mkdocs (.+)", made)
    where = ["--config-file", str(config), "--site-dir", str(folder)]
    command = [sys.executable, "-m", "mkdocs", *arguments.split(), *where]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = build(ROOT / "mkdocs.yml", folder)
    assert built.returncode == 0, built.stderr
    return folder


class Parsed(HTMLParser):
    """What a page links to, what it loads, and what can be linked to in it."""

    LOADING = ("script", "img", "iframe", "source", "video", "audio", "embed")

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.names: set[str] = set()
        self.feed(file.read_text())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.names.add(given.get("id") or given.get("name", ""))
        if tag in self.LOADING and "src" in given:
            self.loads.append(given["src"])
        if tag == "link":
            (self.links if given.get("rel") in ("next", "prev") else self.loads).append(given["href"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])


def pages(site: Path) -> dict[str, Parsed]:
    """By their addresses, as a server of files would have them."""
    found = {file: Parsed(file) for file in site.rglob("*.html") if file.name != "404.html"}  # its links are absolute
    return {f"{HOST}/{file.relative_to(site)}".removesuffix("index.html"): parsed for file, parsed in found.items()}


def test_links_and_pictures_lead_somewhere(site: Path) -> None:
    found = pages(site)
    assert len(found) > 30
    for address, page in found.items():
        for target in (*page.links, *page.loads):
            where, _, name = urljoin(address, target).partition("#")
            if not where.startswith(f"{HOST}/"):
                continue
            path = unquote(urlsplit(where).path).lstrip("/")
            assert (site / path / "index.html" if where in found else site / path).is_file(), f"{address}: {target}"
            if name and where in found:
                assert unquote(name) in found[where].names, f"{address}: {target}"


def test_nothing_comes_from_another_host(site: Path) -> None:
    for address, page in pages(site).items():
        assert [target for target in page.loads if not urljoin(address, target).startswith(f"{HOST}/")] == [], address
    for file in site.rglob("*.css"):
        assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)]*", file.read_text()) == [], file


BROKEN = {
    "a page that is not there": ("bots.md", "[there](nowhere-1.md)"),
    "a heading that is not there": ("bots.md", "[there](cluster.md#nowhere-2)"),
    "a heading that is not on this page": ("bots.md", "[there](#nowhere-3)"),
    "a page that is not there, outside docs/": ("games/coup.md", "[there](../../nowhere-4.md)"),
    "a heading that is not there, outside docs/": ("bots.md", "[there](../README.md#nowhere-5)"),
    "a folder": ("bots.md", "[there](nowhere-6)"),
    "an address without a host": ("bots.md", "[there](/nowhere-7)"),
    "a picture that is not there": ("bots.md", "![there](images/nowhere-8.webp)"),
    "a page that is not in the navigation": ("nowhere-9.md", "# Nowhere"),
}


def test_it_is_not_built_where_something_leads_nowhere(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    for file, text in BROKEN.values():
        with (tmp_path / "docs" / file).open("a") as page:
            page.write(f"\n{text}\n")
    config = tmp_path / "mkdocs.yml"
    config.write_text(f"INHERIT: {ROOT / 'mkdocs.yml'}\nhooks: [{ROOT / 'scripts' / 'site_pages.py'}]\n")
    failed = build(config, tmp_path / "site")
    assert failed.returncode == 1
    assert set(re.findall(r"nowhere-\d", failed.stderr)) == {f"nowhere-{number}" for number in range(1, 10)}
    assert f"Aborted with {len(BROKEN)} warnings" in failed.stdout


def test_files_outside_docs_come_along(site: Path) -> None:
    assert (site / "examples" / "nginx.conf").read_bytes() == (ROOT / "examples" / "nginx.conf").read_bytes()
    assert "../examples/nginx.conf" in Parsed(site / "operations" / "index.html").links
    assert "../CONTRIBUTING/" in Parsed(site / "write-your-own-game" / "index.html").links


def test_a_list_in_a_list_is_one(site: Path) -> None:
    """GitHub wants two or three spaces before it, and Python-Markdown four."""
    page = (site / "games" / "fortress" / "index.html").read_text()
    (inner,) = re.findall(r"<ol>(?:(?!</ol>).)*<ul>(.*?)</ul>", page, re.DOTALL)
    assert inner.count("<li>") == 4


def test_the_film_moves_and_is_small() -> None:
    film = (ROOT / "docs" / "images" / "film.webp").read_bytes()
    assert film[8:12] == b"WEBP"
    assert film.count(b"ANMF") > 50
    assert len(film) <= 2_000_000


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def served(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer((LOOPBACK, 0), partial(Quiet, directory=os.fspath(site))) as files:
        thread = threading.Thread(target=files.serve_forever)
        thread.start()
        try:
            yield f"http://{LOOPBACK}:{files.server_port}/"
        finally:
            files.shutdown()
            thread.join()


@pytest.mark.parametrize("width", [390, 1280])
async def test_in_a_browser(site: Path, width: int) -> None:
    """Nothing is asked of another host, nothing sticks out, the search finds."""
    with served(site) as address:
        async with chromium() as browser:
            context = await browser.new_context(base_url=address, viewport={"width": width, "height": 800})
            page = await context.new_page()
            asked: list[str] = []
            wrong: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
            page.on("pageerror", lambda error: wrong.append(str(error)))
            for path in ("speed/", "protocols/native/", "tour/", ""):
                await page.goto(path, wait_until="networkidle")
                assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
            if width < 1000:
                await page.locator("label.md-header__button[for=__search]").click()
            await page.get_by_role("textbox", name="Search").click()
            await page.get_by_text("Type to start searching").wait_for()  # it has its index now
            await page.keyboard.type("contessa")
            await page.locator("a[href*='/games/coup/?h=contessa']").first.wait_for()
            assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
            assert wrong == []
