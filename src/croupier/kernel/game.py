"""The contract of a game: the questions that one folder under ``games/`` answers, and nothing else has to know.

A game is one object with no state of its own. What a table needs to remember is in ``State``, a struct that the
game's methods change in place; a table feeds it the journal and gets events back.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from croupier.kernel.bot import Bot, RandomBot
from croupier.kernel.chance import Chance, Dice
from croupier.kernel.event import Event, Move


class Illegal(Exception):
    """A move that the rules refuse. The message is a sentence for the player; ``code`` is for programs."""

    code = "illegal"

    def __init__(self, sentence: str, code: str | None = None) -> None:
        super().__init__(sentence)
        if code is not None:
            self.code = code


class OutOfTurn(Illegal):
    """A move by somebody who is not asked for one."""

    code = "out_of_turn"

    def __init__(self, sentence: str = "it is not your turn") -> None:
        super().__init__(sentence)


class Clock(msgspec.Struct, frozen=True):
    """A wait that ends by itself. ``due`` is a time like every ``at``: milliseconds since 1970."""

    due: int
    seats: tuple[int, ...] = ()
    """Who is being waited for; empty for a phase that belongs to nobody."""
    name: str = "turn"
    """Tells the clocks of one moment apart."""


class Result(msgspec.Struct, frozen=True):
    """How a game ended."""

    placings: tuple[tuple[int, ...], ...]
    """Seats from first to last; seats that share a place stand together."""
    scores: tuple[int, ...] | None = None
    """By seat, in games that count points."""


class Customs(msgspec.Struct, frozen=True):
    """How a game's tables treat the people at them. Times are in seconds."""

    seating: Literal["kept", "shuffled"] = "kept"
    """Whether a new game keeps the order of the seats or draws a new one."""
    late: Literal["expire", "stand_in"] = "expire"
    """When somebody's clock runs out: the rules decide (``Game.expire``), or a bot takes the seat until they return."""
    away_limit: float = 50.0
    """How long an absent player is waited for where no clock runs."""
    absent: Literal["forfeit", "stand_in"] = "forfeit"
    """Who leaves a running game for good, or is thrown out: gives up the seat (``Game.leave``), or a bot plays on."""
    keep_absent: bool = True
    """Whether people who are away at the end of a game keep their seats for the next one."""
    absent_host: Literal["close", "pass_on"] = "pass_on"
    """What becomes of the table when its host is away at the end of a game."""


State = TypeVar("State", bound=msgspec.Struct)
View = TypeVar("View", bound=msgspec.Struct)
Options = TypeVar("Options", bound=msgspec.Struct)


class Game(ABC, Generic[State, View, Options]):
    """One game's law. ``at`` is the time of the table, in milliseconds; the rules know no other clock."""

    name: ClassVar[str]
    """As in URLs and on the command line."""
    title: ClassVar[str]
    """As people call it."""
    about: ClassVar[str]
    """One sentence for somebody who chooses what to play."""
    seats: ClassVar[range]
    """How many can play."""
    Options: ClassVar[type[msgspec.Struct]]
    State: ClassVar[type[msgspec.Struct]]
    View: ClassVar[type[msgspec.Struct]]
    Move: ClassVar[Any]
    """The union of its moves; likewise ``Event``."""
    Event: ClassVar[Any]
    customs: ClassVar[Customs] = Customs()
    bots: ClassVar[Mapping[str, type[Bot]]] = {"random": RandomBot}
    """By name, the one to use when nobody asks for another first."""

    @abstractmethod
    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        """A new game. A state that needs luck later on keeps ``chance``."""

    @abstractmethod
    def awaited(self, state: State) -> Sequence[int]:
        """The seats the game can't go on without. (Others may have moves too: a snap, an interruption.)"""

    @abstractmethod
    def moves(self, state: State, seat: int) -> Sequence[Move]:
        """What this seat may do now: one move for everything that makes a difference, none when it can only wait.

        ``play`` may accept further ways to say the same, such as the same cards in another order.
        """

    @abstractmethod
    def play(self, state: State, seat: int, move: Any, at: int) -> Sequence[Event]:
        """Make a move. Raises ``Illegal``, and then has changed nothing."""

    @abstractmethod
    def clocks(self, state: State) -> Sequence[Clock]:
        """Every wait that time will end. A clock stays the same until the wait is over."""

    @abstractmethod
    def view(self, state: State, seat: int | None) -> View:
        """All that this seat (None: a spectator) may know, enough to draw the table from nothing."""

    @abstractmethod
    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        """Another full state, a copy, that this seat could not tell apart from the real one."""

    @abstractmethod
    def result(self, state: State) -> Result | None:
        """Placings and scores, when it is over."""

    def expire(self, state: State, clock: str, at: int) -> Sequence[Event]:
        """What happens when the clock of this name runs out."""
        raise NotImplementedError(f"{self.name} has a clock but no answer to its end")

    def leave(self, state: State, seats: Sequence[int], at: int) -> Sequence[Event]:
        """What happens when these seats are gone for good, together. Presence is the table's affair otherwise."""
        raise NotImplementedError(f"nobody can leave a game of {self.name}")

    def absent(self, state: State, seat: int, at: int) -> Sequence[Event]:
        """What happens in the game when somebody loses the connection. In most games, nothing."""
        return ()

    def back(self, state: State, seat: int, at: int) -> Sequence[Event]:
        """What happens in the game when somebody comes back."""
        return ()

    def tell(self, event: Any, names: Sequence[str]) -> str:
        """An event as a sentence for the log of a table; empty when there is nothing to say."""
        raise NotImplementedError

    def fingerprint(self, state: State, seed: bytes) -> str:
        """A hash of the whole state: equal after a replay, and telling nothing to those who don't know the seed."""
        return hashlib.sha256(seed + msgspec.json.encode(state, order="deterministic")).hexdigest()
