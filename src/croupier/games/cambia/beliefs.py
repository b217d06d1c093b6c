"""What everybody sees done with cards that lie face down, and what it says about them.

Who throws a card out of the hand throws the worst they know of; who throws the drawn card has no use for it. So what
they know and keep is no higher. Who gives a card away has none that is worse, who goes on has more than they would call
Cambia with, and who lets a card lie that could be snapped does not know that it could.

Nobody is sure to play like this. It is how the strong bots do, and most people, most of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from croupier.games.cambia.cards import FACES, RANK, SPECIAL, VALUE
from croupier.games.cambia.events import (
    Called,
    Dealt,
    Discarded,
    Drew,
    FirstLook,
    Given,
    Peeked,
    Penalised,
    Replaced,
    Revealed,
    Skipped,
    Snapped,
    SpecialOpened,
    Swapped,
)
from croupier.kernel import Event

UNKNOWN = 6.2
"""What a card counts of which nothing is known: the mean of the deck."""
BELOW_UNKNOWN, ABOVE_UNKNOWN = 6, 7
"""The highest card that is kept rather than one that was never seen, and the lowest that is not."""
NOT_EXCHANGED = 7
"""The highest that nobody would exchange for a card that was never seen."""
WORTH_A_LOOK = 2
"""Points by which a card may be too high and be kept, to look at another one."""
HIGHEST = 13


def _mean(highest: int) -> float:
    values = [VALUE[face] for face in FACES if VALUE[face] <= highest]
    return sum(values) / len(values)


KEPT: Mapping[int, float] = {highest: _mean(highest) for highest in range(-1, HIGHEST + 1)}
"""What a card counts on average that is no higher than this."""


class Hand(NamedTuple):
    """What somebody went by who called Cambia, or did not."""

    known: tuple[str, ...]
    unknown: int
    called: bool


class Beliefs:
    """Kept by following what happens, with what a seat may see of it."""

    def __init__(self) -> None:
        self.hands: list[list[str]] = []
        self._forget()

    def _forget(self) -> None:
        self.knowers: dict[str, int] = {}
        """Who has seen a card: a bit for each seat."""
        self.limits: dict[str, int] = {}
        """How high a card is at most, as far as those who had it can be understood."""
        self.floors: dict[str, int] = {}
        """And at least."""
        self.unlike: dict[str, frozenset[str]] = {}
        """Ranks that a card has not, or it would have been snapped; unless it is worth keeping."""
        self.pairs: list[tuple[str, str]] = []
        """Of two cards, one that is no higher than the other."""
        self.sums: dict[int, Hand] = {}
        """By seat."""
        self._caller: int | None = None
        self._placed = self._special = self._top = ""

    def follow(self, events: Iterable[Event]) -> None:
        for event in events:
            match event:
                case Dealt(hands=hands, top=top):
                    self.hands = [list(hand) for hand in hands]
                    self._forget()
                    self._top = RANK[top.face] if top is not None else ""
                case _ if not self.hands:
                    pass  # who has not seen the deal can't follow
                case FirstLook(cards=cards):  # everybody is shown as many
                    for seat, dealt in enumerate(self.hands):
                        self.knowers.update(dict.fromkeys(dealt[: len(cards)], 1 << seat))
                case Drew(seat=seat, card=card):
                    self._not_snapped()
                    if self._caller is None:
                        self._counted(seat, called=False)
                    self.knowers[card] = 1 << seat
                case Called(seat=seat):
                    self._caller = seat
                    self._counted(seat, called=True)
                case Replaced(seat=seat, card=card, idx=idx):
                    self.hands[seat][idx] = self._placed = card
                case Discarded():
                    self._thrown(event)
                case Peeked(seat=seat, card=spot):
                    self._looked(seat, spot.id)
                case Revealed(seat=seat, card1=one, card2=other):
                    if seat in (one.owner, other.owner):
                        self._worst(seat, one.id if one.owner == seat else other.id)
                    self._looked(seat, one.id)
                    self._looked(seat, other.id)
                case Swapped(seat=seat, card1=one, card2=other):
                    assert one.owner is not None and one.idx is not None
                    assert other.owner is not None and other.idx is not None
                    if seat in (one.owner, other.owner):
                        self._exchanged(seat, *((one.id, other.id) if one.owner == seat else (other.id, one.id)))
                    self.hands[one.owner][one.idx] = other.id
                    self.hands[other.owner][other.idx] = one.id
                case Skipped(seat=seat, cards=(one, other)) if seat in (one.owner, other.owner):
                    self.pairs.append((one.id, other.id) if one.owner == seat else (other.id, one.id))
                case SpecialOpened(special=special):
                    self._special = special
                case Skipped(seat=seat) if self._special == "swap_blind":
                    self._not_exchanged(seat)
                case Snapped(card=card, owner=owner):
                    self.hands[owner].remove(card)
                case Penalised(seat=seat, card=card):
                    self.hands[seat].append(card)
                case Given(seat=seat, target=target, card=str(card), idx=int(idx)):
                    self._worst(seat, card)
                    self.hands[seat].remove(card)
                    self.hands[target].insert(idx, card)

    def _thrown(self, event: Discarded) -> None:
        seat, card, highest = event.seat, event.card, VALUE[event.face]
        self._top = RANK[event.face]
        if event.idx is None:
            looks = SPECIAL.get(event.face) == "peek_self" and not all(
                self._knows(seat, own) for own in self.hands[seat]
            )
            self._keeps(seat, highest + WORTH_A_LOOK * looks)
        else:
            if not self._knows(seat, card):
                highest = BELOW_UNKNOWN
            self._keeps(seat, highest)
            self._at_most(self._placed, highest - self._knows(seat, card))

    def _keeps(self, seat: int, highest: int) -> None:
        for kept in self.hands[seat]:
            if self._knows(seat, kept):
                self._at_most(kept, highest)

    def _worst(self, seat: int, card: str) -> None:
        """They part with it, and nobody sees what it is."""
        if not self._knows(seat, card):
            self._keeps(seat, BELOW_UNKNOWN)
            return
        for kept in self.hands[seat]:
            if kept == card:
                continue
            if self._knows(seat, kept):
                self.pairs.append((kept, card))
            else:
                self._at_least(card, ABOVE_UNKNOWN)

    def _exchanged(self, seat: int, mine: str, theirs: str) -> None:
        """For a card that they take for lower."""
        self._worst(seat, mine)
        match self._knows(seat, mine), self._knows(seat, theirs):
            case True, True:
                self.pairs.append((theirs, mine))
            case True, False:
                self._at_least(mine, NOT_EXCHANGED + 1)
            case False, True:
                self._at_most(theirs, BELOW_UNKNOWN)

    def _not_exchanged(self, seat: int) -> None:
        """They could have had a card that they have never seen."""
        others = [hand for other, hand in enumerate(self.hands) if other not in (seat, self._caller)]
        if not all(self._knows(seat, card) for hand in others for card in hand):
            self._keeps(seat, NOT_EXCHANGED)

    def _counted(self, seat: int, *, called: bool) -> None:
        """Who knows too little of their hand calls with no sum."""
        hand = self.hands[seat]
        known = tuple(card for card in hand if self._knows(seat, card))
        unknown = len(hand) - len(known)
        if called or not unknown or len(known) >= 3:
            self.sums[seat] = Hand(known, unknown, called)

    def _not_snapped(self) -> None:
        """The next card is drawn, and nobody has snapped what they know in their own hand."""
        top = frozenset((self._top,))
        for seat, hand in enumerate(self.hands):
            if seat != self._caller:
                for card in hand:
                    if self._knows(seat, card):
                        self.unlike[card] = self.unlike.get(card, frozenset()) | top

    def _knows(self, seat: int, card: str) -> bool:
        return bool(self.knowers.get(card, 0) >> seat & 1)

    def _at_most(self, card: str, highest: int) -> None:
        self.limits[card] = min(highest, self.limits.get(card, highest))

    def _at_least(self, card: str, lowest: int) -> None:
        self.floors[card] = max(lowest, self.floors.get(card, lowest))

    def _looked(self, seat: int, card: str) -> None:
        self.knowers[card] = self.knowers.get(card, 0) | 1 << seat

    def value(self, card: str, owner: int) -> float:
        """What a card counts that one has not seen oneself."""
        limit = self.limits.get(card)
        if limit is None and not self.knowers.get(card, 0) >> owner & 1:
            return UNKNOWN
        return KEPT[max(-1, min(HIGHEST, HIGHEST if limit is None else limit))]
