"""What a move costs between the sockets and the disk: the house, its tables and a dialect, with nothing around them.

The sessions here throw away what they are sent and the journal settles at once, so that all of the time is our own
code's, and a profile of it is not drowned by system calls.

    python -m benchmarks.hotpath                      µs of CPU per move, for every game
    python -m benchmarks.hotpath palace --profile     where they go
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from time import thread_time
from typing import Any

import msgspec

from benchmarks.clients.native import OPTIONS, pick
from croupier.games import catalogue
from croupier.journal import Append, Listing, Piece, Record, Row, Script, Shown, T
from croupier.journal.latency import Latency
from croupier.net.native import Native
from croupier.tables.house import House
from croupier.tables.session import Session
from croupier.tables.settings import Settings

decode, encode = msgspec.json.decode, msgspec.json.encode


class Nowhere:
    """A journal that forgets: everything is safe as soon as it is sent."""

    fault = None
    latency = Latency()

    def __init__(self) -> None:
        self.waiting: list[Append] = []

    def append(self, append: Append) -> None:
        self.waiting.append(append)

    def settle(self) -> None:
        waiting, self.waiting = self.waiting, []
        for append in waiting:
            append.settled(None)

    async def snapshots(self, tables: Sequence[str]) -> dict[str, bytes]:
        return {}

    async def logs(self, tables: Mapping[str, int]) -> AsyncIterator[Piece]:
        for table in tables:
            yield Piece(table, ())

    async def first(self, table: str) -> Record | None:
        return None

    async def public(self, table: str) -> bytes | None:
        return None

    async def tables(self, live: bool) -> list[Listing]:
        return []

    async def shown(self) -> dict[str, Shown]:
        return {}

    async def secret(self) -> bytes:
        return bytes(32)

    async def query(self, sql: str, *values: Any) -> list[Row]:
        return []

    async def transact(self, script: Script[T]) -> T:
        raise NotImplementedError

    async def scrub(self, tables: Sequence[str]) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        pass


class Listener(Session):
    """A connection without a socket."""

    reply = b""
    moves = b""
    over = False

    def send(self, message: bytes) -> None:
        if message.startswith(b'{"type":"fact"'):
            self.moves = message if b'"moves":[{' in message else b""
            self.over = b'"result":{' in message
        else:
            self.reply = message

    def close(self, code: int, reason: str = "") -> None:
        raise RuntimeError(reason)


class Bench:
    """One table of a game, and everybody at it."""

    dice = random.Random(1)

    def __init__(self, house: House, journal: Nowhere, game: str, seats: int, **options: Any) -> None:
        self.house = house
        self.journal = journal
        self.game = game
        self.options = OPTIONS.get(game, {}) | options
        self.seats = [Listener(Native(b"")) for _ in range(seats)]
        self.begin()

    def begin(self) -> None:
        first, *others = self.seats
        self.say(first, type="open", game=self.game, player="P0", seats=len(self.seats), options=self.options)
        table = decode(first.reply)["sync"]["table"]["id"]
        for number, seat in enumerate(others, start=1):
            self.say(seat, type="join", table=table, player=f"P{number}")
        self.say(first, type="start")

    def say(self, seat: Listener, **request: Any) -> None:
        self.house.receive(seat, encode(request), True)
        self.journal.settle()

    async def play(self, moves: int) -> float:
        """The CPU seconds of that many moves; not those of making them up."""
        took = 0.0
        hear, settle = self.house.receive, self.journal.settle
        while moves:
            seat, move = self._next()
            if seat is None:
                if self.seats[0].over:
                    self.begin()
                else:
                    await asyncio.sleep(0.001)  # a clock of the game's
                    settle()
                continue
            message = encode({"type": "play", "move": move})
            start = thread_time()
            hear(seat, message, True)
            settle()
            took += thread_time() - start
            moves -= 1
        return took

    def _next(self) -> tuple[Listener | None, Any]:
        for seat in self.seats:
            if seat.moves and (move := pick(self.dice, decode(seat.moves)["moves"])) is not None:
                seat.moves = b""
                return seat, move
        return None, None


async def measure(game: str, moves: int, repeats: int, profile: bool) -> float:
    games = catalogue().games
    journal = Nowhere()
    house = House(games, journal, Settings())
    bench = Bench(house, journal, game, 4 if 4 in games[game].seats else 2)
    await bench.play(moves // 4)
    if profile:
        with cProfile.Profile() as profiler:
            await bench.play(moves)
        pstats.Stats(profiler).sort_stats("tottime").print_stats(45)
    # The least of them: whatever else the machine does only ever adds to it.
    return min([1e6 * await bench.play(moves) / moves for _ in range(repeats)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=[])
    parser.add_argument("--moves", type=int, default=4000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    for game in asked.games or catalogue().games:
        cost = asyncio.run(measure(game, asked.moves, asked.repeats, asked.profile))
        print(f"{game:10} {cost:6.1f} µs of CPU per move", flush=True)


if __name__ == "__main__":
    main()
