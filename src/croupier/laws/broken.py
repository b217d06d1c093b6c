"""How a law says that it is broken: for the author of the game, who has to find the line."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from croupier.kernel import Illegal
from croupier.laws.steps import AnyGame, Step

OURS = Path(__file__).parent, Path(__file__).parents[1] / "kernel"
"""Where no author of a game looks for a mistake of theirs."""

TYPES = (
    "The type of a field has to say what is in it: an `int` is not the outcome of `/` (use `//`), and every kind of "
    "move and event is one of those in Game[State, View, Options, Move, Event]."
)


class Position(msgspec.Struct, frozen=True):
    """A moment in a random game, by what leads to it again: see ``laws.position``."""

    game: AnyGame
    seats: int
    options: Any
    seed: int
    step: int
    """How many steps have been taken."""
    next: Step | None = None
    """The step that is about to be taken; None: the game is over, or has not come so far."""

    def __str__(self) -> str:
        when = f"after {self.step} step{'s' * (self.step > 1)}" if self.step else "at the start"
        then = f"; next, {self.next}" if self.next is not None else ""
        return f"{when} of a game of {self.seats} with seed {self.seed}{then}"

    @property
    def again(self) -> str:
        """How to get there, in Python."""
        usual = self.game.Options()
        names = [name for name in usual.__struct_fields__ if getattr(usual, name) != getattr(self.options, name)]
        options = ", ".join(f"{name}={getattr(self.options, name)!r}" for name in names)
        version = "" if self.game.rules == type(self.game).rules else f".by_rules({self.game.rules})"
        return (
            f"laws.position(game{version}, {self.seats}, game.Options({options}), seed={self.seed}, step={self.step})"
        )


class Broken(AssertionError):
    """A game does not keep a law.

    >>> print(Broken("Bids hangs.", "Every state has a move, a clock or a result."))
    Bids hangs.
      to do:  Every state has a move, a clock or a result.
    """

    def __init__(self, what: str, remedy: str, position: Position | None = None) -> None:
        self.what = what
        """Which law, for whom, and what the difference is: a sentence or two."""
        self.remedy = remedy
        """What the author can do about it."""
        self.position = position
        lines = [what]
        if position is not None:
            lines.append(f"  when:   {position}")
        lines.append(f"  to do:  {remedy}")
        if position is not None:
            lines.append(f"  again:  {position.again}")
        super().__init__("\n".join(lines))


@contextmanager
def blame(game: AnyGame, position: Any = None) -> Iterator[None]:
    """Whatever the game's own code raises in here is said as a broken law, with the line that it comes from.

    ``position`` answers where the game was.
    """
    try:
        yield
    except Broken:
        raise
    except Exception as error:
        at = None if position is None else position()
        raise Broken(_failure(game, error), _remedy(error), at) from error


def _failure(game: AnyGame, error: Exception) -> str:
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not any(Path(frame.filename).is_relative_to(folder) for folder in OURS)]
    where = f" in {theirs[-1].name}, {theirs[-1].filename} line {theirs[-1].lineno}" if theirs else ""
    return f"{game.title} fails{where}: {said}"


def _remedy(error: Exception) -> str:
    match error:
        case NotImplementedError():
            return (
                "Answer that question, too. (Nobody asks for `expire` and `leave` where a bot takes the seat of "
                'whoever is late or leaves: customs = Customs(late="stand_in", absent="stand_in").)'
            )
        case Illegal():
            return "Only `play` may raise `Illegal`, and never for a move that `moves` has offered."
        case msgspec.ValidationError():
            return TYPES
        case AssertionError():
            return "Nothing may get lost or be invented on the way: look at what the step has done to the state."
    return "None of a game's answers may fail, whatever has happened at the table before, and whoever asks."
