"""Games by bots that use the Python client, and a server that is killed in between: every game ends, and no move is
lost or made twice.

    python -m tests.chaos.client_bots --games 1000 --kills 10

The bots don't know that anything is wrong: coming back, and what becomes of a move, is the client's affair. Afterwards
what each was told to be done is held against the journal, move by move.
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
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from croupier.client import Client, Lost, Refused, Table, TooLate
from croupier.client_bots.playing import Player
from croupier.games import catalogue
from croupier.journal.reading import read_log
from croupier.kernel import RandomBot
from croupier.tables import entries
from croupier.tables import table as tables
from services.processes import free_port
from tests.chaos.ledger import plain
from tests.chaos.nursery import nursery
from tests.chaos.storm import COMPLAINTS

GAMES_AT_A_TABLE = 3
OPTIONS = {"cambia": {"pre_game_sec": 0}}
FLAGS = ("--message-rate", "0", "--bot-delay", "0.01", "--lobby-grace", "5")


class Outcome(NamedTuple):
    games: dict[str, int]
    """That ended, by name."""
    tables: int
    kills: int
    moves: int
    """That were acknowledged, each of which is in the journal once."""
    too_late: int
    """Moves that were not made because the game had gone on."""
    lost: int
    """Times that somebody sat down and did not hear whether they had."""
    unsure: int
    """Moves of which nobody can say whether they were made, since whoever made them lost their seat."""


class Party:
    """Some bots that want to play so many games of one kind, at one table after the other."""

    def __init__(self, number: int, game: str, seats: int, games: int, client: Client) -> None:
        self.number = number
        self.game = game
        self.seats = seats
        self.games = games
        self.client = client
        self.done = 0
        """Games that ended at tables they have left."""
        self.made: dict[str, dict[str, list[Any]]] = {}
        """By table and name: the moves that were acknowledged, in order."""
        self.unsure: dict[tuple[str, str], Any] = {}
        """By table and name: the last move of who lost their seat before they could hear whether it was made."""
        self.too_late = 0
        self.lost = 0
        self._here: list[Table] = []
        self._names = 0

    @property
    def progress(self) -> int:
        return self.done + max((table.summary.games for table in self._here), default=0)

    async def play(self) -> None:
        while self.done < self.games:
            wanted = min(GAMES_AT_A_TABLE, self.games - self.done)
            opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._attend(wanted, opened, host=True))
                for _ in range(self.seats - 1):
                    group.create_task(self._attend(wanted, opened, host=False))
            self.done, self._here = self.progress, []

    async def _attend(self, wanted: int, opened: asyncio.Future[str], host: bool) -> None:
        """One of them: sits down, and plays until there are enough games or the table is closed."""
        while True:
            self._names += 1
            name = f"p{self.number} {self._names}"
            try:
                if host and not opened.done():
                    options = OPTIONS.get(self.game, {})
                    table = await self.client.open(self.game, player=name, seats=self.seats, options=options)
                    opened.set_result(table.id)
                else:
                    table = await self.client.join(await opened, player=name)
            except Lost:
                self.lost += 1
                continue
            except Refused as refusal:
                if refusal.code == "no_such_table":
                    return
                await asyncio.sleep(0.1)  # whoever has our seat, or has begun without us, is not there: it passes
                continue
            self._here.append(table)
            await self._play_at(table, name, wanted)
            if table.summary.games >= wanted or table.gone == "closed":
                return

    async def _play_at(self, table: Table, name: str, wanted: int) -> None:
        player, made = Player(RandomBot), self.made.setdefault(table.id, {}).setdefault(name, [])
        async for happening in table:
            move = player.answer(table, happening)
            if move is not None:
                try:
                    await table.play(move)
                    made.append(plain(move))
                except TooLate:
                    self.too_late += 1
                except Lost:
                    self.unsure[table.id, name] = plain(move)
            if not table.playing and not table.unread:
                if table.summary.games >= wanted:
                    await table.leave()
                elif table.hosting:
                    with suppress(Refused, Lost):
                        await self._begin(table)

    async def _begin(self, table: Table) -> None:
        here = [player for player in table.summary.players if not player.gone]
        for player in here:
            if player.away:  # who sat down and did not hear of it, or is slow to come back
                await table.kick(player.seat)
                return
        if len(here) == self.seats:
            await table.start()
        elif table.summary.phase == "over":
            await table.reopen()  # for somebody else


class Run:
    def __init__(
        self, data: Path, games: int, kills: int, parties: int, seed: int, told: Callable[[str], None]
    ) -> None:
        self.data = data
        self.games = games
        self.kills = kills
        self.count = parties
        self.dice = Random(seed)
        self.told = told
        self.parties: list[Party] = []

    async def play(self) -> Outcome:
        port, log = str(free_port()), self.data / "log"
        flags = ("--data", str(self.data), "--port", port, *FLAGS)
        async with nursery(self.data) as servers:
            begun = asyncio.Event()
            playing = asyncio.create_task(self._everybody(f"http://localhost:{port}", begun))
            for life in range(self.kills + 1):
                async with servers.server(*flags, log=log) as server:
                    await server.opened()
                    begun.set()
                    if life < self.kills:
                        await self._reach((life + 1) * self.games // (self.kills + 1), playing)
                        await asyncio.sleep(self.dice.uniform(0, 0.05))
                        await server.kill()
                    else:
                        await playing
                self.told(f"{life + 1} lives of the server, {self._progress} games")
        return self._outcome()

    async def _everybody(self, address: str, begun: asyncio.Event) -> None:
        kinds = catalogue().games
        await begun.wait()
        async with Client(address) as client, asyncio.TaskGroup() as group:
            for number in range(self.count):
                name = list(kinds)[number % len(kinds)]
                seats = min(2 + number // len(kinds) % 2, kinds[name].seats[-1])
                share = self.games // self.count + (number < self.games % self.count)
                self.parties.append(Party(number, name, seats, share, client))
                group.create_task(self.parties[-1].play())

    @property
    def _progress(self) -> int:
        return sum(party.progress for party in self.parties)

    async def _reach(self, games: int, playing: asyncio.Task[None]) -> None:
        while self._progress < games:
            await asyncio.sleep(0.01)
            if playing.done():
                playing.result()
                raise AssertionError("there were too few games")

    def _outcome(self) -> Outcome:
        games, moves, kinds = Counter[str](), 0, catalogue().games
        for party in self.parties:
            ended = 0
            for table, made in party.made.items():
                log = tables.Table(table, kinds[party.game])
                found: dict[str, list[Any]] = {name: [] for name in made}
                for record in read_log(self.data / "journal.sqlite", table):
                    entry = entries.decode(record.entry)
                    if isinstance(entry, entries.Moved) and not entry.bot:
                        found[log.seats[entry.seat].name].append(entry.move)
                    log.apply(entry, record.at)
                assert log.phase == "closed", f"{party.game} at {table} is {log.phase}"
                for name, moves_made in made.items():
                    unsure = party.unsure.get((table, name))
                    assert found[name] in (moves_made, [*moves_made, unsure]), f"{name} at {table} ({party.game})"
                ended += log.games
                moves += sum(map(len, made.values()))
            assert ended == party.done >= party.games
            games[party.game] += ended
        self._check()
        late, lost = sum(party.too_late for party in self.parties), sum(party.lost for party in self.parties)
        unsure = sum(len(party.unsure) for party in self.parties)
        tables_played = sum(len(party.made) for party in self.parties)
        return Outcome(dict(games), tables_played, self.kills, moves, late, lost, unsure)

    def _check(self) -> None:
        command = [sys.executable, "-m", "croupier.cli", "check", "--data", str(self.data)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        log = (self.data / "log").read_text()
        found = [line for line in log.splitlines() if any(complaint in line for complaint in COMPLAINTS)]
        assert not found, "\n".join(found[:20])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--parties", type=int, default=20, help="tables at a time")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    def told(line: str) -> None:
        print(line, flush=True)  # noqa: T201 - this is a command

    begun = time.monotonic()
    folder = tempfile.mkdtemp(prefix="client-bots-")  # stays, if something goes wrong
    told(f"journal and log are in {folder}")
    outcome = asyncio.run(Run(Path(folder), told=told, **vars(options)).play())
    shutil.rmtree(folder)
    told(f"{outcome} in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
