"""What can happen in a game, as data: who has done what, when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from croupier.kernel import Event, Game, Move

AnyGame = Game[Any, Any, Any, Any, Any]

Conserved = Callable[[Any], None]
"""Raises AssertionError for a state that has lost or invented something, such as a card."""

START = 1_700_000_000_000
"""When every game of the laws begins."""

encode = msgspec.json.Encoder(order="deterministic").encode


class Moved(msgspec.Struct, frozen=True):
    """Somebody makes a move."""

    at: int
    seat: int
    move: Move

    def take(self, game: AnyGame, state: Any) -> Sequence[Event]:
        return game.play(state, self.seat, self.move, self.at)

    def __str__(self) -> str:
        return f"seat {self.seat} makes the move {encode(self.move).decode()}"


class Expired(msgspec.Struct, frozen=True):
    """A clock has run out."""

    at: int
    clock: str

    def take(self, game: AnyGame, state: Any) -> Sequence[Event]:
        return game.expire(state, self.clock, self.at)

    def __str__(self) -> str:
        return f"the clock {self.clock!r} runs out"


class Left(msgspec.Struct, frozen=True):
    """Somebody has gone for good, alone or together with others."""

    at: int
    seats: tuple[int, ...]

    def take(self, game: AnyGame, state: Any) -> Sequence[Event]:
        return game.leave(state, self.seats, self.at)

    def __str__(self) -> str:
        who = " and ".join(map(str, self.seats))
        return f"seats {who} leave together" if len(self.seats) > 1 else f"seat {who} leaves"


class Absent(msgspec.Struct, frozen=True):
    """Somebody has lost the connection."""

    at: int
    seat: int

    def take(self, game: AnyGame, state: Any) -> Sequence[Event]:
        return game.absent(state, self.seat, self.at)

    def __str__(self) -> str:
        return f"seat {self.seat} loses the connection"


class Back(msgspec.Struct, frozen=True):
    """Somebody has come back."""

    at: int
    seat: int

    def take(self, game: AnyGame, state: Any) -> Sequence[Event]:
        return game.back(state, self.seat, self.at)

    def __str__(self) -> str:
        return f"seat {self.seat} comes back"


class Resumed(msgspec.Struct, frozen=True):
    """The server was away until now."""

    at: int

    def take(self, game: AnyGame, state: Any) -> Sequence[Event]:
        game.resume(state, self.at)
        return ()

    def __str__(self) -> str:
        return "the server has been away and goes on"


Step = Moved | Expired | Left | Absent | Back | Resumed
