"""Palace, also known as Shithead or Karma."""

from croupier.games.palace.dialect import VINTAGES, accept
from croupier.games.palace.rules import Palace
from croupier.tables.dialect import Endpoint

__all__ = ["Palace", "endpoints", "game"]

game = Palace()
endpoints = [Endpoint("palace", "/palace", accept, variants=VINTAGES)]
