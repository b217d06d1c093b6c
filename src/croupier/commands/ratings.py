"""``croupier ratings``: how good people are, as the journal says, and what bots are worth, as the arena says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import click

from croupier.arena import results
from croupier.arena.tournament import BadTournament
from croupier.commands import arena_games
from croupier.commands.failing import fail
from croupier.commands.journal import any_journal, where
from croupier.journal import Journal
from croupier.journal.places import at_postgres, at_rest, open_store, require_asyncpg
from croupier.journal.sqlite import SqliteJournal
from croupier.people import history, projection
from croupier.tables.names import harmless

_AT_ONCE = 500
"""Games in one transaction."""


@click.group()
def ratings() -> None:
    """Show or rebuild the ratings of people, and measure those of bots."""


@ratings.command()
@any_journal
def rebuild(data: str, journal: str | None) -> None:
    """Work out anew what people have played and how good they are. The server has to be stopped."""
    games, people, changed = asyncio.run(_rebuild(where(data, journal)))
    were = f"{changed} of them otherwise than before" if changed else "all of them as before"
    click.echo(f"{games} games counted, {people} ratings, {were}")


@ratings.command()
@click.argument("game")
@any_journal
def show(game: str, data: str, journal: str | None) -> None:
    """Show who is best at GAME. The server may be running."""
    with open_store(where(data, journal)) as store:
        leaders = history.read_now(store.query, history.leaders(game))
    for one in leaders:
        click.echo(f"{one.place:3}  {one.rating:4} ± {one.margin:<3}  {one.games:5} games  {harmless(one.name)}")
    if not leaders:
        click.echo(f"nobody has played enough games of {harmless(game)} that count")


@ratings.command("import")
@click.argument("files", nargs=-1, required=True, metavar="RESULTS...", type=click.Path(path_type=Path, exists=True))
@any_journal
def import_results(files: Sequence[Path], data: str, journal: str | None) -> None:
    """Let games of the arena count as if its bots were people. The server has to be stopped.

    RESULTS is a file that croupier arena has written. What was imported before is not imported again."""
    now = int(time.time() * 1000)
    try:
        games = [game for file in files for game in arena_games.over(results.read(file), now)]
    except BadTournament as error:
        fail(str(error))
    new = asyncio.run(_import(where(data, journal), games))
    click.echo(f"{new} games counted" + (f", {len(games) - new} were there" if new < len(games) else ""))


@ratings.command()
@click.argument("files", nargs=-1, required=True, metavar="RESULTS...", type=click.Path(path_type=Path, exists=True))
def bots(files: Sequence[Path]) -> None:
    """Say what bots are worth (Bot.worth), from what croupier arena has written about games between them."""
    try:
        worth = arena_games.worth(results.read(file) for file in files)
    except BadTournament as error:
        fail(str(error))
    for (game, bot), mu in sorted(worth.items(), key=lambda known: (known[0][0], -known[1])):
        click.echo(f"{game:10} {bot:16} {mu:5.1f}")


async def _rebuild(place: str) -> tuple[int, int, int]:
    """How many games there are, and ratings; and how many of those have changed, to the last bit."""
    query = "SELECT game, person, mu, sigma, games FROM ratings"
    async with _alone(place) as journal:
        await projection.catch_up(journal)
        before = set(await journal.query(query))
        games = await projection.rebuild(journal)
        after = set(await journal.query(query))
    return games, len(after), len({row[:2] for row in before ^ after})


async def _import(place: str, games: Sequence[projection.Game]) -> int:
    new = 0
    async with _alone(place) as journal:
        for start in range(0, len(games), _AT_ONCE):
            new += await journal.transact(arena_games.kept(games[start : start + _AT_ONCE]))
        await projection.catch_up(journal)
    return new


@asynccontextmanager
async def _alone(place: str) -> AsyncIterator[Journal]:
    """The journal to write to, while no server does."""
    async with AsyncExitStack() as stack:
        if at_postgres(place):
            require_asyncpg()
            from croupier.journal.postgres import PostgresJournal

            await asyncio.to_thread(_require_rest, place)
            journal: Journal = await PostgresJournal.open(place)
        else:
            stack.enter_context(at_rest(place))
            journal = SqliteJournal(Path(place))
        stack.push_async_callback(journal.close)
        yield journal


def _require_rest(place: str) -> None:
    """In a thread of its own: it has an event loop."""
    with at_rest(place):
        pass
