"""Coup: bluff, block, and call the bluffs of others, until only you have a card left."""

from croupier.games.coup.rules import Coup
from croupier.tables.dialect import Doorway

__all__ = ["Coup", "doorways", "game"]

game = Coup()
doorways: list[Doorway] = []
