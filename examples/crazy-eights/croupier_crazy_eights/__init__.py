"""Crazy Eights, a game for Croupier."""

from croupier_crazy_eights.rules import CrazyEights

game = CrazyEights()
endpoints = ()
