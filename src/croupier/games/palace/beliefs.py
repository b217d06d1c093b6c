"""What everybody sees played in Palace, and what it says about the cards that nobody has seen.

Nobody draws cards: what others were dealt and have not shown yet only gets less. And who plays a Nine where an Eight
would have fitted most likely has no Eight.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.games.palace.bot import READINESS
from croupier.games.palace.events import Burned, Chose, Flipped, PickedUp, Played
from croupier.games.palace.pile import PLAYABLE
from croupier.kernel import Event
from croupier.kernel.cards import RANK

NONE: frozenset[str] = frozenset()
LOWER = {rank: frozenset(READINESS[: place + 1]) for place, rank in enumerate(READINESS)}
"""What is parted with sooner than a rank; and of the rank itself, nothing is kept."""


class Beliefs:
    """Kept by following what everybody may see."""

    __slots__ = ("_before", "_top", "lacks")

    def __init__(self) -> None:
        self.lacks: dict[int, frozenset[str]] = {}
        """By seat: ranks that nobody holds, among the cards they have not shown, who plays the lowest that fits."""
        self._top: str | None = None
        """The effective top of the pile, if it is known; some follow only from the middle of a game."""
        self._before: str | None = None
        """The one before the last play."""

    def follow(self, events: Iterable[Event]) -> None:
        for event in events:
            match event:
                case Played(seat=seat, zone=zone, cards=cards):
                    rank = RANK[cards[0]]
                    self._laid(rank)
                    if zone == "hand" and self._before is not None and rank in PLAYABLE[self._before]:
                        self._has_none(seat, LOWER[rank].intersection(PLAYABLE[self._before]))
                case Flipped(card=card):
                    self._laid(RANK[card])
                case PickedUp(seat=seat):
                    if self._before is not None:
                        self._has_none(seat, PLAYABLE[self._before])
                    self._top = "2"
                case Burned():
                    self._top = "2"
                case Chose(seat=seat):  # a new game
                    self.lacks.pop(seat, None)
                    self._top = "2"

    def _laid(self, rank: str) -> None:
        self._before = self._top
        if rank != "4":
            self._top = rank

    def _has_none(self, seat: int, ranks: Iterable[str]) -> None:
        self.lacks[seat] = self.lacks.get(seat, NONE).union(ranks)
