"""Cambia, a relative of Cabo and Golf."""

from croupier.games.cambia.dialect import doorways
from croupier.games.cambia.rules import Cambia

__all__ = ["Cambia", "doorways", "game"]

game = Cambia()
