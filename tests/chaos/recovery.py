"""How long it takes until every table can be played on, after a server with many of them has gone.

python -m tests.chaos.recovery --tables 1000
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import tempfile
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

from croupier.games import catalogue
from croupier.journal import Append, Record
from croupier.journal.sqlite import SqliteJournal
from croupier.kernel.chance import QuickDice
from croupier.tables import entries, keys, rulings
from croupier.tables.entries import AnyEntry, Expired, Moved
from croupier.tables.rulings import Newcomer
from croupier.tables.table import AnyGame, Table
from tests.chaos.endurance import sample
from tests.client import client
from tests.live import process

MOVES = 60
"""Of each table's game, unless it is over before."""


class Outcome(NamedTuple):
    tables: int
    entries: int
    open: float
    """Seconds from the start of the process until it listens."""
    playable: float
    """The same until somebody has come back to every table and has been shown it."""
    cpu: float
    """Seconds of the server's CPU until then, which say more where the machine has other things to do."""


def played(game: AnyGame, id: str, token: str, dice: Random) -> list[Record]:
    """The log of a game that has gone on for some moves."""
    table, records = Table(id, game), list[Record]()
    at = round(time.time() * 1000) - 1000 * MOVES

    def happen(*found: AnyEntry) -> None:
        for entry in found:
            table.apply(entry, at)
            records.append(Record(table.seq, at, entries.encode(entry)))

    luck = (dice.randbytes(32), None)
    happen(
        *rulings.opened(game, "", game.seats[0] + 1 if len(game.seats) > 1 else 2, {}, "", Newcomer("A", token), luck)
    )
    happen(*rulings.joined(table, Newcomer("B", f"{token} B"), ""))
    happen(*rulings.launched(table, luck))
    quick = QuickDice(dice.randrange(1 << 30))
    for _ in range(MOVES):
        at += 500
        awaited = table.game.awaited(table.state)
        mover = next((seat for seat in awaited if game.moves(table.state, seat)), None)
        if mover is not None:
            moves = [move for move in game.moves(table.state, mover) if type(move).__name__ != "Snap"]
            happen(Moved(mover, quick.choice(moves)))
        else:
            clock = min(table.clocks(), key=lambda clock: clock.due)
            at = max(at, clock.due)
            happen(Expired(clock.name))
        if table.result is not None:
            records.pop()  # a table that is to be played on stops before the end
            break
    return records


async def recover(data: Path, tables: int, seed: int = 1) -> Outcome:
    dice = Random(seed)
    journal = SqliteJournal(data / "journal.sqlite", "OFF")
    games = list(catalogue().games.values())
    found: list[tuple[str, str]] = []
    count = 0
    for number in range(tables):
        id, token = keys.new_id(), keys.new_id()
        game = games[number % len(games)]
        records = played(game, id, token, dice)
        journal.append(Append(id, records, game.name, False))
        found.append((id, token))
        count += len(records)
    await journal.close()
    begun = time.monotonic()
    async with process(data, "--restart-grace", "600", "--message-rate", "0") as live:
        opened = time.monotonic() - begun

        async def back(id: str, token: str) -> None:
            async with client(live.ws("/ws")) as somebody:
                assert (await somebody.ask("return", table=id, token=token))["sync"]["table"]["phase"] != "closed"

        await asyncio.gather(*(back(id, token) for id, token in found))
        playable = time.monotonic() - begun
        cpu = (await sample(live.ports["http"])).cpu
    return Outcome(tables, count, opened, playable, cpu)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1000)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        outcome = asyncio.run(recover(Path(folder), **vars(options)))
    print(f"{outcome} ({os.cpu_count()} cores)")  # noqa: T201 - this is a command


if __name__ == "__main__":
    main()
