"""Bots that play at a server as people do, by the client: what ``croupier bot`` runs."""
