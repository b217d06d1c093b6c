"""Faraway: eight regions in a row, scored from the last to the first."""

from croupier.games.faraway.dialect import Entrance
from croupier.games.faraway.rules import Faraway
from croupier.tables.dialect import Endpoint

__all__ = ["Faraway", "endpoints", "game"]

game = Faraway()
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
