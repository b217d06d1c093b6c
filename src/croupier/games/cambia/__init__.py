"""Cambia, a relative of Cabo and Golf."""

from croupier.games.cambia.entrance import accept, http
from croupier.games.cambia.rules import Cambia
from croupier.tables.dialect import Endpoint

__all__ = ["Cambia", "endpoints", "game"]

game = Cambia()
endpoints = [Endpoint("cambia", "/cambia", accept, http=http)]
