"""Cambia's own protocol."""

from __future__ import annotations

import json
from typing import Any

from tests.attack.lines import request
from tests.attack.siege import Siege, attack


def said(kind: str, **members: Any) -> bytes:
    return json.dumps({"type": kind, **members}).encode()


async def lobby(siege: Siege) -> str:
    """Where its socket is."""
    token = (await siege.ask("POST", "/cambia/user/guest")).json["token"]
    made = await siege.ask("POST", "/cambia/lobby/create", {"type": "public"}, Authorization=f"Bearer {token}")
    if made.status != 200:
        raise ConnectionRefusedError
    return f"/cambia/lobby/ws/{made.json['id']}"


@attack("cambia")
async def cambia_chat(siege: Siege) -> None:
    """Seven in a lobby who never stop talking, 500 characters at a time."""
    path = await lobby(siege)
    siege.begin()
    await siege.flood(path, said("chat", msg="x" * 500), at_once=100, connections=7)


@attack("cambia")
async def cambia_ready(siege: Siege) -> None:
    """Seven in a lobby who are ready, and not, and ready, without pause."""
    path = await lobby(siege)
    siege.begin()
    block = [said("ready"), said("unready")] * 200
    await siege.bursts(path, block, connections=7)


@attack("cambia", always=False)
async def cambia_pings(siege: Siege) -> None:
    """The protocol's own pings without pause, in the second dialect."""
    path = (await lobby(siege)).replace("/lobby/ws", "/ws")
    siege.begin()
    await siege.flood(path, said("ping"))


@attack("cambia", 3)
async def cambia_guests(siege: Siege) -> None:
    """Guests by HTTP, 50 requests per write."""
    siege.begin()
    await siege.requests(request("POST", "/cambia/user/guest", b'{"username":"Mallory"}'))


@attack("cambia", 3)
async def cambia_lobbies(siege: Siege) -> None:
    """Lobbies by HTTP, 50 requests per write."""
    token = (await siege.ask("POST", "/cambia/user/guest")).json["token"]
    siege.begin()
    create = request("POST", "/cambia/lobby/create", b'{"type":"public"}', Authorization=f"Bearer {token}")
    await siege.requests(create, request("GET", "/cambia/lobby/list", Authorization=f"Bearer {token}"))
