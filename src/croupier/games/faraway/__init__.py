"""Faraway: eight regions in a row, scored from the last to the first."""

from croupier.games.faraway.rules import Faraway
from croupier.tables.dialect import Doorway

__all__ = ["Faraway", "doorways", "game"]

game = Faraway()
doorways: list[Doorway] = []
