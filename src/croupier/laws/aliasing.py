"""What a state is made of, object by object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Everything in a value, with the path to it, the value itself first."""
    yield name, value
    match value:
        case msgspec.Struct():
            for field in value.__struct_fields__:
                yield from parts(f"{name}.{field}", getattr(value, field))
        case dict():
            for key, each in value.items():
                yield f"{name}.keys()", key
                yield from parts(f"{name}[{key!r}]", each)
        case list() | tuple():
            for number, each in enumerate(value):
                yield from parts(f"{name}[{number}]", each)


def found(state: Any, kind: type[T]) -> list[T]:
    """All objects of this kind."""
    return [part for _, part in parts("state", state) if isinstance(part, kind)]


def shared(name: str, one: Any, other: Any) -> str | None:
    """The path to something that can be changed and is part of both."""
    theirs = {id(part) for _, part in parts(name, other)}
    for path, part in parts(name, one):
        changeable = isinstance(part, list | dict | set) or (
            isinstance(part, msgspec.Struct) and not part.__struct_config__.frozen
        )
        if changeable and id(part) in theirs:
            return path
    return None
