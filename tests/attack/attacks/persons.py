"""What is known of people, over HTTP and by the native protocol."""

from __future__ import annotations

import json

from croupier.people import identity
from tests.attack.attacks.native import BURST, said
from tests.attack.lines import request
from tests.attack.siege import Siege, attack

KEY = "a key of a person, which is long enough"


@attack("http")
async def http_histories(siege: Siege) -> None:
    """What somebody has played, and who is best, 12 requests of each kind per write."""
    about = f"/api/people/{identity.person_of(KEY)}"
    paths = ("/api/leaders/coup", about, f"{about}/games", f"{about}/against/{identity.person_of('another')}")
    siege.begin()
    await siege.requests(*(request("GET", path) for path in paths), pipelined=12)


@attack("http")
async def http_persons(siege: Siege) -> None:
    """Names, codes, wrong codes, opinions and reports, 8 requests of each kind per write."""
    bearer = {"Authorization": f"Bearer {KEY}"}
    other = identity.person_of("somebody else, who is long")
    wishes = [
        ("PUT", "/api/me", {"name": "Mallory", "avatar": ""}),
        ("POST", "/api/me/code", {}),
        ("POST", "/api/me/devices", {"code": "ABCDEFGH"}),
        ("PUT", f"/api/me/opinions/{other}", {"how": "block", "name": "Ann"}),
        ("POST", "/api/me/reports", {"table": "nowhere", "name": "Ann", "why": "because"}),
    ]
    asked = [request(method, path, json.dumps(body).encode(), **bearer) for method, path, body in wishes]
    asked.append(request("GET", "/api/me/export", **bearer))
    siege.begin()
    await siege.requests(*asked, pipelined=8)


@attack("native")
async def native_persons(siege: Siege) -> None:
    """Says that they are somebody else, 190 times on each connection."""
    siege.begin()
    await siege.bursts("/ws", [said("identify", key=f"a key of a person, number {n}") for n in range(BURST)])
