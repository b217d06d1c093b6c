"""What the class of a game declares, looked at when it is made: whoever writes a game is told at once what is amiss."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

import msgspec

from croupier.kernel.event import Event, Move

FIVE = "Game[State, View, Options, Move, Event]"


def check_types(game: str, types: Sequence[Any]) -> None:
    """The five types of a game's class. Raises ``TypeError`` with a sentence that says what to write."""
    if any(isinstance(kind, TypeVar) for kind in types):
        return  # a class for other classes to fill in
    state, view, options, moves, events = types
    for name, kind in (("State", state), ("View", view), ("Options", options)):
        if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
            raise TypeError(f"the {name} of {game} has to be a struct: class {name}(msgspec.Struct)")
    if state.__struct_config__.frozen:
        raise TypeError(f"the State of {game} changes in place: leave out frozen=True")
    if needed := [field.name for field in msgspec.structs.fields(options) if field.required]:
        raise TypeError(f"every option of {game} needs a value of its own, and {needed[0]} has none: {needed[0]} = …")
    _check_kinds(game, Move, moves)
    _check_kinds(game, Event, events)
    for kind in _kinds(events):
        _check_event(kind)


def _check_kinds(game: str, base: type[msgspec.Struct], declared: Any) -> None:
    """Moves and events are of one kind or several, each a struct with a name of its own."""
    what, tags = base.__name__, dict[Any, str]()
    for kind in _kinds(declared):
        name = getattr(kind, "__name__", repr(kind))
        if not (isinstance(kind, type) and issubclass(kind, base)):
            raise TypeError(f"{name} is no {what} of {game}: class {name}({what}, frozen=True), in {FIVE}")
        if not kind.__struct_config__.frozen:
            raise TypeError(f"nobody may change a {what} when it is made: class {name}({what}, frozen=True)")
        tag = kind.__struct_config__.tag
        if tag in tags:
            raise TypeError(f"{name} and {tags[tag]} are both called {tag!r} in JSON: give one another name, or a tag")
        tags[tag] = name


def _check_event(kind: type[Event]) -> None:
    name = kind.__name__
    if "reveals" in kind.__struct_fields__:
        raise TypeError(f"whether {name} reveals something is said of all of them: reveals = True, without a type")
    if len(inspect.signature(kind.seen_by).parameters) != 2:
        raise TypeError(f"{name} is asked who sees what of it: def seen_by(self, seat), which returns an event or None")


def _kinds(declared: Any) -> Sequence[Any]:
    return get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)
