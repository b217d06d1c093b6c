"""What the fields of a view are to people, so that a game which draws nothing can be drawn all the same.

Mostly their types and names tell: ``hand: tuple[str, ...]`` are the cards in somebody's hand, ``stock: int`` is a
closed deck, ``scores: tuple[int, ...]`` has a number for each seat. Where they don't, or people should read another
word, the author says so: see ``shown``.

>>> from typing import Annotated
>>> suit = Annotated[str, shown("Suit to follow")]
>>> fields = [("hand", tuple[str, ...]), ("stock", int), ("scores", list[int]), ("wanted", suit)]
>>> View = msgspec.defstruct("View", fields)
>>> [(field.name, field.kind, field.by_seat, field.title) for field in layout(View)]  # doctest: +NORMALIZE_WHITESPACE
[('hand', 'hand', False, 'Hand'), ('stock', 'deck', False, 'Stock'), ('scores', 'score', True, 'Scores'),
 ('wanted', 'text', False, 'Suit to follow')]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import Meta
from msgspec import inspect as types

from croupier.kernel.options import json_key
from croupier.kernel.words import Words

Kind = Literal[
    "hand",
    "pile",
    "deck",
    "cards",
    "count",
    "score",
    "turn",
    "seat",
    "seats",
    "flag",
    "number",
    "text",
    "parts",
    "hidden",
]
"""Hand: the cards in the hand of whoever looks. Pile: open, the last card on top. Deck: closed, mostly a number of
cards. Cards: open, side by side. Count: a number of cards that somebody holds. Turn: whose it is. Seat, seats: one, or
several. Parts: a struct, whose fields are drawn in their turn. Hidden: not for people."""


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of a view, or of a struct in it, in the order in which it is drawn."""

    name: str
    title: str
    kind: Kind
    by_seat: bool = False
    """There is one for each seat, in a list or by the seats' numbers."""
    labels: Mapping[str, str] = {}
    """What values are called, where their own names say nothing to a player."""
    parts: tuple[Field, ...] = ()
    """Of a struct."""


def shown(
    title: str | None = None,
    kind: Kind | None = None,
    *,
    by_seat: bool | None = None,
    labels: Mapping[Any, str] | None = None,
) -> Meta:
    """``top: Annotated[str, shown("Discard pile", "pile")]``: what a field of a view is called, and what it is, where
    that is not to be guessed. Texts are English, and looked up on the way out."""
    extra = {
        "x-kind": kind,
        "x-by-seat": by_seat,
        "x-labels": {json_key(value): label for value, label in (labels or {}).items()} or None,
    }
    return Meta(title=title, extra_json_schema={key: value for key, value in extra.items() if value is not None})


@cache
def layout(view: type[msgspec.Struct]) -> tuple[Field, ...]:
    """Its fields in their order."""
    kind = types.type_info(view)
    assert isinstance(kind, types.StructType)
    return _fields(kind)


def translated(fields: tuple[Field, ...], words: Words) -> tuple[Field, ...]:
    """The same in people's language."""
    return tuple(
        msgspec.structs.replace(
            field,
            title=words.said(field.title),
            labels={value: words.said(label) for value, label in field.labels.items()},
            parts=translated(field.parts, words),
        )
        for field in fields
    )


def _fields(struct: types.StructType, within: frozenset[type] = frozenset()) -> tuple[Field, ...]:
    if struct.cls in within:  # nothing is drawn inside itself
        return ()
    return tuple(_field(field.encode_name, field.type, within | {struct.cls}) for field in struct.fields)


def _field(name: str, kind: types.Type, within: frozenset[type]) -> Field:
    said: Mapping[str, Any] = {}
    if isinstance(kind, types.Metadata):
        said, kind = kind.extra_json_schema or {}, kind.type
    guess, by_seat, parts = _guessed(set(name.lower().split("_")), kind, within)
    title = said.get("title", _spelled(name))
    match [part for part in parts if part.kind != "hidden"]:
        case [part] if part.title == _spelled(part.name):  # it is drawn for the whole, and called so
            parts = (msgspec.structs.replace(part, title=title),)
    return Field(
        name,
        title,
        said.get("x-kind", guess),
        said.get("x-by-seat", by_seat),
        said.get("x-labels", {}),
        parts,
    )


def _spelled(name: str) -> str:
    return name.replace("_", " ").capitalize()


# The words by which a name tells what a field is.
HAND = {"hand"}
DECK = {"deck", "stock", "stockpile", "talon", "undealt"}
PILE = {"pile", "discard", "discards", "discarded", "waste", "top", "upcard"}
CARD = {"card", "cards", "face", "faces"}
HELD = {"hand", "hands", "cards", "card", "held", "face", "down"}
SCORE = {"score", "scores", "points", "point", "total", "totals"}
SEAT = {"dealer", "leader", "winner", "player", "declarer", "banker", "target"}
SEATS = {"players", "order", "out", "seats", "passed", "finished", "remaining", "alive", "winners", "folded"}
# Of a number, all of its name has to be of these: a turn may also have a limit, or a number of its own.
OWN = {"seat", "you", "me", "own"}
TURN = {"turn", "active", "current", "mover", "player", "seat"}
TIME = {"at", "due", "since", "until", "deadline", "opens", "closes"}
DECK_SIZE = DECK | {"draw", "drawpile", "pile", "cards", "left", "size", "count"}

Guess = tuple[Kind, bool, tuple[Field, ...]]
"""What it is; whether there is one for each seat; and what it consists of."""


def _guessed(name: set[str], kind: types.Type, within: frozenset[type]) -> Guess:
    kind, optional = _without_none(kind)
    if isinstance(kind, types.DictType):
        inner, _, parts = _guessed(name, kind.value_type, within)
        return inner, isinstance(kind.key_type, types.IntType), parts
    if isinstance(kind, types.ListType | types.VarTupleType | types.SetType | types.FrozenSetType):
        return _guessed_list(name, kind, within)
    match kind:
        case types.TupleType(item_types) if item_types:
            return _guessed(name, item_types[0], within)
        case types.StructType():
            return "parts", False, _fields(kind, within)
        case types.BoolType():
            return "flag", False, ()
        case types.IntType() | types.FloatType():
            return _guessed_number(name, optional), False, ()
    if name & {"id", "ids", "token"}:  # what only programs can tell apart
        return "hidden", False, ()
    return "pile" if name & PILE else "cards" if name & CARD else "text", False, ()


def _guessed_list(name: set[str], kind: Any, within: frozenset[type]) -> Guess:
    item, optional = _without_none(kind.item_type)
    if name & HAND:
        return "hand", False, ()
    ordered = isinstance(kind, types.ListType | types.VarTupleType)
    match item:
        case types.IntType() | types.FloatType() if name & SEATS or not ordered:
            return "seats", False, ()
        case types.StrType() | types.LiteralType() if not optional:
            return "pile" if name & PILE else "deck" if name & DECK else "cards", False, ()
        case types.StrType() | types.LiteralType():
            return "cards", ordered, ()
    inner, _, parts = _guessed(name, item, within)
    return "cards" if inner == "hand" else inner, ordered, parts


def _guessed_number(name: set[str], optional: bool) -> Kind:
    if name & SCORE:
        return "score"
    if name <= OWN or name & TIME:  # the table tells the time
        return "hidden"
    if name <= TURN and name != {"player"}:
        return "turn"
    if name & (DECK | {"draw", "drawpile"}) and name <= DECK_SIZE:
        return "deck"
    if name & SEAT and name <= SEAT | {"seat"}:
        return "seat"
    if name & HELD and not optional:
        return "count"
    return "number"


def _without_none(kind: types.Type) -> tuple[types.Type, bool]:
    """The type but for None, and whether that was in it; of several others, the first."""
    if isinstance(kind, types.Metadata):
        return _without_none(kind.type)
    if isinstance(kind, types.UnionType):
        some = [one for one in kind.types if not isinstance(one, types.NoneType)]
        return _without_none(some[0])[0], len(some) < len(kind.types)
    return kind, False
