"""Who asks over HTTP: whoever shows the key of a person."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request

from croupier.journal import Journal
from croupier.people import identity

SHORTEST, LONGEST = 16, 128
"""Characters of a key, as in ``intents.Identify``."""


async def person_asking(journal: Journal, request: Request) -> str:
    """The id of the person. Raises ``HTTPException`` where nobody says who they are, or is it no more."""
    found = await asker(journal, request)
    if found is None:
        raise HTTPException(401, "say who you are", {"WWW-Authenticate": "Bearer"})
    return found


async def asker(journal: Journal, request: Request) -> str | None:
    """The same where nobody has to say it."""
    key = key_of(request)
    if key is None:
        return None
    person = await identity.recognise(journal, key) if SHORTEST <= len(key) <= LONGEST else None
    if person is None:
        raise HTTPException(401, identity.SIGNED_OUT, {"WWW-Authenticate": "Bearer"})
    return person


def key_of(request: Request) -> str | None:
    """The key that is shown, whoever's it is."""
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    return key if kind.lower() == "bearer" else None
