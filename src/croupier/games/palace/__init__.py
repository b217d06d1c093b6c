"""Palace, also known as Shithead or Karma."""

from croupier.games.palace.dialect import VINTAGES, enter
from croupier.games.palace.rules import Palace
from croupier.tables.dialect import Doorway

__all__ = ["Palace", "doorways", "game"]

game = Palace()
doorways = [Doorway("palace", "/palace", enter, variants=VINTAGES)]
