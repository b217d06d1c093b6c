"""Any game, by the native protocol: any of the moves that are offered."""

from __future__ import annotations

from random import Random
from typing import Any

from benchmarks.clients import Seat, Table, decode, encode

OPTIONS: dict[str, dict[str, Any]] = {
    "cambia": {"pre_game_sec": 0},
    "coup": {"confirm_policy": "all", "min_wait_ms": 0},
}
"""Without the waits that are there for people."""


class NativeSeat(Seat):
    table: NativeTable
    moves: list[Any]

    def told(self, message: bytes) -> None:
        # Four of five messages need no more than a look: the clients must not be what limits the load.
        if message.startswith(b'{"type":"fact"'):
            self.moves = decode(message)["moves"] if b'"moves":[{' in message else []
            if b'"result":{' in message:
                self.table.over(self)
            elif self.moves and not self.sent_at:
                self.choose()
        elif message.startswith(b'{"type":"reply","id":1'):
            if b'"error":' in message:
                self.load.refused += 1
                self.sent_at = 0.0
            else:
                self.moved()
            if self.moves:
                self.choose()
        elif message.startswith(b'{"type":"reply"'):
            self.table.answered(self, message)

    def choose(self) -> None:
        if (move := pick(self.load.dice, self.moves)) is not None:
            self.sent_at = 1.0  # until it is really sent: there is only one at a time
            self.moves = []
            self.move(encode({"type": "play", "id": 1, "move": move}))  # nothing else has an id


def pick(dice: Random, moves: list[Any]) -> Any:
    """As in the playouts: in Cambia no blind snaps, and rarely a call; in Coup nobody gives up an action."""
    fitting = [move for move in moves if move["move"] not in ("snap", "nevermind")]
    if not fitting:
        return None
    move = dice.choice(fitting)
    if move["move"] == "call_cambia" and dice.random() > 0.02:
        return fitting[0]
    return move


class NativeTable(Table):
    path = "/ws"
    seat = NativeSeat
    game = "palace"

    def begin(self) -> None:
        self._taken = 0
        self._reopening = False
        options = OPTIONS.get(self.game, {}) | self.load.options
        self.seats[0].send(
            {"type": "open", "game": self.game, "player": "P0", "seats": len(self.seats), "options": options}
        )

    def answered(self, seat: Seat, message: bytes) -> None:
        if b'"error":' in message:
            raise RuntimeError(message.decode())
        if b'"token":' in message:
            self._taken += 1
            if self._taken < len(self.seats):
                table = decode(message)["sync"]["table"]["id"]
                join = {"type": "join", "table": table, "player": f"P{self._taken}"}
                self.seats[self._taken].send(join)
            else:
                self.seats[0].send({"type": "start"})
        elif self._reopening:
            self._reopening = False
            self.seats[0].send({"type": "start"})
        else:
            self.playing()

    def over(self, seat: Seat) -> None:
        """The game is over, as one of the seats has just heard."""
        if seat is not self.seats[0]:
            return
        if self.game == "faraway":  # its tables are for one game
            self.begin()
        elif self.game == "coup":
            self._reopening = True
            seat.send({"type": "reopen"})
        else:
            seat.send({"type": "start"})


def of(game: str) -> type[NativeTable]:
    return type(f"Native{game.title()}", (NativeTable,), {"game": game})
