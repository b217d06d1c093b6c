"""The teacher: what a search would have done at each decision of a finished game, knowing what its seat knew.

A game is played again (``brief``), and each decision of one seat becomes a problem of its own (``problems``): a world
that the seat imagines, the moves it had, and the one it made. Problems hold nothing that the seat could not know, and
are solved anywhere and in any order, by whoever has a processor to spare. What comes of them is told in ``report``.

No I/O: commands and the server see to that. See docs/analysis.md.
"""
