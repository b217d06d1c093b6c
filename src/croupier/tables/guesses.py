"""Passwords by trial and error: whoever is wrong too often has to wait."""

from __future__ import annotations

FREE = 10
"""Wrong passwords that cost nothing."""
EVERY = 3_000
"""Milliseconds after which another one is forgiven."""
MOST = 10_000
"""Addresses that are remembered."""
TOO_MANY = "too many wrong passwords came from your address; wait a moment"


class Guesses:
    """By address, since a connection costs nothing.

    >>> guesses = Guesses()
    >>> for _ in range(FREE):
    ...     guesses.wrong("there", 0)
    >>> guesses.may("there", 0), guesses.may("there", EVERY), guesses.may("elsewhere", 0)
    (False, True, True)
    """

    def __init__(self) -> None:
        self._forgiven_at: dict[str, int] = {}
        """When all that was wrong will be forgotten."""

    def may(self, address: str, now: int) -> bool:
        return self._forgiven_at.get(address, now) - now <= (FREE - 1) * EVERY

    def wrong(self, address: str, now: int) -> None:
        # Last come, last remembered: whoever guesses from ten thousand addresses gets some guesses more.
        until = max(self._forgiven_at.pop(address, now), now) + EVERY
        self._forgiven_at[address] = until
        if len(self._forgiven_at) > MOST:
            del self._forgiven_at[next(iter(self._forgiven_at))]
