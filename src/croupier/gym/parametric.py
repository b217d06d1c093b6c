"""Numbers for games that have none of their own. A move is its place in the list of legal moves, and what it is can be
learnt from its features; and so is a view.

Features are hashed. Each fact, such as ``hand=7♣``, is counted in one of so many places, which its CRC-32 decides:
there is room for any game, at the price that two facts may share a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any
from zlib import crc32

import msgspec

from croupier.kernel import Encoding, Event, Move, Section
from croupier.kernel.cards import rank, recognised, suit
from croupier.kernel.encoding import MOST, NOTHING, Choices
from croupier.kernel.event import snake
from croupier.kernel.layout import SEAT, Field, layout

PLACES = 256
"""For the facts of a view."""
LISTED = 32
"""So many moves are told apart in one step. Where there are more, a step chooses some of them, and the next step one of
these."""
TRAITS = 32
"""Places for the facts of a move."""


class Parametric(Encoding[msgspec.Struct, Move]):
    in_steps = True
    interrupts = (Event,)

    def __init__(self, seats: int, asides: tuple[type[Move], ...]) -> None:
        super().__init__(seats)
        self._asides = asides

    def numbers(self) -> Iterable[Section]:
        return [Section("moves", LISTED, "a legal move, by its place in the list; in steps where there are more")]

    def facts(self) -> Iterable[Section]:
        traits = f"the facts of what can be said with each number, {TRAITS} for each, hashed"
        return [
            Section("view", PLACES, "the facts of your view, hashed", MOST),
            Section("moves", LISTED * TRAITS, traits, MOST),
        ]

    def spell(self, seat: int, view: msgspec.Struct, moves: Sequence[Move]) -> Sequence[tuple[int, ...]]:
        steps = 1
        while len(moves) > LISTED**steps:
            steps += 1
        weights = [LISTED**step for step in reversed(range(steps))]
        return [tuple(place // weight % LISTED for weight in weights) for place in range(len(moves))]

    def see(self, seat: int, view: msgspec.Struct, notes: Any) -> bytes:
        return _hashed(_facts(layout(type(view)), view, seat, self.seats), PLACES) + bytes(LISTED * TRAITS)

    def observe(
        self, seat: int, view: msgspec.Struct, notes: Any, said: Sequence[int] = (), choices: Choices = NOTHING
    ) -> bytes:
        row = bytearray(super().observe(seat, view, notes, said))
        for number, choice in choices.items():
            if number < LISTED:
                at = PLACES + number * TRAITS
                row[at : at + TRAITS] = _hashed(_traits(choice, seat, self.seats), TRAITS)
        return bytes(row)

    def tempts(self, seat: int, moves: Sequence[Move], notes: Any) -> bool:
        return any(isinstance(move, self._asides) for move in moves)


def _hashed(facts: Iterable[str], places: int) -> bytes:
    found = bytearray(places)
    for fact in facts:
        place = _crc(fact) % places
        found[place] = min(found[place] + 1, MOST)
    return bytes(found)


@lru_cache(1 << 16)
def _crc(fact: str) -> int:
    return crc32(fact.encode())


def _facts(fields: Iterable[Field], struct: msgspec.Struct, seat: int, seats: int) -> Iterator[str]:
    """What there is in a view, or in a part of it. What is hidden from people is left out: times and ids, mostly."""
    for field in fields:
        if field.kind == "hidden":
            continue
        value = getattr(struct, field.name, None)
        if field.by_seat and isinstance(value, Mapping):
            shares = [(f"{field.name} {(owner - seat) % seats}", each) for owner, each in value.items()]
        elif field.by_seat and isinstance(value, Sequence) and len(value) == seats:
            shares = [(f"{field.name} {(owner - seat) % seats}", each) for owner, each in enumerate(value)]
        else:
            shares = [(field.name, value)]
        for name, share in shares:
            for each in _leaves(share):
                if isinstance(each, msgspec.Struct):
                    yield from (f"{name} {fact}" for fact in _facts(field.parts, each, seat, seats))
                elif field.kind in ("turn", "seat", "seats") and isinstance(each, int):
                    yield f"{name}={(each - seat) % seats}"
                else:
                    yield from _named(name, each)


def _traits(choice: Move | Callable[[], Choices] | None, seat: int, seats: int) -> Iterator[str]:
    """What a move is; of a step, what the moves are that begin with it."""
    if choice is None:
        return
    if callable(choice):
        for each in choice().values():
            yield from _traits(each, seat, seats)
        return
    yield snake(type(choice).__name__)
    for field in choice.__struct_fields__:
        for each in _leaves(getattr(choice, field)):
            if isinstance(each, int) and {*field.split("_")} & (SEAT | {"seat"}):
                yield f"{field}={(each - seat) % seats}"
            else:
                yield from _named(field, each)


def _named(name: str, value: Any) -> Iterator[str]:
    """A value; of an ordinary card also its rank and its suit, so that cards have something in common."""
    yield f"{name}={value}"
    card = recognised(value) if isinstance(value, str) else None
    if card is not None:
        yield f"{name} rank={rank(card)}"
        yield f"{name} suit={suit(card)}"


def _leaves(value: Any) -> Iterator[Any]:
    """What is in it, however it is put together."""
    if value is None or value is msgspec.UNSET:
        return
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from (f"{key} {leaf}" for leaf in _leaves(each))
    elif isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from _leaves(each)
    else:
        yield value
