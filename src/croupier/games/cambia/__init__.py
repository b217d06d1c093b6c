"""Cambia, a relative of Cabo and Golf."""

from croupier.games.cambia.dialect import endpoints
from croupier.games.cambia.rules import Cambia

__all__ = ["Cambia", "endpoints", "game"]

game = Cambia()
