"""What is different between two worlds that should look the same: the one place, not the whole of both.

>>> real = {"hand": ["A♠", "7♦"], "has_bid": [True, False]}
>>> imagined = {"hand": ["A♠", "7♦"], "has_bid": [False, False]}
>>> print(difference("view", real, imagined))
view.has_bid[0] is true in the real state and false in the imagined one
>>> print(difference("moves", [1, 2, 3], [1, 2]))
moves has 3 entries in the real state and 2 in the imagined one
>>> print(difference("moves", [1, 2], [2, 1], ("now", "in a replay")))
moves comes in another order: it is [1,2] now and [2,1] in a replay
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

WORLDS = "in the real state", "in the imagined one"
LONGEST = 60
"""Characters of a value that are shown."""


def difference(name: str, one: Any, other: Any, worlds: tuple[str, str] = WORLDS) -> str | None:
    """The first difference between two things that JSON is made of, in words; None when there is none."""
    here, there = worlds
    match one, other:
        case dict(), dict():
            for key in [*one, *(other.keys() - one.keys())]:
                path = f"{name}.{key}" if key.isidentifier() else f"{name}[{msgspec.json.encode(key).decode()}]"
                if key not in other:
                    return f"{path} is {shortly(one[key])} {here} and is missing {there}"
                if key not in one:
                    return f"{path} is missing {here} and is {shortly(other[key])} {there}"
                if found := difference(path, one[key], other[key], worlds):
                    return found
            return None
        case list() | tuple(), list() | tuple():
            if len(one) != len(other):
                return f"{name} has {entries(one)} {here} and {len(other)} {there}"
            if one != other and sorted(map(str, one)) == sorted(map(str, other)):
                return f"{name} comes in another order: it is {shortly(one)} {here} and {shortly(other)} {there}"
            pairs = enumerate(zip(one, other, strict=True))
            return next((found for i, (a, b) in pairs if (found := difference(f"{name}[{i}]", a, b, worlds))), None)
    if type(one) is type(other) and one == other:
        return None
    return f"{name} is {shortly(one)} {here} and {shortly(other)} {there}"


def in_json(name: str, one: bytes, other: bytes, worlds: tuple[str, str] = WORLDS) -> str:
    """The same for two texts that are not the same; what is not JSON is shown from where they part."""
    try:
        found = difference(name, msgspec.json.decode(one), msgspec.json.decode(other), worlds)
    except msgspec.DecodeError:
        found = None
    if found is not None:
        return found
    same = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    start = max(0, same - 10)
    here, there = (text[start : same + LONGEST // 2] for text in (one, other))
    return f"{name} reads {here!r} {worlds[0]} and {there!r} {worlds[1]}, from byte {start} on"


def entries(items: Sequence[Any]) -> str:
    return f"{len(items)} entr{'y' if len(items) == 1 else 'ies'}"


def shortly(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
