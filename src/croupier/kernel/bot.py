"""Players made of code. A bot is handed what a person in its seat would be handed, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from croupier.kernel.chance import Dice
from croupier.kernel.event import Event, Move

Strength = Literal["easy", "medium", "strong"]


class Bot:
    """One seat's player. Subclass it; a bot that needs memory keeps it in itself, fed by ``observe``."""

    name: ClassVar[str]
    about: ClassVar[str]
    """One sentence for the person who picks an opponent."""
    plays: ClassVar[str] = ""
    """The game, by its name, of a bot that is not among the ``bots`` of its game but comes from elsewhere."""
    strength: ClassVar[Strength] = "medium"
    """As a person finds it who knows the rules."""
    reacts: ClassVar[tuple[float, float]] = (3.0, 15.0)
    """How long it takes to see that it may interject something, at least and at most, in multiples of the server's bot
    delay. Nobody likes to be beaten to it every time."""

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        """Take note of what this seat has just seen."""

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Move:
        """Pick one of the moves.

        Where the game describes moves by their form (``Game.forms``), these are some ways to fill it in: any other that
        fits may be returned, too.
        """
        raise NotImplementedError

    def interject(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Move | None:
        """Pick one of the moves although nobody waits for it, such as a snap; None to let it be.

        Asked once, a moment after anything has happened in the game, while this seat is not awaited.
        """
        return None


class RandomBot(Bot):
    """Any of the moves, each as likely as the others. Every game has it; it is also what steps in when a bot fails."""

    name = "random"
    about = "Plays any legal move."
    strength = "easy"

    def choose(self, seat: int, view: Any, moves: Sequence[Move], dice: Dice) -> Move:
        return dice.choice(moves)
