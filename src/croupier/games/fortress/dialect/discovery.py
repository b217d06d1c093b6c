"""Discovery on the local network: a client asks into the round, a server with a game that waits for players answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from croupier.games.fortress.dialect.joining import GAME, UNNAMED, has_room, waiting
from croupier.games.fortress.dialect.messages import encode
from croupier.tables.endpoint import HouseQueries

LONGEST = 256
"""Bytes of an answer: what the oldest clients have room for."""
PADDING = b"\0 \t\r\n"


def answer(datagram: bytes, house: HouseQueries, ports: Mapping[str, int]) -> bytes | None:
    if not _asks(datagram) or GAME not in ports:
        return None
    tables = waiting(house)
    if tables:
        first = tables[0]
        return _found(first.name, first.locked, len(first.players), ports[GAME])
    if not has_room(house):
        return None
    standing = house.standing(GAME)
    return _found(standing.name or UNNAMED, bool(standing.password), 0, ports[GAME])


def _asks(datagram: bytes) -> bool:
    try:
        asked: Any = msgspec.json.decode(datagram.rstrip(PADDING))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(asked, dict) and asked.get("COMMAND") == "FIND_SERVER" and asked.get("GAME") == "LastOfUs"


def _found(name: str, locked: bool, players: int, port: int) -> bytes:
    """D74: all values are strings."""
    while True:
        told = encode(
            {
                "COMMAND": "FIND_SERVER_RESP",
                "GAME_NAME": name,
                "IS_PASSWORDED": "true" if locked else "false",
                "PLAYER_COUNT": str(players),
                "TCP_PORT": str(port),
            }
        )
        if len(told) <= LONGEST:
            return told
        name = name[:-1]
