"""What a game from elsewhere brings for people to look at: a page of its own, an emblem, how it is played.

Its files lie beside its rules: ``page/page.js`` with all that it loads, ``emblem.svg``, ``rules.md``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path

from markdown_it import MarkdownIt
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.types import Scope

from croupier.net.packed_files import CHECKED, LASTS, PackedFiles
from croupier.tables.game_files import beside, rulebook
from croupier.tables.languages import LANGUAGES
from croupier.tables.table import AnyGame

PAGE, SCRIPT, EMBLEM = "page", "page.js", "emblem.svg"

_OTHER_LANGUAGE = re.compile(r"^\*\[[^\]]+\]\([^)]+\)\*\n", re.MULTILINE)
"""A line that leads to the same page in another language."""
_ELSEWHERE = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)[^)]+\)")
"""A link to another file, which is not here."""
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
"""What looks like HTML is text, and no link leads to a script."""


def page_address(game: AnyGame) -> str | None:
    """Of the game's own page, a module of JavaScript."""
    script = _folder(game) / PAGE / SCRIPT
    return f"/games/{game.name}/{PAGE}/{SCRIPT}?v={_version(script)}" if script.is_file() else None


def emblem_address(game: AnyGame) -> str | None:
    emblem = _folder(game) / EMBLEM
    return f"/games/{game.name}/{EMBLEM}?v={_version(emblem)}" if emblem.is_file() else None


@cache
def rules_address(game: AnyGame, language: str) -> str | None:
    """Of how the game is played, as HTML."""
    return None if rulebook(game, language) is None else f"/api/games/{game.name}/rules?language={language}"


def routes(games: Iterable[AnyGame]) -> list[Route | Mount]:
    found: list[Route | Mount] = []
    for game in games:
        folder = _folder(game)
        found.append(Route(f"/api/games/{game.name}/rules", partial(_answer_rules, game)))
        if (folder / EMBLEM).is_file():
            found.append(Route(f"/games/{game.name}/{EMBLEM}", partial(_answer_emblem, folder / EMBLEM)))
        if (folder / PAGE).is_dir():
            found.append(Mount(f"/games/{game.name}/{PAGE}", GamePage(folder / PAGE)))
    return found


class GamePage(PackedFiles):
    """A game's page, and what it loads. Who asks for the version that there is may keep it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, follow_symlink=True)  # some installers link to the files of a package
        self._folder = folder

    def lasts(self, path: str, scope: Scope) -> bool:
        return _is_current(self._folder / path, Request(scope))


async def _answer_emblem(file: Path, request: Request) -> Response:
    return FileResponse(file, headers={"Cache-Control": LASTS if _is_current(file, request) else CHECKED})


async def _answer_rules(game: AnyGame, request: Request) -> Response:
    language = request.query_params.get("language", "en")
    html = _rules(game, language if language in LANGUAGES else "en")
    if html is None:
        raise HTTPException(404, "nobody has written down how that is played")
    return HTMLResponse(html, headers={"Cache-Control": CHECKED})


@cache
def _rules(game: AnyGame, language: str) -> str | None:
    text = rulebook(game, language)
    return text and _markdown.render(_ELSEWHERE.sub(r"\1", _OTHER_LANGUAGE.sub("", text)))


def _folder(game: AnyGame) -> Path:
    """Packages are installed as files; whoever imports one from an archive does without a page."""
    return Path(str(beside(type(game))))


def _is_current(file: Path, request: Request) -> bool:
    """Whether somebody asks for the version of a file that there is, which lasts."""
    return request.query_params.get("v") == _version(file)


@cache
def _version(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]
