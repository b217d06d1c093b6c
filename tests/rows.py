"""Observations read back: by the names of their sections."""

from __future__ import annotations

from typing import Any

from croupier.kernel import Encoding, Notes
from croupier.kernel.encoding import starts
from croupier.laws import AnyGame


def row(game: AnyGame, state: Any, seat: int, notes: Notes | None = None) -> dict[str, list[int]]:
    """What a seat observes."""
    encoding = encoding_of(game, state, seat)
    return read(encoding, encoding.observe(seat, game.view(state, seat), notes))


def encoding_of(game: AnyGame, state: Any, seat: int) -> Encoding[Any, Any]:
    assert game.encoding is not None
    sides = getattr(state, "hands", None) or state.sides
    return game.encoding(len(sides))


def read(encoding: Encoding[Any, Any], numbers: bytes) -> dict[str, list[int]]:
    begin = starts(encoding.observation)
    return {
        section.name: list(numbers[begin[section.name] : begin[section.name] + section.size])
        for section in encoding.observation
    }


def spelled(game: AnyGame, state: Any, seat: int) -> dict[Any, Any]:
    """By move, its number, and which section that is of: ``("play", 3)``; of several steps, all."""
    encoding = encoding_of(game, state, seat)
    moves = game.every_move(state, seat)
    numbers = encoding.spell(seat, game.view(state, seat), moves)
    return dict(zip(moves, [_named(encoding, number) for number in numbers], strict=True))


def _named(encoding: Encoding[Any, Any], said: int | tuple[int, ...]) -> Any:
    if isinstance(said, tuple):
        return tuple(_named(encoding, number) for number in said)
    name = [name for name, start in encoding.starts.items() if start <= said][-1]
    return name, said - encoding.starts[name]
