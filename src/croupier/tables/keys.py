"""Secrets of tables: ids and tokens nobody can guess, passwords nobody can read in the journal."""

from __future__ import annotations

import hashlib
import secrets
import string
from uuid import UUID

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

# A table's password is short-lived and shared among friends, and it is checked between two moves of everybody else:
# about a millisecond is what it may cost. Guessing is held back by the rate limit.
_hasher = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)


_ALPHANUMERIC = string.ascii_letters + string.digits
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
    return "".join(_ALPHANUMERIC[digit % len(_ALPHANUMERIC)] for digit in digits)


def derived_id(of: str) -> str:
    """A UUID that follows from a text, and does not tell it."""
    return str(UUID(bytes=hashlib.sha256(of.encode()).digest()[:16], version=4))


def new_seed() -> bytes:
    return secrets.token_bytes(32)


def digest(token: str) -> str:
    """What the journal keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def lock(password: str) -> str | None:
    """What the journal keeps of a password; None for an open table."""
    return _hasher.hash(password) if password else None


def unlocks(password: str, locked: str | None) -> bool:
    if locked is None:
        return password == ""
    try:
        return _hasher.verify(locked, password)
    except VerifyMismatchError:
        return False
