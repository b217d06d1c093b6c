"""The languages that tables speak. What is said in them is in files ``<language>.json``: of a game beside its rules, of
everything else beside this module, from English texts to theirs. (Gettext's own files would have to be compiled.)
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from croupier.kernel.words import ENGLISH, Words
from croupier.tables.table import AnyGame

LANGUAGES = {"en": lambda count: count == 1, "fr": lambda count: count < 2}
"""By their codes: whether so many of a thing are singular."""


def words(language: str, game: AnyGame | None = None) -> Words:
    """What a table says; English where the language is none of ours."""
    if language == "en" or language not in LANGUAGES:
        return ENGLISH
    texts = _texts(language, __package__)
    if game is not None:
        texts = texts | _texts(language, type(game).__module__.rpartition(".")[0])
    return Words(language, texts, LANGUAGES[language])


@cache
def _texts(language: str, package: str) -> dict[str, str]:
    path = files(package) / f"{language}.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.is_file() else {}
