"""Sentences in the language of whoever reads them.

As with gettext the English text is the key, so that code reads as it speaks; other languages know what
they say instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType


class Words:
    """What is said in one language."""

    __slots__ = ("_is_one", "_texts", "language")

    def __init__(self, language: str, texts: Mapping[str, str], is_one: Callable[[int], bool]) -> None:
        self.language = language
        self._texts = texts
        self._is_one = is_one

    def __call__(self, text: str, /, **named: object) -> str:
        """``words("{name} passes.", name="Ann")``"""
        return self._texts.get(text, text).format_map(named)

    def some(self, count: int, one: str, many: str, /, **named: object) -> str:
        """``words.some(2, "{count} card", "{count} cards")``"""
        return self(one if self._is_one(count) else many, count=count, **named)

    def said(self, sentence: str, named: Mapping[str, object] = MappingProxyType({})) -> str:
        """What was written in English, if this language has it, with what it names:
        ``words.said("the card there is {card}", {"card": "Archer"})``"""
        text = self._texts.get(sentence, sentence)
        if not named:
            return text
        return text.format_map({name: self.said(what) if type(what) is str else what for name, what in named.items()})


ENGLISH = Words("en", {}, lambda count: count == 1)
