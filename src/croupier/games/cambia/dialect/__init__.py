"""Cambia's own protocol: HTTP requests, and sockets for lobby, game or both. See docs/protocols/cambia.md."""

from croupier.games.cambia.dialect.endpoints import accept, concerns, http
from croupier.games.cambia.dialect.ids import aliases
from croupier.tables.endpoint import Endpoint

__all__ = ["endpoints"]

endpoints = [Endpoint("cambia", "/cambia", accept, http=http, names=concerns, aliases=aliases)]
