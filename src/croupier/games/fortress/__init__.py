"""Fortress, also known as Castle Wars: a card game of two castles."""

from croupier.games.fortress.rules import Fortress
from croupier.tables.dialect import Doorway

__all__ = ["Fortress", "doorways", "game"]

game = Fortress()
doorways: list[Doorway] = []
