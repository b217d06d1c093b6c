"""What is said when a bot can't go on."""

from __future__ import annotations


class BotFailed(Exception):
    """A bot can't go on. The cause, if there is one, is an error in its own code."""
