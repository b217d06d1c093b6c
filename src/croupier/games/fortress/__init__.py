"""Fortress, also known as Castle Wars: a card game of two castles."""

from croupier.games.fortress import dialect, discovery, reference
from croupier.games.fortress.rules import Fortress
from croupier.tables.dialect import Beacon, Doorway

__all__ = ["Fortress", "beacons", "doorways", "game"]

game = Fortress()
LINE = 65536
"""Bytes of a line, its end included."""
doorways = [
    Doorway("fortress", "", dialect.enter, transport="lines", message_size=LINE, port=3789),
    Doorway("fortress-reference", "", reference.enter, transport="lines", message_size=LINE, port=3979),
]
beacons = [Beacon("fortress-lan", 3980, discovery.answer)]
