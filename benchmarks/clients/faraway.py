"""Faraway by its own protocol: events over Socket.IO, spoken by hand over a WebSocket."""

from __future__ import annotations

from typing import Any

from benchmarks.clients import Seat, Table, decode, encode

PING, PONG = b"2", b"3"


class FarawaySeat(Seat):
    table: FarawayTable

    def told(self, message: bytes) -> None:
        if message.startswith(b'42["update"'):
            if b'"legalActions":[{' in message:
                if not self.sent_at:
                    self.act(decode(message[2:])[1])
            elif b'"phase":"end"' in message and self.number == 0:
                self.table.begin()  # a room is for one game
        elif message.startswith(b"43"):
            if b'"ok":true' in message:
                self.moved()
            else:
                raise RuntimeError(message.decode())
        elif message == PING:
            self.transport.send(self.kind, PONG)
        elif message.startswith(b"0{"):
            self.transport.send(self.kind, b"40")
        elif message.startswith(b'42["session"'):
            self.table.arrived()
        elif message.startswith(b'42["joinedRoom"'):
            self.table.opened(decode(message[2:])[1])
        elif message.startswith(b'42["roomJoined"'):
            self.table.joined()

    def emit(self, *event: Any) -> None:
        self.transport.send(self.kind, b"42" + encode(event))

    def act(self, state: Any) -> None:
        action = self.load.dice.choice(state["legalActions"])
        self.sent_at = 1.0  # until it is really sent: there is only one at a time
        self.move(b"421" + encode([action["type"], action["cardIndex"]]))  # with an acknowledgement


class FarawayTable(Table):
    path = "/socket.io/?EIO=4&transport=websocket"
    seat = FarawaySeat
    seats: list[FarawaySeat]
    _here = 0

    async def open(self) -> None:
        for seat in self.seats:
            await self.connect(seat, self.path)

    def arrived(self) -> None:
        self._here += 1
        if self._here == len(self.seats):
            self.begin()

    def begin(self) -> None:
        self._joined = 1
        self.seats[0].emit("createRoom", {"maxPlayers": len(self.seats)})

    def opened(self, room: str) -> None:
        self._room = room
        for seat in self.seats[1:]:
            seat.emit("joinRoom", room)

    def joined(self) -> None:
        self._joined += 1
        if self._joined == len(self.seats):
            self.seats[0].emit("startGame", self._room)
            self.playing()
