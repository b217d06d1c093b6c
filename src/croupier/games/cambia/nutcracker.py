"""A rule of thumb for Cambia that knows what a thrown card sets off; and where others keep their low ones.

A nutcracker is a bird that finds again what it has hidden, and what others have.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, sqrt

from croupier.games.cambia.beliefs import Beliefs
from croupier.games.cambia.bot import LONG_GAME, LOW_ENOUGH, Elephant
from croupier.games.cambia.cards import RANK, SPECIAL, VALUE
from croupier.games.cambia.moves import SKIP, AnyMove, CallCambia, Discard, Named, Replace, UseSpecial
from croupier.games.cambia.state import View
from croupier.kernel import Event

LOOK = {"peek_self": 2.0, "peek_other": 1.0, "swap_blind": 0.0, "swap_peek": 2.0}
"""What the look at a card is worth by itself, in points."""
RISK = 0.5
"""What an exchange has to bring at least."""
LAST_TURN = 2.0
"""Points by which others still improve once Cambia is called."""
SURE = 0.9
"""Of having the lowest sum, to call Cambia with a higher one than the elephant does."""
SPREAD_UNKNOWN, SPREAD_KEPT = 14.0, 6.0
"""The variance of a card of which nothing is known; of one that its owner knows."""


class Nutcracker(Elephant):
    """Remembers what others did with their cards, too."""

    name = "nutcracker"
    about = "Remembers what you did with your cards, too, and makes the most of every throw."

    def __init__(self) -> None:
        super().__init__()
        self.beliefs = Beliefs()

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        super().observe(seat, events)
        self.beliefs.follow(events)

    def guess(self, card: str, owner: int) -> float:
        """What somebody else's card counts."""
        face = self.faces.get(card)
        return self.beliefs.value(card, owner) if face is None else VALUE[face]

    def _start(self, view: View, hand: Sequence[str], moves: Sequence[AnyMove]) -> AnyMove:
        if CallCambia() in moves and self._calls(view, hand):
            return CallCambia()
        return super()._start(view, hand, [move for move in moves if move != CallCambia()])

    def _calls(self, view: View, hand: Sequence[str]) -> bool:
        mine = sum(map(self.value, hand))
        unknown = len(self.unknown(hand))
        if view.turn >= LONG_GAME * len(view.players):
            return True
        if mine <= LOW_ENOUGH and (unknown == 0 or len(hand) - unknown >= 3):
            return True
        sure = 1.0
        for other, player in enumerate(view.players):
            if other != view.seat and not player.forfeited:
                sure *= self._lower(mine, 2 + SPREAD_UNKNOWN * unknown, other, player.hand)
        return sure >= SURE

    def _lower(self, mine: float, spread: float, other: int, hand: Sequence[str]) -> float:
        """How likely a sum is to be lower than what this hand comes to in its last turn."""
        theirs = sum([self.guess(card, other) for card in hand]) - LAST_TURN
        for card in self.unknown(hand):
            spread += SPREAD_KEPT if self.beliefs.knowers.get(card, 0) >> other & 1 else SPREAD_UNKNOWN
        return 0.5 * (1 + erf((theirs - mine + 0.5) / sqrt(2 * spread)))

    def _keep(self, view: View, hand: Sequence[str]) -> AnyMove:
        """What brings most points, with all that can be snapped then."""
        held = view.held
        assert held is not None and held.face is not None
        most = self._snaps(view, held.face, hand)
        if held.source == "stockpile":
            most += self._special_worth(view, held.face, hand)
        move: AnyMove = Discard(held.id)
        for card in hand:
            gain = self.value(card) - VALUE[held.face]
            face = self.faces.get(card)
            if face is not None:
                after = [held.id, *(other for other in hand if other != card)]
                gain += self._snaps(view, face, after)
                if view.rules.allow_replace_abilities and held.source == "stockpile":
                    gain += self._special_worth(view, face, after)
            if gain > most:
                move, most = Replace(card), gain
        return move

    def _snaps(self, view: View, face: str, hand: Sequence[str]) -> float:
        """What it is worth to snap all that is known to match this face, once it is thrown."""
        rank, share = RANK[face], self._share(view)
        left = [card for card in hand if not self._matches(card, rank) or VALUE[self.faces[card]] <= 0]
        gain = sum([self.value(card) for card in hand if card not in left])
        if view.rules.snap_race and len(left) < len(hand):
            return gain
        if view.rules.allow_opponent_snapping:
            for other in self._movable(view.seat or 0, view):
                for card in view.players[other].hand:
                    if left and self._matches(card, rank):
                        worst = self.worst(left)
                        left.remove(worst)
                        gain += self.value(worst) * (1 + share) - share * self.value(card)
        return gain

    def _matches(self, card: str, rank: str) -> bool:
        face = self.faces.get(card)
        return face is not None and RANK[face] == rank

    def _share(self, view: View) -> float:
        """What a point is worth that one of the others has more."""
        return 1 / max(1, len(view.players) - 1)

    def _special_worth(self, view: View, face: str, hand: Sequence[str]) -> float:
        special = SPECIAL.get(face)
        if special is None:
            return 0.0
        seat = view.seat or 0
        if special == "peek_self":
            return LOOK[special] if self.unknown(hand) else 0.0
        cards = [(card, other) for other in self._movable(seat, view) for card in view.players[other].hand]
        if not hand or not cards or (special == "peek_other" and not self.unknown(card for card, _ in cards)):
            return 0.0
        if special == "peek_other":
            return LOOK[special]
        best = min([self.guess(card, other) for card, other in cards])
        gain = self.value(self.worst(hand)) - best
        return LOOK[special] + max(0.0, gain * (1 + self._share(view)) - RISK)

    def _special(self, seat: int, view: View, hand: Sequence[str]) -> AnyMove:
        assert view.choice is not None
        special = view.choice.special
        if special == "peek_self":
            return super()._special(seat, view, hand)
        if special == "peek_other":
            others = (other for other in range(len(view.players)) if other not in (seat, view.caller))
            unseen = [(card, other) for other in others for card in self.unknown(view.players[other].hand)]
            if not unseen:
                return super()._special(seat, view, hand)
            return UseSpecial(special, Named(min(unseen, key=lambda there: self.guess(*there))[0]))
        movable = [(card, other) for other in self._movable(seat, view) for card in view.players[other].hand]
        if not hand or not movable:
            return SKIP
        worst, best = self.worst(hand), min(movable, key=lambda there: self.guess(*there))
        if special == "swap_blind" and self.value(worst) - self.guess(*best) <= RISK:
            return SKIP
        first, second = (worst, best[0]) if seat < best[1] else (best[0], worst)
        return UseSpecial(special, Named(first), Named(second))
