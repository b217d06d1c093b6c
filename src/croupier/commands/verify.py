"""``croupier verify``: whether the deal of a finished game is what its seed says, and everything after it too."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click

from croupier.commands.failing import fail
from croupier.commands.game_records import given
from croupier.commands.games import game_of, tried_games
from croupier.tables.names import harmless
from croupier.tables.records import GameRecord
from croupier.tables.table import AnyGame
from croupier.tables.verifying import NoRecord, Verified, Wrong, read
from croupier.tables.verifying import verify as check


@click.command()
@click.argument("record")
@click.option("--pledge", metavar="HASH", help="The hash you were shown when the game began.")
@tried_games
def verify(record: str, pledge: str | None, tried: Sequence[str]) -> None:
    """Check the deal of a finished game, from its record or the address of its replay.

    RECORD is a file, - for standard input, or an address. The game is replayed here, by the rules of this version:
    its seed has to be the one whose hash was shown at the start, and the deal, every later shuffle, every event and the
    result have to follow from it. The exit code is 0 if they do, 1 if they don't, and 2 if RECORD is not the
    record of a finished game."""
    try:
        kept = read(given(record))
        game = game_of("this record", kept.about.game, tried)
        found = check(kept, game, pledge)
    except NoRecord as error:
        fail(str(error))
    except Wrong as error:
        click.echo(f"This record is not right: {harmless(str(error))}.")
        sys.exit(1)
    for line in _summary(kept, game, found, pledge is not None):
        click.echo(harmless(line))


def _summary(record: GameRecord, game: AnyGame, found: Verified, seen: bool) -> Iterator[str]:
    about = record.about
    names = [player.name for player in about.players]
    shown = "that you were shown" if seen else "that the record says was shown"
    drawn = [_count(found.shuffles, "shuffle"), *([_count(found.numbers, "number")] if found.numbers else [])]
    yield f"All is right with game {about.number} of “{about.name}” ({game.title}: {', '.join(names)})."
    yield f"Its seed has the hash {shown} at the start, {found.pledge}."
    yield (
        f"Played again by the rules (version {about.rules}), {' and '.join(drawn)} come out as the seed says; so do "
        f"{_count(found.moves, 'move')}, the result and the final state."
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
