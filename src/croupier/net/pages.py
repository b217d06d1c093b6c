"""The page as it is sent: one file for every address, with what a link to this one shows in a chat, a search or a tab;
and with what it will show first, so that nobody has to wait until it has asked.

Those who make such previews run no JavaScript. What is in them, and in the page, is what strangers may know of a table
anyway.
"""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from croupier.kernel import Words
from croupier.net import game_info
from croupier.net.packed_files import PackedFiles
from croupier.net.preloads import Preloads
from croupier.tables import languages
from croupier.tables.board import LobbyQuery
from croupier.tables.house import House
from croupier.tables.table import AnyGame

NAME = "Croupier"
ABOUT = "Card games with friends and bots, in the browser."
BEGIN, END = "<!-- preview -->", "<!-- /preview -->"
"""What is between these in ``index.html`` is for a page that no server has touched."""
FILES, KNOWN = "<!-- files -->", "<!-- known -->"
"""Where ``index.html`` has room for the files that this visit takes, and for what it shows first."""
TABLE = "src/TablePage.svelte"
"""The part of the page that tables take, by its source."""
FIRST_TABLES = LobbyQuery(limit=20)
"""What the lobby shows of the list of tables until all of it has come."""
MOST_KEPT = 1000
"""Closed tables of which we remember what they were."""
PACKED = 4
"""How tightly a page is packed: it is done for every visit, and beyond this takes longer for little."""

_encode = msgspec.json.Encoder().encode


class Preview(NamedTuple):
    title: str
    about: str
    image: str
    large: bool = False
    """Whether the image is a drawing, not an icon."""


class Pages:
    def __init__(self, house: House, folder: Path, operated: bool = False) -> None:
        """``operated``: whether there is a page for the operator."""
        self._house = house
        self._operated = operated
        self._folder = folder
        self._preloads = Preloads(folder)
        self._games: dict[str, bytes] = {}
        """What there is to know of all games, in each language that was asked for."""
        self._closed: OrderedDict[str, tuple[AnyGame, str]] = OrderedDict()
        """The games and names of tables that were asked for, the latest last."""

    def routes(self) -> list[Route]:
        return [
            Route("/", self._lobby),
            Route("/t/{table}", self._table),
            Route("/t/{table}/replay", self._replay),
            Route("/learn/{game}", self._lesson),
            Route("/people/{person}", self._person),
            Route("/leaders/{game}", self._leaders),
            Route("/me", self._me),
            *([Route("/operator", self._operator)] if self._operated else ()),
        ]

    async def _lobby(self, request: Request) -> Response:
        words = languages.words(language(request))
        tables = self._house.board.page(FIRST_TABLES)  # those that are known here, without waiting for other nodes
        return self._answer(request, Preview(NAME, words.said(ABOUT), "/icon-512.png"), tables=tables)

    async def _me(self, request: Request) -> Response:
        words = languages.words(language(request))
        return self._answer(request, Preview(words.said("My page"), words.said(ABOUT), "/icon-512.png"))

    async def _operator(self, request: Request) -> Response:
        words = languages.words(language(request))
        return self._answer(request, Preview(words.said("Operator"), words.said(ABOUT), "/icon-512.png"))

    async def _table(self, request: Request) -> Response:
        words = languages.words(language(request))
        id = request.path_params["table"]
        summary = self._house.look(id)
        if summary is not None and summary.lobby.private:
            preview = self._of(
                self._house.games[summary.game], words, summary.name, words.said("It takes a password to come in.")
            )
            return self._answer(request, preview, (TABLE,))  # who plays there is nobody's business
        if summary is not None:
            game = self._house.games[summary.game]
            seats = {"taken": len(summary.players), "seats": summary.seats}
            match summary.phase:
                case "waiting":
                    state = words.said("Seats taken: {taken} of {seats}. Come and play!", seats)
                case "playing":
                    state = words.said("A game is being played: come and watch.")
                case _:
                    state = words.said("The game is over.")
            if summary.locked:
                state += " " + words.said("It takes a password to sit down.")
            return self._answer(request, self._of(game, words, summary.name, state), (TABLE,), (_encode(summary),))
        known = await self._known(id)
        if isinstance(known, str):
            return self._missing(request, words.said(known))
        game, name = known
        return self._answer(request, self._of(game, words, name, words.said("This table is closed.")), (TABLE,))

    async def _replay(self, request: Request) -> Response:
        words = languages.words(language(request))
        known = await self._known(request.path_params["table"])
        if isinstance(known, str):
            return self._missing(request, words.said(known))
        game, name = known
        state = words.said("A game to watch again, move by move.")
        return self._answer(request, self._of(game, words, words.said("Replay") + f" – {name}", state))

    async def _lesson(self, request: Request) -> Response:
        words = languages.words(language(request))
        game = self._house.games.get(request.path_params["game"])
        if game is None or game.lesson is None:
            return self._missing(request, words.said("There is no such lesson."))
        state = words.said("A first game that explains itself.")
        return self._answer(request, self._of(game, words, words.said("Learn by playing"), state))

    async def _person(self, request: Request) -> Response:
        """Who it is may be for some to know only: the page asks for itself."""
        return self._answer(request, Preview(NAME, languages.words(language(request)).said(ABOUT), "/icon-512.png"))

    async def _leaders(self, request: Request) -> Response:
        words = languages.words(language(request))
        game = self._house.games.get(request.path_params["game"])
        if game is None:
            return self._missing(request, words.said("There is nothing here."))
        return self._answer(request, self._of(game, words, words.said("Who is best?"), ""))

    def nothing(self, request: Request) -> Response:
        """For somebody at a browser who has come to an address that leads nowhere."""
        return self._missing(request, languages.words(language(request)).said("There is nothing here."))

    def forget(self, table: str) -> None:
        self._closed.pop(table, None)

    async def _known(self, id: str) -> tuple[AnyGame, str] | str:
        """The game and the name of a table, open or closed; or why there is nothing to be said of it."""
        summary = self._house.look(id)
        if summary is not None:
            return self._house.games[summary.game], summary.name
        if id in self._closed:
            self._closed.move_to_end(id)
            return self._closed[id]
        opened = await self._house.opening(id)
        if opened is None:
            return "There is no such table."
        if opened.game not in self._house.games:
            return "The game of this table is not installed here."
        game = self._house.games[opened.game]
        self._closed[id] = game, opened.name
        if len(self._closed) > MOST_KEPT:
            self._closed.popitem(last=False)
        return game, opened.name

    def _of(self, game: AnyGame, words: Words, name: str, state: str) -> Preview:
        about = languages.words(words.language, game).said(game.about)
        drawing = f"previews/{game.name}.jpg"
        drawn = (self._folder / drawing).is_file()
        return Preview(f"{name} – {game.title}", f"{state} {about}", f"/{drawing}" if drawn else "/icon-512.png", drawn)

    def _missing(self, request: Request, sentence: str) -> Response:
        return self._answer(request, Preview(sentence.rstrip("."), sentence, "/icon-512.png"), status=404)

    def _answer(
        self,
        request: Request,
        preview: Preview,
        parts: Sequence[str] = (),
        tables: Sequence[bytes] = (),
        status: int = 200,
    ) -> Response:
        """``parts``: of the page, which this address takes, besides those that all do. ``tables``: what it shows."""
        page = (self._folder / "index.html").read_text()
        spoken = language(request)
        files = self._preloads.tags([f"src/words/frame/{spoken}.ts", *parts], page)
        page = page.replace(FILES, "\n    ".join(files))
        before, begin, rest = page.partition(BEGIN)
        _, _, after = rest.partition(END)
        before = before.replace('<html lang="en">', f'<html lang="{spoken}">')
        html = before + _head(request, preview, status) + after if begin else page
        html = html.replace(KNOWN, self._known_to_all(spoken, tables))
        # It names the host that was asked for: nobody may keep it for others.
        headers = {"Cache-Control": "private, no-cache", "Vary": "Accept-Encoding, Accept-Language"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return HTMLResponse(html, status, headers)
        packed = gzip.compress(html.encode(), PACKED, mtime=0)
        return HTMLResponse(packed, status, headers | {"Content-Encoding": "gzip"})

    def _known_to_all(self, spoken: str, tables: Sequence[bytes]) -> str:
        """What the page shows first, as data: browsers run nothing of this type, and the page reads it
        (``web/src/lib/ahead.ts``)."""
        games = self._games.get(spoken)
        if games is None:
            ahead = self._house.thinkers is not None
            described = [game_info.describe(game, spoken, ahead) for game in self._house.games.values()]
            games = self._games[spoken] = _encode(described)
        known = b'{"games":%b,"tables":[%b]}' % (games, b",".join(tables))
        # What people call their tables is in it: no part of it may look like the end of the script.
        text = known.decode().replace("<", "\\u003c")
        return f'<script type="application/json" id="known">{text}</script>'


def _head(request: Request, preview: Preview, status: int) -> str:
    here = request.url
    title = NAME if preview.title == NAME else f"{preview.title} – {NAME}"
    tags = [f"<title>{escape(title)}</title>", _meta("name", "description", preview.about)]
    if status == 404:
        tags.append(_meta("name", "robots", "noindex"))
    said = {
        "site_name": NAME,
        "type": "website",
        "title": preview.title,
        "description": preview.about,
        "url": str(here),
        "image": f"{here.scheme}://{here.netloc}{preview.image}",
    }
    tags += [_meta("property", f"og:{name}", text) for name, text in said.items()]
    tags.append(_meta("name", "twitter:card", "summary_large_image" if preview.large else "summary"))
    return "\n    ".join(tags)


def _meta(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(content)}" />'


def language(request: Request) -> str:
    """The first that the visitor's browser asks for and we speak."""
    asked = []
    for one in request.headers.get("accept-language", "").split(","):
        code, _, weight = one.strip().partition(";q=")
        try:
            asked.append((-float(weight or 1), code[:2].lower()))
        except ValueError:
            continue
    return next((code for _, code in sorted(asked, key=lambda each: each[0]) if code in languages.LANGUAGES), "en")


class PageFiles(PackedFiles):
    """The files of the page. What is built has another name when it has another content; the others, the service worker
    among them, must not grow old."""

    def lasts(self, path: str, scope: Scope) -> bool:
        return path.startswith("assets/")
