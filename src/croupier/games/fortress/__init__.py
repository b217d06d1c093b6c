"""Fortress, also known as Castle Wars: a card game of two castles."""

from croupier.games.fortress.dialect import beacons, endpoints
from croupier.games.fortress.rules import Fortress

__all__ = ["Fortress", "beacons", "endpoints", "game"]

game = Fortress()
