"""Sample. What Croupier finds here: the game, and its ``endpoints`` if it had a protocol of its own."""

from croupier_sample.rules import SampleGame

game = SampleGame()
