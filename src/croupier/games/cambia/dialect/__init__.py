"""Cambia's own protocol: HTTP requests, and sockets for lobby, game or both. See docs/protocols/cambia.md."""

from croupier.games.cambia.dialect.endpoints import enter, http
from croupier.tables.dialect import Doorway

__all__ = ["doorways"]

doorways = [Doorway("cambia", "/cambia", enter, http=http)]
