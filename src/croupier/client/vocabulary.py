"""The words of a game: its own structs where the game is installed here, and plain values where it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw

from croupier.kernel import Form, Game

AnyGame = Game[Any, Any, Any, Any, Any]


@cache
def installed() -> Mapping[str, AnyGame]:
    """The games of this installation, by name."""
    from croupier.plugins import catalogue  # with all games and their protocols: whoever has no table does not wait

    return catalogue().games


class Vocabulary:
    """Of one game. What another version of the game has made, and this one can't read, stays plain, too."""

    def __init__(self, game: AnyGame | None) -> None:
        self._view, self._move, self._event, self._options = (
            msgspec.json.Decoder(Any if game is None else kind).decode
            for kind in (("", "", "", "") if game is None else (game.View, game.Move, game.Event, game.Options))
        )
        self._form = msgspec.json.Decoder(Form).decode

    def view(self, raw: Raw) -> Any:
        return None if raw == b"null" else _read(self._view, raw)

    def moves(self, raw: Iterable[Raw]) -> tuple[Any, ...]:
        return tuple(_read(self._move, each) for each in raw)

    def move(self, plain: Any) -> Any:
        """A move out of what JSON is made of."""
        return _read(self._move, msgspec.json.encode(plain))

    def forms(self, raw: Iterable[Raw]) -> tuple[Any, ...]:
        return tuple(_read(self._form, each) for each in raw)

    def events(self, raw: Iterable[Raw]) -> tuple[Any, ...]:
        return tuple(_read(self._event, each) for each in raw)

    def options(self, plain: Any) -> Any:
        return _read(self._options, msgspec.json.encode(plain))


def _read(decode: Callable[[bytes | Raw], Any], raw: bytes | Raw) -> Any:
    try:
        return decode(raw)
    except msgspec.ValidationError:
        return msgspec.json.decode(raw)
