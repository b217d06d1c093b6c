"""What has changed about a table, for clients that know how it was: one row of 255, and not all of them once more."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import UNSET

from croupier.tables.summary import Player, Summary

_ROWS = ("players", "cast")
_FIELDS = [name for name in Summary.__struct_fields__ if name not in _ROWS]


class Changes(msgspec.Struct, frozen=True, omit_defaults=True):
    """What makes the last summary of a table into the one of now. Players are always in the order of their seats."""

    fields: dict[str, Any] = {}
    """Of the summary, those that have another value."""
    unset: tuple[str, ...] = ()
    """Fields that are left out now."""
    players: tuple[Player, ...] = ()
    """Who is new, or is not as they were: each takes the place of whoever was known by that seat."""
    left: tuple[int, ...] = ()
    """Seats of players who are not there any more."""
    cast: tuple[Player, ...] = ()
    """The same for the ``cast``."""
    uncast: tuple[int, ...] = ()


def changes(before: Summary, now: Summary) -> Changes | None:
    """None where it is simpler to tell everything: another table, most of the rows, or rows in another order."""
    if before.id != now.id:
        return None
    players, cast = _rows(before.players, now.players), _rows(before.cast, now.cast)
    if players is None or cast is None:
        return None
    fields, unset = {}, []
    for name in _FIELDS:
        value = getattr(now, name)
        if value is UNSET:
            if getattr(before, name) is not UNSET:
                unset.append(name)
        elif value != getattr(before, name):
            fields[name] = value
    return Changes(fields, tuple(unset), *players, *cast)


def _rows(before: Sequence[Player], now: Sequence[Player]) -> tuple[tuple[Player, ...], tuple[int, ...]] | None:
    """The rows that have changed, and the seats of those that are gone."""
    known = {row.seat: row for row in before}
    changed = [row for row in now if known.pop(row.seat, None) != row]
    if 2 * len(changed) > 3 + len(now) or any(one.seat >= other.seat for one, other in pairwise(now)):
        return None
    return tuple(changed), tuple(known)
