"""``croupier play``: a game in the terminal, against bots."""

from __future__ import annotations

from collections.abc import Sequence
from getpass import getuser
from typing import get_args

import click

from croupier import plugins
from croupier.commands.failing import fail
from croupier.commands.games import find_game, how_many, known, tried_games
from croupier.kernel import Bot
from croupier.kernel.bot import Strength
from croupier.tables.table import AnyGame
from croupier.terminal import play as terminal
from croupier.terminal.console import Console

USUAL_BOTS = 3


@click.command()
@click.argument("game", required=False)
@click.option("--bots", type=int, default=None, help="Number of opponents.  [default: 3, or as many as can play]")
@click.option("--bot", default=None, metavar="KIND", help="Kind of bot; 'croupier games' lists them.")
@click.option("--strength", type=click.Choice(get_args(Strength)), default=None, help="How well they play.")
@click.option("--name", default=None, help="Your name.  [default: your user name]")
@click.option("--pace", default=0.5, show_default=True, help="Seconds between two events.")
@tried_games
def play(
    game: str | None,
    bots: int | None,
    bot: str | None,
    strength: Strength | None,
    name: str | None,
    pace: float,
    tried: Sequence[str],
) -> None:
    """Play a game in the terminal, against bots; no server needed.

    GAME may be left out if --game names the only one you are trying.
    """
    found = _wanted(game, tried)
    seats = found.seats_for(found.Options(**found.usual))
    if bots is None:
        bots = min(max(USUAL_BOTS, seats[0] - 1), seats[-1] - 1)
    if bots + 1 not in seats:
        fail(f"{found.title} is for {how_many(seats)} players, including you")
    opponents = [_opponent(found, bot, strength)] * bots
    try:
        terminal.play(found, name or getuser(), opponents, Console(max(0.0, pace)))
    except (terminal.Quit, EOFError, KeyboardInterrupt):
        click.echo("\nGoodbye.")


def _wanted(name: str | None, tried: Sequence[str]) -> AnyGame:
    if name is not None:
        return find_game(name, tried)
    if len(tried) != 1:
        fail(f"say which game to play: {', '.join(known(tried).games)}")
    return find_game(plugins.find(tried[0]).name, tried)


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
