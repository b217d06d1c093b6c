"""What lies beside a game's rules: what it says in other languages, how it is played, its emblem, its page."""

from __future__ import annotations

import re
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import croupier
from croupier.tables.table import AnyGame

_BY_NUMBER = re.compile("^## (?:The rules by number|Les règles par numéro)$", re.MULTILINE)
"""From here on a page of rules is for programmers."""


def beside(kind: type[AnyGame]) -> Traversable:
    """The folder of the package that a game's class is in, or of its module where that is in none."""
    module = sys.modules[kind.__module__]
    return files(module.__package__) if module.__package__ else Path(module.__file__ or "").parent


def rulebook(game: AnyGame, language: str = "en") -> str | None:
    """How a game is played, in Markdown, as far as players need it: in English where it is not written down in that
    language; None where nobody has written it down at all."""
    # Our own are where people read them, which in a wheel is inside (see pyproject.toml).
    docs = [folder / "docs" / "games" for folder in (files(croupier), Path(croupier.__file__).parents[2])]
    for suffix in (f".{language}.md", ".md"):
        for page in (beside(type(game)) / f"rules{suffix}", *(folder / f"{game.name}{suffix}" for folder in docs)):
            if page.is_file():
                return _BY_NUMBER.split(page.read_text(encoding="utf-8"))[0]
    return None
