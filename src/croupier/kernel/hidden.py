"""What a seat can't see, for games that can say it in one line: zones of cards that might lie in each other's places.

>>> from croupier.kernel.chance import QuickDice
>>> deck, hand = ["2♣", "7♦", "Q♠"], ["A♥", "5♣"]
>>> Pool([deck, hand], known={"A♥"}).mix(QuickDice(3))
>>> deck, hand
(['5♣', '2♣', 'Q♠'], ['A♥', '7♦'])
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from croupier.kernel.chance import Dice


class Pool:
    """Lists of a state. A seat knows how many cards each has, and which cards they have together, but not which is
    where; of the ``known`` ones, it knows that, too."""

    __slots__ = ("_known", "_zones")

    def __init__(self, zones: Sequence[list[Any]], known: Container[Any] = ()) -> None:
        self._zones = zones
        self._known = known

    def cards(self) -> list[Any]:
        """All of which the seat does not know where they are."""
        return [card for zone in self._zones for card in zone if card not in self._known]

    def mix(self, dice: Dice) -> None:
        """Put the cards into each other's places, at random, in the lists themselves."""
        known, cards = self._known, self.cards()
        places = [(zone, i) for zone in self._zones for i, card in enumerate(zone) if card not in known]
        dice.shuffle(cards, "hidden")
        for (zone, i), card in zip(places, cards, strict=True):
            zone[i] = card
