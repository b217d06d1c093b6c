"""``croupier games``: what can be played here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from croupier import __version__, plugins
from croupier.commands.failing import fail
from croupier.games import Catalogue
from croupier.plugins import catalogue
from croupier.tables.advice import STRENGTHS
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
        click.echo(f"{game.name:10} {game.about} {how_many(game.seats)} players.")
        click.echo(f"{'':12}from {found.sources.get(game.name, f'croupier {__version__}')}")
        # Weakest first, as on the page; the first of them all is who plays when nobody asks for another.
        usual = next(iter(game.bots))
        for name, bot in sorted(game.bots.items(), key=lambda known: STRENGTHS.index(known[1].strength)):
            click.echo(f"{'':12}bot {name} ({bot.strength}{', the usual one' if name == usual else ''}): {bot.about}")


def how_many(seats: range) -> str:
    """How many can play, in words; some games are for two or four, and not for three.

    >>> how_many(range(2, 9)), how_many(range(2, 5, 2)), how_many(range(2, 3))
    ('2 to 8', '2 or 4', '2')
    """
    if seats.step == 1 and len(seats) > 1:
        return f"{seats[0]} to {seats[-1]}"
    return " or ".join(map(str, seats))


def known(tried: Sequence[str]) -> Catalogue:
    """The games there are. What is left out is said beside it."""
    found = catalogue(tried)
    for sentence in found.left_out:
        click.echo(f"croupier: {harmless(sentence)}", err=True)
    return found


def module_for(name: str) -> str | None:
    """The module that somebody means who says the name of a game, or of its package, before it is installed."""
    plain = name.replace("-", "_")
    return next((module for module in (plain, f"croupier_{plain}") if plugins.is_module(module)), None)


def find_game(name: str, tried: Sequence[str] = ()) -> AnyGame:
    there = known(tried).games
    if name not in there:
        module = module_for(name)
        here = f"; to try the one in this folder, add --game {module}" if module else ""
        fail(f"there is no game {name!r}; known: {', '.join(there)}{here}")
    return there[name]


def game_of(what: str, name: str, tried: Sequence[str]) -> AnyGame:
    """The game of something that was played, here or elsewhere."""
    there = known(tried).games
    if name not in there:
        fail(f"the game of {what}, {name!r}, is not installed here; name it with --game MODULE:OBJECT, or install it")
    return there[name]
