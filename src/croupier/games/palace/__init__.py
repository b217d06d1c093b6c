"""Palace, also known as Shithead or Karma."""

from croupier.games.palace.dialect import doorways
from croupier.games.palace.rules import Palace

__all__ = ["Palace", "doorways", "game"]

game = Palace()
