"""What everybody sees done with cards that lie face down, and what it says about them.

Who throws a card out of the hand throws the worst they know of; who throws the drawn card has no use for it. So what
they know and keep is no higher, most of the time. And when somebody gives a card away or has it taken, it is no longer
what they chose to keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.games.cambia.cards import FACES, SPECIAL, VALUE
from croupier.games.cambia.events import (
    Dealt,
    Discarded,
    Drew,
    FirstLook,
    Given,
    Peeked,
    Penalised,
    Replaced,
    Revealed,
    Snapped,
    Swapped,
)
from croupier.kernel import Event

UNKNOWN = 6.2
"""What a card counts of which nothing is known: the mean of the deck."""
UNSEEN_THROWN = 7
"""The highest that somebody keeps, knowing it, who would rather part with a card they have never seen."""


def _mean(highest: int) -> float:
    values = [VALUE[face] for face in FACES if VALUE[face] <= highest]
    return sum(values) / len(values)


KEPT: Mapping[int, float] = {highest: _mean(highest) for highest in range(-1, 14)}
"""What a card counts on average that is no higher than this."""


class Beliefs:
    """Kept by following what happens, with what a seat may see of it."""

    __slots__ = ("hands", "knowers", "limits")

    def __init__(self) -> None:
        self.hands: list[list[str]] = []
        self.knowers: dict[str, int] = {}
        """Who has seen a card: a bit for each seat."""
        self.limits: dict[str, int] = {}
        """How high a card is at most, as far as its owner can be understood."""

    def follow(self, events: Iterable[Event]) -> None:
        for event in events:
            match event:
                case Dealt(hands=hands):
                    self.hands = [list(hand) for hand in hands]
                    self.knowers, self.limits = {}, {}
                case _ if not self.hands:
                    pass  # who has not seen the deal can't follow
                case FirstLook(cards=cards):  # everybody is shown as many
                    for seat, dealt in enumerate(self.hands):
                        self.knowers.update(dict.fromkeys(dealt[: len(cards)], 1 << seat))
                case Drew(seat=seat, card=card):
                    self.knowers[card] = 1 << seat
                case Replaced(seat=seat, card=card, idx=idx):
                    self.hands[seat][idx] = card
                case Discarded():
                    self._thrown(event)
                case Peeked(seat=seat, card=spot):
                    self._looked(seat, spot.id)
                case Revealed(seat=seat, card1=one, card2=other):
                    self._looked(seat, one.id)
                    self._looked(seat, other.id)
                case Swapped(card1=one, card2=other):
                    assert one.owner is not None and one.idx is not None
                    assert other.owner is not None and other.idx is not None
                    self.hands[one.owner][one.idx] = other.id
                    self.hands[other.owner][other.idx] = one.id
                    self._doubt(one.id, other.id)
                case Snapped(card=card, owner=owner):
                    self.hands[owner].remove(card)
                case Penalised(seat=seat, card=card):
                    self.hands[seat].append(card)
                case Given(seat=seat, target=target, card=str(card), idx=int(idx)):
                    self.hands[seat].remove(card)
                    self.hands[target].insert(idx, card)
                    self._doubt(card)

    def _thrown(self, event: Discarded) -> None:
        seat, card, highest = event.seat, event.card, VALUE[event.face]
        if event.idx is None:
            if event.face in SPECIAL:
                return  # thrown for what it does
        elif not self.knowers.get(card, 0) >> seat & 1:
            highest = UNSEEN_THROWN
        for kept in self.hands[seat]:
            if self.knowers.get(kept, 0) >> seat & 1:
                self.limits[kept] = min(highest, self.limits.get(kept, highest))

    def _looked(self, seat: int, card: str) -> None:
        self.knowers[card] = self.knowers.get(card, 0) | 1 << seat

    def _doubt(self, *cards: str) -> None:
        for card in cards:
            self.limits.pop(card, None)

    def value(self, card: str, owner: int) -> float:
        """What a card counts that one has not seen oneself."""
        if not self.knowers.get(card, 0) >> owner & 1:
            return UNKNOWN
        return KEPT[self.limits.get(card, 13)]
