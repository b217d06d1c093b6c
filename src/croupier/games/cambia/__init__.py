"""Cambia, a relative of Cabo and Golf."""

from croupier.games.cambia.entrance import enter, http
from croupier.games.cambia.rules import Cambia
from croupier.tables.dialect import Doorway

__all__ = ["Cambia", "doorways", "game"]

game = Cambia()
doorways = [Doorway("cambia", "/cambia", enter, http=http)]
