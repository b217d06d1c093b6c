"""Faraway: eight regions in a row, scored from the last to the first."""

from croupier.games.faraway.dialect import endpoints
from croupier.games.faraway.rules import Faraway

__all__ = ["Faraway", "endpoints", "game"]

game = Faraway()
