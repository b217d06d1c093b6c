"""Wrong passwords have their price, by address: some are free, and then one has to wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from croupier.tables import keys
from croupier.tables.notices import Refused
from croupier.tables.purses import Purses
from croupier.tables.table import Table


class Guesses:
    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._purses = Purses(lambda address: keys.guesses())

    def may_guess(self, address: str) -> bool:
        """Whether a password is looked at that comes from there."""
        return self._purses.of(address).holds(1, self._now())

    def guessed(self, address: str) -> None:
        """A password that came from there was wrong."""
        self._purses.of(address).charge(1, self._now())

    @contextmanager
    def priced(self, address: str, table: Table) -> Iterator[None]:
        """Inside, the table's password is looked at."""
        if table.password is not None and not self.may_guess(address):
            raise Refused("bad_password", keys.TOO_MANY_GUESSES)
        try:
            yield
        except Refused as refusal:
            if refusal.code == "bad_password":
                self.guessed(address)
            raise

    def unlocks(self, table: Table, password: str, address: str) -> bool:
        """Whether this is the table's password; any is where it takes none."""
        locked = table.password
        if locked is None or keys.knows(locked):
            return locked is None or keys.unlocks(password, locked)
        if not self.may_guess(address):
            return False
        right = keys.unlocks(password, locked)
        if not right:
            self.guessed(address)
        return right
