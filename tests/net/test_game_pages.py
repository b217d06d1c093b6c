"""What a game from elsewhere brings for people to look at: its words, its rules, its emblem, its page."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from croupier.plugins import catalogue
from croupier.terminal import rulebook
from tests.client import client
from tests.live import LiveHere, request, server
from tests.packages import INIT, RULES, installed
from tests.test_plugins import site as site  # a fixture

PAGE = "export default { mount() { return { destroy() {} } } }\n"
BRINGS = {
    "__init__.py": INIT,
    "rules.py": RULES,
    "secret.md": "# Nobody's business",
    "fr.json": json.dumps({"The highest card takes the point.": "La plus haute carte prend le point."}),
    "rules.md": "# Bids\n\nBid a card. See [the code](rules.py), [a site](https://example.org) and "
    "[a trick](javascript:alert(1)).\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n"
    "| card | worth |\n|---|---|\n| 6 | most |\n\n## The rules by number\n\nB1: for programmers.\n",
    "rules.fr.md": "# Les enchères\n",
    "emblem.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180"/>',
    "page/page.js": PAGE,
    "page/chunk.mjs": "export {}",
    "page/style.css": "p { color: red }",
    "page/art/card.webp": "no picture",
    "page/font.woff2": "no font",
}
ECHO = """
from croupier.tables.dialect import Dialect
from croupier.tables.endpoint import Endpoint
from croupier.wire.http import HttpResponse

class Echo(Dialect):
    def greet(self):
        yield b"hello"
    def receive(self, message, text):
        yield message

endpoints = [Endpoint("bids", "/bids", lambda request: Echo(), http=lambda request, house: HttpResponse(200, b"bids"))]
"""


BROTLI = b"which Python can't make, and nobody here reads"


@pytest.fixture
async def live(site: Path, tmp_path: Path) -> AsyncIterator[LiveHere]:
    folder = installed(site, files=BRINGS)
    (folder / "page" / "page.js.gz").write_bytes(gzip.compress(PAGE.encode()))
    (folder / "page" / "page.js.br").write_bytes(BROTLI)
    async with server(tmp_path / "data", catalogue()) as running:
        yield running


async def described(live: LiveHere, language: str = "en") -> dict[str, Any]:
    async with client(live.ws(f"/ws?language={language}")) as ann:
        found: dict[str, dict[str, Any]] = {game["name"]: game for game in ann.welcome["games"]}
        assert {found[name]["page"] for name in found if name != "bids"} == {None}
        return found["bids"]


async def test_the_welcome_says_where_everything_is(live: LiveHere) -> None:
    bids = await described(live)
    version = hashlib.sha256(PAGE.encode()).hexdigest()[:12]
    assert bids["page"] == f"/games/bids/page/page.js?v={version}"
    for address in (bids["page"], bids["emblem"], bids["rules"]):
        assert (await request(live.ports["http"], "GET", address)).status == 200, address


async def test_a_game_that_brings_nothing_has_none(site: Path, tmp_path: Path) -> None:
    installed(site)
    async with server(tmp_path / "data", catalogue()) as live:
        bids = await described(live)
        assert (bids["page"], bids["emblem"], bids["rules"]) == (None, None, None)
        for path in ("/games/bids/page/page.js", "/games/bids/emblem.svg", "/api/games/bids/rules"):
            assert (await request(live.ports["http"], "GET", path)).status == 404


async def test_its_words(live: LiveHere) -> None:
    assert (await described(live, "fr"))["about"] == "La plus haute carte prend le point."


TYPES = {
    "page.js": "text/javascript",
    "chunk.mjs": "text/javascript",
    "style.css": "text/css",
    "art/card.webp": "image/webp",
    "font.woff2": "font/woff2",
}


async def test_files_have_their_types_and_may_be_kept_if_they_are_what_was_asked_for(live: LiveHere) -> None:
    port, page = live.ports["http"], (await described(live))["page"]
    for name, kind in TYPES.items():
        answer = await request(port, "GET", f"/games/bids/page/{name}")
        assert answer.headers["content-type"].partition(";")[0] == kind
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "immutable" in (await request(port, "GET", page)).headers["cache-control"]
    other = await request(port, "GET", "/games/bids/page/page.js?v=123456789abc")  # such as a newer node's
    assert (other.status, other.headers["cache-control"]) == (200, "no-cache")
    again = {"If-None-Match": other.headers["etag"]}
    assert (await request(port, "GET", "/games/bids/page/page.js", b"", **again)).status == 304
    emblem = await request(port, "GET", (await described(live))["emblem"])
    assert emblem.headers["content-type"] == "image/svg+xml"
    assert "immutable" in emblem.headers["cache-control"]


async def test_what_is_there_packed_is_sent_packed(live: LiveHere) -> None:
    port = live.ports["http"]
    packed = await request(port, "GET", "/games/bids/page/page.js", b"", **{"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["content-type"].startswith("text/javascript")
    assert gzip.decompress(packed.body).decode() == PAGE
    plain = await request(port, "GET", "/games/bids/page/chunk.mjs", b"", **{"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert plain.body == b"export {}"
    tighter = await request(
        port, "GET", "/games/bids/page/page.js", b"", **{"Accept-Encoding": "gzip, deflate, br, zstd"}
    )
    assert tighter.headers["content-encoding"] == "br"
    assert tighter.headers["content-type"].startswith("text/javascript")
    assert tighter.body == BROTLI
    assert packed.headers["vary"] == tighter.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "path",
    [
        "/games/bids/page/../rules.py",
        "/games/bids/page/%2e%2e/rules.py",
        "/games/bids/page/..%2frules.py",
        "/games/bids/page/art/../../rules.py",
        "/games/bids/page//etc/passwd",
        "/games/bids/page/%2fetc%2fpasswd",
        "/games/bids/page/..",
        "/games/bids/page/art",
        "/games/bids/page/",
        "/games/bids/page/\x00".replace("\x00", "%00"),
        "/games/bids/rules.py",
        "/games/bids/__init__.py",
        "/games/bids/",
        "/games/palace/page/page.js",
        "/games/nothing/page/page.js",
    ],
)
async def test_nothing_else_of_the_package_is_served(live: LiveHere, path: str) -> None:
    assert (await request(live.ports["http"], "GET", path)).status == 404


async def test_its_rules_as_html_in_which_nothing_runs(live: LiveHere) -> None:
    port = live.ports["http"]
    answer = await request(port, "GET", (await described(live))["rules"])
    html = answer.body.decode()
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert html.startswith("<h1>Bids</h1>")
    assert 'See the code, <a href="https://example.org">a site</a> and ' in html
    assert "<td>most</td>" in html
    assert "<script" not in html
    assert "<img" not in html
    assert "javascript:" not in html
    assert "B1" not in html
    french = await request(port, "GET", (await described(live, "fr"))["rules"])
    assert french.body.decode() == "<h1>Les enchères</h1>\n"


@pytest.mark.parametrize("language", ["de", "../secret", "%2e%2e/secret", "", "x/../../secret"])
async def test_rules_in_a_language_that_we_do_not_have(live: LiveHere, language: str) -> None:
    answer = await request(live.ports["http"], "GET", f"/api/games/bids/rules?language={language}")
    assert answer.body.startswith(b"<h1>Bids</h1>")


@pytest.mark.parametrize("game", ["palace", "cambia", "coup", "faraway", "fortress"])
async def test_our_own_rules_are_there_too(live: LiveHere, game: str) -> None:
    for language in ("en", "fr"):
        html = (await request(live.ports["http"], "GET", f"/api/games/{game}/rules?language={language}")).body.decode()
        assert html.startswith("<h1>")
        assert "](" not in html
        assert ".md" not in html


async def test_the_terminal_shows_its_rules(site: Path) -> None:
    installed(site, files=BRINGS)
    page = rulebook.pretty(rulebook.page(catalogue().games["bids"]), 80)
    assert "Bid a card." in page
    assert "B1" not in page


async def test_a_protocol_of_its_own(site: Path, tmp_path: Path) -> None:
    installed(site, files=BRINGS | {"__init__.py": INIT + ECHO})
    async with (
        server(tmp_path / "data", catalogue(), listen=["bids=127.0.0.1:0"]) as live,
        connect(live.ws("/bids")) as shared,
        connect(live.own("bids")) as own,
    ):
        for socket in (shared, own):
            assert await socket.recv() in (b"hello", "hello")
            await socket.send("there")
            assert await socket.recv() in (b"there", "there")
        assert (await request(live.ports["http"], "GET", "/bids/anything")).body == b"bids"


def test_a_game_of_one_module_has_its_files_beside_it(site: Path) -> None:
    (site / "bids.py").write_text(RULES)
    (site / "fr.json").write_text(BRINGS["fr.json"])
    (site / "rules.md").write_text("# How to bid\n")
    (site / "page").mkdir()
    (site / "page" / "page.js").write_text(PAGE)
    program = """
from croupier.plugins import catalogue
from croupier.net.game_info import describe
found = describe(catalogue(["bids:Bids"]).games["bids"], "fr")
print(found.about, found.page, found.rules)
"""
    said = subprocess.check_output([sys.executable, "-c", program], cwd=site, text=True)
    version = hashlib.sha256(PAGE.encode()).hexdigest()[:12]
    page = f"/games/bids/page/page.js?v={version}"
    assert said == f"La plus haute carte prend le point. {page} /api/games/bids/rules?language=fr\n"
