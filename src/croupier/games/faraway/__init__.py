"""Faraway: eight regions in a row, scored from the last to the first."""

from croupier.games.faraway.dialect import Entrance
from croupier.games.faraway.rules import Faraway
from croupier.tables.dialect import Doorway

__all__ = ["Faraway", "doorways", "game"]

game = Faraway()
doorways = [
    Doorway(
        "faraway",
        "/socket.io",
        Entrance(),
        checks_origin=True,
        origins=("http://localhost:5173",),
        transport="engine.io",
        message_size=1_000_000,
    )
]
