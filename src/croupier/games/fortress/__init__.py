"""Fortress, also known as Castle Wars: a card game of two castles."""

from croupier.games.fortress.dialect import beacons, doorways
from croupier.games.fortress.rules import Fortress

__all__ = ["Fortress", "beacons", "doorways", "game"]

game = Fortress()
