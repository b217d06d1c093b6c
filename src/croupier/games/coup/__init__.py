"""Coup: bluff, block, and call the bluffs of others, until only you have a card left."""

from croupier.games.coup.dialect import endpoints
from croupier.games.coup.rules import Coup

__all__ = ["Coup", "endpoints", "game"]

game = Coup()
