"""How a game looks in a terminal, and what its moves are called, when it says nothing about that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from click import style

from croupier.kernel import ink
from croupier.kernel.cards import recognised
from croupier.kernel.event import Move, snake
from croupier.kernel.layout import SEAT, Field, layout
from croupier.kernel.options import json_key
from croupier.kernel.words import ENGLISH, Words

NARROW, WIDEST = 14, 30
"""The columns before what a line is about."""
SHOWN = 8
"""As much of a pile is drawn."""
LONGEST = 24
"""What has a longer name tells cards apart for programs."""


def plain_label(move: Move, names: Sequence[str], words: Words) -> str:
    """The kind of the move, and step by step what it names: ``"steal › Ada"``."""
    steps = [words.said(snake(type(move).__name__).replace("_", " "))]
    for field in move.__struct_fields__:
        value = getattr(move, field)
        if isinstance(value, bool):
            steps += [words.said(field.replace("_", " "))] if value else []
        elif isinstance(value, int) and 0 <= value < len(names) and {*field.split("_")} & (SEAT | {"seat"}):
            steps.append(names[value])
        elif isinstance(value, tuple | list | frozenset):
            steps += [" + ".join(_words(each, {}, words) for each in value)] if value else []
        elif value is not None:
            steps.append(_words(value, {}, words))
    return " › ".join(steps)


def plain_show(view: msgspec.Struct, names: Sequence[str]) -> str:
    """Everybody with what is theirs, then what lies on the table, and last the hand of whoever looks."""
    fields = [(field, getattr(view, field.name)) for field in layout(type(view)) if field.kind != "hidden"]
    shares = [(field, value) for field, value in fields if field.by_seat and _is_shared_out(value, names)]
    posts = [(field, value) for field, value in fields if field.kind in ("turn", "seat") and not field.by_seat]
    table = [pair for pair in fields if pair not in shares and pair not in posts]
    lines = []
    for seat, name in enumerate(names):
        parts = [field.title.lower() for field, value in posts if value == seat and field.kind == "seat"]
        parts += [piece for field, value in shares for piece in _titled(field, _at(value, seat), names)]
        acts = any(value == seat for field, value in posts if field.kind == "turn")
        lines.append((ink.name(name, acts) + ink.flow(parts or [""])).rstrip())
    table.sort(key=lambda pair: pair[0].kind == "hand")
    rows = [(_called(field), pieces) for field, value in table if (pieces := _pieces(field, value, names))]
    indent = max(NARROW, min(WIDEST, max((len(title) + 4 for title, _ in rows), default=0)))
    drawn = [f"  {title[: indent - 4]:<{indent - 2}}" + ink.flow(pieces, indent, " ") for title, pieces in rows]
    return "\n".join([*lines, "", *drawn])


def _called(field: Field) -> str:
    return "your hand" if field.name == field.kind == "hand" else field.title.lower()


def _is_shared_out(value: Any, names: Sequence[str]) -> bool:
    """Whether everybody has something of it."""
    return len(value) == len(names) if isinstance(value, tuple | list) else isinstance(value, Mapping)


def _at(value: Any, seat: int) -> Any:
    return value.get(seat) if isinstance(value, Mapping) else value[seat]


def _titled(field: Field, value: Any, names: Sequence[str]) -> list[str]:
    """What is said of something beside other things, in pieces that may stand on lines of their own."""
    title = field.title.lower()
    if value is None or value is msgspec.UNSET or (isinstance(value, tuple | list | Mapping) and not value):
        return []
    match field.kind:
        case "flag" if isinstance(value, bool):
            return [title] if value else []
        case "count" if isinstance(value, int):
            return [f"{ink.backs(1)} × {value}" if value else ink.quiet("no cards")]
        case "hand" | "cards" | "parts":
            return _pieces(field, value, names)
    first, *rest = _pieces(field, value, names) or [""]
    return [f"{title} {first}", *rest] if first else []


def _pieces(field: Field, value: Any, names: Sequence[str]) -> list[str]:
    """A value in pieces that may stand on lines of their own; none of what is not there."""
    several = isinstance(value, tuple | list | set | frozenset)
    match field.kind:
        case "pile" | "deck" if value is None or (several and not value) or value == 0:
            return [ink.quiet("empty")]
        case _ if value is None or value is msgspec.UNSET:
            return []
        case "deck" | "count" if isinstance(value, int):
            return [ink.backs(1), f"× {value}"]
        case "hand" | "cards" | "pile" | "deck":
            cards = _leaves(value)
            if field.kind == "cards" and all(len(str(card)) < 3 and not recognised(str(card)) for card in cards):
                return [str(card) for card in cards]  # ranks, suits or the like: no card would be called that
            top = cards[-SHOWN:] if field.kind == "pile" else cards
            return [*([f"{len(cards) - len(top)} more,"] if len(cards) > len(top) else []), *map(_tile, top)]
        case "seats" | "seat" | "turn":
            seats = _leaves(value)
            if {*seats} == {*range(len(names))}:  # everybody is no news
                return []
            return [names[seat] if seat in range(len(names)) else str(seat) for seat in seats]
        case "parts":
            shown = [part for part in field.parts if part.kind != "hidden"]
            each = (_titled(part, getattr(one, part.name), names) for one in _leaves(value) for part in shown)
            return [piece for pieces in each for piece in pieces]
    return _words(value, field.labels, ENGLISH).split()


def _leaves(value: Any) -> list[Any]:
    """What is in it, however it is put together."""
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, tuple | list | set | frozenset):
        return [leaf for one in value if one is not None for leaf in _leaves(one)]
    return [value]


def _tile(value: Any) -> str:
    text = str(value)
    return style(ink.BACK, fg="blue") if len(text) > LONGEST else ink.tile(text)


def _words(value: Any, labels: Mapping[str, str], words: Words) -> str:
    """Anything that structs are made of, in words that are no better than that."""
    label = labels.get(json_key(value))
    if label is not None:
        return words.said(label)
    match value:
        case msgspec.Struct():
            return " ".join(_words(getattr(value, name), {}, words) for name in value.__struct_fields__)
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return (
                ", ".join(f"{_words(key, {}, words)} {_words(each, {}, words)}" for key, each in value.items()) or "–"
            )
        case tuple() | list() | set() | frozenset():
            return ", ".join(_words(each, {}, words) for each in value) or "–"
    text = str(value)
    return recognised(text) or words.said(text.replace("_", " "))
