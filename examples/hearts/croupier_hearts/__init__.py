"""Hearts, for Croupier."""

from croupier_hearts.rules import Hearts

game = Hearts()
