"""Coup by the first version of its own protocol: everybody takes income until they have to launch a coup."""

from __future__ import annotations

import asyncio
from urllib.request import Request, urlopen

from benchmarks.clients import Seat, Table, decode, encode

MUST_COUP = 10


class CoupSeat(Seat):
    gap = 0.06  # no more than 20 messages a second are welcome
    table: CoupTable

    def told(self, message: bytes) -> None:
        table = self.table
        if message.startswith(b'{"event":"nextTurn"'):
            if decode(message)["data"]["currentPlayerName"] == self.name:
                self.propose()
        elif message.startswith(b'{"event":"CONFIRM_ACTION"'):
            if self.sent_at:
                self.moved()
        elif message.startswith(b'{"event":"PLAYER_LOSE_CARD"'):
            card = decode(message)["data"]["cards"][0]
            self.transport.send(self.kind, encode({"event": "PLAYER_LOSE_CARD", "data": {"card": card}}))
        elif message.startswith(b'{"event":"ERROR"'):
            self.load.refused += 1
        elif self.number == 0:
            self.hears_for_all(message, table)

    def hears_for_all(self, message: bytes, table: CoupTable) -> None:
        """What one of them has to keep in mind for the table."""
        if message.startswith(b'{"event":"COINS_CHANGED"'):
            table.coins |= decode(message)["data"]["coins"]
        elif message.startswith(b'{"event":"PLAYER_OUT"'):
            table.living.remove(decode(message)["data"]["playerName"])
        elif message.startswith(b'{"event":"GAME_OVER"'):
            self.send({"event": "NEW_GAME"})
        elif message.startswith(b'{"event":"NEW_GAME"'):
            table.begin()

    @property
    def name(self) -> str:
        return f"P{self.number}"

    def propose(self) -> None:
        coins, living = self.table.coins, self.table.living
        data: dict[str, str | None] = {"action": "INCOME", "targetPlayer": None}
        if coins[self.name] >= MUST_COUP:
            target = next(name for name in living if name != self.name)
            data = {"action": "COUP", "targetPlayer": target}
        self.move(encode({"event": "PROPOSE_ACTION", "data": data}))


class CoupTable(Table):
    path = "/coup/v1"
    seat = CoupSeat
    seats: list[CoupSeat]

    async def open(self) -> None:
        code = await asyncio.to_thread(self._code)
        for seat in self.seats:
            await self.connect(seat, f"{self.path}/{seat.name}?table={code}")
        self.begin()

    def _code(self) -> str:
        with urlopen(Request(f"http://{self.load.host}{self.path}/game", method="POST")) as reply:
            return str(decode(reply.read())["gameCode"])

    def begin(self) -> None:
        self.coins = {seat.name: 2 for seat in self.seats}
        self.living = list(self.coins)
        self.seats[0].send({"event": "START_GAME"})
        self.playing()
