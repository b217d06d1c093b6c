"""What is played, by how many, and in which numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from croupier import plugins
from croupier.gym.parametric import Parametric
from croupier.kernel import Encoding, Game

AnyGame = Game[Any, Any, Any, Any, Any]


class Setup(NamedTuple):
    game: AnyGame
    options: Any
    encoding: Encoding[Any, Any]


def set_up(game: str | AnyGame, seats: int | None = None, options: Mapping[str, Any] | None = None) -> Setup:
    """A game by its name, by ``MODULE:OBJECT``, or itself; unless it is said otherwise, for as few as can play, with
    the options that tables have which people open on the page."""
    if isinstance(game, str):
        game = find(game)
    known = [field.name for field in msgspec.structs.fields(game.Options)]
    for name in options or {}:  # which would be ignored, and something else be learnt
        if name not in known:
            raise ValueError(f"{game.title} has no option {name!r}; known: {', '.join(known)}")
    chosen = msgspec.convert({**game.usual, **(options or {})}, game.Options)
    possible = game.seats_for(chosen)
    if seats is None:
        seats = possible[0]
    if seats not in possible:
        raise ValueError(f"{game.title} is for {possible[0]} to {possible[-1]} with these options, and not for {seats}")
    encoding = Parametric(seats, game.asides) if game.encoding is None else game.encoding(seats)
    return Setup(game, chosen, encoding)


def find(name: str) -> AnyGame:
    if ":" in name:
        return plugins.find(name)
    there = plugins.catalogue().games
    if name not in there:
        raise ValueError(f"there is no game {name!r}; known: {', '.join(there)}")
    return there[name]
