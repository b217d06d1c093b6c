"""Hearts, for Croupier."""

from hearts.rules import Hearts

game = Hearts()
