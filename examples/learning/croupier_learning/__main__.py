"""Train a bot, find out how good it is, and plot how it has learnt:

python -m croupier_learning train palace
python -m croupier_learning evaluate palace
python -m croupier_learning plot curve.svg
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import process_time

import click
import msgspec

from croupier.gym.setup import find
from croupier.kernel import RandomBot
from croupier_learning.bot import BOTS, TRAINED
from croupier_learning.curve import Curve, Point, draw
from croupier_learning.matches import match
from croupier_learning.training import SEATS, Learner

POINTS = 25
"""Of a curve, beside the first."""

GAME = click.argument("game", type=click.Choice(list(BOTS)))


@click.group(help=__doc__)
def main() -> None: ...


@main.command()
@GAME
@click.option("--decisions", type=click.IntRange(1), default=1_000_000, show_default=True, help="to be learnt from")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--games", type=click.IntRange(2), default=500, show_default=True, help="for each point of the curve")
@click.option("--out", type=click.Path(path_type=Path), default=TRAINED, help="a folder; else the bot plays with it")
def train(game: str, decisions: int, seed: int, games: int, out: Path) -> None:
    """Learn a game by self-play, from nothing."""
    out.mkdir(parents=True, exist_ok=True)
    bot = BOTS[game]
    learner = Learner(game, bot.encoding, seed)
    curve = Curve(find(game).title, seed, SEATS[-1], games, 0.0, [])

    def test(done: int) -> None:
        score = match(game, curve.seats, partial(bot, learner.network), RandomBot, games)
        curve.points.append(Point(done, round(score.reward.value, 4), round(score.reward.error, 4)))
        click.echo(f"{done:>9,} decisions, {curve.cpu_seconds:4.0f} s: mean reward {score.reward} against random bots")

    test(0)
    begun = process_time()
    for done in learner.learn(decisions):
        if done >= len(curve.points) * decisions / POINTS or done >= decisions:
            curve.cpu_seconds += process_time() - begun
            test(done)
            begun = process_time()
    curve.cpu_seconds = round(curve.cpu_seconds, 1)
    learner.network.save(out / f"{game}.npz")
    (out / f"{game}.json").write_bytes(msgspec.json.format(msgspec.json.encode(curve)) + b"\n")
    click.echo(f"written: {out / game}.npz, {out / game}.json")


@main.command()
@GAME
@click.option("--games", type=click.IntRange(2), default=2000, show_default=True, help="for each row of the table")
@click.option("--seed", type=int, default=2, show_default=True, help="of the deals")
def evaluate(game: str, games: int, seed: int) -> None:
    """Let the trained bot play against the game's own ones, alone among others of a kind."""
    click.echo("| against | seats | wins | by chance | mean reward |\n|---|---|---|---|---|")
    for name, opponent in find(game).bots.items():
        if opponent is not BOTS[game]:
            for seats in SEATS:
                wins, reward = match(game, seats, BOTS[game], opponent, games, seed)
                share = f"{100 * wins.value:.1f} % ± {100 * wins.error:.1f}"
                click.echo(f"| {name} | {seats} | {share} | {100 / seats:.0f} % | {reward} |")


@main.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def plot(file: Path) -> None:
    """Draw the curves of the trained bots, as SVG."""
    stored = [(TRAINED / f"{game}.json").read_bytes() for game in BOTS]
    file.write_text(draw([msgspec.json.decode(each, type=Curve) for each in stored]))


if __name__ == "__main__":
    main(prog_name="python -m croupier_learning")
