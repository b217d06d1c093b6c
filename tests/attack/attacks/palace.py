"""Palace's own protocol, which promises its clients no rate limit."""

from __future__ import annotations

import json

from tests.attack.lines import BINARY
from tests.attack.siege import Siege, attack

LIST = b'"ListLobbies"'
NEW = json.dumps(
    {"NewLobby": {"max_players": 4, "password": "", "lobby_name": "Lobby", "player_name": "Mallory"}}
).encode()


@attack("palace")
async def palace_lists(siege: Siege) -> None:
    """`"ListLobbies"`, 200 per write, on one connection."""
    siege.begin()
    await siege.flood("/palace", LIST, opcode=BINARY, connections=1)


@attack("palace", 3, always=False)
async def palace_lists_by_many(siege: Siege) -> None:
    """The same on 30 connections from three addresses."""
    siege.begin()
    await siege.flood("/palace", LIST, opcode=BINARY, connections=30)


@attack("palace", 3)
async def palace_lists_of_many(siege: Siege) -> None:
    """The same on one connection with 200 lobbies there."""
    await lobbies(siege, 200)
    siege.begin()
    await siege.flood("/palace", LIST, opcode=BINARY, connections=1)


@attack("palace")
async def palace_lobby_after_lobby(siege: Siege) -> None:
    """`NewLobby`, 100 per write: each is left for the next."""
    siege.begin()
    await siege.flood("/palace", NEW, opcode=BINARY, at_once=100)


@attack("palace", always=False)
async def palace_lobbies_with_passwords(siege: Siege) -> None:
    """`NewLobby` with a password, 100 per write."""
    siege.begin()
    await siege.flood("/palace", NEW.replace(b'"password": ""', b'"password": "sesame"'), opcode=BINARY, at_once=100)


@attack("palace", always=False)
async def palace_spectators(siege: Siege) -> None:
    """Looks on at a lobby, again and again, 100 per write."""
    lobby, _ = await opened(siege)
    siege.begin()
    await siege.flood("/palace", json.dumps({"SpectateLobby": lobby}).encode(), opcode=BINARY, at_once=100)


@attack("palace")
async def palace_joins(siege: Siege) -> None:
    """Takes a seat in a lobby, again and again, 100 per write."""
    lobby, _ = await opened(siege)
    siege.begin()
    join = {"JoinLobby": {"lobby_id": lobby, "player_name": "Eve", "password": ""}}
    await siege.flood("/palace", json.dumps(join).encode(), opcode=BINARY, at_once=100)


@attack("palace")
async def palace_reconnects(siege: Siege) -> None:
    """Returns to a seat, again and again, 100 per write, on four connections."""
    lobby, player = await opened(siege)
    siege.begin()
    back = {"Reconnect": {"lobby_id": lobby, "player_id": player}}
    await siege.flood("/palace", json.dumps(back).encode(), opcode=BINARY, at_once=100)


@attack("palace", always=False)
async def palace_nonsense(siege: Siege) -> None:
    """What is no message: cut off, and back again."""
    siege.begin()
    await siege.flood("/palace", b"[" * 60_000, opcode=BINARY, at_once=1, connections=8)


async def lobbies(siege: Siege, count: int) -> None:
    for _ in range(count):
        socket = await siege.websocket("/palace")
        await socket.say(NEW, BINARY)
        socket.line.deaf()


async def opened(siege: Siege) -> tuple[str, str]:
    """A lobby with seats free, and who sits in it."""
    socket = await siege.websocket("/palace")
    await socket.say(NEW.replace(b": 4", b": 8"), BINARY)
    made = (await socket.json())["NewLobbyResponse"]["Ok"]
    socket.line.deaf()
    return made["lobby_id"], made["player_id"]
