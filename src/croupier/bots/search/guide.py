"""What a search has to be told about a game. All of it is optional but for how to play on."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

from croupier.kernel import Dice, Event, Game, Move, Result

AnyGame = Game[Any, Any, Any, Any, Any]


class Guide:
    """A game's advice to the search, for one move of one seat. ``bot`` is who searches, with all that it remembers.

    A guide is handed whole states, since they are quick to ask; but they are imagined ones. Whatever it chooses for a
    seat, it has to choose from what that seat can know, or the search believes that everybody sees through the cards.
    """

    caution: ClassVar[float] = 0.5
    """By how many standard errors a move has to be better than the guide's own choice."""
    curiosity: ClassVar[float] = 0.6
    """How much the tree prefers what it has seldom tried."""
    points: ClassVar[float] = 0.0
    """Where playouts are worth the points that the seat earns: how many are worth 1. Otherwise they are worth chances
    of winning."""
    longest: ClassVar[int] = 2000
    """Moves of a playout, before it is cut in any case."""

    def __init__(self, game: AnyGame, seat: int, bot: Any) -> None:
        self.game = game
        self.seat = seat
        self.bot = bot

    def imagine(self, world: Any, dice: Dice) -> Any:
        """A world for the next playouts: one that the seat thinks likely."""
        return self.game.imagine(world, self.seat, dice)

    def begin(self, state: Any) -> None:
        """A playout begins. For guides that remember what happens in it."""

    def watch(self, events: Sequence[Event]) -> None:
        """Something has happened in the playout."""

    def worth_a_look(self, state: Any, moves: Sequence[Any]) -> Sequence[Any]:
        """The own moves that the search should try; at least one."""
        return moves

    def usual(self, state: Any, moves: Sequence[Any], dice: Dice) -> Move:
        """What the seat does without a search: the measure of what is found."""
        return self.play_on(state, self.seat, moves, dice)

    def play_on(self, state: Any, seat: int, moves: Sequence[Any], dice: Dice) -> Move:
        """What this seat is likely to do, quickly."""
        raise NotImplementedError

    def interject(self, state: Any, dice: Dice) -> tuple[int, Move] | None:
        """Who does something now although nobody waits for it, and what."""
        return None

    def situation(self, state: Any, moves: Sequence[Any]) -> Hashable:
        """What tells one own decision in the tree from another: nothing that the seat can't see. What it may do is a
        good start; the less is told apart, the sooner the tree learns."""
        return tuple(moves)

    def is_over(self, state: Any, steps: int) -> bool:
        """Whether to cut the playout here, after so many moves."""
        return False

    def worth(self, state: Any) -> float:
        """What a position is worth to the seat, from 0 (lost) to 1 (won), where a playout was cut."""
        return 0.5

    def gain(self, result: Result, state: Any) -> float:
        """What the end of a game is worth to the seat: a win is what counts, and a better place a little."""
        places = result.placings
        for number, place in enumerate(places):
            if self.seat in place:
                if number == 0:
                    return 1.0 / len(place) if len(place) > 1 else 1.0
                return 0.1 * (1 - number / max(1, len(places) - 1))
        return 0.0
