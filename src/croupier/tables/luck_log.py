"""What a game has drawn from its luck, draw by draw: what went in and what came out, for anybody to work out again.

It is taken down when a record is asked for, by playing the log again with a ``Chance`` that listens; no table that is
being played knows of it. See docs/fair-deals.md.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from typing import Any

import msgspec

from croupier.kernel import Chance
from croupier.tables.beginning import Beginning, table_before
from croupier.tables.entries import AnyEntry
from croupier.tables.table import AnyGame, Table

SEATS = "seats"
"""The shuffle of a table's own, before the game has any: who sits where."""
LOOKS = 50
"""Steps in which the cards of a shuffle are looked for; those of some are never seen."""

Whence = tuple[str, int, int]
"""A place in a view, as a JSON Pointer (RFC 6901); and the number of the draw that has put there what is there, counted
from 0 in the whole record, with the place among what came out of it."""


class Shuffle(msgspec.Struct, frozen=True, tag_field="draw", tag="shuffle", omit_defaults=True):
    name: str
    items: list[Any] = msgspec.field(name="in")
    """What went in, in order."""
    order: list[Any] = msgspec.field(name="out")
    """What came out."""
    rigged: bool = False
    """A test has fixed the order: it took no luck."""


class DrawnNumber(msgspec.Struct, frozen=True, tag_field="draw", tag="number"):
    below: int
    out: int
    """From 0 to ``below`` - 1."""


Draw = Shuffle | DrawnNumber


def listening(draws: list[Draw]) -> type[Chance]:
    """A ``Chance`` that writes down all it is asked for. (A class, since rules may copy theirs as they like.)"""

    class Listening(Chance):
        def below(self, n: int) -> int:
            out = Chance.below(self, n)
            draws.append(DrawnNumber(n, out))
            return out

        def shuffle(self, items: MutableSequence[Any], what: str) -> None:
            before = msgspec.to_builtins(items)
            Chance.shuffle(self, items, what)
            rigged = self.rig is not None and (what in self.rig.orders or not self.rig.shuffle)
            draws.append(Shuffle(what, before, msgspec.to_builtins(items), rigged))

    return Listening


class _Text(str):
    origin: tuple[int, int]


class _Integer(int):
    origin: tuple[int, int]


class Shadow:
    """The same game once more, with marked cards: each knows which shuffle it comes out of, and where it lay there. So
    it can be said of what a view shows, whatever the game, and the rules need not know.

    Only cards that are text or numbers can be marked. A game whose rules take offence is not followed any further.
    """

    def __init__(self, beginning: Beginning | None, id: str, game: AnyGame, number: int) -> None:
        self._draws = 0
        self._sought: dict[int, int] = {}
        """Shuffles that have not been seen yet, and how often they will still be looked for."""
        self._table: Table | None = table_before(beginning, id, game, number, self._marking())

    def _marking(self) -> type[Chance]:
        shadow = self

        class Marking(Chance):
            def below(self, n: int) -> int:
                shadow._draws += 1
                return Chance.below(self, n)

            def shuffle(self, items: MutableSequence[Any], what: str) -> None:
                Chance.shuffle(self, items, what)
                shadow._mark(items)
                if what != SEATS:  # which is the table's, and in no view
                    shadow._sought[shadow._draws] = LOOKS
                shadow._draws += 1

        return Marking

    def _mark(self, items: MutableSequence[Any]) -> None:
        for place, item in enumerate(items):
            marked: _Text | _Integer
            if isinstance(item, str):
                marked = _Text(item)
            elif isinstance(item, int) and not isinstance(item, bool):
                marked = _Integer(item)
            else:
                continue
            marked.origin = (self._draws, place)
            items[place] = marked

    def follow(self, entry: AnyEntry, at: int) -> None:
        if self._table is not None:
            try:
                self._table.apply(entry, at)
            except Exception:
                self._table = None

    def look(self) -> list[Whence]:
        """Where what came out of the latest shuffles can be seen, with all cards open and from a spectator's place."""
        table = self._table
        if table is None or not self._sought:
            return []
        try:
            view = msgspec.json.encode(table.game.lay_open(table.state, None), enc_hook=_origin)
        except Exception:
            self._table = None
            return []
        found = [
            (pointer, draw, place)
            for pointer, (draw, place) in _origins(msgspec.json.decode(view), "")
            if draw in self._sought
        ]
        seen = {draw for _, draw, _ in found}
        self._sought = {draw: left - 1 for draw, left in self._sought.items() if draw not in seen and left > 1}
        return found


_MARK = "\0"
"""No field of a view is called so."""


def _origin(value: Any) -> Any:
    if isinstance(value, _Text | _Integer):
        return {_MARK: value.origin}
    raise NotImplementedError


def _origins(value: Any, pointer: str) -> Iterator[tuple[str, Sequence[int]]]:
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from _origins(each, f"{pointer}/{number}")
    elif isinstance(value, dict):
        if _MARK in value:
            yield pointer, value[_MARK]
            return
        for key, each in value.items():
            yield from _origins(each, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
