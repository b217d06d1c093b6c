"""Croupier: an authoritative server for multiplayer card games."""

from importlib.metadata import version

__version__ = version("croupier")
