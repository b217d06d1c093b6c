"""Palace, also known as Shithead or Karma."""

from croupier.games.palace.dialect import Entrance
from croupier.games.palace.rules import Palace
from croupier.tables.dialect import Doorway

__all__ = ["Palace", "doorways", "game"]

game = Palace()
doorways = [Doorway("palace", "/palace", Entrance())]
