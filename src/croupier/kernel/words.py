"""Sentences in the language of whoever reads them.

As with gettext the English text is the key, so that code reads as it speaks; other languages know what
they say instead.

A sentence may speak to whoever reads it. Of two ways to say something in brackets, the first is for the reader:
``"{name} [draw|draws] a card."`` is "Ann draws a card." and "You draw a card." They ask about ``name`` unless they say
who else: ``"[target:Your|{target}'s] card is gone."``
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType


class Reader(str):
    """The name of whoever reads a sentence."""

    __slots__ = ()


_EITHER = re.compile(r"\[(?:(\w+):)?([^][|]*)\|([^][|]*)\]")
"""The innermost ones, so that they may be nested."""


class Words:
    """What is said in one language."""

    __slots__ = ("_is_one", "_texts", "language")

    def __init__(self, language: str, texts: Mapping[str, str], is_one: Callable[[int], bool]) -> None:
        self.language = language
        self._texts = texts
        self._is_one = is_one

    def __call__(self, text: str, /, **named: object) -> str:
        """``words("{name} [pass|passes].", name="Ann")``"""
        text = self._texts.get(text, text)
        if "[" in text:
            readers = tuple([who for who, what in named.items() if type(what) is Reader])
            text = _addressed(text, readers)
            if readers:
                you = self._texts.get("you", "you")
                first = next((who for who in readers if text.startswith(f"{{{who}}}")), None)
                said = text.format_map(named | dict.fromkeys(readers, you))
                return said if first is None else said[:1].upper() + said[1:]
        return text.format_map(named)

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


@lru_cache(4096)
def _addressed(text: str, readers: tuple[str, ...]) -> str:
    """The sentence as it is for a reader who is all of these in it."""

    def chosen(either: re.Match[str]) -> str:
        who, to_reader, of_others = either.groups()
        return to_reader if (who or "name") in readers else of_others

    found = 1
    while found:
        text, found = _EITHER.subn(chosen, text)
    return text


ENGLISH = Words("en", {}, lambda count: count == 1)
