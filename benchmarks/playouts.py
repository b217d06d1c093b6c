"""How many decisions a second random playouts make: every game here, and UNO in RLCard as a yardstick.

``python benchmarks/playouts.py`` needs nothing else: RLCard is installed into a folder of its own under ``~/.cache``.
Both run on one core in turns, so that whatever else the machine does falls on both.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, get_args

import msgspec

from croupier.games import catalogue
from croupier.games.cambia.moves import CallCambia, Snap
from croupier.kernel import Chance, Game
from croupier.kernel.chance import QuickDice

PEERS = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "croupier-peers"

# The engine is RLCard's rules alone, the environment what its users run: rules, encoded observations and agents.
RLCARD = """
import random, sys
from time import perf_counter
import rlcard
from rlcard.agents import RandomAgent
from rlcard.games.uno import Game

what, seats, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
decisions, start = 0, perf_counter()
if what == "environment":
    env = rlcard.make("uno", config={"game_num_players": seats})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(seats)])
    start = perf_counter()
    while perf_counter() - start < seconds:
        trajectories, _ = env.run(is_training=False)
        decisions += sum(len(trajectory) // 2 for trajectory in trajectories)
else:
    while perf_counter() - start < seconds:
        game = Game(num_players=seats)
        game.init_game()
        while not game.is_over():
            game.step(random.choice(game.get_legal_actions()))
            decisions += 1
print(decisions / (perf_counter() - start))
"""


Pick = Callable[[QuickDice, Sequence[Any]], Any]


def restrained(dice: QuickDice, moves: Sequence[Any]) -> Any:
    """In Cambia any move but a snap, since blind snaps would fill the hands until the deck is gone; and a call in one
    turn of fifty, since a game would be over before it has begun."""
    chosen = [move for move in moves if type(move) is not Snap]
    move = dice.choice(chosen)
    return chosen[0] if type(move) is CallCambia and dice.below(50) else move


def any_move(dice: QuickDice, moves: Sequence[Any]) -> Any:
    return dice.choice(moves)


PICKS: dict[str, Pick] = {"cambia": restrained}
"""How moves are picked, where any of them would not do."""


def rulesets(game: Game[Any, Any, Any, Any, Any]) -> list[dict[str, str]]:
    """The options that choose each ruleset of a game; most have but one."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(game.Options)}
    return [{"ruleset": name} for name in get_args(get_args(kinds["ruleset"])[0])] if "ruleset" in kinds else [{}]


def croupier(game: Game[Any, Any, Any, Any, Any], seats: int, seconds: float, **chosen: str) -> float:
    """Decisions a second of random games, all included. Where nobody has anything to say, time goes on."""
    options = game.Options(**chosen)
    dice = QuickDice(1)
    pick = PICKS.get(game.name, any_move)
    decisions = games = 0
    start = perf_counter()
    while perf_counter() - start < seconds:
        at = 0
        state = game.deal(options, seats, Chance(games.to_bytes(32, "big")), at)
        games += 1
        while True:
            if awaited := game.awaited(state):
                seat = awaited[0]
                game.play(state, seat, pick(dice, game.moves(state, seat)), at)
                decisions += 1
            elif clocks := game.clocks(state):
                clock = min(clocks, key=lambda clock: clock.due)
                at = clock.due
                game.expire(state, clock.name, at)
            else:
                break
    return decisions / (perf_counter() - start)


def uno(python: Path, what: str, seats: int, seconds: float) -> float:
    """Decisions a second of random games of UNO in RLCard."""
    run = [str(python), "-c", RLCARD, what, str(seats), str(seconds)]
    return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def rlcard() -> Path | None:
    """The interpreter of an environment that has RLCard; None when there is no getting it."""
    folder = PEERS / "rlcard-1.2.0"
    python = folder / "bin" / "python"
    try:
        if not python.exists():
            print(f"installing RLCard into {folder} …", flush=True)
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True, text=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "rlcard==1.2.0"]
        subprocess.run(install, check=True, capture_output=True, text=True)
        uno(python, "engine", 2, 0.01)
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", "") or str(error)
        print(f"RLCard can't be installed here, so there is no comparison: {reason.strip().splitlines()[-1]}")
        return None
    return python


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of every measurement")
    arguments = parser.parse_args()

    peer = rlcard()
    speeds: dict[str, list[float]] = {}
    for _ in range(arguments.repeats):
        for seats in (4, 2):
            for game in catalogue().games.values():
                for chosen in rulesets(game) if seats in game.seats else ():
                    speed = croupier(game, seats, arguments.seconds, **chosen)
                    name = ", ".join([game.title, *chosen.values(), f"{seats} seats"])
                    speeds.setdefault(f"Croupier: {name}", []).append(speed)
            if peer:
                for what in ("engine", "environment"):
                    speed = uno(peer, what, seats, arguments.seconds)
                    speeds.setdefault(f"RLCard: UNO, {seats} seats, {what}", []).append(speed)

    version, cores = platform.python_version(), os.cpu_count()
    print(
        f"decisions a second on one core, median of {arguments.repeats} and the range (Python {version}, {cores} cores)"
    )
    for name, measured in speeds.items():
        print(f"  {name:36} {median(measured):10,.0f}   {min(measured):,.0f} … {max(measured):,.0f}")
    if peer:
        print("Palace in Croupier to UNO in RLCard, median of the ratios of each round")
        for seats in (4, 2):
            ours = speeds[f"Croupier: Palace, {seats} seats"]
            for what in ("engine", "environment"):
                theirs = speeds[f"RLCard: UNO, {seats} seats, {what}"]
                ratio = median(our / their for our, their in zip(ours, theirs, strict=True))
                print(f"  {f'{seats} seats, to the {what}':36} {ratio:9.1f}x")


if __name__ == "__main__":
    main()
