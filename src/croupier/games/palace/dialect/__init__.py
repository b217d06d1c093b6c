"""Palace's own protocol: JSON in binary WebSocket messages, in three vintages. See docs/protocols/palace.md."""

from croupier.games.palace.dialect.connection import VINTAGES, accept
from croupier.tables.endpoint import Endpoint

__all__ = ["endpoints"]

endpoints = [Endpoint("palace", "/palace", accept, variants=VINTAGES)]
