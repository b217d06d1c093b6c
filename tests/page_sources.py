"""What the sources of the page say: the texts in its code and in its markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).parents[1] / "web"
SOURCES = WEB / "src"
LIBRARY = WEB / "table" / "src"
"""``@croupier/table``, which pages are built with."""
CLIENT = WEB / "client" / "src"
"""``@croupier/client``, which the page speaks to the server with."""


def newer_than(page: Path, web: Path = WEB) -> Path | None:
    """A source of the page that has changed since it was built, if any has; what is only read by people is none."""
    folders = ("src", "public", "client/src", "table")
    sources = [file for folder in folders for file in (web / folder).rglob("*") if file.is_file()]
    sources += (web.parent / "src").glob("croupier/games/*/cards.json")
    sources += (web.parent / "docs" / "games").glob("*.md")  # rules, which the page shows
    configured = ("package-lock.json", "vite.config.ts", "svelte.config.js", "tsconfig.json")
    sources += [web / name for name in ("index.html", *configured)]
    built = page.stat().st_mtime if page.exists() else 0
    changed = (file for file in sources if file.name != "README.md" and file.stat().st_mtime > built)
    return next(changed, None)


COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
QUOTED = re.compile(r"""'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)\"""")
PATTERN = re.compile(r"(?<=[(,=?:] )/(?:\\.|[^/\\\n])+/|(?<=\()/(?:\\.|[^/\\\n])+/")
IMPORT = re.compile(r"^\s*(?:import|export) [^\n]* from [^\n]*$|\bimport\([^)]*\)", re.MULTILINE)


def texts(code: str) -> Iterator[str]:
    """The texts in TypeScript, those of templates in the pieces between what is put in."""
    yield from _texts(IMPORT.sub("", code), 0, "")[1]


def _texts(code: str, at: int, until: str) -> tuple[int, list[str]]:
    """The texts from there to that bracket, and where it is."""
    found: list[str] = []
    while at < len(code):
        if until and code[at] == until:
            return at, found
        if skipped := COMMENT.match(code, at) or PATTERN.match(code, at):
            at = skipped.end()
        elif quoted := QUOTED.match(code, at):
            found.append(quoted[1] if quoted[1] is not None else quoted[2])
            at = quoted.end()
        elif code[at] == "`":
            at, pieces = _template(code, at + 1)
            found += pieces
        elif code[at] == "{":
            at, inner = _texts(code, at + 1, "}")
            found += inner
            at += 1
        else:
            at += 1
    return at, found


def _template(code: str, at: int) -> tuple[int, list[str]]:
    found = [""]
    while code[at] != "`":
        if code.startswith("${", at):
            at, inner = _texts(code, at + 2, "}")
            found += [*inner, ""]
        else:
            found[-1] += code[at]
        at += 1
    return at + 1, found


def parts(source: str) -> tuple[str, str]:
    """The code and the markup of a component."""
    code = "\n".join(re.findall(r"<script[^>]*>(.*?)</script>", source, re.DOTALL))
    return code, re.sub(r"<script[^>]*>.*?</script>|<style>.*?</style>|<!--.*?-->", "", source, flags=re.DOTALL)


def braced(markup: str) -> Iterator[tuple[str, str]]:
    """Markup as pieces that are plain, each with the expression that comes after it."""
    plain, at = "", 0
    while at < len(markup):
        if markup[at] == "{":
            end, _ = _texts(markup, at + 1, "}")
            yield plain, markup[at + 1 : end]
            plain, at = "", end + 1
        else:
            plain += markup[at]
            at += 1
    yield plain, ""
