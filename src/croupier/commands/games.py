"""``croupier games``: what can be played here."""

from __future__ import annotations

import click

from croupier.commands.failing import fail
from croupier.games import catalogue
from croupier.tables.table import AnyGame


@click.command()
def games() -> None:
    """List the games, and the bots that play them."""
    for game in catalogue().games.values():
        click.echo(f"{game.name:10} {game.about} {game.seats[0]}-{game.seats[-1]} players.")
        for name, bot in game.bots.items():
            click.echo(f"{'':12}bot {name}: {bot.about}")


def find_game(name: str) -> AnyGame:
    known = catalogue().games
    if name not in known:
        fail(f"there is no game {name!r}; there is {', '.join(known)}")
    return known[name]
