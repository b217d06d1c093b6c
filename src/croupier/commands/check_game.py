"""``croupier check-game``: the laws that every game is held to, for whoever writes one."""

from __future__ import annotations

import sys

import click

from croupier import laws, plugins
from croupier.commands.failing import fail
from croupier.commands.games import known, module_for


@click.command("check-game")
@click.argument("name", metavar="GAME")
@click.option(
    "--games",
    type=click.IntRange(1),
    help="Number of games to play.  [default: fifty, and every option at its extremes]",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the first game.")
@click.option("--seats", type=click.IntRange(1), help="Number of players.  [default: as many as can play, up to six]")
def check_game(name: str, games: int | None, seed: int, seats: int | None) -> None:
    """Check that a game obeys the laws that every game obeys, and say what is wrong.

    GAME is the name of an installed game, or the location of another one: a module, or module:object, as in
    hearts.rules:Hearts.
    """
    here = known(()).games
    if name not in here and ":" not in name and not plugins.is_module(name):
        module = module_for(name)
        meant = f"; did you mean {module}?" if module else ""
        fail(f"there is no game {name!r}, and no module of that name in this folder; known: {', '.join(here)}{meant}")
    game = here[name] if name in here else plugins.find(name)
    if seats is not None and not laws.plan(game, [seats]):
        fail(f"{game.title} is not for {seats} player{'' if seats == 1 else 's'}")
    try:
        report = laws.check(game, games=games, seed=seed, seats=None if seats is None else [seats], progress=_progress)
    except laws.Broken as broken:
        _clear()
        click.echo(broken)
        if broken.position is not None:
            size = f" --seats {seats}" if seats else ""
            click.echo(f"  or:     croupier check-game {name} --games 1 --seed {broken.position.seed}{size}")
        sys.exit(1)
    _clear()
    click.echo(report)


def _progress(report: laws.Report) -> None:
    """Where somebody is looking on."""
    if sys.stderr.isatty():
        click.echo(f"\r{report.games:,} games played, {report.positions:,} positions compared", err=True, nl=False)


def _clear() -> None:
    if sys.stderr.isatty():
        click.echo("\r\033[K", err=True, nl=False)
