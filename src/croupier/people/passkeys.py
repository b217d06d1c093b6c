"""Passkeys (WebAuthn): a device that was never added becomes one of a person's by what their phone or computer keeps.

``croupier[passkeys]`` brings what reads and checks them, and it is imported only when somebody uses one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

import msgspec

from croupier.journal import Journal, Script, Statement
from croupier.people import devices

NAME = "Croupier"
"""What a browser says a passkey is for."""
LASTS = 5 * 60 * 1000
"""Milliseconds in which a challenge has to be answered."""
MOST = 10
"""Passkeys of one person."""
_TIME, _NONCE, _MARK = 8, 16, 16
"""Bytes of the parts of a challenge."""


class Wrong(Exception):
    """It is no answer to a challenge of ours, or none any more; or nobody knows this passkey."""


class TooMany(Exception):
    """The person has as many passkeys as can be."""


class Site(NamedTuple):
    """Where the browser is, as it says itself, and nobody can make it say otherwise."""

    host: str
    """What a passkey belongs to."""
    origin: str


class Passkey(NamedTuple):
    id: str
    public_key: str
    uses: int
    """As its keeper counts them; 0 where it does not."""


class Known(NamedTuple):
    """What its owner is told of it."""

    id: str
    label: str
    made_at: int


@cache
def offered() -> bool:
    """Whether the package is here."""
    return find_spec("webauthn") is not None


class Challenges:
    """Challenges that any node can recognise: none of them remembers what it has asked."""

    def __init__(self, secret: bytes) -> None:
        """``secret``: the journal's, which all nodes have."""
        self._secret = secret

    def new(self, purpose: str, now: int) -> bytes:
        """``purpose``: what its answer is good for, and nothing else."""
        asked = (now + LASTS).to_bytes(_TIME) + secrets.token_bytes(_NONCE)
        return asked + self._mark(purpose, asked)

    def answered(self, credential: dict[str, Any], purpose: str, now: int) -> bytes:
        """The challenge that a browser has answered. Raises ``Wrong``."""
        try:
            said = msgspec.json.decode(_bytes(credential["response"]["clientDataJSON"]))
            challenge = _bytes(said["challenge"])
        except (LookupError, TypeError, ValueError, AttributeError):
            raise Wrong from None
        asked, mark = challenge[: _TIME + _NONCE], challenge[_TIME + _NONCE :]
        if not hmac.compare_digest(mark, self._mark(purpose, asked)) or int.from_bytes(asked[:_TIME]) <= now:
            raise Wrong
        return challenge

    def _mark(self, purpose: str, asked: bytes) -> bytes:
        return hmac.digest(self._secret, b"passkey " + purpose.encode() + b" " + asked, "sha256")[:_MARK]


def to_make(site: Site, person: str, name: str, challenge: bytes, known: Iterable[Known]) -> str:
    """What a browser is asked for a new one, as JSON."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    return options_to_json(
        generate_registration_options(
            rp_id=site.host,
            rp_name=NAME,
            user_id=bytes.fromhex(person),
            user_name=name or NAME,
            challenge=challenge,
            timeout=LASTS,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,  # nobody has to say who they are before they sign in
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=_bytes(each.id)) for each in known],
        )
    )


def made(site: Site, credential: dict[str, Any], challenge: bytes) -> Passkey:
    """The passkey that a browser has made. Raises ``Wrong``."""
    from webauthn import verify_registration_response
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        found = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
        )
    except (WebAuthnException, ValueError, LookupError, TypeError):
        raise Wrong from None
    return Passkey(_text(found.credential_id), _text(found.credential_public_key), found.sign_count)


def to_sign_in(site: Site, challenge: bytes) -> str:
    """What a browser is asked for one that it knows, whosever it is, as JSON."""
    from webauthn import generate_authentication_options, options_to_json

    return options_to_json(generate_authentication_options(rp_id=site.host, challenge=challenge, timeout=LASTS))


async def used(journal: Journal, site: Site, credential: dict[str, Any], challenge: bytes) -> Passkey:
    """The passkey that somebody has signed in with. Raises ``Wrong``."""
    from webauthn import verify_authentication_response
    from webauthn.helpers.exceptions import WebAuthnException

    id = credential.get("id")
    rows = await journal.query("SELECT id, public_key, uses FROM passkeys WHERE id = $1", str(id))
    if not rows:
        raise Wrong
    known = Passkey(*rows[0])
    try:
        found = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=_bytes(known.public_key),
            credential_current_sign_count=known.uses,
        )
    except (WebAuthnException, ValueError, LookupError, TypeError):
        raise Wrong from None
    return known._replace(uses=found.new_sign_count)


async def listed(journal: Journal, person: str) -> list[Known]:
    query = "SELECT id, label, made_at FROM passkeys WHERE person = $1 ORDER BY made_at, id"
    return [Known(*row) for row in await journal.query(query, person)]


def add(person: str, passkey: Passkey, challenge: bytes, key: str, label: str, now: int) -> Script[None]:
    """It is theirs. The device that has made it, by the hash of its key, is written down with it: others can sign it
    out from now on. Raises ``Wrong`` or ``TooMany``."""
    yield from _spend(challenge, now)
    rows = yield Statement("SELECT id FROM passkeys WHERE person = $1 OR id = $2", (person, passkey.id))
    if (passkey.id,) in rows:
        raise Wrong
    if len(rows) >= MOST:
        raise TooMany
    yield Statement(
        "INSERT INTO passkeys (id, person, public_key, uses, label, made_at) VALUES ($1, $2, $3, $4, $5, $6)",
        (passkey.id, person, passkey.public_key, passkey.uses, label, now),
    )
    yield from devices.enter(person, key, label, now)


def sign_in(passkey: Passkey, challenge: bytes, key: str, label: str, now: int) -> Script[None]:
    """The device with the key of this hash is one of its owner's. Raises ``Wrong`` or ``devices.TooMany``."""
    yield from _spend(challenge, now)
    rows = yield Statement("SELECT person FROM passkeys WHERE id = $1", (passkey.id,))
    if not rows:
        raise Wrong
    yield Statement("UPDATE passkeys SET uses = $1 WHERE id = $2", (passkey.uses, passkey.id))
    yield from devices.admit(rows[0][0], key, label, now)


def remove(person: str, passkey: str) -> Script[bool]:
    """Whether they had it."""
    rows = yield Statement("DELETE FROM passkeys WHERE person = $1 AND id = $2 RETURNING id", (person, passkey))
    return bool(rows)


def _spend(challenge: bytes, now: int) -> Script[None]:
    """A challenge is answered once. Raises ``Wrong`` where it has been."""
    hash = hashlib.sha256(challenge).hexdigest()
    yield Statement("DELETE FROM challenges WHERE until <= $1", (now,))
    if (yield Statement("SELECT 1 FROM challenges WHERE hash = $1", (hash,))):
        raise Wrong
    until = int.from_bytes(challenge[:_TIME])
    yield Statement("INSERT INTO challenges (hash, until) VALUES ($1, $2)", (hash, until))


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
