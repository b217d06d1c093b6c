"""How long bots take for an answer, as the server tells it: one person of the native protocol at a table with bots.

    python -m benchmarks.bot_times           about a minute; prints the table in docs/bots.md
    python -m benchmarks.bot_times --moves 50

A bot's time runs from the fact that first has its seat in ``awaited`` to the one with its move, by the server's own
clock, which runs ten times faster here so that nobody has to wait for it. Where the person is out of the game, bots
hurry up, and nothing is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import tempfile
from typing import Any

from websockets.asyncio.client import connect

from croupier.config import load
from croupier.games import catalogue
from croupier.server import Server

SPEED = 10
GAMES = catalogue().games


class Watch:
    """Since when who is awaited, and how long bots took."""

    def __init__(self) -> None:
        self.since: dict[int, int] = {}
        self.took: list[int] = []
        self.gaps: list[int] = []
        self._last = 0

    def fact(self, fact: dict[str, Any]) -> None:
        entry, at = fact["entry"], fact["at"]
        if entry["entry"] == "moved":
            since = self.since.pop(entry["seat"], None)
            if entry.get("bot"):
                if since is not None:
                    self.took.append(at - since)
                self.gaps.append(at - self._last)
            self._last = at
        self.since = {seat: self.since.get(seat, at) for seat in fact.get("awaited", ())}


async def measure(server: Server, game: str, moves: int) -> Watch:
    """So many moves of bots, in as many games as it takes; the person plays at random, and at once."""
    watch = Watch()
    rng = random.Random(game)
    rules = GAMES[game]
    while len(watch.took) < moves:
        async with connect(f"ws://127.0.0.1:{server.ports['http']}/ws") as socket:
            await socket.recv()
            seats = min(4, rules.seats[-1])
            for request in (
                {"type": "open", "game": game, "player": "Ann", "seats": seats},
                {"type": "add_bots", "count": seats - 1},
                {"type": "start"},
            ):
                await socket.send(json.dumps(request))
            seat, table = None, None
            while len(watch.took) < moves:
                told = json.loads(await socket.recv())
                if "sync" in told:
                    table = server.house.rooms[told["sync"]["table"]["id"]].table
                if told["type"] != "fact":
                    continue
                watch.fact(told)
                seat = told.get("seat", seat)
                if told.get("result") or (seat is not None and table and rules.done(table.state, seat)):
                    break
                if seat in told.get("awaited", ()):
                    chosen = told.get("moves")
                    wish = {"type": "play", "move": rng.choice(chosen)} if chosen else {"type": "proceed"}
                    await socket.send(json.dumps(wish))
    return watch


async def main(moves: int) -> None:
    print("| game | half of all answers within | 90 % between | the quickest | the slowest | least time after a move |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        config = {"host": "127.0.0.1", "port": 0, "data": folder, "no_game_ports": True, "test_mode": True}
        async with Server(load(config | {"test_clock_speed": SPEED}), catalogue()) as server:
            for game in GAMES:
                watch = await measure(server, game, moves)
                took = sorted(watch.took)
                cuts = statistics.quantiles(took, n=20)
                figures = (statistics.median(took), cuts[0], cuts[-1], took[0], took[-1], min(watch.gaps))
                half, least, most, first, last, gap = (f"{figure / 1000:.1f} s" for figure in figures)
                print(f"| {GAMES[game].title} | {half} | {least} – {most} | {first} | {last} | {gap} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=300, help="bots' moves to measure in each game")
    asyncio.run(main(parser.parse_args().moves))
