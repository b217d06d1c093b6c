"""Plain HTTP: the API, health, metrics and the page."""

from __future__ import annotations

import asyncio
import gzip
import json
import shutil
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from croupier import server as croupier_server
from croupier.net.addresses import lan_address
from croupier.net.http_connection import HttpConnection
from tests.client import client
from tests.live import LiveHere, request, server

WEB = Path(__file__).parents[2] / "web"


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


async def get(url: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    def fetch() -> tuple[int, str]:
        try:
            request = urllib.request.Request(url, method=method, headers=headers)
            with urllib.request.urlopen(request, timeout=20) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    return await asyncio.to_thread(fetch)


async def get_json(url: str, **headers: str) -> Any:
    status, body = await get(url, **headers)
    assert status == 200
    return json.loads(body)


async def test_health_and_readiness(live: LiveHere) -> None:
    assert await get(live.http + "/healthz") == (200, "ok\n")
    assert await get(live.http + "/readyz") == (200, "ready\n")
    live.house.ready = False
    assert (await get(live.http + "/readyz"))[0] == 503


async def test_games(live: LiveHere) -> None:
    games = await get_json(live.http + "/api/games")
    assert ("palace", 2, 255) in [(game["name"], game["fewest"], game["most"]) for game in games]


async def test_tables_and_one_table(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", password="plum")
        tables = await get_json(live.http + "/api/tables")
        assert [(table["id"], table["locked"]) for table in tables] == [(ann.table, True)]
        assert await get_json(live.http + "/api/tables?game=chess") == []
        one = await get_json(live.http + f"/api/tables/{ann.table}")
        assert one["table"] == tables[0]
        assert (one["seq"], one["hash"], one["result"]) == (2, "", None)
        assert "plum" not in json.dumps(one)
        assert ann.token not in json.dumps(one)
        await ann.ask("add_bots")
        await ann.ask("start")
        assert len((await get_json(live.http + f"/api/tables/{ann.table}"))["hash"]) == 64
        await ann.ask("leave")
        await asyncio.sleep(0)
    status, body = await get(live.http + "/api/tables/0123")
    assert (status, json.loads(body)) == (404, {"error": "there is no such table"})


async def test_where_friends_on_the_network_find_the_server(tmp_path: Path) -> None:
    assert lan_address("127.0.0.1") is lan_address("localhost") is None
    assert (lan_address("192.0.2.7"), lan_address("2001:db8::7")) == ("192.0.2.7", "[2001:db8::7]")
    async with server(tmp_path, host="0.0.0.0") as live:
        reach = lan_address("0.0.0.0")
        told = reach and f"http://{reach}:{live.ports['http']}"
        assert await get_json(live.http + "/api/network") == {"address": told}
        # Who has come from elsewhere is not told about the server's own network.
        for host in ("cards.example", "192.0.2.7:80", "[", ""):
            assert await get_json(live.http + "/api/network", Host=host) == {"address": None}


async def test_a_stranger_is_not_told_of_the_network_whatever_they_write_into_the_request(tmp_path: Path) -> None:
    reach = lan_address("0.0.0.0")
    if reach is None:
        pytest.skip("this machine is on no network")
    async with server(tmp_path, host="0.0.0.0") as live:
        port = live.ports["http"]
        assert await get_json(f"http://127.0.0.1:{port}/api/network") == {"address": f"http://{reach}:{port}"}
        for host in ("localhost", f"127.0.0.1:{port}", "[::1]"):
            assert (await get_json(f"http://127.0.0.1:{port}/api/network", Host=host))["address"], host
            assert await get_json(f"http://{reach}:{port}/api/network", Host=host) == {"address": None}
        # Nor by a proxy on this machine, which comes from here and may be told any name.
        for name in ("X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Via"):
            told = await get_json(f"http://127.0.0.1:{port}/api/network", **{"Host": "localhost", name: "192.0.2.7"})
            assert told == {"address": None}, name


async def test_metrics(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        _, text = await get(live.http + "/metrics")
    assert 'croupier_tables{game="palace",phase="waiting"} 1.0' in text
    assert "croupier_connections 1.0" in text
    assert "croupier_entries_total 2.0" in text


async def test_unknown_paths_and_methods(live: LiveHere) -> None:
    assert (await get(live.http + "/api/nothing"))[0] == 404
    assert (await get(live.http + "/api/tables", "POST"))[0] == 405
    assert (await get(live.http + "/../../etc/passwd"))[0] == 404


class Head(HTMLParser):
    """What those read of a page who show a link to it; and ``known``: what it shows first."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.title = self.language = ""
        self.said: dict[str, str] = {}
        self.tags: list[str] = []
        self.files: list[str] = []
        self.known: dict[str, Any] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        if tag == "link" and found["href"].startswith("/assets/"):
            self.files.append(found["href"])
        if tag == "html":
            self.language = found["lang"]
        if tag == "meta" and (name := found.get("property", found.get("name"))):
            self.said[name] = found["content"]

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] == ["title"] and not self.title:
            self.title = data
        if self.tags[-1:] == ["script"] and data.startswith("{"):
            self.known = json.loads(data)


@pytest.fixture
async def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LiveHere]:
    """A server with a page, which need not be built for this."""
    page = tmp_path / "page"
    (page / "previews").mkdir(parents=True)
    shutil.copy(WEB / "index.html", page)
    shutil.copy(WEB / "src" / "games" / "palace" / "preview.jpg", page / "previews" / "palace.jpg")
    monkeypatch.setattr(croupier_server, "PAGE", page)
    async with server(tmp_path / "data", bot_delay=0) as running:
        yield running


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


async def head(url: str, status: int = 200, language: str = "") -> Head:
    found, page = await get(url, **BROWSER, **{"Accept-Language": language})
    assert found == status
    return Head(page)


async def test_a_link_shows_its_table_without_javascript(site: LiveHere) -> None:
    async with client(site.ws("/ws")) as ann:
        name = 'Ann"s <script>table</script> & {more}'
        await ann.ask("open", game="palace", player="Ann", name=name, seats=3)
        link = f"{site.http}/t/{ann.table}"
        waiting = await head(link)
        assert waiting.title == f"{name} – Palace – Croupier"
        assert waiting.said["og:title"] == f"{name} – Palace"
        assert waiting.said["og:description"] == waiting.said["description"]
        assert waiting.said["og:description"].startswith("Seats taken: 1 of 3. Come and play! ")
        assert site.house.games["palace"].about in waiting.said["og:description"]
        assert waiting.said["og:url"] == link
        assert waiting.said["twitter:card"] == "summary_large_image"
        assert waiting.tags.count("script") == 2, "the page's own, and what it shows first"
        assert [table["name"] for table in waiting.known["tables"]] == [name]
        assert not [text for text in waiting.said.values() if "plum" in text or ann.token in text]
        assert (await asyncio.to_thread(urllib.request.urlopen, waiting.said["og:image"])).status == 200

        await ann.ask("add_bots", count=2)
        await ann.ask("start")
        assert "A game is being played" in (await head(link)).said["og:description"]
        replay = await head(f"{link}/replay?game=1")
        assert replay.title == f"Replay – {name} – Palace – Croupier"
        assert replay.said["og:url"] == f"{link}/replay?game=1"


async def test_a_link_speaks_the_language_of_whoever_follows_it(site: LiveHere) -> None:
    async with client(site.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=3)
        french = await head(f"{site.http}/t/{ann.table}", language="de, fr-CH;q=0.9, en;q=0.8")
        assert french.language == "fr"
        assert french.said["description"].startswith("Places prises\u202f: 1 sur 3.")
        for asked in ("en, fr;q=0.9", "tlh", "", "fr;q=x", "fr;q=0.1, en"):
            assert (await head(f"{site.http}/t/{ann.table}", language=asked)).language == "en"


async def test_what_is_shown_first_is_in_the_page(site: LiveHere) -> None:
    async with client(site.ws("/ws")) as ann, client(site.ws("/ws")) as ben:
        await ann.ask("open", game="palace", player="Ann", name="</script><!-- files -->", seats=3)
        await ben.ask("open", game="coup", player="Ben", name="Ours", listed=False)
        for language in ("en", "fr"):
            lobby = (await head(f"{site.http}/", language=language)).known
            assert lobby["games"] == await get_json(f"{site.http}/api/games?language={language}")
            assert lobby["tables"] == await get_json(f"{site.http}/api/tables")
        assert [table["name"] for table in lobby["tables"]] == ["</script><!-- files -->"]
        (ours,) = (await head(f"{site.http}/t/{ben.table}")).known["tables"]
        assert ours == (await get_json(f"{site.http}/api/tables/{ben.table}"))["table"]
        plain = await request(site.ports["http"], "GET", "/")
        packed = await request(site.ports["http"], "GET", "/", b"", **{"Accept-Encoding": "gzip, br"})
        assert (packed.headers["content-encoding"], gzip.decompress(packed.body)) == ("gzip", plain.body)
        assert len(packed.body) < len(plain.body) / 2


async def test_a_page_names_the_files_that_its_address_takes(site: LiveHere, tmp_path: Path) -> None:
    built = {
        "_page-1.js": {"file": "assets/page-1.js", "css": ["assets/page-2.css"]},
        "_table-3.js": {"file": "assets/table-3.js", "imports": ["_page-1.js"], "css": ["assets/table-4.css"]},
        "src/TablePage.svelte": {"file": "assets/TablePage-5.js", "imports": ["_table-3.js"], "isDynamicEntry": True},
        "src/words/frame/en.ts": {"file": "assets/en-6.js"},
        "src/words/frame/fr.ts": {"file": "assets/fr-7.js"},
    }
    page = tmp_path / "page"
    (page / "files.json").write_text(json.dumps(built))
    begin = '<script type="module" src="/assets/page-1.js"></script><style src="/assets/page-2.css"></style></head>'
    (page / "index.html").write_text((page / "index.html").read_text().replace("</head>", begin))
    async with client(site.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=3)
        table = (await head(f"{site.http}/t/{ann.table}", language="fr")).files
    assert table == [f"/assets/{name}" for name in ("fr-7.js", "TablePage-5.js", "table-3.js", "table-4.css")]
    assert (await head(site.http + "/")).files == ["/assets/en-6.js"]


async def test_a_link_to_a_table_that_is_closed_or_never_was(site: LiveHere) -> None:
    async with client(site.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", name="Gone by now", password="plum")
        link = f"{site.http}/t/{ann.table}"
        await ann.ask("leave")
    for _ in range(2):  # the second time it is remembered
        closed = await head(link)
        assert closed.title == "Gone by now – Palace – Croupier"
        assert closed.said["og:description"].startswith("This table is closed.")
        assert (await head(f"{link}/replay")).title == "Replay – Gone by now – Palace – Croupier"
    for address in ("/t/0123", "/t/0123/replay", "/t/%22%3E%3Cscript%3E"):
        unknown = await head(site.http + address, 404)
        assert unknown.title == "There is no such table – Croupier"
        assert unknown.said["robots"] == "noindex"
        assert unknown.tags.count("script") == 2
        assert unknown.known["tables"] == []


async def test_an_unknown_address_is_a_page_for_people_and_json_for_programs(site: LiveHere) -> None:
    assert (await head(site.http + "/")).title == "Croupier"
    lost = await head(site.http + "/nowhere/at/all", 404)
    assert lost.title == "There is nothing here – Croupier"
    status, body = await get(site.http + "/nowhere")
    assert (status, json.loads(body)) == (404, {"error": "Not Found"})
    for path in ("/api/nothing", "/api/tables/0123"):
        status, body = await get(site.http + path, **BROWSER)
        assert (status, list(json.loads(body))) == (404, ["error"])


async def test_answers_are_guarded(site: LiveHere) -> None:
    """Whatever is answered, found or not, and to whatever mistake; in a browser: tests/browser/test_guards.py."""
    async with client(site.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        paths = ["/", f"/t/{ann.table}", "/t/0123", "/nowhere", "/index.html", "/previews/palace.jpg", "/palaces"]
        paths += ["/api/games", "/api/tables", f"/api/tables/{ann.table}", f"/api/tables/{ann.table}/games/1"]
        paths += ["/api/network", "/api/nothing", "/healthz", "/metrics"]
        for path in paths:
            for method in ("GET", "POST"):
                guards = (await request(site.ports["http"], method, path, b"", **BROWSER)).headers
                assert guards["x-content-type-options"] == "nosniff", path
                assert guards["referrer-policy"] == "no-referrer", path
                assert "cross-origin-opener-policy" not in guards, "of which browsers would complain"
                assert "camera=()" in guards["permissions-policy"], path
                policy = dict(part.split(" ", 1) for part in guards["content-security-policy"].split("; "))
                assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'", path
                assert policy.pop("img-src") == "'self' data:"
                assert set(policy.values()) == {"'none'", "'self'"}, path


async def test_over_https_no_other_page_gets_hold_of_ours(tmp_path: Path) -> None:
    async with server(tmp_path, trusted_proxy=("127.0.0.1",)) as live:
        plain = await request(live.ports["http"], "GET", "/api/games")
        assert "cross-origin-opener-policy" not in plain.headers
        secure = await request(live.ports["http"], "GET", "/api/games", b"", **{"X-Forwarded-Proto": "https"})
        assert secure.headers["cross-origin-opener-policy"] == "same-origin"
        assert "content-security-policy" in secure.headers


async def test_a_fault_is_answered_with_guards_too(site: LiveHere, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("on purpose")

    monkeypatch.setattr(site.house.board, "encoded", fail)
    failed = await request(site.ports["http"], "GET", "/api/tables")
    assert (failed.status, failed.headers["x-content-type-options"]) == (500, "nosniff")
    assert "content-security-policy" in failed.headers


async def test_the_answers_of_the_games_protocols_are_theirs(tmp_path: Path) -> None:
    """Pages of other sites are among their clients; all that is added is that nothing is guessed."""
    async with server(tmp_path, listen=("coup=127.0.0.1:0",)) as live:
        for port, above in ((live.ports["http"], "/coup"), (live.ports["coup"], "")):
            made = await request(port, "POST", f"{above}/v2/game", b"{}")
            assert made.headers["access-control-allow-origin"] == "*", above
            assert made.headers["x-content-type-options"] == "nosniff", above
            assert "content-security-policy" not in made.headers, above
        poll = await request(live.ports["http"], "GET", "/socket.io/?EIO=4&transport=polling")
        assert (poll.status, poll.headers["x-content-type-options"]) == (200, "nosniff")
        assert "content-security-policy" not in poll.headers


async def test_nobody_keeps_a_page_for_others_that_names_the_host_somebody_asked_for(site: LiveHere) -> None:
    page = await request(site.ports["http"], "GET", "/", Host="evil.example")
    assert b"http://evil.example/icon-512.png" in page.body
    assert page.headers["cache-control"] == "private, no-cache"


async def test_garbage_instead_of_http_disturbs_nobody(live: LiveHere) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", live.ports["http"])
    writer.write(b"\x16\x03\x01\x00\xa5 garbage\r\n\r\n")
    assert b"400" in await reader.read(200)
    writer.close()
    assert (await get(live.http + "/healthz"))[0] == 200


class Kept:
    """A connection on which one request follows another."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, port: int) -> Kept:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    def ask(self) -> None:
        self.writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")

    async def answer(self) -> bytes:
        async with asyncio.timeout(20):
            head = await self.reader.readuntil(b"\r\n\r\n")
            return head.split(b"\r\n")[0] + b" " + await self.reader.readexactly(3)


async def test_a_request_on_a_kept_connection_is_not_cut_off_while_it_waits_for_its_turn(
    live: LiveHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = await Kept.open(live.ports["http"])
    line.ask()
    assert await line.answer() == b"HTTP/1.1 200 OK ok\n"
    waiting: asyncio.Queue[tuple[HttpConnection, bytes]] = asyncio.Queue()
    take = HttpConnection.arrived
    with monkeypatch.context() as others_first:
        others_first.setattr(
            HttpConnection, "arrived", lambda connection, data, kind: waiting.put_nowait((connection, data))
        )
        line.ask()
        connection, data = await asyncio.wait_for(waiting.get(), 20)
    assert connection.timeout_keep_alive_task is None, "it would be closed with a question on its way"
    take(connection, data, None)
    assert await line.answer() == b"HTTP/1.1 200 OK ok\n"
    assert connection.timeout_keep_alive == live.admission.limits.request_seconds
    line.writer.close()


async def test_a_kept_connection_on_which_nothing_is_asked_is_closed(tmp_path: Path) -> None:
    async with server(tmp_path, request_timeout=2) as live:
        line = await Kept.open(live.ports["http"])
        for _ in range(2):
            line.ask()
            assert await line.answer() == b"HTTP/1.1 200 OK ok\n"
        async with asyncio.timeout(20):
            assert await line.reader.read() == b""
        line.writer.close()


async def test_a_page_of_the_lobby_shows_those_first_that_somebody_can_join(tmp_path: Path) -> None:
    async with server(tmp_path) as live, AsyncExitStack() as people:
        ids = []
        for game, bots in (("coup", 0), ("palace", 1), ("coup", 1), ("palace", 0)):
            one = await people.enter_async_context(client(live.ws("/ws")))
            await one.ask("open", game=game, player="Ann", seats=2)
            if bots:
                await one.ask("add_bots", count=bots)
            ids.append(one.table)

        async def page(query: str) -> list[str]:
            return [row["id"] for row in await get_json(f"{live.http}/api/tables?{query}")]

        shown = await page("limit=10")
        assert set(shown[:2]) == {ids[0], ids[3]} and set(shown[2:]) == {ids[1], ids[2]}
        assert await page("limit=1") + await page(f"limit=3&after={shown[0]}") == shown
        assert set(await page("free=1")) == {ids[0], ids[3]}
        assert await page("free=1&game=coup") == [ids[0]]
        assert await page("phase=playing") == []
        assert await page("game=coup&_=1") == await page("game=coup") == [ids[0], ids[2]], "all of them, as ever"
        assert (await get(live.http + "/api/tables?limit=0"))[0] == 400
        assert (await get(live.http + "/api/tables?phase=x"))[0] == 400
