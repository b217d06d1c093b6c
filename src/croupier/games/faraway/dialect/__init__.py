"""Faraway's own protocol: events over Socket.IO. See docs/protocols/faraway.md."""

from croupier.games.faraway.dialect.connection import Entrance
from croupier.tables.endpoint import Endpoint

__all__ = ["endpoints"]

endpoints = [
    Endpoint(
        "faraway",
        "/socket.io",
        Entrance(),
        checks_origin=True,
        origins=("http://localhost:5173",),
        transport="engine.io",
        message_size=1_000_000,
    )
]
