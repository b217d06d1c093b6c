"""How a person says which move they want: step by step, by short keys, from the labels of the moves alone.

>>> moves = {"steal › Ada": 1, "steal › Bo": 2, "tax — 3 coins": 3, "keep › Duke + Captain": 4}
>>> question = Question.about(moves.items())
>>> [(choice.key, choice.text) for choice in question.choices]
[('s', 'steal'), ('t', 'tax'), ('k', 'keep')]
>>> question.answered("s b").move
2
>>> question.answered("keep captain").move
4
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from click import unstyle

STEP, AND, WHY = " › ", " + ", " — "
"""The signs of a label; see ``Game.label``."""
FEW = 20
"""Of more choices than these, those that begin with the same word are put together."""
COMMANDS = "q", "r", "?"
"""Keys that no choice has: to quit, for the rules, for help."""
ALL = "that is all"


class Unclear(Exception):
    """Nobody knows what is meant. The message is a sentence for whoever has typed it."""


class Way(NamedTuple):
    """A move, and what is still to be said for it: step by step, and within a step in any order."""

    move: Any
    steps: tuple[tuple[str, ...], ...]


class Choice(NamedTuple):
    """Something that can be said next, and where it leads."""

    key: str
    text: str
    why: str
    ways: Sequence[Way]


Branch = tuple[str, str, list[Way]]
"""A choice that has no key yet."""


class Question:
    """Which of these moves?"""

    def __init__(self, ways: Sequence[Way], before: Sequence[Choice] = (), said: tuple[str, ...] = ()) -> None:
        self.ways = ways
        self._before = before
        self.topic = said
        """What has been said already, or goes without saying."""
        self.choices = self._choices()
        """What can be said next."""

    @classmethod
    def about(cls, labelled: Iterable[tuple[str, Any]]) -> Question:
        """Moves with the same label are the same to people: the first is taken for all."""
        first: dict[str, Any] = {}
        for label, move in labelled:
            first.setdefault(label, move)
        return cls([Way(move, tuple(tuple(s.split(AND)) for s in label.split(STEP))) for label, move in first.items()])

    @property
    def move(self) -> Any:
        """The answer; None while more than one move could be meant."""
        return self.ways[0].move if len(self.ways) == 1 else None

    def _choices(self) -> list[Choice]:
        found = _branches(self.ways)
        while len(found) == 1 and any(way.steps for way in found[0][2]):
            text, _, leads = found[0]
            self.topic += (text,)
            found = _branches(leads)
        # Among things that are named one after the other, each keeps its key.
        kept = {choice.text: choice.key for choice in self._before}
        texts = [text for text, _, _ in found]
        keys = [kept[text] for text in texts] if kept.keys() >= set(texts) else _keys(texts)
        return [Choice(key, *branch) for key, branch in zip(keys, found, strict=True)]

    def answered(self, line: str) -> Question:
        """The question that is left after a line that says one step, or several one after the other."""
        words = line.split()
        question = self
        while words:
            if not any(way.steps for way in question.ways):
                raise Unclear(f"Nothing can be made of “{' '.join(words)}” at the end.")
            for count in range(len(words), 0, -1):
                choice = _meant(" ".join(words[:count]), question.choices, alone=count == 1)
                if choice is not None:
                    break
            else:
                raise Unclear(f"“{words[0]}” is not one of these: type a key from the list, or ? for help.")
            said = (*question.topic, choice.text)
            question, words = Question(choice.ways, question.choices, said), words[count:]
        return question


def _branches(ways: Sequence[Way]) -> list[Branch]:
    found: dict[str, Branch] = {}
    for way in ways:
        first, *rest = way.steps or ((ALL,),)
        for step in dict.fromkeys(first):
            text, _, why = step.partition(WHY)
            others = list(first)
            others.remove(step)
            left = (tuple(others), *rest) if others else tuple(rest)
            found.setdefault(text, (text, why, []))[2].append(Way(way.move, left))
    return list(found.values()) if len(found) <= FEW else _grouped(found.values())


def _grouped(found: Iterable[Branch]) -> list[Branch]:
    sizes = Counter(text.split(" ")[0] for text, _, _ in found)
    groups: dict[str, Branch] = {}
    for text, why, leads in found:
        word, _, rest = text.partition(" ")
        if sizes[word] == 1 or "\x1b" in text:
            groups[text] = text, why, leads
        else:
            more = ((rest + WHY + why if why else rest,),) if rest else ()
            groups.setdefault(word, (word, "", []))[2].extend(Way(way.move, more + way.steps) for way in leads)
    return list(groups.values())


def _keys(texts: Sequence[str]) -> list[str]:
    """A number is its own key, a word has its initial; where two would have the same, all are numbered."""
    keys = [text if text.isdecimal() else text[:1] for text in map(plain, texts)]
    known = all(key.isalpha() or key == plain(text) for key, text in zip(keys, texts, strict=True))
    if known and len({*keys, *COMMANDS}) == len(keys) + len(COMMANDS):
        return keys
    return [str(number) for number in range(1, len(texts) + 1)]


def _meant(said: str, offered: Sequence[Choice], alone: bool) -> Choice | None:
    said = plain(said)
    # A key comes before a text: where ranks are numbered, 3 is what stands beside the 3, and not the three.
    named: dict[str, Choice] = {plain(each.text): each for each in reversed(offered)}
    named |= {each.key: each for each in offered}
    if said in named:
        return named[said]
    if said.isdecimal() and 1 <= int(said) <= len(offered) and offered[0].key.isalpha():
        return offered[int(said) - 1]
    begins = re.escape(said) + (r"(?!\d)" if said[-1].isdecimal() else "")  # 1 is not the beginning of 10
    for beginning in (f"^{begins}", rf"\b{begins}"):
        found = [choice for choice in offered if re.search(beginning, plain(choice.text))]
        if len(found) == 1:
            return found[0]
        if found and alone:
            some = " or ".join(f"“{plain(choice.text)}”" for choice in found[:3])
            raise Unclear(f"“{said}” could be {some}: say more of it.")
    return None


def plain(text: str) -> str:
    """As people type it: without colours, and with letters for suits."""
    letters = re.sub("[♣♦♥♠]", lambda sign: "cdhs"["♣♦♥♠".index(sign[0])], unstyle(text))
    return " ".join(letters.lower().split())
