"""Croupier: an authoritative server for multiplayer card games."""

__version__ = "0.1.0"
