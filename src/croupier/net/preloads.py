"""The files that a page will ask for, named at its head: so browsers ask for all of them at once, and not for one when
another has come. Where every question takes half a second, that is most of the wait.

These are hints: without them the page finds everything by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec


class BuiltFile(msgspec.Struct, frozen=True):
    """What Vite's manifest says of a file that it has made."""

    file: str
    imports: tuple[str, ...] = ()
    """What it can't run without, by the same names as in the manifest."""
    css: tuple[str, ...] = ()


_decode = msgspec.json.Decoder(dict[str, BuiltFile]).decode


class Preloads:
    def __init__(self, folder: Path) -> None:
        """``folder``: of the built page."""
        self._manifest = folder / "files.json"

    def tags(self, parts: Iterable[str], page: str) -> list[str]:
        """``parts``: of the page, by their sources. ``page``: its HTML, whose own files it names itself."""
        if not self._manifest.is_file():
            return []
        built = _decode(self._manifest.read_bytes())
        files = dict.fromkeys(file for part in parts for file in _with_imports(built, part))
        return [_tag(file) for file in files if file not in page]


def _with_imports(built: Mapping[str, BuiltFile], name: str) -> Iterator[str]:
    """What a part consists of; nothing where this page has no such part."""
    if name in built:
        yield built[name].file
        yield from built[name].css
        for imported in built[name].imports:
            yield from _with_imports(built, imported)


def _tag(file: str) -> str:
    # Styles have time: there is nothing to show without the program.
    kind = 'rel="preload" as="style" fetchpriority="low"' if file.endswith(".css") else 'rel="modulepreload"'
    return f'<link {kind} crossorigin href="/{file}" />'
