"""Cambia by its own protocol: a socket for the lobby and one for the game. Everybody draws and discards, for ever."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.request import Request, urlopen

from benchmarks.clients import Load, Seat, Table, decode, encode

DRAW = encode({"type": "action_draw_stockpile"})
SKIP = encode({"type": "action_special", "special": "skip"})
NEW_LOBBY = {"gameMode": "group_of_4", "houseRules": {"preGameSec": 0}, "settings": {"autoStart": False}}


class Lobby(Seat):
    """Somebody's other socket, which has nothing to say once the game has begun."""

    table: CambiaTable

    def told(self, message: bytes) -> None:
        if message.startswith(b'{"type":"lobby_state"'):
            self.send({"type": "ready"})
        elif self.number == 0 and message.startswith(b'{"type":"ready_update"'):
            self.table.readied()
        elif self.number == 0 and message.startswith(b'{"type":"game_start"'):
            self.table.game.set_result(decode(message)["game_id"])


class CambiaSeat(Seat):
    table: CambiaTable
    me = b""
    """How a message goes on that is about this player."""

    def told(self, message: bytes) -> None:
        if message.startswith(b'{"type":"private_draw_stockpile"'):
            self.moved()
            self.move(encode({"type": "action_discard", "card": {"id": decode(message)["card"]["id"]}}))
        elif message.startswith(b'{"type":"game_player_turn",' + self.me):
            self.table.playing()
            self.move(DRAW)
        elif message.startswith(b'{"type":"player_special_choice",' + self.me):
            self.move(SKIP)
        elif message.startswith(
            (b'{"type":"player_discard",' + self.me, b'{"type":"player_special_action",' + self.me)
        ):
            self.moved()
        elif message.startswith((b'{"type":"error"', b'{"type":"private_special_action_fail"')):
            self.load.refused += 1


class CambiaTable(Table):
    path = "/cambia"
    seat = CambiaSeat
    seats: list[CambiaSeat]

    def __init__(self, load: Load, number: int) -> None:
        super().__init__(load, number)
        self.lobby = [Lobby(load, self, seat) for seat in range(load.seats)]
        self.game: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._ready = 0

    async def open(self) -> None:
        people = [await asyncio.to_thread(self._post, "/user/guest", {"username": "Guest"}) for _ in self.seats]
        tokens = [person["token"] for person in people]
        lobby = (await asyncio.to_thread(self._post, "/lobby/create", NEW_LOBBY, tokens[0]))["id"]
        for member, token in zip(self.lobby, tokens, strict=True):
            await self.connect(member, f"{self.path}/lobby/ws/{lobby}?token={token}")
        game = await self.game
        for seat, person in zip(self.seats, people, strict=True):
            seat.me = b'"user":{"id":"%s"}' % person["id"].encode()
            await self.connect(seat, f"{self.path}/game/ws/{game}?token={person['token']}")

    def _post(self, path: str, body: Any = None, token: str = "") -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data = b"" if body is None else encode(body)
        with urlopen(Request(f"http://{self.load.host}{self.path}{path}", data, headers)) as reply:
            return decode(reply.read())

    def readied(self) -> None:
        self._ready += 1
        if self._ready == len(self.seats):
            self.lobby[0].send({"type": "start_game"})

    def leave(self) -> None:
        for seat in self.lobby:
            seat.leave()
        super().leave()
