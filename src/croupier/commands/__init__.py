"""The commands of ``croupier``, each imported when it is called for (``cli.py``)."""
