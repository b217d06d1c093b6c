"""The players of Palace that are made of code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from croupier.games.palace.events import Turn
from croupier.games.palace.moves import AnyMove
from croupier.games.palace.state import View
from croupier.kernel import Bot, Dice, Event, Strength
from croupier.kernel.cards import RANKS, rank

SPECIAL = ("10", "2", "4")
READINESS = (*(rank for rank in RANKS if rank not in SPECIAL), *SPECIAL)
"""What low and steady parts with first."""

LONG_GAME = 200
"""Own turns after which low and steady is not so steady any more: without luck, three of it can go in circles."""


class LowAndSteady(Bot):
    """All cards of the lowest rank that fits, the special ranks last."""

    name = "low-and-steady"
    about = "Gets rid of the low cards first and saves Tens, Twos and Fours."
    worth = 32.3
    strength: ClassVar[Strength] = "strong"

    def __init__(self) -> None:
        self.turns = 0

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        self.turns += sum(isinstance(event, Turn) and event.seat == seat for event in events)

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        if view.phase == "setup":
            return keep(seat, view, moves)
        if view.zone == "face_down":
            return moves[0]
        if self.turns > LONG_GAME and dice.below(10) == 0:
            return single(seat, view, moves, dice)
        ranks = {rank(move.cards[0]) for move in moves}
        fitting = [rank for rank in READINESS if rank in ranks and rank in view.playable]
        if fitting:
            return [move for move in moves if rank(move.cards[0]) == fitting[0]][-1]
        if view.zone == "hand":
            # Whatever is shown comes back with the pile: all are equal.
            return single(seat, view, moves, dice)
        return min(moves, key=lambda move: (READINESS.index(rank(move.cards[0])), len(move.cards)))


class ByNumber(LowAndSteady):
    """All cards of the lowest number that fits: the Twos and Fours, which fit on everything, before they are needed."""

    name = "by-number"
    about = "Gets rid of the lowest number that fits, and has no Twos and Fours left when they are needed."
    worth = 29.9
    strength: ClassVar[Strength] = "medium"

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        fitting = self.fitting(view, moves)
        if not fitting:
            return super().choose(seat, view, moves, dice)
        lowest = min([rank(move.cards[0]) for move in fitting], key=RANKS.index)
        return [move for move in fitting if rank(move.cards[0]) == lowest][-1]

    def fitting(self, view: View, moves: Sequence[AnyMove]) -> list[AnyMove]:
        """The moves in which there is something to get wrong. None when the game is so long that it may be going in
        circles."""
        if view.phase == "setup" or view.zone == "face_down" or self.turns > LONG_GAME:
            return []
        return [move for move in moves if rank(move.cards[0]) in view.playable]


class Spendthrift(ByNumber):
    """One card at a time: a Ten, a Two or a Four as soon as there is one; else the lowest that fits."""

    name = "spendthrift"
    about = "Plays Tens, Twos and Fours as soon as it has them, and one card at a time."
    strength = "easy"
    worth = 27.2

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        fitting = self.fitting(view, moves)
        if not fitting:
            return super().choose(seat, view, moves, dice)
        ranks = {rank(move.cards[0]) for move in fitting}
        special = [name for name in SPECIAL if name in ranks]
        chosen = special[0] if special else min(ranks, key=READINESS.index)
        return next(move for move in fitting if rank(move.cards[0]) == chosen)


class RandomCard(Bot):
    """Any single card, whether it fits or not."""

    name = "random"
    about = "Plays any card, without a look at the pile."
    strength = "easy"

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        if view.phase == "setup":
            return keep(seat, view, moves)
        if view.zone == "face_down":
            return moves[0]
        return single(seat, view, moves, dice)


def keep(seat: int, view: View, moves: Sequence[AnyMove]) -> AnyMove:
    """The choice of the cards that lie face up already."""
    return next(move for move in moves if move.cards == view.face_up[seat])


def single(seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
    """One card, each as likely as the others."""
    drawn = rank(dice.choice(view.hand or view.face_up[seat]))
    return next(move for move in moves if rank(move.cards[0]) == drawn)
