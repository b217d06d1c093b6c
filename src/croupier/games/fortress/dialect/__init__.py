"""Fortress' own protocol: a JSON object on each line, over TCP. See docs/protocols/fortress.md."""

from croupier.games.fortress.dialect import connection, discovery, reference
from croupier.tables.dialect import Beacon, Doorway

__all__ = ["beacons", "doorways"]

LINE = 65536
"""Bytes of a line, its end included."""
doorways = [
    Doorway("fortress", "", connection.enter, transport="lines", message_size=LINE, port=3789),
    Doorway("fortress-reference", "", reference.enter, transport="lines", message_size=LINE, port=3979),
]
beacons = [Beacon("fortress-lan", 3980, discovery.answer)]
