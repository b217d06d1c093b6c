"""Secrets of tables: ids and tokens nobody can guess, passwords nobody can read in the journal."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import string
import sys

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from croupier.tables.purses import Purse

# A table's password is short-lived and shared among friends, and it is checked between two moves of everybody else:
# about a millisecond is what it may cost. Guessing is held back by its price.
_hasher = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)

GUESSES = 10
"""Wrong passwords that cost an address nothing."""
GUESS_EVERY = 3_000
"""Milliseconds after which another one is forgiven."""
TOO_MANY_GUESSES = "too many wrong passwords came from your address; wait a moment"
LONGEST_PASSWORD = 1000
"""Characters; whatever is longer is not looked at."""
MOST_KNOWN = 10_000
"""Right passwords that are remembered."""

_ALPHANUMERIC = string.ascii_letters + string.digits
_ALPHANUMERIC_OF = bytes(ord(_ALPHANUMERIC[digit % len(_ALPHANUMERIC)]) for digit in range(256))
"""For every byte, one of them."""
_CODE = string.ascii_lowercase + string.digits


def new_id() -> str:
    """128 random bits in hexadecimal, without leading zeros."""
    return f"{secrets.randbits(128):x}"


def new_code() -> str:
    """Five letters or digits, to be read out to a friend."""
    return "".join(secrets.choice(_CODE) for _ in range(5))


def new_handle() -> str:
    """Somebody's public name on the wire."""
    return "".join(secrets.choice(_ALPHANUMERIC) for _ in range(20))


def handle_of(*who: str) -> str:
    """The same for somebody whose protocol has none: always the same for the same one, and telling nothing."""
    digits = hashlib.sha256("\n".join(who).encode()).digest()[:20]
    return digits.translate(_ALPHANUMERIC_OF).decode()


def derived_id(of: str) -> str:
    """A UUID that follows from a text, and does not tell it."""
    digits = hashlib.sha256(of.encode()).hexdigest()
    variant = "89ab"[int(digits[16], 16) & 3]  # as ``UUID(..., version=4)`` writes it, in a third of the time
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"


def new_seed() -> bytes:
    return secrets.token_bytes(32)


def digest(token: str) -> str:
    """What the journal keeps of a token."""
    return sys.intern(hashlib.sha256(token.encode()).hexdigest())  # several have the same one for as long as a seat


class Locks:
    """Passwords of tables. One that was right is known again, by a keyed hash that is nowhere but in memory: so argon2
    is needed when a table is opened, and after a restart until somebody is right; no other password is right then.

    >>> locks = Locks()
    >>> locked = locks.lock("plum")
    >>> locks.opens("plum", locked), locks.opens("pear", locked), Locks().opens("plum", locked)
    (True, False, True)
    >>> locks.lock(""), locks.opens("", None), locks.opens("plum", None)
    (None, True, False)
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._right: dict[str, bytes] = {}
        """Of the last tables, by what the journal keeps."""

    def lock(self, password: str) -> str | None:
        """What the journal keeps of a password; None for an open table."""
        if not password:
            return None
        locked = _hasher.hash(password)
        self._remember(locked, self._mark(password))
        return locked

    def knows(self, locked: str) -> bool:
        """Whether it takes no time to tell if a password is right."""
        return locked in self._right

    def opens(self, password: str, locked: str | None) -> bool:
        if locked is None:
            return password == ""
        if not 0 < len(password) <= LONGEST_PASSWORD:
            return False
        mark, right = self._mark(password), self._right.get(locked)
        if right is not None:
            return hmac.compare_digest(mark, right)
        try:
            _hasher.verify(locked, password)
        except VerifyMismatchError:
            return False
        self._remember(locked, mark)
        return True

    def _mark(self, password: str) -> bytes:
        return hmac.digest(self._key, password.encode(), "sha256")

    def _remember(self, locked: str, mark: bytes) -> None:
        self._right[locked] = mark
        if len(self._right) > MOST_KNOWN:
            del self._right[next(iter(self._right))]


def guesses() -> Purse:
    return Purse(GUESS_EVERY, GUESSES)


_locks = Locks()
"""Of this process: what is known there is nowhere else."""
lock, unlocks, knows = _locks.lock, _locks.opens, _locks.knows
