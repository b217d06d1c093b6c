"""The same fan-out on python-socketio and uvicorn, as its documentation shows it."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from typing import Any

import socketio  # type: ignore[import-untyped]
import uvicorn

sio = socketio.AsyncServer(async_mode="asgi")
tables: dict[str, list[str]] = {}
places: dict[str, tuple[str, int]] = {}
turns: dict[str, int] = {}


async def sit(sid: str, table: str) -> None:
    seats = tables.setdefault(table, [])
    places[sid] = (table, len(seats))
    seats.append(sid)
    await sio.enter_room(sid, table)
    await sio.emit("seated", len(seats) - 1, to=sid)


async def play(sid: str, move: Any) -> None:
    table, seat = places[sid]
    if turns.get(table, 0) != seat:
        return
    turn = turns[table] = (seat + 1) % len(tables[table])
    await sio.emit("fact", told(seat, turn, move), room=table)


def told(seat: int, turn: int, move: Any) -> Any:
    return {
        "seq": 5,
        "at": 1794793548623,
        "entry": {"entry": "moved", "seat": seat},
        "events": [{"event": "played", "seat": seat, "cards": move["cards"]}, {"event": "turn", "seat": turn}],
        "clocks": [{"due": 1794793598623, "seats": [turn], "name": "turn"}],
        "turn": turn,
    }


async def main() -> None:
    sio.on("sit", sit)
    sio.on("play", play)
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    sys.stdout.write(json.dumps({"port": listening.getsockname()[1]}) + "\n")
    sys.stdout.flush()
    config = uvicorn.Config(socketio.ASGIApp(sio), log_level="warning", loop="uvloop", http="httptools")
    await uvicorn.Server(config).serve(sockets=[listening])


if __name__ == "__main__":
    asyncio.run(main())
