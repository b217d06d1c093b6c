"""The devices of a person, by their keys: a code lets another one in, and each of them can sign any of them out."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

from croupier.journal import Journal, Script, Statement

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Of a code: none that could be taken for another."""
LENGTH = 8
LASTS = 10 * 60 * 1000
"""Milliseconds that a code is good for."""
MOST = 20
"""Devices of one person."""
DAY = 24 * 60 * 60 * 1000
"""Milliseconds. When a device was seen last is not known better than by the day, and not written more often."""


class NoSuchCode(Exception):
    """It was not given out, was used, or is too old."""


class TooMany(Exception):
    """The person has as many devices as can be."""


class Device(NamedTuple):
    id: str
    """For its owner, to say which one. The hash of the key stays here."""
    key: str
    """Its hash."""
    label: str
    made_at: int
    seen_at: int


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def hashed_code(code: str, secret: bytes) -> str:
    """What is kept of a code, as people type it. Codes are short: without the journal's secret nobody can try them all.

    >>> hashed_code("abcd-efgh", b"s") == hashed_code(" ABCDEFGH", b"s") != hashed_code("ABCDEFGH", b"t")
    True
    """
    letters = "".join(letter for letter in code.upper() if letter in LETTERS)
    return hmac.digest(secret, f"link {letters}".encode(), "sha256").hex()


def id_of(key: str) -> str:
    """The id of the device with a key of this hash."""
    return hashlib.sha256(f"device {key}".encode()).hexdigest()[:16]


async def listed(journal: Journal, person: str) -> list[Device]:
    """The oldest first. Nothing is known of a first device that never let in another."""
    query = "SELECT key, label, made_at, seen_at FROM devices WHERE person = $1 ORDER BY made_at, key"
    return [Device(id_of(key), key, *row) for key, *row in await journal.query(query, person)]


async def note_visit(journal: Journal, key: str, now: int) -> None:
    """The device with the key of this hash is there: today, if anybody asks."""
    query = "SELECT 1 FROM devices WHERE key = $1 AND person IS NOT NULL AND seen_at < $2"
    if await journal.query(query, key, now - now % DAY):
        await journal.transact(_seen(key, now))


def _seen(key: str, now: int) -> Script[None]:
    yield Statement("UPDATE devices SET seen_at = $1 WHERE key = $2", (now - now % DAY, key))


def offer(person: str, key: str, label: str, code: str, now: int) -> Script[None]:
    """Whoever has the code of this hash can add a device; the one that says so is written down as one, too."""
    yield from enter(person, key, label, now)
    yield Statement("DELETE FROM links WHERE until <= $1 OR person = $2", (now, person))
    yield Statement("INSERT INTO links (person, code, until) VALUES ($1, $2, $3)", (person, code, now + LASTS))


def accept(code: str, key: str, label: str, now: int) -> Script[str]:
    """The key of this hash belongs to whoever has offered the code: their id. Raises ``NoSuchCode`` or ``TooMany``."""
    rows = yield Statement("SELECT person FROM links WHERE code = $1 AND until > $2", (code, now))
    if not rows:
        raise NoSuchCode
    person: str = rows[0][0]
    yield Statement("DELETE FROM links WHERE code = $1", (code,))
    yield from admit(person, key, label, now)
    return person


def admit(person: str, key: str, label: str, now: int) -> Script[None]:
    """The key of this hash is theirs from now on, whoever it belonged to before. Raises ``TooMany``."""
    rows = yield Statement("SELECT key FROM devices WHERE person = $1", (person,))
    if len(rows) >= MOST and (key,) not in rows:
        raise TooMany
    yield Statement("DELETE FROM devices WHERE key = $1", (key,))
    yield from enter(person, key, label, now)


def enter(person: str, key: str, label: str, now: int) -> Script[None]:
    """Write down a device that is theirs, if it is not yet."""
    yield Statement(
        "INSERT INTO devices (key, person, former, label, made_at, seen_at) VALUES ($1, $2, NULL, $3, $4, $5)"
        " ON CONFLICT DO NOTHING",
        (key, person, label, now, now - now % DAY),
    )


def rename(person: str, device: str, label: str) -> Script[bool]:
    """Whether they have such a device."""
    key = yield from _find(person, device)
    if key is not None:
        yield Statement("UPDATE devices SET label = $1 WHERE key = $2", (label, key))
    return key is not None


def sign_out(person: str, device: str) -> Script[str | None]:
    """The key of the device is nobody's any more. Returns its hash; None: they have no such device."""
    key = yield from _find(person, device)
    if key is not None:
        yield Statement("UPDATE devices SET person = NULL, former = $1, label = '' WHERE key = $2", (person, key))
    return key


def _find(person: str, device: str) -> Script[str | None]:
    rows = yield Statement("SELECT key FROM devices WHERE person = $1", (person,))
    return next((key for (key,) in rows if id_of(key) == device), None)
