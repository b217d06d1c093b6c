"""The moves of Faraway."""

from __future__ import annotations

from croupier.games.faraway.cards import REGIONS, SANCTUARIES
from croupier.kernel import Move


class Play(Move, frozen=True):
    """Add this region from your hand to your row."""

    card: int


class Choose(Move, frozen=True):
    """Keep this one of the sanctuaries you are offered."""

    card: int


class Take(Move, frozen=True):
    """Take this region from the shop into your hand."""

    card: int


AnyMove = Play | Choose | Take

# Playouts ask for the moves of every position; there are so few different ones that none is made twice.
PLAYS = tuple(map(Play, range(len(REGIONS))))
CHOICES = tuple(map(Choose, range(len(SANCTUARIES))))
TAKES = tuple(map(Take, range(len(REGIONS))))
