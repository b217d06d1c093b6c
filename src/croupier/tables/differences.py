"""Where two pieces of JSON are not the same, in words.

>>> found = difference({"hands": [["7♣"], ["K♦", "2♠"]]}, {"hands": [["7♣"], ["K♦", "3♠"]]})
>>> print(placed(found.path, {"hands": [["7♣"], ["K♦", "3♠"]]}, ["Ann", "Ben"]), found.told("the seed"))
the second of Ben's hands is 2♠ in the record and 3♠ by the seed
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec

LONGEST = 60
"""Characters of a value that are shown."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ABSENT = object()

Step = str | int


class Difference(NamedTuple):
    path: tuple[Step, ...]
    """Keys and numbers that lead there."""
    found: Any
    expected: Any

    def told(self, whose: str) -> str:
        return f"is {shown(self.found)} in the record and {shown(self.expected)} by {whose}"


def difference(found: Any, expected: Any, path: tuple[Step, ...] = ()) -> Difference | None:
    """The first one, if there is any."""
    if isinstance(found, list) and isinstance(expected, list):
        pairs: Any = enumerate(zip_longest(found, expected, fillvalue=_ABSENT))
    elif isinstance(found, dict) and isinstance(expected, dict):
        pairs = ((key, (found.get(key, _ABSENT), expected.get(key, _ABSENT))) for key in {**expected, **found})
    else:
        same = type(found) is type(expected) and found == expected
        return None if same else Difference(path, found, expected)
    for step, (one, other) in pairs:
        if (where := difference(one, other, (*path, step))) is not None:
            return where
    return None


def shown(value: Any) -> str:
    """A piece of JSON for people."""
    if value is _ABSENT or value is None:
        return "nothing"
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def placed(path: Sequence[Step], within: Any, names: Sequence[str]) -> str:
    """Where a path leads to: ``the third of Ben's hands``. A list with one entry for each player is theirs."""
    told, steps = "", list(path)
    while steps:
        step = steps.pop(0)
        within = _inside(within, step)
        name = str(step).replace("_", " ")
        if isinstance(step, int):
            told = f"the {ordinal(step)} of {told}" if told else f"the {ordinal(step)}"
        elif steps and isinstance(steps[0], int) and isinstance(within, list) and len(within) == len(names) > steps[0]:
            owner = steps.pop(0)
            assert isinstance(owner, int)
            within = within[owner]
            if steps and isinstance(steps[0], str):  # not somebody's "players", but what that player has
                name = steps[0].replace("_", " ")
                within = _inside(within, steps.pop(0))
            told = f"{names[owner]}'s {name}"
        else:
            told = f"the {name} of {told}" if told else f"the {name}"
    return told


def _inside(value: Any, step: Step) -> Any:
    try:
        return value[step]
    except (LookupError, TypeError):
        return None


def ordinal(index: int) -> str:
    """Of what is counted from 0."""
    if index < len(_ORDINALS):
        return _ORDINALS[index]
    number = index + 1
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
