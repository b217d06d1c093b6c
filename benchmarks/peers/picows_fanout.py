"""The least that a table can be on picows: a message in, the turn checked, one encoding, sent to every seat.

No rules, no journal, no state but whose turn it is: what a socket layer costs, to hold a server against.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

tables: dict[str, list[Seat]] = {}
turns: dict[str, int] = {}
encode = msgspec.json.encode
decode = msgspec.json.decode


class Seat(WSListener):
    def __init__(self, table: str) -> None:
        self.table = table
        self.seats = tables.setdefault(table, [])
        self.number = len(self.seats)
        self.seats.append(self)

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        move = decode(frame.get_payload_as_bytes())["move"]
        if turns.get(self.table, 0) != self.number:
            return
        turn = turns[self.table] = (self.number + 1) % len(self.seats)
        message = encode(told(self.number, turn, move))
        for seat in self.seats:
            seat.transport.send(WSMsgType.TEXT, message)


def told(seat: int, turn: int, move: Any) -> Any:
    """As long as what Croupier tells of an ordinary move in Palace."""
    return {
        "type": "fact",
        "seq": 5,
        "at": 1794793548623,
        "entry": {"entry": "moved", "seat": seat},
        "events": [{"event": "played", "seat": seat, "cards": move["cards"]}, {"event": "turn", "seat": turn}],
        "clocks": [{"due": 1794793598623, "seats": [turn], "name": "turn"}],
        "turn": turn,
    }


async def main() -> None:
    def enter(request: WSUpgradeRequest) -> WSListener:
        return Seat(request.path.decode().rsplit("/", 1)[-1])

    server = await ws_create_server(enter, "127.0.0.1", 0)
    sys.stdout.write(json.dumps({"port": server.sockets[0].getsockname()[1]}) + "\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main())
