"""Fortress by its own protocol, lines of JSON over TCP: everybody draws, allows what the other does, ends the turn."""

from __future__ import annotations

import asyncio
from typing import Any

from benchmarks.clients import Load, Player, Table, decode, encode
from croupier.games.fortress.decks import STARTERS

DECK = STARTERS["Assault"]
DRAW, ALLOW, END, ACCEPT = (
    encode({"COMMAND": command}) for command in ("DRAW_CARD", "ALLOW_ACTION", "TURN_END", "GAME_START_ACCEPT")
)


class FortressSeat(Player, asyncio.Protocol):
    """Every game is a connection of its own, and the server says who plays with whom: a table is just two people."""

    table: FortressTable
    transport: asyncio.Transport
    me = -1
    """The player's id, in the game that runs."""
    left = False

    def __init__(self, load: Load, table: FortressTable, number: int) -> None:
        super().__init__(load, table, number)
        self.joined: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]  # uvloop's is none by its class
        self._rest = b""
        self.sent_at = 0.0
        self.say(encode({"COMMAND": "JOIN_GAME", "USERNAME": f"P{self.number}", "DECK_DATA": DECK}))

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self.told(line)

    def say(self, message: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(message + b"\n")

    def told(self, message: bytes) -> None:
        if message.startswith(b'{"COMMAND":"DRAW_CARD_RESP"'):
            self._drawn(message)
        elif message.startswith(b'{"COMMAND":"TURN_START"'):
            self.table.playing()
            if self.sent_at:
                self.moved()
            if b'"PLAYER_ID":%d' % self.me in message:
                self.move(DRAW if b'"MUST_DRAW":true' in message else END)
        elif message.startswith(b'{"COMMAND":"TARGET_CARD"'):
            if self.sent_at:
                self.moved()  # there are too many cards in the hand for the turn to end
            self.move(encode({"COMMAND": "TARGET_CARD_RESP", "CARD_POS": decode(message)["VALID_REGION"][0]}))
        elif message.startswith(b'{"COMMAND":"MULLIGAN_OFFER"'):
            self.say(ACCEPT)
        elif message.startswith(b'{"COMMAND":"JOIN_GAME_RESP"'):
            self.me = decode(message)["PLAYER_ID"]
            if not self.joined.done():
                self.joined.set_result(None)
        elif message.startswith(b'{"COMMAND":"GAME_END"'):
            self.transport.close()
        elif message.startswith(b'{"COMMAND":"ERROR"'):
            raise RuntimeError(message.decode())

    def _drawn(self, message: bytes) -> None:
        if b'"RESPONDER_ID":%d' % self.me in message:
            self.move(ALLOW)
        elif b'"RESPONDER_ID"' in message:
            self.moved()  # announced
        elif b'"ACTION_ID"' in message:
            if self.sent_at:
                self.moved()  # allowed
            else:
                self.move(END)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.left:
            self.table.coming = asyncio.ensure_future(self.come())

    async def come(self) -> None:
        host, _, _ = self.load.host.partition(":")
        await asyncio.get_running_loop().create_connection(lambda: self, host, self.load.lines)

    def leave(self) -> None:
        self.left = True
        self.transport.abort()


class FortressTable(Table):
    seats: list[FortressSeat]
    coming: asyncio.Future[Any] | None = None

    def sit(self) -> list[FortressSeat]:
        return [FortressSeat(self.load, self, number) for number in range(self.load.seats)]

    async def open(self) -> None:
        for seat in self.seats:
            await seat.come()
            await seat.joined
