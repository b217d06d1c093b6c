"""Players made of code. A bot is handed what a person in its seat would be handed, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, NamedTuple

from croupier.kernel.chance import Dice
from croupier.kernel.event import Event, Move

Strength = Literal["easy", "medium", "strong", "master"]


class Bot:
    """One seat's player. Subclass it; a bot that needs memory keeps it in itself, fed by ``observe``."""

    name: ClassVar[str]
    about: ClassVar[str]
    """One sentence for the person who picks an opponent."""
    plays: ClassVar[str] = ""
    """The game, by its name, of a bot that is not among the ``bots`` of its game but comes from elsewhere."""
    strength: ClassVar[Strength] = "medium"
    """As a person finds it who knows the rules."""
    worth: ClassVar[float | None] = None
    """Its rating, as ``croupier ratings bots`` measures it, by which people are rated who play against it. None: nobody
    knows, and it is left out when they are rated."""
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


class Budget(NamedTuple):
    """What a bot may spend on a move: seconds of a processor, or nodes of a search, whichever come to an end first."""

    seconds: float | None = None
    nodes: int | None = None


class Weighed(NamedTuple):
    """What a bot makes of a move."""

    move: Move
    chance: float | None = None
    """Of winning with it, from 0 to 1, as far as the bot can tell."""
    points: float | None = None
    """Those that it is likely to end with, where that is what the bot goes by."""


class Advice(NamedTuple):
    """What a bot would do, and what it thinks of the best moves, if it can say that: best first."""

    move: Move
    weighed: Sequence[Weighed] = ()


class Searcher(Bot):
    """A bot that looks ahead. It thinks in another process, and only from what its seat can know.

    It is sent there with the question: what it remembers has to be small, and ``pickle`` has to be able to write it.
    """

    strength = "master"
    budget: ClassVar[Budget] = Budget(seconds=1.0)
    fallback: ClassVar[type[Bot]]
    """Who moves when there is no time or no room to think."""

    def __init__(self) -> None:
        self.second = self.fallback()

    def search(self, game: Any, world: Any, seat: int, moves: Sequence[Any], dice: Dice, budget: Budget) -> Move:
        """Pick one of the moves, as ``choose``.

        ``world`` is a state of the game that this seat can't tell apart from the real one (``Game.imagine``), and never
        the real one itself. With the same dice and a budget of nodes alone, the answer is the same.
        """
        raise NotImplementedError

    def advise(self, game: Any, world: Any, seat: int, moves: Sequence[Any], dice: Dice, budget: Budget) -> Advice:
        """The same for a person who has asked for a hint. A bot that weighs moves may say what it makes of them."""
        return Advice(self.search(game, world, seat, moves, dice, budget))

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        self.second.observe(seat, events)

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Move:
        """On the spot, where nothing can think: its fallback's."""
        return self.second.choose(seat, view, moves, dice)

    def interject(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Move | None:
        return self.second.interject(seat, view, moves, dice)
