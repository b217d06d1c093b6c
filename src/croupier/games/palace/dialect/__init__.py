"""Palace's own protocol: JSON in binary WebSocket messages, in three vintages. See docs/protocols/palace.md."""

from croupier.games.palace.dialect.connection import VINTAGES, enter
from croupier.tables.dialect import Doorway

__all__ = ["doorways"]

doorways = [Doorway("palace", "/palace", enter, variants=VINTAGES)]
