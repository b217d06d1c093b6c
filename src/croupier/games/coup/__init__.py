"""Coup: bluff, block, and call the bluffs of others, until only you have a card left."""

from croupier.games.coup.dialect import doorways
from croupier.games.coup.rules import Coup

__all__ = ["Coup", "doorways", "game"]

game = Coup()
