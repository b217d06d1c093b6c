"""The languages that tables speak. What is said in them is in files ``<language>.json``: of a game beside its rules, of
everything else beside this module, from English texts to theirs. (Gettext's own files would have to be compiled.)
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from croupier.kernel.words import ENGLISH, Words
from croupier.tables.game_files import beside
from croupier.tables.table import AnyGame

LANGUAGES = {"en": lambda count: count == 1, "fr": lambda count: count < 2}
"""By their codes: whether so many of a thing are singular."""


def words(language: str, game: AnyGame | None = None) -> Words:
    """What a table says; English where the language is none of ours."""
    if language == "en" or language not in LANGUAGES:
        return ENGLISH
    return _words(language, None if game is None else type(game))


@cache
def _words(language: str, kind: type[AnyGame] | None) -> Words:
    """What is said in a game, and everywhere."""
    texts = _texts(language, files(__package__))
    if kind is not None:
        texts |= _texts(language, beside(kind))
    return Words(language, texts, LANGUAGES[language])


def _texts(language: str, folder: Traversable) -> dict[str, str]:
    path = folder / f"{language}.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.is_file() else {}
