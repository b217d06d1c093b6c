"""Players of the small games on other frameworks (``benchmarks/peers``): each speaks just enough of the protocol."""

from __future__ import annotations

import asyncio
import http.client
from typing import Any

from picows import WSMsgType

from benchmarks.clients import Seat, Table, decode, encode

PLAY = {"type": "play", "move": {"move": "play", "cards": ["7♣"]}}


class FanoutSeat(Seat):
    """On picows and on Node's ws, which are told the same and tell the same."""

    ahead = b'"turn":'
    play = encode(PLAY)

    def told(self, message: bytes) -> None:
        if self.sent_at:
            self.moved()
        turn = message.rindex(self.ahead) + len(self.ahead)
        if message[turn] - ord("0") == self.number:
            self.move(self.play)


class FanoutTable(Table):
    seat = FanoutSeat

    @property
    def path(self) -> str:  # type: ignore[override]
        return f"/{self.number}"

    def begin(self) -> None:
        self.seats[0].move(FanoutSeat.play)
        self.playing()


class SocketIoSeat(FanoutSeat):
    """On python-socketio: Engine.IO and Socket.IO by hand."""

    play = b"42" + encode(["play", PLAY["move"]])
    table: SocketIoTable

    def told(self, message: bytes) -> None:
        if message.startswith(b'42["fact"'):
            super().told(message)
        elif message == b"2":
            self.transport.send(self.kind, b"3")
        elif message.startswith(b"0{"):
            self.transport.send(self.kind, b"40")
        elif message.startswith(b"40{"):
            self.ready.set_result(None)
        elif message.startswith(b'42["seated"'):
            self.seated.set_result(None)

    def __init__(self, load: Any, table: Any, number: int) -> None:
        super().__init__(load, table, number)
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.seated: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class SocketIoTable(Table):
    path = "/socket.io/?EIO=4&transport=websocket"
    seat = SocketIoSeat
    seats: list[SocketIoSeat]

    async def open(self) -> None:
        for seat in self.seats:
            await self.connect(seat, self.path)
            await seat.ready
            seat.transport.send(seat.kind, b"42" + encode(["sit", str(self.number)]))
            await seat.seated
        self.begin()

    def begin(self) -> None:
        self.seats[0].move(SocketIoSeat.play)
        self.playing()


class BoardgameSeat(Seat):
    """On boardgame.io: it tells the whole state, and wants to hear by its number which one a move is meant for."""

    def told(self, message: bytes) -> None:
        if message.startswith(b'42/shed,["update"'):
            if self.sent_at:
                self.moved()
            # Everybody is told the whole state; only who is next has to look into it.
            if b'"currentPlayer":"%d"' % self.number in message:
                self.act(decode(message[len(b"42/shed,") :])[2])
        elif message.startswith(b'42/shed,["sync"'):
            if not self.synced.done():
                self.synced.set_result(decode(message[len(b"42/shed,") :])[2]["state"])
        elif message == b"2":
            self.transport.send(self.kind, b"3")
        elif message.startswith(b"0{"):
            self.transport.send(self.kind, b"40/shed,")
        elif message.startswith(b"40/shed"):
            sync = ["sync", str(self.table.number), str(self.number), None, self.load.seats]
            self.transport.send(self.kind, b"42/shed," + encode(sync))

    def __init__(self, load: Any, table: Any, number: int) -> None:
        super().__init__(load, table, number)
        self.synced: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def act(self, state: Any) -> None:
        me = str(self.number)
        card = state["G"]["players"][me]["hand"][0]
        payload = {"type": "play", "args": [card], "playerID": me, "credentials": None}
        update = ["update", {"type": "MAKE_MOVE", "payload": payload}, state["_stateID"], str(self.table.number), me]
        self.move(b"42/shed," + encode(update))


class BoardgameTable(Table):
    path = "/socket.io/?EIO=4&transport=websocket"
    seat = BoardgameSeat
    seats: list[BoardgameSeat]

    async def open(self) -> None:
        for seat in self.seats:  # the first who asks for a match makes it
            await self.connect(seat, self.path)
            self._state = await seat.synced
        self.begin()

    def begin(self) -> None:
        first = self.seats[0]
        first.act(first.synced.result())
        self.playing()


class ColyseusSeat(Seat):
    """On Colyseus: binary patches, in which the turn comes first (see ``peers/colyseus.mjs``)."""

    kind = WSMsgType.BINARY
    JOIN, DATA, PATCH = 10, 13, 15
    play = bytes([DATA, 0xA4]) + b"play"

    def told(self, message: bytes) -> None:
        if message[0] == self.PATCH:
            if self.sent_at:
                self.moved()
            if message[1] == 0x80 and message[2] == self.number:
                self.table.playing()
                self.move(self.play)
        elif message[0] == self.JOIN:
            self.transport.send(self.kind, bytes([self.JOIN]))


class ColyseusTable(Table):
    seat = ColyseusSeat

    async def open(self) -> None:
        room = ""
        for seat in self.seats:
            path = f"joinById/{room}" if room else "create/shed"
            place = await asyncio.to_thread(self._reserve, path)
            room = place["room"]["roomId"]
            await self.connect(seat, f"/{place['room']['processId']}/{room}?sessionId={place['sessionId']}")

    def _reserve(self, path: str) -> Any:
        connection = http.client.HTTPConnection(self.load.host, timeout=30)
        try:
            body = encode({"seats": self.load.seats})
            connection.request("POST", f"/matchmake/{path}", body, {"Content-Type": "application/json"})
            return decode(connection.getresponse().read())
        finally:
            connection.close()
