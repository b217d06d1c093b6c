"""How a card is defined: what is printed on it, and short ways to say it (for ``catalogue.py``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from croupier.games.fortress.effects import Answers, AnyEffect, Feature, Occasion
from croupier.games.fortress.places import SLOTS, Kind

Trigger = Literal["on play", "on lvl", "in play", "field", "special", "response", "always", "by itself"]
"""T61; ``response`` is a trickster's, ``always`` a castle's or a decree's, ``by itself`` happens on an occasion."""


class Text(msgspec.Struct, frozen=True):
    """One paragraph of a card."""

    trigger: Trigger
    words: str
    effects: tuple[AnyEffect, ...] = ()
    level: int = 1
    """T59: the level a mage has to have for it."""
    answers: Answers | None = None
    """T87: a response, and what it may answer."""
    special: bool = False
    """Usable in either player's turn."""
    occasion: Occasion | None = None
    features: tuple[Feature, ...] = ()


class Part(msgspec.Struct, frozen=True):
    """One card of a cost (T31)."""

    kinds: tuple[Kind, ...]
    """Any of these."""
    card: int | None = None
    """Just this card."""
    level: int = 0
    """A mage of at least this level."""

    @property
    def slots(self) -> tuple[int, ...]:
        return tuple(slot for kind in self.kinds for slot in SLOTS[kind])


class Card(msgspec.Struct, frozen=True):
    """What is printed on a card."""

    id: int
    name: str
    kind: Kind
    texts: tuple[Text, ...] = ()
    points: int = 0
    """T40: of soldiers and mages."""
    health: int = 0
    """T18: of castles."""
    cost: tuple[Part, ...] = ()
    toll: int = 0
    """Castle health that is part of the cost."""
    lasts: int = 0
    """T93: how many of its controller's turns a decree stays."""


def castle(id: int, name: str, health: int, *texts: Text) -> Card:
    return Card(id, name, "castle", texts, health=health)


def decree(id: int, name: str, lasts: int, *texts: Text) -> Card:
    return Card(id, name, "decree", texts, lasts=lasts)


def soldier(id: int, name: str, points: int, *texts: Text, cost: Iterable[Part] = (), toll: int = 0) -> Card:
    return Card(id, name, "soldier", texts, points, cost=tuple(cost), toll=toll)


def trickster(id: int, name: str, answers: Answers, words: str, *effects: AnyEffect, special: bool = False) -> Card:
    return Card(id, name, "trickster", (Text("response", words, effects, answers=answers, special=special),))


def mage(id: int, name: str, points: int, *texts: Text, cost: Iterable[Part] = ()) -> Card:
    levelled = tuple(msgspec.structs.replace(text, level=level) for level, text in enumerate(texts, start=1))
    return Card(id, name, "mage", levelled, points, cost=tuple(cost))


def on_play(words: str, *effects: AnyEffect) -> Text:
    return Text("on play", words, effects)


def on_lvl(words: str, *effects: AnyEffect) -> Text:
    return Text("on lvl", words, effects)


def in_play(words: str, *effects: AnyEffect, answers: Answers | None = None) -> Text:
    return Text("in play", words, effects, answers=answers)


def field(words: str, *features: Feature) -> Text:
    return Text("field", words, features=features)


def always(words: str, *features: Feature) -> Text:
    return Text("always", words, features=features)


def whenever(occasion: Occasion, words: str, *effects: AnyEffect) -> Text:
    return Text("by itself", words, effects, occasion=occasion)
