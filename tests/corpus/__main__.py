"""Record games for the corpus: people and bots at tables of every kind, through a server that is stopped in between."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from croupier.games import catalogue
from croupier.journal.reading import list_tables, read_log
from croupier.journal.schema import MIGRATIONS
from croupier.journal.upkeep import back_up
from croupier.laws import extremes
from croupier.tables import entries
from croupier.tables.table import AnyGame
from tests import corpus
from tests.live import server
from tests.people import PEOPLE, Somebody, walk

STEPS = 100
"""What people do at a table before the server is stopped, and again afterwards."""
FEWEST = 12
"""Tables of each game."""
CROWD = 24
AT_ONCE = 8


def openings(game: AnyGame) -> Iterator[dict[str, Any]]:
    """Tables with the options at their extremes, for as few as possible, for as many, and for some in between."""
    ways = extremes(game)
    for number in range(max(FEWEST, len(ways))):
        options = ways[number % len(ways)]
        possible = game.seats_for(options)
        seats = (possible[0], possible[-1], possible[len(possible) // 2], possible[len(possible) // 3])[number % 4]
        seats = min(max(2, seats), CROWD)
        plain = msgspec.to_builtins(options)
        people = len(PEOPLE) if number % 2 else 2
        yield {"game": game.name, "seats": seats, "options": plain, "bots": max(0, seats - people)}


async def recorded(data: Path, opening: dict[str, Any], gate: asyncio.Semaphore) -> Path:
    """A journal of people who sit at such tables, with a server that is stopped under them."""
    switches: dict[str, Any] = {"bot_delay": 0, "lobby_grace": 5, "test_clock_speed": 100}
    async with gate:
        rng, table = random.Random(str(data)), ""
        people = [Somebody(name) for name in PEOPLE]
        for _ in range(2):
            async with server(data, **switches) as live:
                for person in people:
                    person.live = live
                _, table = await walk(people, rng, STEPS, set(), table, **opening)
            for person in people:
                await person.drop()
    return data / "journal.sqlite"


async def all_recorded(folder: Path) -> list[Path]:
    gate = asyncio.Semaphore(AT_ONCE)
    wanted = [opening for game in catalogue().games.values() for opening in openings(game)]
    return await asyncio.gather(*(recorded(folder / str(i), each, gate) for i, each in enumerate(wanted)))


async def everywhere(data: Path) -> None:
    """A journal of all games, each of them in the middle."""
    rng = random.Random(0)
    async with server(data, bot_delay=0) as live:
        for game in catalogue().games.values():
            people = [Somebody(name) for name in PEOPLE]
            for person in people:
                person.live = live
            await walk(people, rng, STEPS, set(), game=game.name, seats=min(4, game.seats[-1]))


def keep_journal(data: Path) -> None:
    """As it is now, and what its games were then."""
    journal = corpus.JOURNALS / f"schema-{len(MIGRATIONS)}.sqlite"
    if journal.exists():
        return
    corpus.JOURNALS.mkdir(exist_ok=True)
    asyncio.run(everywhere(data))
    back_up(data / "journal.sqlite", journal)
    games, hashes = catalogue().games, {}
    for listing in list_tables(journal, live=True):
        *_, (_, hashes[listing.id]) = corpus.hashed(games[listing.game], read_log(journal, listing.id), listing.id)
    journal.with_suffix(".json").write_text(json.dumps(hashes, indent=1) + "\n")


@click.command(help=__doc__)
def main() -> None:
    games, counts = catalogue().games, Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        keep_journal(Path(folder) / "all")
        for journal in asyncio.run(all_recorded(Path(folder))):
            for listing in list_tables(journal, live=False):
                game, log = games[listing.game], list(read_log(journal, listing.id))
                happened = Counter(type(entries.decode(record.entry)).__name__ for record in log)
                if happened["Started"]:
                    counts.update(happened)
                    counts[f"tables of {game.name}"] += 1
                    place = corpus.GAMES / game.name / f"rules-{type(game).rules}"
                    corpus.write(place / f"{listing.id}.jsonl", game, log, listing.id)
    for what, count in counts.most_common():
        click.echo(f"{count:7} {what}")


if __name__ == "__main__":
    main()
