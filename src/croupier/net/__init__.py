"""Sockets: the only place besides the journal that does I/O."""
