"""Fortress' own protocol: a JSON object on each line, over TCP. See docs/protocols/fortress.md."""

from croupier.games.fortress.dialect import connection, discovery, reference
from croupier.tables.endpoint import Beacon, Endpoint

__all__ = ["beacons", "endpoints"]

LINE = 65536
"""Bytes of a line, its end included."""
endpoints = [
    Endpoint("fortress", "", connection.accept, transport="lines", message_size=LINE, port=3789),
    Endpoint("fortress-reference", "", reference.accept, transport="lines", message_size=LINE, port=3979),
]
beacons = [Beacon("fortress-lan", 3980, discovery.answer)]
