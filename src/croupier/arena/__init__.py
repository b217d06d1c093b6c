"""Bots against bots: tournaments without a table or a socket. What ``croupier arena`` runs."""
