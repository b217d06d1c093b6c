"""Palace, also known as Shithead or Karma."""

from croupier.games.palace.dialect import endpoints
from croupier.games.palace.rules import Palace

__all__ = ["Palace", "endpoints", "game"]

game = Palace()
