"""Bots that have learnt by playing against themselves."""

from croupier_learning.bot import LearntFaraway, LearntPalace

__all__ = ["LearntFaraway", "LearntPalace"]
