"""Coup's own protocol, both versions."""

from __future__ import annotations

import itertools
import json
from typing import Any

from tests.attack.lines import request
from tests.attack.siege import Siege, attack


def said(event: str, **data: Any) -> bytes:
    return json.dumps({"event": event, "user": "Mallory", "data": data}).encode()


@attack("coup")
async def coup_states(siege: Siege) -> None:
    """First version: asks for the state of a table without pause; cut off, and back again."""
    siege.begin()
    await siege.flood("/coup/v1/Mallory", said("GET_STATE"), connections=4)


@attack("coup", 3)
async def coup_joins(siege: Siege) -> None:
    """First version: joins a table and hangs up, on sixteen connections at a time."""
    (code,) = await siege.coup_tables(1) or ("main",)
    siege.begin()
    names = itertools.count()

    async def once() -> None:
        socket = await siege.websocket(f"/coup/v1/M{next(names)}?table={code}")
        socket.line.hang_up()

    await siege.again(once, 16)


@attack("coup")
async def coup_actions(siege: Siege) -> None:
    """First version: joins, starts, acts and sounds, as much as is heard at once; then on the next connection."""
    siege.begin()
    acts = [said("START_GAME"), said("PROPOSE_ACTION", action="TAX"), said("PLAY_SOUND", sound="x"), said("CALL_BS")]
    await siege.bursts("/coup/v1", [said("PLAYER_JOIN_GAME"), *acts * 4], connections=8)


@attack("coup", 3, always=False)
async def coup_second(siege: Siege) -> None:
    """Second version: joins a table, says something out of turn without pause, and is cut off."""
    (code,) = await siege.coup_tables(1) or ("main",)
    siege.begin()
    await siege.flood(f"/coup/v2/ws?username=Mallory&gameCode={code}", said("Choose Action", action="Tax"))


@attack("coup", 3)
async def coup_tables(siege: Siege) -> None:
    """Makes tables by HTTP, 50 requests per write."""
    siege.begin()
    await siege.requests(request("POST", "/coup/v1/game"))


@attack("coup", always=False)
async def coup_lists(siege: Siege) -> None:
    """The list of 100 tables by HTTP, 50 requests per write."""
    await siege.coup_tables(100)
    siege.begin()
    await siege.requests(request("GET", "/coup/v1/games"), request("GET", "/coup/v2/games"))
