"""The operator of a server, and people who think something of each other, over HTTP."""

from __future__ import annotations

import json
from typing import Any

from croupier.people import identity
from tests.client import Json
from tests.live import Live, Reply, request

TOKEN = "a token of at least sixteen"
ANN, BEN, CLEO = (f"the key of {name}, long enough" for name in ("Ann", "Ben", "Cleo"))


def id_of(key: str) -> str:
    return identity.person_of(key)


async def ask(live: Live, method: str, path: str, key: str, body: Any = None, **headers: str) -> Reply:
    """As whoever has this key, or the operator's token."""
    sent = b"" if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {key}"} | headers
    return await request(live.ports["http"], method, path, sent, **headers)


async def told(live: Live, path: str, key: str = TOKEN) -> Json:
    reply = await ask(live, "GET", path, key)
    assert reply.status == 200, reply.body
    found: Json = json.loads(reply.body)
    return found


async def think(live: Live, key: str, of: str, how: str, name: str = "") -> None:
    reply = await ask(live, "PUT", f"/api/me/opinions/{id_of(of)}", key, {"how": how, "name": name})
    assert reply.status == 204, reply.body


async def ban(live: Live, what: str, value: str, **more: Any) -> None:
    reply = await ask(live, "POST", "/api/operator/bans", TOKEN, {"what": what, "value": value, **more})
    assert reply.status == 201, reply.body
