"""Fortress, also known as Castle Wars: a card game of two castles."""

from croupier.games.fortress import dialect, discovery, reference
from croupier.games.fortress.rules import Fortress
from croupier.tables.dialect import Beacon, Endpoint

__all__ = ["Fortress", "beacons", "endpoints", "game"]

game = Fortress()
LINE = 65536
"""Bytes of a line, its end included."""
endpoints = [
    Endpoint("fortress", "", dialect.accept, transport="lines", message_size=LINE, port=3789),
    Endpoint("fortress-reference", "", reference.accept, transport="lines", message_size=LINE, port=3979),
]
beacons = [Beacon("fortress-lan", 3980, discovery.answer)]
