"""``croupier play``: a game in the terminal, against bots."""

from __future__ import annotations

from collections.abc import Sequence
from getpass import getuser
from typing import get_args

import click

from croupier.commands.failing import fail
from croupier.commands.games import find_game, tried_games
from croupier.kernel import Bot
from croupier.kernel.bot import Strength
from croupier.tables.table import AnyGame
from croupier.terminal import play as terminal
from croupier.terminal.console import Console

USUAL_BOTS = 3


@click.command()
@click.argument("game")
@click.option("--bots", type=int, default=None, help="Number of opponents.  [default: 3, or as many as can play]")
@click.option("--bot", default=None, metavar="KIND", help="Kind of bot; 'croupier games' lists them.")
@click.option("--strength", type=click.Choice(get_args(Strength)), default=None, help="How well they play.")
@click.option("--name", default=None, help="Your name.  [default: your user name]")
@click.option("--pace", default=0.5, show_default=True, help="Seconds between two events.")
@tried_games
def play(
    game: str,
    bots: int | None,
    bot: str | None,
    strength: Strength | None,
    name: str | None,
    pace: float,
    tried: Sequence[str],
) -> None:
    """Play a game in the terminal, against bots; no server needed."""
    found = find_game(game, tried)
    seats = found.seats_for(found.Options(**found.usual))
    if bots is None:
        bots = min(max(USUAL_BOTS, seats[0] - 1), seats[-1] - 1)
    if bots + 1 not in seats:
        many = f"{seats[0]} to {seats[-1]}" if len(seats) > 1 else str(seats[0])
        fail(f"{found.title} is for {many} players, including you")
    opponents = [_opponent(found, bot, strength)] * bots
    try:
        terminal.play(found, name or getuser(), opponents, Console(max(0.0, pace)))
    except (terminal.Quit, EOFError, KeyboardInterrupt):
        click.echo("\nGoodbye.")


def _opponent(game: AnyGame, kind: str | None, strength: Strength | None) -> type[Bot]:
    if kind is not None and kind not in game.bots:
        fail(f"{game.title} has no bot {kind!r}; known: {', '.join(game.bots)}")
    if strength is None:
        return game.bots[kind or next(iter(game.bots))]
    fitting = [bot for name, bot in game.bots.items() if bot.strength == strength and kind in (None, name)]
    if not fitting:
        known = ", ".join(f"{name} is {bot.strength}" for name, bot in game.bots.items())
        fail(f"{game.title} has no bot {f'{kind} ' if kind else ''}that is {strength}; {known}")
    return fitting[0]
