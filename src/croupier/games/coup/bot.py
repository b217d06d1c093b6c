"""The players of Coup that are made of code."""

from __future__ import annotations

from croupier.kernel import RandomBot


class Believer(RandomBot):
    name = "believer"
    about = "x."


class Honest(RandomBot):
    name = "honest"
    about = "x."
