"""Coup for two as a game of hidden hands and mixed strategies: what the bot that thinks knows about it."""
