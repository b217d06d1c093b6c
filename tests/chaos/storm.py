"""A storm: tables of every game over real sockets, and a server that is killed again and again.

    python -m tests.chaos.storm --kills 500

Everybody keeps a ledger of what they were told. Afterwards every ledger is held against the journal, the journal is
checked, and every table has to go on.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import NamedTuple

from croupier.games import catalogue
from croupier.journal import Record
from croupier.journal.reading import read_log
from services.processes import LOOPBACK, free_port
from tests.chaos.ledger import Tally, compare
from tests.chaos.nursery import Life, Nursery, nursery
from tests.chaos.people import Native, Party, Person
from tests.chaos.speakers import SPEAKERS
from tests.live import Live

PATIENCE = 120.0
"""Seconds after the storm in which every table has to have gone on."""
FLAGS = (
    "--restart-grace",
    "1",
    "--lobby-grace",
    "10",
    "--bot-delay",
    "0.02",
    "--message-rate",
    "0",
    "--table-count",
    "fortress=999",
)
COMPLAINTS = ("can't be replayed", "can't go on", "dialect failed", "request failed", "Traceback", "never retrieved")
"""Of the server's log: what must not be in it."""


def somewhere(host: str = LOOPBACK) -> Live:
    """A place for a server, with ports that are free."""
    return Live({"http": free_port(), "fortress": free_port()}, host)


def flags(at: Live) -> tuple[str, ...]:
    """For a server there."""
    lines = f"fortress={at.host}:{at.ports['fortress']}"
    return (*FLAGS, "--host", at.host, "--port", str(at.ports["http"]), "--listen", lines)


class Outcome(NamedTuple):
    kills: int
    stops: int
    """Polite ones, by SIGTERM."""
    tables: int
    compared: Tally
    made: Mapping[str, int]
    """Acknowledged moves, by game and protocol."""
    slowest: float
    """Seconds until the last table went on after the storm."""


class Storm:
    def __init__(
        self,
        data: Path,
        servers: Sequence[Live],
        parties: int,
        dice: Random,
        pause: float,
        games: int,
    ) -> None:
        self.data = data
        self.servers = servers
        self.dice = dice
        self.log = data / "log"
        self.compared = Tally()
        self.tables = 0
        self.parties = [self._party(number, pause, games) for number in range(parties)]

    def _party(self, number: int, pause: float, most: int) -> Party:
        """All games in turn: two people and somebody who speaks the game's own protocol, two with a bot, or three."""
        games = catalogue().games
        name = list(games)[number % len(games)]
        party = Party(str(number), name, self.servers, self.dice, pause, most)
        room, kind = games[name].seats[-1], number // len(games) % 3
        if kind == 1:
            Native(party, bots=1)
            if room > 2:
                Native(party)
            return party
        others: list[type[Person]] = [Native] * min(room - 1, 2)
        speaker = SPEAKERS[name] if kind == 0 else Native
        for person in (*others, speaker) if speaker.finds else (speaker, *others):
            person(party)
        return party

    async def blow(self, kills: int, told: Callable[[str], None]) -> Outcome:
        """The server is killed so many times, at any moment; some ends are polite ones."""
        stops = kills // 10
        async with self.people() as people, nursery(self.data) as servers:
            for number in range(kills + stops):
                await self._one_life(servers, polite=number % 10 == 9 and number < 10 * stops)
                await self.settle()
                told(f"{number + 1} lives, {self.tables} tables done, {self.compared}")
            async with self._server(servers) as live:
                await live.opened()
                self.opens()
                slowest = await self.recovered(people)
        await self.finish()
        self.check("--data", str(self.data))
        return Outcome(kills, stops, self.tables, self.compared, self.made, slowest)

    @asynccontextmanager
    async def people(self) -> AsyncIterator[list[asyncio.Task[None]]]:
        """Who live, until it is over."""
        people = [asyncio.create_task(person.live()) for party in self.parties for person in party.people]
        try:
            yield people
        finally:
            for task in people:
                task.cancel()
            ends = await asyncio.gather(*people, return_exceptions=True)
        broken = [end for end in ends if not isinstance(end, asyncio.CancelledError)]
        assert not broken, broken

    async def finish(self) -> None:
        """Nobody lives any more: compare what they know of the last tables."""
        for party in self.parties:
            party.move_on()
        await self.settle()

    @property
    def made(self) -> Mapping[str, int]:
        """Acknowledged moves, by game and protocol."""
        made: Counter[str] = Counter()
        for party in self.parties:
            made.update({f"{party.game}, {protocol}": count for protocol, count in party.made.items()})
        return dict(made)

    def _server(self, servers: Nursery) -> AbstractAsyncContextManager[Life]:
        return servers.server("--data", str(self.data), *flags(self.servers[0]), log=self.log)

    async def _one_life(self, servers: Nursery, polite: bool) -> None:
        """Of the server. Most end by SIGKILL, some of those before the server is open; polite ones by SIGTERM."""
        async with self._server(servers) as live:
            if self.dice.random() < 0.15 and not polite:
                await asyncio.sleep(self.dice.uniform(0.0, 0.5))
                return
            await live.opened()
            self.opens()
            await self.some_moves(self.dice.randint(0, 2 * len(self.parties)))
            await asyncio.sleep(self.dice.uniform(0.0, 0.1))
            if polite:
                assert await live.terminate() == 0
        self.closes()

    async def some_moves(self, most: int) -> None:
        """Until so many have been made, or for as long as somebody has patience."""
        enough = sum(party.progress for party in self.parties) + most
        for _ in range(500):
            if sum(party.progress for party in self.parties) >= enough:
                break
            await asyncio.sleep(0.02)

    def opens(self) -> None:
        for party in self.parties:
            party.open.set()

    def closes(self) -> None:
        for party in self.parties:
            party.open.clear()

    async def recovered(self, people: list[asyncio.Task[None]]) -> float:
        """Every table goes on, in every protocol spoken there. Returns after how many seconds the last one has."""
        begun = time.monotonic()
        before = [party.made.copy() for party in self.parties]
        while True:
            stuck = [
                party
                for party, moves in zip(self.parties, before, strict=True)
                if any(party.made[person.speaks] <= moves[person.speaks] for person in party.people)
            ]
            took = time.monotonic() - begun
            if not stuck:
                return took
            broken = [task.exception() for task in people if task.done()]
            assert not broken, broken
            assert took < PATIENCE, f"stuck: {[(party.game, party.table) for party in stuck]}"
            await asyncio.sleep(0.1)

    async def settle(self) -> None:
        """Hold what people know of the tables they are done with against the journal."""
        games = catalogue().games
        for party in self.parties:
            left, party.left = party.left, []
            for table, ledgers in left:
                until_now = deepcopy(ledgers)  # the log is read meanwhile, and somebody may still be there
                records = await self.read(table)
                self.compared = self.compared.plus(compare(games[party.game], table, records, until_now))
                self.tables += 1

    async def read(self, table: str) -> Iterable[Record]:
        """Its log."""
        return read_log(self.data / "journal.sqlite", table)

    def check(self, *journal: str) -> None:
        command = [sys.executable, "-m", "croupier.cli", "check", *journal]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        log = self.log.read_text()
        found = [line for line in log.splitlines() if any(complaint in line for complaint in COMPLAINTS)]
        assert not found, "\n".join(found[:20])


async def storm(
    data: Path,
    *,
    kills: int,
    parties: int,
    seed: int,
    pause: float,
    games: int = 2,
    told: Callable[[str], None] = lambda line: None,
) -> Outcome:
    return await Storm(data, [somewhere()], parties, Random(seed), pause, games).blow(kills, told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--parties", type=int, default=15, help="tables at a time")
    parser.add_argument("--pause", type=float, default=0.1, help="seconds between two moves of one person")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    def told(line: str) -> None:
        print(line, flush=True)  # noqa: T201 - this is a command

    begun = time.monotonic()
    folder = tempfile.mkdtemp(prefix="storm-")  # stays, if something goes wrong
    told(f"journal and log are in {folder}")
    outcome = asyncio.run(storm(Path(folder), told=told, **vars(options)))
    shutil.rmtree(folder)
    told(f"{outcome} in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
