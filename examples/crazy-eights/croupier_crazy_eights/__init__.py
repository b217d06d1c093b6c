"""Crazy Eights, a game for Croupier."""

from croupier_crazy_eights.rules import CrazyEightsGame

game = CrazyEightsGame()
