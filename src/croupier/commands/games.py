"""``croupier games``: what can be played here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from croupier import __version__
from croupier.commands.failing import fail
from croupier.games import Catalogue
from croupier.plugins import catalogue
from croupier.tables.names import harmless
from croupier.tables.table import AnyGame


def tried_games(command: Callable[..., Any]) -> Callable[..., Any]:
    """Games that are not installed, for commands that have to do with games."""
    return click.option(
        "--game",
        "tried",
        multiple=True,
        envvar="CROUPIER_GAME",
        metavar="MODULE:OBJECT",
        help="Load a game that is not installed; the current folder is searched for its module too. Repeatable.",
    )(command)


@click.command()
@tried_games
def games(tried: Sequence[str]) -> None:
    """List the games, and the bots that play them."""
    found = known(tried)
    for game in found.games.values():
        click.echo(f"{game.name:10} {game.about} {game.seats[0]}-{game.seats[-1]} players.")
        click.echo(f"{'':12}from {found.sources.get(game.name, f'croupier {__version__}')}")
        for name, bot in game.bots.items():
            click.echo(f"{'':12}bot {name}: {bot.about}")


def known(tried: Sequence[str]) -> Catalogue:
    """The games there are. What is left out is said beside it."""
    found = catalogue(tried)
    for sentence in found.left_out:
        click.echo(f"croupier: {harmless(sentence)}", err=True)
    return found


def find_game(name: str, tried: Sequence[str] = ()) -> AnyGame:
    there = known(tried).games
    if name not in there:
        fail(f"there is no game {name!r}; known: {', '.join(there)}")
    return there[name]


def game_of(what: str, name: str, tried: Sequence[str]) -> AnyGame:
    """The game of something that was played, here or elsewhere."""
    there = known(tried).games
    if name not in there:
        fail(f"the game of {what}, {name!r}, is not installed here; name it with --game MODULE:OBJECT, or install it")
    return there[name]
