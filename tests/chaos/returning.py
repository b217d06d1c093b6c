"""Everybody loses the connection at the same moment, with a move under way, and everybody comes back at once.

python -m tests.chaos.returning --connections 5000
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from websockets.asyncio.client import connect

from croupier.journal.reading import read_log
from croupier.tables import entries
from tests.chaos.endurance import sample
from tests.client import Client, Json, Refusal
from tests.live import process

SEATS = 4
PATIENCE = 600
"""Seconds: the clients are one process, which may need a while for what five thousand have to say."""


class Outcome(NamedTuple):
    tables: int
    made: int
    """Moves that were sent at the moment of the loss, and are in the journal once."""
    slowest: float
    """Seconds from the loss until the last one sat again."""
    cpu: float
    """Seconds of the server's CPU for each of them to come back once, on average."""


class Table:
    def __init__(self, url: str) -> None:
        self.url = url
        self.people: list[Client] = []
        self.tokens: list[str] = []
        self.id = ""
        self.mover = 0
        self.move: Json = {}

    async def fill(self) -> None:
        for number in range(SEATS):
            person = await self._connected()
            self.people.append(person)
            if number:
                await person.ask("join", table=self.id, player=f"P{number}")
            else:
                await person.ask("open", game="palace", player="P0", seats=SEATS, options={"turn_timer": 0})
                self.id = person.table
            self.tokens.append(person.token)
        await self.people[0].ask("start")

    async def _connected(self) -> Client:
        socket = await connect(self.url, open_timeout=PATIENCE, ping_interval=None, max_queue=None)
        found = Client(socket, PATIENCE)
        found.welcome = await found._receive()
        return found

    async def send_a_move(self, key: str) -> None:
        """Whoever's turn it is sends a move, and hears nothing of it any more."""
        self.key = key
        for number, person in enumerate(self.people):
            moves = (await person.ask("see"))["sync"]["moves"]
            if moves:
                self.mover, self.move = number, moves[0]
                await person.socket.send(json.dumps({"type": "play", "move": self.move, "key": key}))
                return
        raise AssertionError("nobody can move")

    def drop(self) -> None:
        for person in self.people:
            person.socket.transport.abort()

    async def come_back(self, number: int) -> None:
        person = self.people[number] = await self._connected()
        await person.ask("return", table=self.id, token=self.tokens[number])
        if number == self.mover:
            await person.ask("play", move=self.move, key=self.key)

    def made(self, journal: Path) -> int:
        """How often the last move is in the journal."""
        log = (entries.decode(record.entry) for record in read_log(journal, self.id))
        return sum(isinstance(entry, entries.Moved) and entry.key == self.key for entry in log)


async def drop_and_return(data: Path, *, connections: int, rounds: int) -> Outcome:
    limits = ("--message-rate", "0", "--max-tables-per-address", "0")
    flags = (*limits, "--patience", str(PATIENCE), "--request-timeout", str(PATIENCE))
    async with process(data, *flags) as live:
        tables = [Table(live.ws("/ws")) for _ in range(connections // SEATS)]
        for first in range(0, len(tables), 50):
            await asyncio.gather(*(table.fill() for table in tables[first : first + 50]))
        made, slowest, cpu = 0, 0.0, 0.0
        for number in range(rounds):
            await asyncio.gather(*(table.send_a_move(f"round {number}") for table in tables))
            for table in tables:
                table.drop()
            begun, before = time.monotonic(), (await sample(live.ports["http"])).cpu
            back = [table.come_back(seat) for table in tables for seat in range(SEATS)]
            outcomes = await asyncio.gather(*back, return_exceptions=True)
            slowest = max(slowest, time.monotonic() - begun)
            cpu += (await sample(live.ports["http"])).cpu - before
            refused = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
            assert not refused, f"{len(refused)} did not get their seats or moves: {refused[0]}"
            broken = [outcome for outcome in outcomes if outcome is not None]
            assert not broken, f"{len(broken)} did not get back: {broken[0]!r}"
            counts = [table.made(data / "journal.sqlite") for table in tables]
            assert set(counts) == {1}, "a move is lost, or was made twice"
            made += sum(counts)
        for table in tables:
            table.drop()
    return Outcome(len(tables), made, slowest, cpu / rounds / connections)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        outcome = asyncio.run(drop_and_return(Path(folder), **vars(options)))
    print(f"{options.connections} connections: {outcome}")  # noqa: T201 - this is a command


if __name__ == "__main__":
    main()
